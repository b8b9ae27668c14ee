"""Addresses as the browser reads them, and whether a rule allows them. Opens nothing and looks nothing up.

The text is parsed by the standard that browsers follow, so what is judged is what would be opened: `http:\\\\host` is
`http://host/`, `http://allowed@other` is `other`, `0x7f.1` is `127.0.0.1`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ada_url import URL

from gui_environments.errors import ActionRefused

WEB_SCHEMES = ("http", "https")
DEFAULT_PORTS = {"http": 80, "https": 443}

_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_HOST_AND_PORT = re.compile(r"(?!https?:)[^/?#\\:@]+:[0-9]+(?=[/?#\\]|$)", re.IGNORECASE)
"""`localhost:8080/path`, which would otherwise be read as an address of the scheme `localhost`."""

_STRIPPED = "".join(map(chr, range(0x21)))
"""What browsers drop at both ends of an address; within it they drop tabs and newlines."""


@dataclass(frozen=True, slots=True)
class Address:
    """A web address. `host` is in the browser's canonical form: lower case, punycode, addresses in full."""

    href: str
    scheme: str
    host: str
    port: int

    @property
    def host_and_port(self) -> str:
        return self.host if self.port == DEFAULT_PORTS[self.scheme] else f"{self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class HostRule:
    """Allows one host: exactly that one, on any port when `port` is None."""

    host: str
    port: int | None = None

    def allows(self, address: Address) -> bool:
        return address.host == self.host and self.port in (None, address.port)

    def __str__(self) -> str:
        return self.host if self.port is None else f"{self.host}:{self.port}"


def parse_host_rule(text: str) -> HostRule:
    """`HOST` or `HOST:PORT`, the host a name or an address. Raises `ValueError` with a sentence."""
    host, port = text, None
    match = re.fullmatch(r"(.*[^:]):([0-9]{1,5})|(\[.*\]):([0-9]{1,5})", text)
    if match:
        host, port = match[1] or match[3], int(match[2] or match[4])
    if not host or re.search(r"[\s/?#\\@%*]", host) or (port is not None and not 0 < port < 65536):
        raise ValueError(f"{text!r} is not HOST or HOST:PORT")
    try:
        parsed = URL(f"http://{host}/")
    except ValueError:
        raise ValueError(f"{text!r} is not HOST or HOST:PORT") from None
    if parsed.port or parsed.username or not parsed.hostname:
        raise ValueError(f"{text!r} is not HOST or HOST:PORT")
    return HostRule(parsed.hostname, port)


def parse_address(text: str) -> Address:
    """A web address as someone types it: no scheme means https. Raises `ActionRefused` for anything else."""
    text = text.strip(_STRIPPED)
    text = re.sub("[\t\r\n]", "", text)
    if not text:
        raise ActionRefused("The address is empty.")
    scheme = None if _HOST_AND_PORT.match(text) else _SCHEME.match(text)
    if scheme is None:
        text = "https://" + text.lstrip("/\\")
    elif scheme[1].lower() not in WEB_SCHEMES:
        raise ActionRefused(f"Only http and https addresses are opened, not {scheme[1][:20].lower()}: ones.")
    address = _parse(text)
    if address is None:
        raise ActionRefused("This is not an address a browser can open: check its spelling.")
    return address


def address_of(url: str) -> Address | None:
    """The web address that a browser reports; None for what has none (`about:blank`, `data:`, an error page)."""
    return _parse(url) if url.startswith(("http://", "https://")) else None


def _parse(text: str) -> Address | None:
    try:
        parsed = URL(text)
    except ValueError:
        return None
    scheme = parsed.protocol.removesuffix(":")
    if scheme not in WEB_SCHEMES or not parsed.hostname:
        return None
    return Address(parsed.href, scheme, parsed.hostname, int(parsed.port or DEFAULT_PORTS[scheme]))


def require_allowed(address: Address, allowed: Sequence[HostRule] | None) -> None:
    """Raises `ActionRefused` when there is a list (even an empty one) and no rule of it allows the address."""
    if allowed is None or any(rule.allows(address) for rule in allowed):
        return
    listed = ", ".join(map(str, allowed[:10])) or "none"
    raise ActionRefused(f"The host {address.host_and_port} is not allowed here. Allowed are: {listed}.")

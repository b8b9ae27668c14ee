"""Addresses as the browser reads them. Judges none, opens none and looks nothing up.

The text is parsed by the standard that browsers follow, so what is judged is what would be opened: `http:\\\\host` is
`http://host/`, `http://allowed@other` is `other`, `0x7f.1` is `127.0.0.1`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address, IPv6Address

from ada_url import URL

from gui_environments.egress.ranges import IpAddress
from gui_environments.errors import ActionRefused

WEB_SCHEMES = ("http", "https")
DEFAULT_PORTS = {"http": 80, "https": 443}

_SCHEME_OF = {"http:": "http", "https:": "https", "ws:": "http", "wss:": "https"}
"""A WebSocket begins as a request of the scheme it stands for."""

_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_HOST_AND_PORT = re.compile(r"(?!https?:)[^/?#\\:@]+:[0-9]+(?=[/?#\\]|$)", re.IGNORECASE)
"""`localhost:8080/path`, which would otherwise be read as an address of the scheme `localhost`."""

_HOST = re.compile(r"[a-z0-9._-]+|\[[0-9a-f:]+\]")
"""Browsers take more, and do not agree on how to write it; no host has such a name, and none is reached by one."""

_STRIPPED = "".join(map(chr, range(0x21)))
"""What browsers drop at both ends of an address; within it they drop tabs and newlines."""


@dataclass(frozen=True, slots=True)
class Address:
    """A web address. `host` is in the browser's canonical form: lower case, punycode, addresses in full, IPv6 in
    brackets. `scheme` is http or https, for a WebSocket's the one it begins as."""

    href: str
    scheme: str
    host: str
    port: int

    @property
    def host_and_port(self) -> str:
        return self.host if self.port == DEFAULT_PORTS[self.scheme] else f"{self.host}:{self.port}"

    @property
    def ip(self) -> IpAddress | None:
        """The host as a number, when it is one and no name."""
        return ip_of_host(self.host)


def ip_of_host(host: str) -> IpAddress | None:
    """Of a host in canonical form; None for a name."""
    try:
        return IPv6Address(host[1:-1]) if host.startswith("[") else IPv4Address(host)
    except AddressValueError:
        return None


def canonical_host(text: str) -> str | None:
    """A host as browsers read it; None for what is none."""
    address = address_of_host(text, 80, "http")
    return None if address is None else address.host


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
    return _parse(url) if url.startswith(("http://", "https://", "ws://", "wss://")) else None


def address_of_host(host: str, port: int, scheme: str) -> Address | None:
    """Of a host and port as they stand in a request, the host in any spelling a browser takes; None for others."""
    if not host or any(character in "/?#\\@" or character <= " " for character in host):
        return None
    address = _parse(f"{scheme}://{host}:{port}/")
    return address if address is not None and address.port == port else None


def _parse(text: str) -> Address | None:
    try:
        parsed = URL(text)
    except ValueError:
        return None
    scheme = _SCHEME_OF.get(parsed.protocol)
    if scheme is None or not _HOST.fullmatch(parsed.hostname):
        return None
    return Address(parsed.href, scheme, parsed.hostname, int(parsed.port or DEFAULT_PORTS[scheme]))

"""Whether a rule of `navigate` allows an address. Opens nothing and looks nothing up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ada_url import URL

from gui_environments.egress.addresses import DEFAULT_PORTS as DEFAULT_PORTS
from gui_environments.egress.addresses import WEB_SCHEMES as WEB_SCHEMES
from gui_environments.egress.addresses import Address as Address
from gui_environments.egress.addresses import address_of as address_of
from gui_environments.egress.addresses import parse_address as parse_address
from gui_environments.errors import ActionRefused


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


def require_allowed(address: Address, allowed: Sequence[HostRule] | None) -> None:
    """Raises `ActionRefused` when there is a list (even an empty one) and no rule of it allows the address."""
    if allowed is None or any(rule.allows(address) for rule in allowed):
        return
    listed = ", ".join(map(str, allowed[:10])) or "none"
    raise ActionRefused(f"The host {address.host_and_port} is not allowed here. Allowed are: {listed}.")

"""The grammar of what is listed: one entry, one rule. Anything that could be meant in two ways is an error.

- `example.com`: this host, with any port, by http and https (WebSockets count as the scheme they begin as).
- `*.example.com`: every host below it, at any depth; not `example.com` itself.
- `example.com:8080`: this port only.
- `https://example.com:8443`: this scheme and port only; without a port the scheme's own.
- `127.0.0.1:8000`, `[::1]:8000`: an address, written as one. No name and no other spelling stands for it.
- `intranet.corp=10.20.0.0/16`: this name, as long as it resolves to an address in this range. Without a range a name
  must resolve to public addresses. `localhost` and what ends in it may be loopback, and nothing else.

Names may hold any letters (`bücher.example`); they are compared as browsers compare them, in punycode.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address, IPv4Network, IPv6Address, NetmaskValueError, ip_network

from gui_environments.egress.addresses import DEFAULT_PORTS, WEB_SCHEMES, Address, canonical_host, ip_of_host
from gui_environments.egress.ranges import IPV4_INSIDE, LOOPBACK, METADATA, IpAddress, IpNetwork, special_kind

NAME_LIMIT = 253
LABEL_LIMIT = 63
"""Characters of a host's name, and of what stands between two dots of it."""

WIDEST_RANGE = {4: 8, 6: 7}
"""Bits that a range has in common at least: 10.0.0.0/8 and fc00::/7, the largest private ones. A wider one would hold
loopback or the metadata addresses, and be no range that a name "may resolve to"."""

_NOT_IN_A_HOST = {
    "/": "a path cannot be listed, only hosts",
    "?": "a query cannot be listed, only hosts",
    "#": "a fragment cannot be listed, only hosts",
    "\\": "there is a backslash in it",
    "@": "there is a user name in it",
    "%": "there is a percent sign in it; write the characters themselves",
    ",": "there is a comma in it; write one entry for each host",
}


class BadEntry(ValueError):
    """An entry that says nothing clear. The message says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class HostRule:
    """One entry. `host` is in the browser's canonical form; with `subdomains` the rule is for what is below it. `port`
    or `scheme` None is any. `addresses` is where the name may be, when that need not be public."""

    host: str
    port: int | None = None
    scheme: str | None = None
    subdomains: bool = False
    addresses: IpNetwork | None = None

    def allows(self, address: Address) -> bool:
        """By name, port and scheme; where the name resolves to is judged by `may_be_at`."""
        if self.port not in (None, address.port) or self.scheme not in (None, address.scheme):
            return False
        if self.subdomains:
            return address.host.endswith(f".{self.host}") and len(address.host) > len(self.host) + 1
        return address.host == self.host

    def may_be_at(self, ip: IpAddress) -> bool:
        """Whether the host may be found at this address."""
        literal = ip_of_host(self.host)
        if literal is not None:
            return ip == literal
        kind = special_kind(ip)
        if self.addresses is not None:
            # A range that merely surrounds a metadata address does not list it.
            unnamed = kind == METADATA and self.addresses.num_addresses > 1
            return ip in self.addresses and kind != IPV4_INSIDE and not unnamed
        if is_localhost(self.host):
            return any(ip in network for network in LOOPBACK)
        return kind is None

    def __str__(self) -> str:
        scheme = "" if self.scheme is None else f"{self.scheme}://"
        port = "" if self.port is None or self.port == DEFAULT_PORTS.get(self.scheme or "") else f":{self.port}"
        addresses = "" if self.addresses is None else f"={self.addresses}"
        return f"{scheme}{'*.' if self.subdomains else ''}{self.host}{port}{addresses}"


def is_localhost(name: str) -> bool:
    """Names that stand for this machine by standard, whatever a name server says."""
    return f".{name}".removesuffix(".").endswith(".localhost")


def parse_entry(text: str) -> HostRule:
    """Raises `BadEntry`."""
    try:
        return _parse_entry(text)
    except BadEntry as error:
        raise BadEntry(f"{text!r} cannot be listed: {error}.") from None


def _parse_entry(text: str) -> HostRule:
    if not text:
        raise BadEntry("it is empty")
    if any(character.isspace() or not character.isprintable() for character in text):
        raise BadEntry("there is a space or a control character in it")
    if text == "*":
        raise BadEntry("a star alone would be every host, which is an option of its own (--allow-any-host)")
    place, has_range, range_text = text.partition("=")
    scheme, rest = _split_scheme(place)
    host, port_text = _split_port(rest)
    port = None if port_text is None else _port(port_text)
    if scheme is not None and port is None:
        port = DEFAULT_PORTS[scheme]
    if host.startswith("["):
        rule = HostRule(_ipv6_host(host), port, scheme)
    else:
        subdomains = host.startswith("*.")
        rule = HostRule(_name_or_ipv4(host.removeprefix("*."), alone=not subdomains), port, scheme, subdomains)
    if not has_range:
        return rule
    if ip_of_host(rule.host) is not None:
        raise BadEntry("a range belongs behind a name, not behind an address")
    return HostRule(rule.host, port, scheme, rule.subdomains, _range(range_text))


def _split_scheme(place: str) -> tuple[str | None, str]:
    scheme, separator, rest = place.partition("://")
    if not separator:
        return None, place
    if scheme.lower() not in WEB_SCHEMES:
        raise BadEntry("its scheme is not http or https, which stand for ws and wss too")
    return scheme.lower(), rest


def _split_port(rest: str) -> tuple[str, str | None]:
    for character, problem in _NOT_IN_A_HOST.items():
        if character in rest:
            raise BadEntry(f"{problem}; for a range write NAME={rest}" if _is_range(rest) else problem)
    if rest.startswith("["):
        host, bracket, port = rest.partition("]")
        if not bracket or (port and not port.startswith(":")):
            raise BadEntry("an IPv6 address stands in brackets, with :PORT behind them or nothing")
        return f"{host}]", port[1:] if port else None
    if rest.count(":") > 1:
        raise BadEntry("an IPv6 address stands in brackets, as in [::1]")
    host, colon, port = rest.partition(":")
    return host, port if colon else None


def _port(text: str) -> int:
    if not re.fullmatch("[0-9]{1,5}", text) or not 0 < int(text) < 65536:
        raise BadEntry("its port is not a number from 1 to 65535")
    return int(text)


def _ipv6_host(bracketed: str) -> str:
    try:
        address = IPv6Address(bracketed[1:-1])
    except AddressValueError:
        raise BadEntry("what stands in the brackets is no IPv6 address") from None
    if special_kind(address) == IPV4_INSIDE:
        raise BadEntry(f"{address} is {IPV4_INSIDE}; list the IPv4 address")
    return canonical_host(f"[{address}]") or ""


def _name_or_ipv4(text: str, *, alone: bool) -> str:
    if "*" in text:
        raise BadEntry("a star stands only at the beginning, before a dot, as in *.example.com")
    if not text.strip("."):
        raise BadEntry("there is no host in it")
    if text.endswith("."):
        raise BadEntry("there is a dot at its end")
    host = canonical_host(text)
    if host is None:
        raise BadEntry("it is no host's name")
    if ip_of_host(host) is not None:
        if not alone:
            raise BadEntry("a star cannot stand before an address")
        if not _is_ipv4(text):
            raise BadEntry(f"browsers read it as the address {host}; write that if it is meant")
        return host
    if len(host) > NAME_LIMIT or any(not 0 < len(label) <= LABEL_LIMIT for label in host.split(".")):
        raise BadEntry(f"a name has {NAME_LIMIT} characters at most, and {LABEL_LIMIT} between two dots, but not none")
    return host


def _is_ipv4(text: str) -> bool:
    try:
        IPv4Address(text)
    except AddressValueError:
        return False
    return True


def _is_range(text: str) -> bool:
    try:
        ip_network(text, strict=False)
    except ValueError:
        return False
    return True


def _range(text: str) -> IpNetwork:
    try:
        network = ip_network(text, strict=False)
    except (ValueError, AddressValueError, NetmaskValueError):
        raise BadEntry(f"{text!r} is no range of addresses, as 10.20.0.0/16 is one") from None
    if str(network.network_address) != str(ip_network(text.partition("/")[0]).network_address):
        raise BadEntry(f"the range {text} begins at {network.network_address}: write {network}")
    if network.prefixlen < WIDEST_RANGE[network.version]:
        raise BadEntry(f"the range {network} is wider than /{WIDEST_RANGE[network.version]}")
    if not isinstance(network, IPv4Network) and special_kind(network.network_address) == IPV4_INSIDE:
        raise BadEntry(f"{network} is {IPV4_INSIDE}; list the IPv4 range")
    return network

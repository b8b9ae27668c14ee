"""Addresses that no public host has, and what they are, in words. Looks nothing up.

An address is public only when nothing here speaks against it: what is unknown counts as not public.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

IpAddress = IPv4Address | IPv6Address
IpNetwork = IPv4Network | IPv6Network

LOOPBACK: tuple[IpNetwork, ...] = (ip_network("127.0.0.0/8"), ip_network("::1/128"))

METADATA = "a cloud's metadata address"
IPV4_INSIDE = "an IPv4 address inside IPv6"

_KINDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        METADATA,
        (
            "169.254.169.254",  # Amazon, Azure, Google, Oracle and most others
            "169.254.170.2",  # Amazon's containers
            "169.254.170.23",  # Amazon's Kubernetes
            "fd00:ec2::254",
            "fd00:ec2::23",
            "fd20:ce::254",  # Google
            "100.100.100.200",  # Alibaba
            "168.63.129.16",  # Azure's host, by its range a public address
            "192.0.0.192",  # Oracle, older machines
        ),
    ),
    ("a loopback address", ("127.0.0.0/8", "::1")),
    ("an unspecified address", ("0.0.0.0/8", "::")),
    ("a link-local address", ("169.254.0.0/16", "fe80::/10")),
    ("a private address", ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7", "fec0::/10")),
    ("an address shared by a provider's customers", ("100.64.0.0/10",)),
    ("a multicast address", ("224.0.0.0/4", "ff00::/8")),
    (
        IPV4_INSIDE,
        (
            "::ffff:0:0/96",  # mapped
            "::ffff:0:0:0/96",  # translated
            "64:ff9b::/96",  # NAT64
            "64:ff9b:1::/48",  # NAT64 of one's own
            "2002::/16",  # 6to4
            "2001::/32",  # Teredo
            "::/96",  # compatible
        ),
    ),
)
_NETWORKS = tuple((kind, tuple(map(ip_network, texts))) for kind, texts in _KINDS)

_GLOBAL_UNICAST = IPv6Network("2000::/3")
_ISATAP_MARKS = (0x00005EFE, 0x02005EFE)
"""The upper half of the last 64 bits of an IPv6 address whose lower half is an IPv4 address."""


def special_kind(address: IpAddress) -> str | None:
    """What makes an address not public, as in "a loopback address"; None for a public one."""
    for kind, networks in _NETWORKS:
        if any(address in network for network in networks if network.version == address.version):
            return kind
    if isinstance(address, IPv6Address):
        if (int(address) >> 32) & 0xFFFFFFFF in _ISATAP_MARKS:
            return IPV4_INSIDE
        if address not in _GLOBAL_UNICAST:
            return "a reserved address"
    return None if address.is_global and not address.is_multicast else "a reserved address"


def without_zone(address: IpAddress) -> IpAddress:
    """The address alone: which network card it belongs to (`fe80::1%eth0`) decides nothing here."""
    return ip_address(int(address)) if address.version == 4 else IPv6Address(int(address))

"""Which addresses are public: none of which anything else is known."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gui_environments.egress.ranges import IPV4_INSIDE, METADATA, special_kind, without_zone

IPV4 = st.integers(0, 2**32 - 1).map(IPv4Address)
IPV6 = st.integers(0, 2**128 - 1).map(IPv6Address)


@pytest.mark.parametrize(
    ("ip", "kind"),
    [
        ("127.0.0.1", "a loopback address"),
        ("127.255.255.255", "a loopback address"),
        ("::1", "a loopback address"),
        ("0.0.0.0", "an unspecified address"),
        ("0.1.2.3", "an unspecified address"),
        ("::", "an unspecified address"),
        ("169.254.1.1", "a link-local address"),
        ("fe80::1", "a link-local address"),
        ("10.0.0.1", "a private address"),
        ("172.31.255.255", "a private address"),
        ("192.168.1.1", "a private address"),
        ("fd12::1", "a private address"),
        ("fec0::1", "a private address"),
        ("100.64.0.1", "an address shared by a provider's customers"),
        ("224.0.0.1", "a multicast address"),
        ("239.255.255.255", "a multicast address"),
        ("ff02::1", "a multicast address"),
        ("ff0e::1", "a multicast address"),
        ("169.254.169.254", METADATA),
        ("169.254.170.2", METADATA),
        ("100.100.100.200", METADATA),
        ("168.63.129.16", METADATA),
        ("fd00:ec2::254", METADATA),
        ("::ffff:127.0.0.1", IPV4_INSIDE),
        ("::ffff:93.184.216.34", IPV4_INSIDE),
        ("::127.0.0.1", IPV4_INSIDE),
        ("64:ff9b::a9fe:a9fe", IPV4_INSIDE),
        ("64:ff9b:1::1", IPV4_INSIDE),
        ("2002:7f00:1::", IPV4_INSIDE),
        ("2001:0:4136:e378:8000:63bf:3fff:fdd2", IPV4_INSIDE),
        ("2606:2800::5efe:a00:1", IPV4_INSIDE),
        ("2606:2800::200:5efe:a00:1", IPV4_INSIDE),
        ("255.255.255.255", "a reserved address"),
        ("240.0.0.1", "a reserved address"),
        ("192.0.2.1", "a reserved address"),
        ("198.18.0.1", "a reserved address"),
        ("2001:db8::1", "a reserved address"),
        ("100::1", "a reserved address"),
        ("4000::1", "a reserved address"),
        ("93.184.216.34", None),
        ("8.8.8.8", None),
        ("172.32.0.1", None),
        ("2606:2800:220:1:248:1893:25c8:1946", None),
        ("2a00:1450::1", None),
    ],
)
def test_an_address_that_is_not_public_is_named_for_what_it_is(ip: str, kind: str | None) -> None:
    assert special_kind(ip_address(ip)) == kind


@given(IPV4 | IPV6)
def test_nothing_counts_as_public_that_the_standard_library_knows_to_be_special(ip: IPv4Address | IPv6Address) -> None:
    if (
        ip.is_private
        or ip.is_loopback
        or ip.is_link_local
        or ip.is_multicast
        or ip.is_reserved
        or ip.is_unspecified
        or not ip.is_global
    ):
        assert special_kind(ip) is not None


@given(IPV4)
def test_an_ipv4_address_inside_ipv6_is_never_public(ip: IPv4Address) -> None:
    number = int(ip)
    for inside in (
        0xFFFF << 32 | number,
        0xFFFF << 48 | number,
        number,
        0x64FF9B << 96 | number,
        0x64FF9B0001 << 80 | number,
        0x2002 << 112 | number << 80 | 1,
        0x20010000 << 96 | (number ^ 0xFFFFFFFF),
        0x26062800 << 96 | 0x5EFE << 32 | number,
    ):
        assert special_kind(IPv6Address(inside)) is not None


def test_the_network_card_of_an_address_does_not_matter() -> None:
    assert special_kind(without_zone(IPv6Address("fe80::1%eth0"))) == "a link-local address"
    assert without_zone(IPv4Address("10.0.0.1")) == IPv4Address("10.0.0.1")

"""The grammar of what is listed: each entry means one thing, and what could mean two is an error that says so."""

from __future__ import annotations

from ipaddress import ip_address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gui_environments.egress import BadEntry, HostRule, parse_entry
from gui_environments.egress.addresses import Address, address_of, address_of_host


@pytest.mark.parametrize(
    ("entry", "rule"),
    [
        ("example.com", HostRule("example.com")),
        ("EXAMPLE.com:8080", HostRule("example.com", 8080)),
        ("*.example.com", HostRule("example.com", subdomains=True)),
        ("*.Example.com:81", HostRule("example.com", 81, subdomains=True)),
        ("https://example.com:8443", HostRule("example.com", 8443, "https")),
        ("HTTPS://example.com", HostRule("example.com", 443, "https")),
        ("http://*.example.com", HostRule("example.com", 80, "http", subdomains=True)),
        ("127.0.0.1:8000", HostRule("127.0.0.1", 8000)),
        ("http://10.0.0.1", HostRule("10.0.0.1", 80, "http")),
        ("[::1]:8000", HostRule("[::1]", 8000)),
        ("[FD00:0:0::00a]", HostRule("[fd00::a]")),
        ("bücher.example", HostRule("xn--bcher-kva.example")),
        ("*.Straße.example", HostRule("xn--strae-oqa.example", subdomains=True)),
        ("xn--bcher-kva.example", HostRule("xn--bcher-kva.example")),
        ("my_host.example", HostRule("my_host.example")),
        ("localhost", HostRule("localhost")),
        ("intranet.corp=10.20.0.0/16", HostRule("intranet.corp", addresses=ip_network("10.20.0.0/16"))),
        ("https://a.corp:1=10.0.0.7", HostRule("a.corp", 1, "https", addresses=ip_network("10.0.0.7/32"))),
        ("*.corp=fd00:20::/32", HostRule("corp", subdomains=True, addresses=ip_network("fd00:20::/32"))),
    ],
)
def test_an_entry_is_one_rule(entry: str, rule: HostRule) -> None:
    assert parse_entry(entry) == rule
    assert parse_entry(str(rule)) == rule


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ("", "empty"),
        (" example.com", "space"),
        ("example.com\n", "space or a control"),
        ("exam\u200bple.com", "control character"),
        ("*", "--allow-any-host"),
        ("*.", "no host"),
        ("**.example.com", "only at the beginning"),
        ("a.*.example.com", "only at the beginning"),
        ("*example.com", "only at the beginning"),
        ("example.*", "only at the beginning"),
        ("https://example.com/", "a path cannot be listed"),
        ("example.com/path", "a path cannot be listed"),
        ("example.com?q", "a query"),
        ("example.com#f", "a fragment"),
        ("example.com\\evil.test", "backslash"),
        ("user@example.com", "user name"),
        ("exam%70le.com", "percent"),
        ("a.example,b.example", "one entry for each host"),
        ("ftp://example.com", "not http or https"),
        ("wss://example.com", "stand for ws and wss too"),
        ("javascript://example.com", "not http or https"),
        ("://example.com", "not http or https"),
        ("https://", "no host"),
        (":80", "no host"),
        ("example.com:", "port"),
        ("example.com:0", "port"),
        ("example.com:65536", "port"),
        ("example.com:http", "port"),
        ("example.com:８０", "port"),
        ("example.com:*", "port"),
        ("example.com.", "a dot at its end"),
        ("a..example", "between two dots"),
        (".example.com", "between two dots"),
        ("a" * 64 + ".example", "between two dots"),
        (".".join(["abcdefgh"] * 30), "253 characters"),
        ("ex ample.com", "space"),
        ("a<b.example", "no host's name"),
        ("0x7f.1", "as the address 127.0.0.1"),
        ("127.1", "as the address 127.0.0.1"),
        ("2130706433", "as the address 127.0.0.1"),
        ("017700000001", "as the address 127.0.0.1"),
        ("127.0.0.01", "as the address 127.0.0.1"),
        ("１２７.0.0.1", "as the address 127.0.0.1"),
        ("1.2.3.4.5", "no host's name"),
        ("*.0.0.1", "star cannot stand before an address"),
        ("*.127.0.0.1", "star cannot stand before an address"),
        ("::1", "in brackets"),
        ("fd00::1:80", "in brackets"),
        ("[::1", "in brackets"),
        ("[::1]8000", "with :PORT"),
        ("[127.0.0.1]", "no IPv6 address"),
        ("[fe80::1%25eth0]", "percent"),
        ("[::ffff:127.0.0.1]", "list the IPv4 address"),
        ("[64:ff9b::a00:1]", "list the IPv4 address"),
        ("10.0.0.0/8", "NAME=10.0.0.0/8"),
        ("a.corp=", "no range"),
        ("a.corp=ten", "no range"),
        ("a.corp=10.20.0.0/33", "no range"),
        ("a.corp=10.20.0.0/", "no range"),
        ("a.corp=10.20.1.0/16", "write 10.20.0.0/16"),
        ("a.corp=10.20.0.0/16=10.21.0.0/16", "no range"),
        ("a.corp=0.0.0.0/0", "wider than /8"),
        ("a.corp=::/0", "wider than /7"),
        ("a.corp=::ffff:10.0.0.0/104", "list the IPv4 range"),
        ("10.0.0.1=10.0.0.0/8", "behind a name"),
        ("[::1]=::1", "behind a name"),
    ],
)
def test_an_entry_that_is_not_clear_is_an_error_that_says_why(entry: str, words: str) -> None:
    with pytest.raises(BadEntry) as raised:
        parse_entry(entry)
    assert words in str(raised.value)
    assert repr(entry) in str(raised.value)


@given(st.text(max_size=30) | st.from_regex(r"(https?://)?(\*\.)?[a-z0-9.\[\]:é-]{1,20}(=[0-9./a-f:]{1,20})?"))
def test_any_text_is_one_rule_that_can_be_written_again_or_an_error(text: str) -> None:
    try:
        rule = parse_entry(text)
    except BadEntry:
        return
    assert parse_entry(str(rule)) == rule
    assert str(rule).isascii()


def read(url: str) -> Address:
    address = address_of(url)
    assert address is not None
    return address


@pytest.mark.parametrize(
    ("entry", "url", "allowed"),
    [
        ("example.com", "https://example.com/", True),
        ("example.com", "http://EXAMPLE.com:8080/", True),
        ("example.com", "wss://example.com/", True),
        ("example.com", "https://example.com.evil.test/", False),
        ("example.com", "https://sub.example.com/", False),
        ("example.com", "https://notexample.com/", False),
        ("example.com", "https://example.com./", False),
        ("example.com", "https://example.com@evil.test/", False),
        ("example.com", "https://evil.test\\@example.com/", False),
        ("example.com", "https://exam\u00adple.com/", True),
        ("example.com", "https://example。com/", True),
        ("example.com", "https://ｅxample.com/", True),
        ("example.com", "https://eхample.com/", False),
        ("*.example.com", "https://a.example.com/", True),
        ("*.example.com", "https://a.b.example.com/", True),
        ("*.example.com", "https://example.com/", False),
        ("*.example.com", "https://.example.com/", False),
        ("*.example.com", "https://aexample.com/", False),
        ("*.example.com", "https://a.example.com.evil.test/", False),
        ("https://example.com:8443", "https://example.com:8443/", True),
        ("https://example.com:8443", "wss://example.com:8443/", True),
        ("https://example.com:8443", "http://example.com:8443/", False),
        ("https://example.com:8443", "https://example.com/", False),
        ("https://example.com", "https://example.com:443/", True),
        ("https://example.com", "http://example.com:443/", False),
        ("example.com:80", "ws://example.com/", True),
        ("127.0.0.1:8000", "http://127.0.0.1:8000/", True),
        ("127.0.0.1:8000", "http://0x7f.1:8000/", True),
        ("127.0.0.1:8000", "http://localhost:8000/", False),
        ("127.0.0.1:8000", "http://[::ffff:127.0.0.1]:8000/", False),
        ("localhost:8000", "http://127.0.0.1:8000/", False),
        ("[::1]:8000", "http://[0:0:0:0:0:0:0:1]:8000/", True),
        ("bücher.example", "https://xn--bcher-kva.example/", True),
        ("faß.example", "https://fass.example/", False),
    ],
)
def test_a_rule_allows_its_host_however_it_is_spelled_and_no_other(entry: str, url: str, allowed: bool) -> None:
    assert parse_entry(entry).allows(read(url)) is allowed


HOSTS = st.from_regex(r"[a-z0-9.\[\]:éß@\\/%_-]{1,24}", fullmatch=True)


@given(HOSTS, HOSTS, st.sampled_from(["http", "https"]), st.integers(1, 65535))
def test_a_rule_that_allows_an_address_has_its_very_host(entry: str, host: str, scheme: str, port: int) -> None:
    try:
        rule = parse_entry(entry)
    except BadEntry:
        return
    for asked in (host, entry, f"{entry}{host}", f"{host}.{entry}", f"{entry}@{host}", f"{host}@{entry}"):
        address = address_of(f"{scheme}://{asked}:{port}/")
        if address is None or not rule.allows(address):
            continue
        assert (address.host == rule.host) != rule.subdomains
        assert not rule.subdomains or address.host.endswith("." + rule.host)


@pytest.mark.parametrize(
    "host", ["", "a/b", "a@b", "a?b", "a b", "a\tb", "a#b", "a\\b", "a:1", "[::1", "999.999.999.999"]
)
def test_a_host_in_a_request_that_is_more_or_less_than_a_host_is_none(host: str) -> None:
    assert address_of_host(host, 80, "http") is None


@pytest.mark.parametrize(
    ("entry", "ip", "allowed"),
    [
        ("example.com", "93.184.216.34", True),
        ("example.com", "2606:2800:220:1::1", True),
        ("example.com", "10.0.0.1", False),
        ("example.com", "127.0.0.1", False),
        ("localhost", "127.0.0.1", True),
        ("localhost", "::1", True),
        ("localhost", "10.0.0.1", False),
        ("localhost", "93.184.216.34", False),
        ("*.localhost", "127.0.0.5", True),
        ("intranet.corp=10.20.0.0/16", "10.20.3.4", True),
        ("intranet.corp=10.20.0.0/16", "10.21.0.1", False),
        ("intranet.corp=10.20.0.0/16", "93.184.216.34", False),
        ("intranet.corp=10.20.0.0/16", "::ffff:10.20.3.4", False),
        ("intranet.corp=127.0.0.0/8", "127.0.0.1", True),
        ("intranet.corp=fc00::/7", "fd00:ec2::254", False),
        ("intranet.corp=fc00::/7", "fd00:ec2::255", True),
        ("intranet.corp=169.254.0.0/16", "169.254.169.254", False),
        ("metadata.corp=169.254.169.254", "169.254.169.254", True),
        ("wide.corp=2000::/7", "2002:7f00:1::", False),
        ("10.0.0.1", "10.0.0.1", True),
        ("10.0.0.1", "10.0.0.2", False),
        ("[fd00::1]", "fd00::1", True),
    ],
)
def test_a_name_may_be_at_public_addresses_or_in_its_range(entry: str, ip: str, allowed: bool) -> None:
    assert parse_entry(entry).may_be_at(ip_address(ip)) is allowed

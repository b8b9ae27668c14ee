"""The one object that every layer asks: what may be reached, by which rule, and why."""

from __future__ import annotations

from ipaddress import ip_address

import pytest

from gui_environments.egress import BadEntry, HostRules
from gui_environments.egress.addresses import Address, address_of, parse_address
from gui_environments.egress.rules import Purpose
from gui_environments.errors import ActionRefused

BOTH: tuple[Purpose, ...] = ("document", "resource")
PUBLIC_IP = "93.184.216.34"


def read(url: str) -> Address:
    address = address_of(url)
    assert address is not None
    return address


@pytest.mark.parametrize("url", ["https://example.com/", "http://127.0.0.1/", f"http://{PUBLIC_IP}/", "http://[::1]/"])
@pytest.mark.parametrize("purpose", BOTH)
def test_where_nothing_is_listed_nothing_can_be_reached(url: str, purpose: Purpose) -> None:
    verdict = HostRules().judge(read(url), purpose)
    assert not verdict.allowed
    assert verdict.rule == "nothing is listed"
    assert "nothing can be reached" in verdict.reason
    assert not HostRules().judge_ip(read(url), ip_address(PUBLIC_IP), purpose).allowed


def test_a_refusal_names_the_host_and_what_is_listed_but_not_the_rest_of_the_address() -> None:
    rules = HostRules.of([f"h{number}.example" for number in range(12)])
    verdict = rules.judge(read("https://evil.test:8443/secret?token"), "document")
    assert verdict.rule == "not listed"
    assert verdict.reason.startswith("evil.test:8443 is not listed. Listed are: h0.example, h1.example,")
    assert verdict.reason.endswith("h9.example, and more.")


def test_what_is_allowed_names_the_entry_that_allows_it() -> None:
    rules = HostRules.of(["other.example", "*.example.com"])
    verdict = rules.judge(read("https://a.example.com/"), "document")
    assert (verdict.allowed, verdict.rule) == (True, "*.example.com")
    assert verdict.reason == "a.example.com is listed as *.example.com."


def test_a_bad_entry_is_an_error_before_anything_starts() -> None:
    with pytest.raises(BadEntry, match="a path cannot be listed"):
        HostRules.of(["good.example", "https://example.com/x"])
    with pytest.raises(BadEntry, match="a path cannot be listed"):
        HostRules.of(["good.example"], allow_resources=["https://example.com/x"])


SHAPES = [
    "javascript:alert(1)",
    "java\nscript:alert(1)",
    "data:text/html,hi",
    "blob:https://allowed.example/1",
    "file:///etc/passwd",
    " file:///etc/passwd",
    "view-source:https://allowed.example/",
    "view-source:file:///etc/passwd",
    "chrome://settings",
    "chrome-extension://abc/x",
    "devtools://devtools/",
    "about:blank",
    "filesystem:https://allowed.example/x",
    "ftp://allowed.example/",
    "http:\\\\evil.test",
    "http://allowed.example@evil.test",
    "http://allowed.example:80@evil.test/",
    "http://allowed.example%40evil.test/",
    "https://allowed.example.evil.test",
    "https://notallowed.example",
    "https://allowed.example./",
    "https://allowed.example..",
    "https://evil.test/https://allowed.example",
    "https://evil.test#@allowed.example",
    "https://evil.test\\@allowed.example",
    "https://evil.test\t.allowed.example.evil.test",
    "https://аllowed.example",
    "https://xn--llowed-2fg.example",
    "//evil.test",
    "\\\\evil.test",
    "https:evil.test",
    "0x7f.1",
    "http://0x7f.1",
    "http://127.1",
    "http://0177.0.0.1",
    "http://2130706433",
    "http://4294967295",
    "http://127.0.0.1.",
    "http://[::1]",
    "http://[::ffff:127.0.0.1]",
    "http://[::ffff:7f00:1]",
    "http://[::]",
    "http://0",
    "http://0.0.0.0",
    "http://localhost",
    "http://LOCALHOST.",
    "http://169.254.169.254/latest/meta-data/",
    "http://[fd00:ec2::254]/",
    "http://①②⑦.⓪.⓪.①/",
]


@pytest.mark.parametrize("typed", SHAPES)
def test_no_shape_of_another_address_passes_for_a_listed_host(typed: str) -> None:
    rules = HostRules.of(["allowed.example", "*.allowed.example"])
    try:
        address = parse_address(typed)
    except ActionRefused:
        return
    for purpose in BOTH:
        assert not rules.judge(address, purpose).allowed


@pytest.mark.parametrize(
    "typed",
    [
        "ALLOWED.example",
        "https://ALLOWED.EXAMPLE/",
        " https://allowed.example/ ",
        "http:\\\\allowed.example\\x",
        "https://evil.test@allowed.example/",
        "https://allo\nwed.example",
        "https://ａllowed.example",
    ],
)
def test_a_listed_host_is_known_however_a_browser_may_have_it_written(typed: str) -> None:
    assert HostRules.of(["allowed.example"]).judge(parse_address(typed), "document").allowed


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/",
        "http://0x7f.1/",
        "http://[::1]/",
        "http://10.1.2.3/",
        "http://192.168.0.1/",
        "http://169.254.169.254/",
        "http://168.63.129.16/",
        "http://0/",
        "http://224.0.0.1/",
        "http://[fe80::1]/",
        "http://[::ffff:93.184.216.34]/",
        "http://[2002:7f00:1::]/",
        "http://[64:ff9b::7f00:1]/",
        "http://[2001:0:4136:e378:8000:63bf:80ff:fffe]/",
    ],
)
@pytest.mark.parametrize("rules", [HostRules(any_host=True), HostRules.of(["a.example"], subresources="public")])
def test_any_host_is_never_an_address_that_is_not_public(url: str, rules: HostRules) -> None:
    verdict = rules.judge(read(url), "resource")
    assert (verdict.allowed, verdict.rule) == (False, "not public")
    assert "only when it is listed" in verdict.reason


@pytest.mark.parametrize("ip", ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "::ffff:8.8.8.8", "fe80::1%eth0"])
def test_any_host_is_never_at_an_address_that_is_not_public(ip: str) -> None:
    rules = HostRules(any_host=True)
    address = read("https://rebinding.example/")
    assert rules.judge(address, "document").allowed
    verdict = rules.judge_ip(address, ip_address(ip), "document")
    assert (verdict.allowed, verdict.rule) == (False, "not public")
    assert "must be listed with its range" in verdict.reason
    assert rules.judge_ip(address, ip_address(PUBLIC_IP), "document").allowed


def test_with_any_host_what_is_listed_beside_it_may_be_private() -> None:
    rules = HostRules.of(["127.0.0.1:8000", "intranet.corp=10.20.0.0/16"], any_host=True)
    assert rules.judge(read("http://127.0.0.1:8000/"), "document").allowed
    assert not rules.judge(read("http://127.0.0.1:8001/"), "document").allowed
    intranet = read("http://intranet.corp/")
    assert rules.judge_ip(intranet, ip_address("10.20.1.1"), "document").allowed
    assert not rules.judge_ip(intranet, ip_address("10.30.1.1"), "document").allowed


def test_a_listed_name_that_turns_out_to_be_private_is_refused_and_says_how_to_list_it() -> None:
    rules = HostRules.of(["intranet.corp"])
    verdict = rules.judge_ip(read("http://intranet.corp/"), ip_address("10.20.0.5"), "document")
    assert (verdict.allowed, verdict.rule) == (False, "intranet.corp")
    assert verdict.reason == (
        "intranet.corp was found at 10.20.0.5, a private address; such a name must be listed with its range, as in "
        "intranet.corp=10.20.0.5."
    )


def test_a_name_listed_with_a_range_is_refused_elsewhere_also_at_public_addresses() -> None:
    rules = HostRules.of(["intranet.corp=10.20.0.0/16", "intranet.corp=fd00:20::/32"])
    address = read("http://intranet.corp/")
    assert rules.judge_ip(address, ip_address("fd00:20::1"), "document").allowed
    verdict = rules.judge_ip(address, ip_address(PUBLIC_IP), "document")
    assert not verdict.allowed
    assert "listed for 10.20.0.0/16 and fd00:20::/32 only" in verdict.reason


def test_an_address_that_is_listed_lists_no_name_that_is_there() -> None:
    rules = HostRules.of(["10.0.0.1", "name.example"])
    assert not rules.judge_ip(read("http://name.example/"), ip_address("10.0.0.1"), "document").allowed
    assert rules.judge_ip(read("http://10.0.0.1/"), ip_address("10.0.0.1"), "document").allowed


def test_parts_of_pages_have_a_list_of_their_own_beside_that_of_the_pages() -> None:
    rules = HostRules.of(["site.example"], allow_resources=["cdn.example"])
    assert rules.judge(read("https://cdn.example/x.js"), "resource").allowed
    assert rules.judge(read("https://site.example/x.js"), "resource").allowed
    assert not rules.judge(read("https://cdn.example/"), "document").allowed
    assert not rules.judge_ip(read("https://cdn.example/"), ip_address(PUBLIC_IP), "document").allowed
    assert not rules.judge(read("https://other.example/x.js"), "resource").allowed


def test_parts_of_pages_may_be_allowed_from_any_public_host_while_pages_are_listed() -> None:
    rules = HostRules.of(["site.example"], subresources="public")
    cdn = read("https://cdn.example/x.js")
    assert rules.judge(cdn, "resource").rule == "public resources"
    assert rules.judge_ip(cdn, ip_address(PUBLIC_IP), "resource").allowed
    assert not rules.judge_ip(cdn, ip_address("10.0.0.1"), "resource").allowed
    assert not rules.judge(cdn, "document").allowed


def test_a_websocket_is_judged_as_the_scheme_it_begins_as() -> None:
    rules = HostRules.of(["https://site.example"])
    assert rules.judge(read("wss://site.example/"), "resource").allowed
    assert not rules.judge(read("ws://site.example/"), "resource").allowed


def test_the_rules_are_a_value() -> None:
    assert HostRules.of(["a.example"]) == HostRules.of(["A.example"])
    assert hash(HostRules.of(["a.example"])) == hash(HostRules.of(["a.example"]))

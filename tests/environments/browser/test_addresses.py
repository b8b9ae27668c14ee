"""Addresses are judged as the browser reads them."""

from __future__ import annotations

import pytest

from gui_environments.browser.addresses import HostRule, address_of, parse_address, parse_host_rule, require_allowed
from gui_environments.errors import ActionRefused


@pytest.mark.parametrize(
    ("typed", "opened"),
    [
        ("example.com", "https://example.com/"),
        ("example.com/a b?c#d", "https://example.com/a%20b?c#d"),
        ("localhost:8080/x", "https://localhost:8080/x"),
        ("  HTTP://Example.COM:80/%7e ", "http://example.com/%7e"),
        ("//example.com", "https://example.com/"),
        ("http:\\\\example.com\\a", "http://example.com/a"),
        ("https:example.com", "https://example.com/"),
        ("ht\ttps://exa\nmple.com", "https://example.com/"),
        ("http://bücher.example", "http://xn--bcher-kva.example/"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("http://2130706433/", "http://127.0.0.1/"),
        ("http://[::1]:9/", "http://[::1]:9/"),
        ("http://a@b.example/", "http://a@b.example/"),
    ],
)
def test_an_address_is_read_as_the_browser_reads_it(typed: str, opened: str) -> None:
    assert parse_address(typed).href == opened


@pytest.mark.parametrize(
    "typed",
    [
        "",
        " \t",
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        "java\nscript:alert(1)",
        "data:text/html,hi",
        "blob:http://a.example/1",
        "file:///etc/passwd",
        " file:///etc/passwd",
        "view-source:http://a.example/",
        "chrome://version",
        "about:blank",
        "mailto:a@b.example",
        "ftp://a.example/",
        "http://",
        "http://a b.example/",
        "http://a.example:99999/",
    ],
)
def test_what_is_no_web_address_is_refused(typed: str) -> None:
    with pytest.raises(ActionRefused):
        parse_address(typed)


@pytest.mark.parametrize(
    ("rule", "address", "allowed"),
    [
        ("example.com", "https://example.com/", True),
        ("EXAMPLE.com", "http://example.com:8080/", True),
        ("example.com:8080", "http://example.com:8080/", True),
        ("example.com:8080", "http://example.com/", False),
        ("example.com:443", "https://example.com/", True),
        ("example.com", "https://example.com.evil.test/", False),
        ("example.com", "https://sub.example.com/", False),
        ("example.com", "https://example.com./", False),
        ("example.com", "http://example.com@evil.test/", False),
        ("example.com", "http://evil.test\\@example.com/", False),
        ("127.0.0.1", "http://0x7f.1/", True),
        ("127.0.0.1:80", "http://2130706433/", True),
        ("[::1]:9", "http://[0:0::1]:9/", True),
        ("[::1]", "http://[::1]:9/", True),
        ("bücher.example", "https://xn--bcher-kva.example/", True),
    ],
)
def test_a_rule_allows_exactly_its_host(rule: str, address: str, allowed: bool) -> None:
    assert parse_host_rule(rule).allows(parse_address(address)) is allowed


@pytest.mark.parametrize(
    "text", ["", "http://a.example", "a.example/x", "a b", "a.example:0", "a.example:99999", "*", "a@b", ":80", "a:b"]
)
def test_a_bad_rule_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="HOST"):
        parse_host_rule(text)


def test_a_refusal_names_the_host_and_what_is_allowed() -> None:
    with pytest.raises(ActionRefused, match=r"evil\.test:8443 is not allowed.*a\.example:80"):
        require_allowed(parse_address("https://evil.test:8443/secret?path"), [HostRule("a.example", 80)])
    with pytest.raises(ActionRefused, match="none"):
        require_allowed(parse_address("https://evil.test/"), [])
    require_allowed(parse_address("https://evil.test/"), None)


def test_pages_without_a_host_have_no_address() -> None:
    assert address_of("about:blank") is None
    assert address_of("chrome-error://chromewebdata/") is None
    address = address_of("https://a.example/x")
    assert address is not None
    assert address.host == "a.example"

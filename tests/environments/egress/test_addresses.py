"""Addresses are judged as the browser reads them."""

from __future__ import annotations

import pytest

from gui_environments.egress.addresses import address_of, parse_address
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


def test_pages_without_a_host_have_no_address() -> None:
    assert address_of("about:blank") is None
    assert address_of("chrome-error://chromewebdata/") is None
    address = address_of("https://a.example/x")
    assert address is not None
    assert address.host == "a.example"

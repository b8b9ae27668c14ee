"""Addresses are read here as this Chromium reads them: what is judged is what would be opened."""

from __future__ import annotations

import random

import pytest

from gui_environments.browser.tabs.tab import Tab
from gui_environments.egress import HostRules
from gui_environments.egress.addresses import address_of, parse_address
from gui_environments.errors import ActionRefused

pytestmark = pytest.mark.asyncio(loop_scope="session")

ADDRESSES = 10_000
SEED = 20_000

WORDS = r"""
http: https: HTTP: ws: wss: javascript: data: blob: file: view-source: about:blank
// / \ \\ /// ? # @ : . .. % %2e %2f %40 %00 %5c [ ]
listed.example LISTED.example evil.test listed example a.listed.example xn-- xn--bcher-kva
localhost 127.0.0.1 127.1 0x7f.1 0177.1 2130706433 256 1.2.3.4.5 0 00 0x 08 １２７.1 ① ㎏
::1 [::1] [::ffff:127.0.0.1] [fe80::1%25a] [v1.a] [::127.0.0.1]
80 :80 :443 :8080 :65536 :0 :-1 :+80 :８０ user user:pw@ path | ^ < *
bücher faß ı İ ﬁ ſ 🍕 א 。 ． _ - -- ~ ! $ & ' ;
"""
INVISIBLE = [*" \t\n\r\x00\x1f\x7f\u00a0\u00ad\u0301\u0308\u200b\u200d\u200f\u2024\u202e"]
PIECES = [*WORDS.split(), *INVISIBLE]
WEB_ADDRESSES = 1000
"""Of the odd ones at least so many can be opened, or the properties would say little."""


def odd_addresses() -> list[str]:
    """Half from pieces in any order, half a web address with pieces put into it."""
    choice = random.Random(SEED)
    found = []
    for number in range(ADDRESSES):
        if number % 2:
            text = "".join(choice.choices(PIECES, k=choice.randint(1, 7)))
        else:
            text = choice.choice(["http://listed.example/", "https://listed.example:8443/x", "http://127.0.0.1:80/"])
            for _ in range(choice.randint(1, 3)):
                at = choice.randint(0, len(text))
                text = text[:at] + choice.choice(PIECES) + text[at + choice.choice([0, 0, 1]) :]
        found.append(text)
    return found


READ = """texts => texts.map(text => {
    let url
    try { url = new URL(text) } catch { return null }
    return [url.protocol, url.hostname, url.port, url.href]
})"""

Read = tuple[str, str, str, str] | None


async def read_by_chromium(tab: Tab, texts: list[str]) -> list[Read]:
    return [None if read is None else tuple(read) for read in await tab.page.evaluate(READ, texts)]


def as_read_here(url: str) -> tuple[str, str, int] | None:
    address = address_of(url)
    return None if address is None else (address.scheme, address.host, address.port)


def as_read_there(read: Read) -> tuple[str, str, int] | None:
    schemes = {"http:": ("http", 80), "https:": ("https", 443), "ws:": ("http", 80), "wss:": ("https", 443)}
    if read is None or read[0] not in schemes:
        return None
    scheme, port = schemes[read[0]]
    return scheme, read[1], int(read[2] or port)


async def test_what_chromium_asks_for_is_read_here_as_the_same_host(tab: Tab) -> None:
    """As a request is judged: by the address that the browser reports."""
    reads = [read for read in await read_by_chromium(tab, odd_addresses()) if read is not None]
    web = [read for read in reads if as_read_there(read) is not None]
    assert len(web) > WEB_ADDRESSES
    for read in reads:
        assert as_read_here(read[3]) in (as_read_there(read), None), read
    for read in web:
        # Hosts with characters that no host has are not read here at all, and so never allowed.
        assert as_read_here(read[3]) is not None or set(read[1]) & set("!$&'()*+,;=~%`{}\""), read


async def test_what_is_opened_goes_to_the_host_that_was_judged(tab: Tab) -> None:
    """As `navigate` judges: what was typed is read here, and what was read is what the browser gets."""
    judged = []
    for text in odd_addresses():
        try:
            judged.append(parse_address(text))
        except ActionRefused:
            continue
    assert len(judged) > WEB_ADDRESSES
    for address, read in zip(judged, await read_by_chromium(tab, [address.href for address in judged]), strict=True):
        assert as_read_there(read) == (address.scheme, address.host, address.port), address


async def test_no_odd_address_that_leads_elsewhere_is_allowed(tab: Tab) -> None:
    rules = HostRules.of(["listed.example", "*.listed.example", "https://127.0.0.1:8443"])
    for text, read in zip(odd_addresses(), await read_by_chromium(tab, odd_addresses()), strict=True):
        address = address_of(text)
        if address is None or not rules.judge(address, "document").allowed:
            continue
        there = as_read_there(read)
        # What Chromium cannot read it cannot open.
        assert (
            there is None
            or there[1] == "listed.example"
            or there[1].endswith(".listed.example")
            or there
            == (
                "https",
                "127.0.0.1",
                8443,
            )
        ), text

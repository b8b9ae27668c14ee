"""What a request is for, how it is judged, and how what was refused is counted and worded. Without a browser."""

from __future__ import annotations

from typing import Any

import pytest

from gui_environments.browser.events import (
    COUNTED_LIMIT,
    EVENT_LIMIT,
    EventLog,
    EventsLost,
    NavigationRefused,
    RequestRefused,
    TabCrashed,
)
from gui_environments.browser.navigating.asked import AskedRequest
from gui_environments.browser.navigating.refusals import MANY, RefusedPage
from gui_environments.egress import HostRules, Verdict

RULES = HostRules.of(["a.test"], subresources="public")


def asked(url: str, kind: str = "Image", headers: dict[str, str] | None = None, **more: Any) -> AskedRequest:
    return AskedRequest.of(
        {"requestId": "1", "resourceType": kind, "request": {"url": url, "headers": headers or {}}, **more}
    )


@pytest.mark.parametrize(
    ("request_", "rule", "words"),
    [
        (asked("http://a.test/", "Document"), "a.test", "frame document"),
        (asked("http://b.test/", "Document"), "not listed", "frame document"),
        (asked("http://b.test/x.png"), "public resources", "picture"),
        (asked("http://127.0.0.1/x.png"), "not public", "picture"),
        (asked("http://[::ffff:7f00:1]/", "XHR"), "not public", "script request"),
        (asked("http://b.test/", "Fetch", {"Sec-Purpose": "prefetch"}), "not listed", "prefetched page"),
        (asked("http://b.test/", "Fetch", {"Sec-Purpose": "prefetch;prerender"}), "not listed", "prefetched page"),
        (
            asked("http://a.test/s.js", "Other", {"Service-Worker": "script"}),
            "service workers are off",
            "service worker",
        ),
        (asked("http://b.test/s.js", "Other"), "public resources", "other part"),
        (asked("http://b.test/", "NeverHeardOf"), "public resources", "other part"),
        (asked("data:image/png,x"), "no host", "picture"),
        (asked("blob:http://b.test/1-2"), "no host", "picture"),
        (asked("file:///etc/passwd"), "not an address", "picture"),
        (asked("http://b%00.test/"), "not an address", "picture"),
        (asked("chrome://version/", "Document"), "not an address", "frame document"),
    ],
)
def test_a_request_is_judged_by_what_it_is_for(request_: AskedRequest, rule: str, words: str) -> None:
    verdict = request_.judged_by(RULES)
    assert (verdict.rule, request_.words) == (rule, words)
    assert verdict.allowed == (rule in ("a.test", "public resources", "no host"))


def test_what_happens_again_is_told_once_with_its_number_in_its_place() -> None:
    log = EventLog()
    picture, page = RequestRefused("tab_1", "picture", "b.test", "not listed"), NavigationRefused("tab_1", "b.test")
    log.count(picture, MANY)
    log.note(TabCrashed("tab_2"))
    for _ in range(9_999):
        log.count(picture, MANY)
    log.count(page, MANY)
    assert log.take() == (
        RequestRefused("tab_1", "picture", "b.test", "not listed", 10_000),
        TabCrashed("tab_2"),
        page,
    )
    log.count(picture, MANY)
    assert log.take() == (picture,)


def test_what_is_of_too_many_kinds_is_told_as_one() -> None:
    log = EventLog()
    for number in range(COUNTED_LIMIT + 500):
        log.count(RequestRefused("tab_1", "picture", f"host{number}.test", "not listed"), MANY)
    events = log.take()
    assert len(events) == COUNTED_LIMIT + 1
    assert events[-1] == RequestRefused("", "request", "other hosts", "not allowed", 500)


def test_what_was_counted_is_lost_with_its_number() -> None:
    log = EventLog()
    for _ in range(7):
        log.count(NavigationRefused("tab_1", "b.test"), MANY)
    for number in range(EVENT_LIMIT):
        log.note(TabCrashed(f"tab_{number}"))
    log.count(NavigationRefused("tab_1", "b.test"), MANY)
    events = log.take()
    assert events[0] == EventsLost(8)
    assert events[-1] == NavigationRefused("tab_1", "b.test")


@pytest.mark.parametrize(
    ("way", "words"),
    [
        (["http://b.test/"], "b.test was refused: Why."),
        (["http://a.test/", "http://b.test:81/"], "a.test redirects to b.test:81, and that was refused: Why."),
        (
            ["http://a.test/", "http://a.test/1", "https://c.test/", "http://c.test/", "http://b.test/"],
            "a.test redirects by way of a.test, c.test to b.test (redirect 4), and that was refused: Why.",
        ),
        (["http://a.test/", "other:thing"], "a.test redirects to another address, and that was refused: Why."),
    ],
)
def test_a_refused_page_says_on_what_way_it_came(way: list[str], words: str) -> None:
    assert RefusedPage(tuple(way), Verdict(False, "rule", "Why.")).sentence == words

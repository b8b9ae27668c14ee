"""What was refused of what pages asked for, told in events: counted and bounded. Judges and refuses nothing itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from gui_environments.browser.events import EventLog, NavigationRefused, RequestRefused
from gui_environments.browser.navigating.asked import AskedRequest
from gui_environments.browser.tabs.tab import Tab, Tabs
from gui_environments.egress.addresses import address_of
from gui_environments.egress.rules import Verdict

Value = TypeVar("Value")

REMEMBERED = 200
"""Frames of which it is known on what way they are, or what they were refused."""

SHOWN_HOSTS = 3

MANY = RequestRefused("", "request", "other hosts", "not allowed")
"""For what is refused beyond the kinds and hosts that are named one by one until somebody asks."""


@dataclass(frozen=True, slots=True)
class RefusedPage:
    """What a tab was kept from showing. `way` is the addresses that were asked for, each because the one before said
    so; the last is the one that was refused."""

    way: tuple[str, ...]
    verdict: Verdict

    @property
    def url(self) -> str:
        return self.way[-1]

    @property
    def sentence(self) -> str:
        hosts = [_host_of(url) for url in self.way]
        if len(hosts) == 1:
            return f"{hosts[0]} was refused: {self.verdict.reason}"
        between = list(dict.fromkeys(hosts[1:-1]))[:SHOWN_HOSTS]
        by_way_of = f" by way of {', '.join(between)}" if between else ""
        number = f" (redirect {len(hosts) - 1})" if between else ""
        return f"{hosts[0]} redirects{by_way_of} to {hosts[-1]}{number}, and that was refused: {self.verdict.reason}"


class Refusals:
    """Of one browser, told to its events."""

    def __init__(self, tabs: Tabs, events: EventLog) -> None:
        self._tabs = tabs
        self._events = events
        self._ways: dict[str, tuple[str, ...]] = {}
        self._pages: dict[str, RefusedPage] = {}

    def follow(self, asked: AskedRequest) -> None:
        """A document's request, allowed or not: redirects are followed from the first on."""
        before = self._ways.pop(asked.frame_id, ()) if asked.hop else ()
        _remember(self._ways, asked.frame_id, (*before, asked.url))

    def note(self, asked: AskedRequest, verdict: Verdict, *, is_page: bool) -> None:
        """`is_page`: it is what a tab was to show, not a frame in one."""
        if is_page:
            tab = self._tabs.of_target(asked.frame_id)
            self.note_page(tab, asked.frame_id, RefusedPage(self._ways.get(asked.frame_id, (asked.url,)), verdict))
        else:
            self.note_part(self._tab_id_of(asked.frame_id), asked.words, asked.host, verdict)

    def note_page(self, tab: Tab | None, target_id: str, refused: RefusedPage) -> None:
        """`tab` is None while it opens."""
        _remember(self._pages, target_id, refused)
        address = address_of(refused.url)
        host = "" if address is None else address.host_and_port
        scheme = refused.url.partition(":")[0].lower()
        self._events.count(NavigationRefused("" if tab is None else tab.tab_id, host, scheme), MANY)

    def note_part(self, tab_id: str, words: str, host: str, verdict: Verdict) -> None:
        self._events.count(RequestRefused(tab_id, words, host, verdict.rule), MANY)

    def page(self, target_id: str) -> RefusedPage | None:
        """The last page that a tab was kept from, whose target that is."""
        return self._pages.get(target_id)

    def forget(self, target_id: str) -> None:
        """The tab goes somewhere else now."""
        self._pages.pop(target_id, None)

    def _tab_id_of(self, frame_id: str) -> str:
        """As far as that is known: of a page itself, or where there is but one."""
        tab: Tab | None = self._tabs.of_target(frame_id)
        if tab is None and len(self._tabs.all) == 1:
            tab = self._tabs.all[0]
        return "" if tab is None else tab.tab_id


def _remember(known: dict[str, Value], key: str, value: Value) -> None:
    known.pop(key, None)
    known[key] = value
    if len(known) > REMEMBERED:
        del known[next(iter(known))]


def _host_of(url: str) -> str:
    address = address_of(url)
    return "another address" if address is None else address.host_and_port

"""What the page of one tab is about: its requests under way, the tabs it opens, and whether its main frame is on its
way to another document. Hears only; its tab is the owner."""

from __future__ import annotations

import asyncio
import time
from typing import Any, Literal

from playwright.async_api import Page, Request, Response

from gui_environments.browser.cdp import CdpSession
from gui_environments.browser.tabs.recurring import Recurrence, likeness
from gui_environments.browser.tabs.slowing import Slowing
from gui_environments.browser.tabs.traffic import Hearer, Traffic

NEVER_ENDING = frozenset({"eventsource", "websocket", "media", "ping", "cspreport", "manifest", "texttrack"})
"""Kinds of request that do not end, or whose end changes nothing that shows."""

UNREAD_S = 0.3
"""How long an answer that a script gets may stay unread: many are never read, and then never end."""

Journey = Literal["none", "asked", "under way", "arrived"]
"""Of the main frame to another document: asked for by the page; begun by the browser; there, with the document still
coming in."""


class Activity(Hearer):
    """The constructor does no I/O but to listen."""

    def __init__(self, page: Page, traffic: Traffic, slowing: Slowing) -> None:
        self.requests: set[Request] = set()
        """Under way. Those that come by themselves again and again are never among them."""
        self.begun = 0
        """Such requests begun since the tab opened."""
        self.acting = 0
        """How many actions are being waited for: what begins meanwhile may be their doing."""
        self.journey: Journey = "none"
        self.arrivals = 0
        """Documents the main frame has shown."""
        self.silences = 0
        """How often requests came too fast to be listened to."""
        self.openings = 0
        """Tabs that the page has asked for and that are not there yet: they are when the first answer for them is."""
        self._traffic = traffic
        self._slowing = slowing
        self._stirred = asyncio.Event()
        self._session: CdpSession | None = None
        self._main_frame = ""
        self._recurrence = Recurrence()
        self._own: dict[Request, tuple[str, float]] = {}
        """Requests that are not an action's, by when they began."""
        traffic.tell_of_page(page, self)
        page.on("popup", lambda _: self._set_openings(max(0, self.openings - 1)))

    @property
    def is_heard(self) -> bool:
        """Whether requests are listened to now."""
        return self._traffic.is_heard

    async def attach(self, session: CdpSession) -> None:
        """Hear of navigations from the tab's own session."""
        if self._session is session:
            return
        self._session = session
        listeners = {
            "frameRequestedNavigation": self._hear_wish,
            "frameStartedNavigating": self._hear_start,
            "frameNavigated": self._hear_arrival,
            "domContentEventFired": self._hear_content,
            "frameStoppedLoading": self._hear_stop,
            "windowOpen": lambda _: self._set_openings(self.openings + 1),
        }
        for name, listener in listeners.items():
            session.raw.on(f"Page.{name}", listener)
        await session.send("Page.enable")
        tree = await session.send("Page.getFrameTree")
        self._main_frame = tree["frameTree"]["frame"]["id"]

    async def stirring(self, at_most_s: float) -> bool:
        """Whether anything of this changed within the time."""
        self._stirred.clear()
        try:
            await asyncio.wait_for(self._stirred.wait(), max(0.0, at_most_s))
        except TimeoutError:
            return False
        return True

    def hear_no_more(self, pause_s: float, *, loudest: bool) -> None:
        """What is under way would stay so for ever."""
        if loudest:
            self._slowing.begin(pause_s)
        self.silences += 1
        self.requests.clear()
        self._own.clear()
        self._stirred.set()

    def hear_request(self, request: Request) -> None:
        if request.resource_type in NEVER_ENDING or self._recurs(request):
            return
        self.requests.add(request)
        self.begun += 1
        self._stirred.set()

    def _recurs(self, request: Request) -> bool:
        if request.is_navigation_request():
            return False
        alike, now = likeness(request.method, request.url, request.post_data_buffer), time.monotonic()
        recurs = self._recurrence.begin(alike, now, acting=self.acting > 0)
        if recurs or not self.acting:
            self._own[request] = (alike, now)
        return recurs

    def hear_response(self, response: Response) -> None:
        if response.request.resource_type in ("fetch", "xhr"):
            asyncio.get_running_loop().call_later(UNREAD_S, self.hear_failure, response.request)

    def hear_end(self, request: Request) -> None:
        if request in self._own:
            self._recurrence.answer(*self._own[request], time.monotonic())
        self.hear_failure(request)

    def hear_failure(self, request: Request) -> None:
        self._own.pop(request, None)
        if request in self.requests:
            self.requests.discard(request)
            self._stirred.set()

    def _hear_wish(self, event: dict[str, Any]) -> None:
        if event["frameId"] == self._main_frame and event["disposition"] == "currentTab" and self.journey == "none":
            self._set("asked")

    def _hear_start(self, event: dict[str, Any]) -> None:
        if event["frameId"] == self._main_frame and event["navigationType"] not in SAME_DOCUMENT:
            self._set("under way")

    def _hear_arrival(self, event: dict[str, Any]) -> None:
        if event["frame"]["id"] == self._main_frame:
            self.arrivals += 1
            self._recurrence = Recurrence()
            self._own.clear()
            self.requests = {request for request in self.requests if request.is_navigation_request()}
            self._set("arrived")

    def _hear_content(self, _: dict[str, Any]) -> None:
        if self.journey == "arrived":
            self._set("none")

    def _hear_stop(self, event: dict[str, Any]) -> None:
        if event["frameId"] == self._main_frame:
            self._set("none")

    def _set_openings(self, openings: int) -> None:
        self.openings = openings
        self._stirred.set()

    def _set(self, journey: Journey) -> None:
        self.journey = journey
        self._stirred.set()


SAME_DOCUMENT = frozenset({"sameDocument", "historySameDocument"})

"""Processes of pages that end. A tab whose page's process did has crashed; where that of a frame of another site did,
the rest of the page goes on. The browser itself tells of both, so that no page has to be asked."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from playwright.async_api import BrowserContext

from gui_environments.browser.cdp import CdpError, CdpSession, SessionGone
from gui_environments.browser.events import EventLog, FrameCrashed, TabCrashed
from gui_environments.browser.tabs.tab import Tab, Tabs

log = logging.getLogger(__name__)

KINDS = [{"type": "page"}, {"type": "iframe"}]


class Crashes:
    """Made by `watch_crashes`."""

    def __init__(self, tabs: Tabs, events: EventLog) -> None:
        self._tabs = tabs
        self._events = events
        self._frames: dict[str, tuple[str, str]] = {}
        """Frames with a process of their own: what each is in, and its address."""
        self._asking: set[asyncio.Task[None]] = set()

    def take_target(self, told: dict[str, Any]) -> None:
        target = told["targetInfo"]
        if target["type"] != "iframe":
            return
        frame_id, around, url = target["targetId"], target.get("parentId", ""), target["url"]
        self._frames[frame_id] = (around, url)
        if url:  # one that has crashed has none
            self._heal(frame_id)

    def forget_target(self, told: dict[str, Any]) -> None:
        if self._frames.pop(told["targetId"], None) is not None:
            self._heal(told["targetId"])

    def take_crash(self, told: dict[str, Any]) -> None:
        target_id = told["targetId"]
        if target_id not in self._frames:
            self._tell(target_id, self._crash_page)
            return
        host = urlsplit(self._frames[target_id][1]).netloc
        page = target_id
        while page in self._frames:
            page = self._frames[page][0]
        self._tell(page, lambda tab: self._crash_frame(tab, target_id, host))

    def _tell(self, page: str, tell: Callable[[Tab], None]) -> None:
        """The tab whose page the browser calls that; at once, where that is known."""
        tab = self._tabs.of_target(page)
        if tab is not None:
            tell(tab)
            return
        task = asyncio.get_running_loop().create_task(self._find_and_tell(page, tell))
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)

    async def _find_and_tell(self, page: str, tell: Callable[[Tab], None]) -> None:
        for tab in self._tabs.all:
            try:
                if await tab.target_id() == page:
                    tell(tab)
            except (CdpError, SessionGone) as error:
                log.debug("a tab was closed while it was asked what it is: %s", error)

    def _crash_page(self, tab: Tab) -> None:
        tab.note_crash()
        self._events.note(TabCrashed(tab.tab_id))

    def _crash_frame(self, tab: Tab, frame_id: str, host: str) -> None:
        tab.in_doubt = False
        tab.frames.note_crash(frame_id)
        self._events.note(FrameCrashed(tab.tab_id, host))

    def _heal(self, frame_id: str) -> None:
        for tab in self._tabs.all:
            tab.frames.note_recovery(frame_id)


async def watch_crashes(context: BrowserContext, tabs: Tabs, events: EventLog) -> Crashes:
    """From now on, with a session of its own."""
    assert context.browser is not None
    session = CdpSession(await context.browser.new_browser_cdp_session())
    crashes = Crashes(tabs, events)
    session.raw.on("Target.targetCreated", crashes.take_target)
    session.raw.on("Target.targetInfoChanged", crashes.take_target)
    session.raw.on("Target.targetDestroyed", crashes.forget_target)
    session.raw.on("Target.targetCrashed", crashes.take_crash)
    await session.send("Target.setDiscoverTargets", discover=True, filter=KINDS)
    return crashes

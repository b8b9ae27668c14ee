"""The tabs of one browser: their ids, which one is active; popups, crashes and addresses are noted as events. Never
reads a page."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

from playwright.async_api import BrowserContext, Error, Page
from playwright.async_api import Frame as PlaywrightFrame

from gui_environments.browser.cdp import CdpError, SessionGone
from gui_environments.browser.events import EventLog, PageNavigated, TabClosed, TabOpened
from gui_environments.browser.pages.frames import Frame, Frames
from gui_environments.browser.tabs.activity import Activity
from gui_environments.browser.tabs.clock import Clock
from gui_environments.browser.tabs.closing import close_page
from gui_environments.browser.tabs.hand import Hand
from gui_environments.browser.tabs.slowing import Slowing
from gui_environments.browser.tabs.traffic import Traffic
from gui_environments.errors import ActionRefused

log = logging.getLogger(__name__)

TAB_LIMIT = 100

CRASH_S = 1.0
"""How long the browser may take to tell which process it was that ended."""


class Tab:
    """One open page of the browser. A tab that crashed stays so until it is closed."""

    def __init__(self, tab_id: str, page: Page, frames: Frames, traffic: Traffic) -> None:
        self.tab_id = tab_id
        self.page = page
        self.frames = frames
        self.hand = Hand()
        self.frames_set: set[Frame] = set()
        """Those in which a field was set."""
        self.clock = Clock()
        self.traffic = traffic
        self.slowing = Slowing(frames)
        self.activity = Activity(page, traffic, self.slowing)
        self.crashed = False
        self.closed = False
        self.is_given_up = False
        """By Playwright, which takes a page for crashed when a frame in it has: it navigates it no more."""
        self.in_doubt = False
        """Whether it is still to be told which of the two it was that crashed."""
        self._has_crashed = asyncio.Event()
        self._target_id: str | None = None

    async def target_id(self) -> str:
        """The browser's own id of this page. Raises `SessionGone` when it is closed."""
        if self._target_id is None:
            session = await self.frames.page_session()
            target = await session.send("Target.getTargetInfo")
            self._target_id = target["targetInfo"]["targetId"]
        return self._target_id

    @property
    def known_target_id(self) -> str | None:
        """The same, once somebody has asked for it."""
        return self._target_id

    def note_crash(self) -> None:
        self.crashed = True
        self.in_doubt = False
        self._has_crashed.set()

    async def crashes(self) -> bool:
        """Whether its page has crashed, where that may be told any moment."""
        try:
            await asyncio.wait_for(self._has_crashed.wait(), CRASH_S)
        except TimeoutError:
            self.in_doubt = False
        return self.crashed

    def give_up(self, _: Page) -> None:
        self.is_given_up = True
        self.in_doubt = True

    def require_usable(self) -> None:
        """Raises `ActionRefused` for a crashed or closed tab."""
        if self.closed:
            raise ActionRefused(f"{self.tab_id} has been closed. List the tabs and use an open one.")
        if self.crashed:
            raise ActionRefused(f"The page in {self.tab_id} has crashed. Close it and open a new one.")


class Tabs:
    """Follows one browser context from before its first page. Ids are never used twice."""

    def __init__(self, context: BrowserContext, events: EventLog) -> None:
        self.traffic = Traffic(context)
        self._context = context
        self._events = events
        self._tabs: dict[str, Tab] = {}
        self._by_recency: list[Tab] = []
        self._count = 0
        self._background: set[asyncio.Task[None]] = set()
        for page in context.pages:
            self._adopt(page)
        context.on("page", self._take_page)

    @property
    def all(self) -> tuple[Tab, ...]:
        """In the order they were opened."""
        return tuple(self._tabs.values())

    @property
    def active(self) -> Tab | None:
        """What input goes to when no tab is named: the one activated or opened last; None when none is open."""
        return self._by_recency[-1] if self._by_recency else None

    def tab(self, tab_id: str | None) -> Tab:
        """The tab of that id, the active one for None. Raises `ActionRefused`."""
        tab = self.active if tab_id is None else self._tabs.get(tab_id)
        if tab is not None:
            return tab
        if not self._tabs:
            raise ActionRefused("No tab is open. Open one first.")
        raise ActionRefused(f"There is no tab {tab_id}. Open are: {', '.join(self._tabs)}.")

    def of(self, page: Page) -> Tab | None:
        """The tab of Playwright's page; None when it has closed, or was over the limit."""
        return next((tab for tab in self._tabs.values() if tab.page is page), None)

    def of_target(self, target_id: str) -> Tab | None:
        """The tab whose page the browser calls that, as far as that is known."""
        return next((tab for tab in self._tabs.values() if tab.known_target_id == target_id), None)

    async def open(self) -> Tab:
        """A new tab, blank and active. Raises `ActionRefused` at the limit."""
        if len(self._tabs) >= TAB_LIMIT:
            raise ActionRefused(f"{TAB_LIMIT} tabs are open, which is the limit. Close some first.")
        page = await self._context.new_page()
        tab = next(tab for tab in self._tabs.values() if tab.page is page)
        await self.activate(tab)
        return tab

    async def activate(self, tab: Tab) -> None:
        tab.require_usable()
        await tab.page.bring_to_front()
        self._by_recency.remove(tab)
        self._by_recency.append(tab)

    async def close(self, tab: Tab) -> None:
        """Close without asking the page. The tab that was active before it is active then."""
        was_active = tab is self.active
        await close_page(tab.page, tab.frames)
        self._forget(tab)
        if was_active and self.active is not None and not self.active.crashed:
            await self.active.page.bring_to_front()

    def _take_page(self, page: Page) -> None:
        if len(self._tabs) >= TAB_LIMIT:
            log.warning("a page opened more than %d tabs; the new one is closed", TAB_LIMIT)
            self._in_background(page.close())
            return
        tab = self._adopt(page)
        self._events.note(TabOpened(tab.tab_id))

    def _adopt(self, page: Page) -> Tab:
        self._count += 1
        tab = Tab(f"tab_{self._count}", page, Frames(self._context, page), self.traffic)
        self._tabs[tab.tab_id] = tab
        self._by_recency.append(tab)
        page.on("close", lambda _: self._forget(tab))
        page.on("crash", tab.give_up)
        page.on("framenavigated", lambda frame: self._note_address(tab, frame))
        # Whoever is told something of this page by the browser knows at once which tab it is.
        self._in_background(tab.target_id())
        return tab

    def _note_address(self, tab: Tab, frame: PlaywrightFrame) -> None:
        if frame is tab.page.main_frame:
            tab.slowing.end()
            self._events.note(PageNavigated(tab.tab_id, frame.url))

    def _forget(self, tab: Tab) -> None:
        tab.closed = True
        tab.slowing.end()
        tab.frames.bury()
        if self._tabs.pop(tab.tab_id, None) is not None:
            self._by_recency.remove(tab)
            self._events.note(TabClosed(tab.tab_id))

    def _in_background(self, work: Coroutine[Any, Any, object]) -> None:
        async def finish() -> None:
            try:
                await work
            except (Error, CdpError, SessionGone) as error:
                log.debug("a tab was gone meanwhile: %s", error)

        task = asyncio.get_running_loop().create_task(finish())
        self._background.add(task)
        task.add_done_callback(self._background.discard)

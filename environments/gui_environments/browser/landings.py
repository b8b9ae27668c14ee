"""Where tabs land by themselves: an address that the browser refused to open, because the rules do not allow it, is
noted; a tab that opened with one is closed; and no tab stays on a page that is not the web's."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

from playwright.async_api import BrowserContext, Error, Frame, Page

from gui_environments.browser.cdp import CdpError, CdpSession, SessionGone
from gui_environments.browser.events import EventLog, NavigationRefused
from gui_environments.browser.tabs import Tab, Tabs
from gui_environments.egress.addresses import address_of
from gui_environments.egress.rules import HostRules

log = logging.getLogger(__name__)

ERROR_PAGE = "chrome-error:"

HARMLESS_SCHEMES = frozenset({"", "http", "https", "about", "data", "blob"})
"""`about:` addresses other than `about:blank` are of another scheme by the time they are opened."""

BLANK = "about:blank"

POLL_S = 0.01

JUDGE_S = 1.0
"""How long an action waits until it is known why a tab shows an error page."""


class Landings:
    """Listens to every tab from the moment it is made."""

    def __init__(
        self,
        context: BrowserContext,
        tabs: Tabs,
        events: EventLog,
        hosts: HostRules,
    ) -> None:
        self._tabs = tabs
        self._events = events
        self._hosts = hosts
        self._judging: set[asyncio.Task[None]] = set()
        for page in context.pages:
            self._follow(page)
        context.on("page", self._take)

    async def wait(self) -> None:
        """Until what tabs have landed on is judged."""
        if self._judging:
            await asyncio.wait(self._judging, timeout=JUDGE_S)

    def _take(self, page: Page) -> None:
        self._follow(page)
        self._look(page, is_new=True)

    def _follow(self, page: Page) -> None:
        page.on("framenavigated", lambda frame: self._look_at_frame(page, frame))

    def _look_at_frame(self, page: Page, frame: Frame) -> None:
        if frame is page.main_frame:
            self._look(page, is_new=False)

    def _look(self, page: Page, *, is_new: bool) -> None:
        tab = self._tabs.of(page)
        if tab is None:
            return
        if page.url.startswith(ERROR_PAGE):
            self._start(self._judge_error(tab, is_new=is_new))
        elif scheme_of(page.url) not in HARMLESS_SCHEMES:
            self._events.note(NavigationRefused(tab.tab_id, "", scheme_of(page.url)))
            self._start(self._empty(tab))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._judging.add(task)
        task.add_done_callback(self._judging.discard)

    async def _judge_error(self, tab: Tab, *, is_new: bool) -> None:
        try:
            async with asyncio.timeout(JUDGE_S):
                wanted = await _wanted_address(await tab.frames.page_session())
        except (CdpError, SessionGone, TimeoutError) as error:
            log.debug("a tab cannot tell what it failed to show: %s", error)
            return
        if not self._refuses(wanted):
            return
        address = address_of(wanted)
        host = "" if address is None else address.host_and_port
        self._events.note(NavigationRefused(tab.tab_id, host, scheme_of(wanted)))
        if is_new and len(self._tabs.all) > 1:
            await self._leave(self._tabs.close(tab))

    def _refuses(self, url: str) -> bool:
        address = address_of(url)
        if address is None:
            return scheme_of(url) not in HARMLESS_SCHEMES | {"chrome-error"}
        return not self._hosts.judge(address, "document").allowed

    async def _empty(self, tab: Tab) -> None:
        await self._leave(tab.page.goto(BLANK))

    async def _leave(self, leaving: Coroutine[Any, Any, object]) -> None:
        try:
            await leaving
        except Error as error:
            log.debug("a tab was gone when it was to leave what is not allowed: %s", error)


async def _wanted_address(session: CdpSession) -> str:
    """What an error page stands for. The document knows, but not that its source was wanted; the browser does, a moment
    later."""
    tree = await session.send("Page.getFrameTree")
    unreachable: str = tree["frameTree"]["frame"].get("unreachableUrl", "")
    while True:
        target = await session.send("Target.getTargetInfo")
        shown: str = target["targetInfo"]["url"]
        if shown.endswith(unreachable):
            return shown
        await asyncio.sleep(POLL_S)


def scheme_of(url: str) -> str:
    return url.partition(":")[0].lower()

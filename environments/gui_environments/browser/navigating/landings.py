"""Where tabs and frames land, whatever let them: an address that the browser refused to open, because the rules do not
allow it, is noted; a tab that opened with one is closed; and no tab or frame stays on a document that is not allowed,
no tab on a page that is not the web's."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

from playwright.async_api import BrowserContext, Error, Frame, Page

from gui_environments.browser.cdp import CdpError, CdpSession, SessionGone
from gui_environments.browser.navigating.asked import DOCUMENT, WORDS
from gui_environments.browser.navigating.refusals import Refusals, RefusedPage
from gui_environments.browser.tabs.tab import Tab, Tabs
from gui_environments.egress.addresses import address_of
from gui_environments.egress.rules import HostRules, Verdict
from gui_environments.errors import ActionFailed

log = logging.getLogger(__name__)

ERROR_PAGE = "chrome-error:"

HARMLESS_SCHEMES = frozenset({"", "about", "data", "blob", "chrome-error"})
"""What such documents ask for is judged like all else.
`about:` addresses other than `about:blank` are of another scheme by the time they are opened."""

HARMLESS = Verdict(True, "no host", "It is of the page's own making.")
NOT_OF_THE_WEB = Verdict(False, "not of the web", "Only http and https pages are opened here.")

BLANK = "about:blank"

EMPTY_S = 5.0
"""How long a document that is not allowed may take to be left."""

POLL_S = 0.01

JUDGE_S = 1.0
"""How long an action waits until it is known why a tab shows an error page."""


class Landings:
    """Listens to every tab from the moment it is made."""

    def __init__(
        self,
        context: BrowserContext,
        tabs: Tabs,
        refusals: Refusals,
        hosts: HostRules,
    ) -> None:
        self._tabs = tabs
        self._refusals = refusals
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
            return
        tab, address = self._tabs.of(page), address_of(frame.url)
        if tab is None or address is None:
            return
        verdict = self._hosts.judge(address, "document")
        if not verdict.allowed:
            self._refusals.note_part(tab.tab_id, WORDS[DOCUMENT], address.host_and_port, verdict)
            self._start(self._expel(tab, frame))

    def _look(self, page: Page, *, is_new: bool) -> None:
        tab = self._tabs.of(page)
        if tab is None:
            return
        if page.url.startswith(ERROR_PAGE):
            self._start(self._judge_error(tab, is_new=is_new))
        elif not self._judge(page.url).allowed:
            self._start(self._refuse_page(tab, page.url))

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
        verdict = self._judge(wanted)
        if verdict.allowed:
            return
        await self._note(tab, wanted, verdict)
        if is_new and len(self._tabs.all) > 1:
            await self._close(tab)

    def _judge(self, url: str) -> Verdict:
        address = address_of(url)
        if address is not None:
            return self._hosts.judge(address, "document")
        return HARMLESS if scheme_of(url) in HARMLESS_SCHEMES else NOT_OF_THE_WEB

    async def _refuse_page(self, tab: Tab, url: str) -> None:
        await self._note(tab, url, self._judge(url))
        await self._expel(tab, tab.page.main_frame)

    async def _note(self, tab: Tab, url: str, verdict: Verdict) -> None:
        """Unless it was noted when it was asked for."""
        try:
            target_id = await tab.target_id()
        except SessionGone:
            return
        known = self._refusals.page(target_id)
        if known is None or known.url != url.partition("#")[0]:
            self._refusals.note_page(tab, target_id, RefusedPage((url,), verdict))

    async def _expel(self, tab: Tab, frame: Frame) -> None:
        """From the document that it shows; the tab closes if it does not go."""
        try:
            await frame.goto(BLANK, timeout=EMPTY_S * 1000)
        except Error as error:
            log.debug("a frame did not leave what is not allowed: %s", error)
            if not (tab.closed or frame.is_detached() or self._judge(frame.url).allowed):
                await self._close(tab)

    async def _close(self, tab: Tab) -> None:
        try:
            await self._tabs.close(tab)
        except (Error, ActionFailed) as error:
            log.debug("a tab was gone, or did not close, when it was to leave what is not allowed: %s", error)


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

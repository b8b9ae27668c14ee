"""Every request of every page is judged before it is made, in the browser itself, which can tell pages from what they
are made of: all tabs from their first request on, frames in whatever process, workers, every hop of a redirect.

One session of the browser's own sees them; what it does not see is left to the egress proxy (SECURITY.md says what).
What is not allowed fails, and is told to `Refusals`. When a request cannot be judged or answered, or the session is
lost, the browser is ended: no page is ever left unwatched.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Any

from playwright.async_api import BrowserContext, Error

from gui_environments.browser.cdp import CdpError, CdpSession, SessionGone
from gui_environments.browser.navigating.asked import AskedRequest
from gui_environments.browser.navigating.refusals import Refusals
from gui_environments.browser.tabs.tab import Tabs
from gui_environments.egress.rules import HostRules
from gui_environments.errors import EnvironmentUnavailable

log = logging.getLogger(__name__)

EVERYTHING = [{"urlPattern": "*", "requestStage": "Request"}]

BLANK = "about:blank"

FRAMES_KNOWN = 1_000


class Interception:
    """Of one browser, on a session of its own. Made by `intercept`; `end` ends the browser at once."""

    def __init__(
        self, session: CdpSession, hosts: HostRules, tabs: Tabs, refusals: Refusals, end: Callable[[], None]
    ) -> None:
        self.session = session
        self._hosts = hosts
        self._tabs = tabs
        self._refusals = refusals
        self._end = end
        self._answering: set[asyncio.Task[None]] = set()
        self._frames: set[str] = set()
        """Frames that are known to be in a page, and no page themselves."""
        session.raw.on("Fetch.requestPaused", self._take)
        session.raw.on("close", lambda _: self._end())

    async def begin(self) -> None:
        """For all documents that load from now on."""
        await self.session.send("Fetch.enable", patterns=EVERYTHING)

    def _take(self, paused: Mapping[str, Any]) -> None:
        task = asyncio.get_running_loop().create_task(self._answer(paused))
        self._answering.add(task)
        task.add_done_callback(self._finish)

    def _finish(self, task: asyncio.Task[None]) -> None:
        self._answering.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            log.error("a request could not be judged, so the browser is ended", exc_info=error)
            self._end()

    async def _answer(self, paused: Mapping[str, Any]) -> None:
        asked = AskedRequest.of(paused)
        verdict = asked.judged_by(self._hosts)
        if asked.is_document:
            self._refusals.follow(asked)
        try:
            if verdict.allowed:
                await self.session.send("Fetch.continueRequest", requestId=asked.handle)
                return
            # Told first: whoever waits for what comes of it finds it.
            self._refusals.note(asked, verdict, is_page=asked.is_document and await self._is_page(asked.frame_id))
            await self.session.send("Fetch.failRequest", requestId=asked.handle, errorReason="BlockedByClient")
        except CdpError as error:
            log.debug("a request was given up before it was answered: %s", error)
        except SessionGone as error:
            log.debug("the browser ended while a request waited: %s", error)
            self._end()

    async def _is_page(self, frame_id: str) -> bool:
        """Whether it is what a tab shows, and not a frame in it. Tabs that are only just opening are pages, too."""
        if self._tabs.of_target(frame_id) is not None:
            return True
        if frame_id in self._frames:
            return False
        targets = (await self.session.send("Target.getTargets"))["targetInfos"]
        if any(target["targetId"] == frame_id and target["type"] == "page" for target in targets):
            return True
        if len(self._frames) >= FRAMES_KNOWN:
            self._frames.clear()
        self._frames.add(frame_id)
        return False


async def intercept(
    context: BrowserContext, hosts: HostRules, tabs: Tabs, refusals: Refusals, end: Callable[[], None]
) -> Interception:
    """Before the first page; what is open is made anew, so that it is watched too. Raises `EnvironmentUnavailable`."""
    assert context.browser is not None
    try:
        session = CdpSession(await context.browser.new_browser_cdp_session())
        interception = Interception(session, hosts, tabs, refusals, end)
        await interception.begin()
        for tab in tabs.all:
            await tab.page.goto(BLANK)
    except (Error, CdpError, SessionGone) as error:
        raise EnvironmentUnavailable(f"The browser does not let its requests be judged: {error}") from error
    return interception

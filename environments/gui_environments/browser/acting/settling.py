"""Waiting until a tab is quiet after an action, by evidence: a navigation that the action started, tabs it opened, the
page's requests but those that it makes again and again by itself, its frames and what changes in its document. Bounded;
it never promises that nothing will change later.

    async with watching(tab) as watch:
        await click(tab, point)
        settled = await watch.settle(5.0)
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from gui_environments.browser.acting.submitting import KeptBack, kept_back
from gui_environments.browser.cdp import SessionGone
from gui_environments.browser.pages.world import DocumentGone, World
from gui_environments.browser.tabs.activity import Activity
from gui_environments.browser.tabs.tab import Tab

ARM_S = 0.5
"""How long a busy page has to let itself be watched."""

ASKED_S = 0.5
"""How long the browser has to begin a navigation that the page asked for; it may have been refused."""

REQUESTS_S = 2.0
"""How long the requests of the page are waited for, all in all: some wait for the next message, for ever."""

CHANGES_S = 0.35
"""How long changes in the document are waited for at a time: transitions end by then."""


@dataclass(frozen=True, slots=True)
class Settled:
    """`quiet`: nothing was under way at the end. `navigated`: another document is shown. `changed`: something in the
    document, its focus or its scrolling changed, or a request was made; False does not mean that no pixel did.
    `kept_back`: a form that the browser did not send. `unheard`: not all of the requests were heard of."""

    quiet: bool
    navigated: bool
    changed: bool
    kept_back: KeptBack | None = None
    unheard: bool = False


class Watch:
    """One action's watch of one tab. Made by `watching`."""

    def __init__(self, tab: Tab) -> None:
        self._tab = tab
        self._activity: Activity = tab.activity
        self._before = set(self._activity.requests)
        self._begun = self._activity.begun
        self._silences = self._activity.silences
        self._unheard = not self._activity.is_heard
        self._arrivals = self._activity.arrivals
        self._activity.openings = 0  # those of earlier have been waited for
        self._changed = False
        self._kept_back: dict[World, KeptBack | None] = {}

    async def arm(self) -> None:
        """Before the action. A page that cannot be watched is not: then its frames alone are waited for."""
        try:
            async with asyncio.timeout(ARM_S):
                await self._activity.attach(await self._tab.frames.page_session())
                await self._world()
                worlds = self._tab.frames.known_worlds
                await asyncio.gather(*(world.call("watchChanges") for world in worlds), return_exceptions=True)
        except (TimeoutError, DocumentGone, SessionGone):
            return

    @property
    def undisturbed(self) -> bool:
        """Whether neither a request nor a navigation has come of the action so far."""
        return self._activity.journey == "none" and self._activity.begun == self._begun and not self._pending()

    async def settle(self, settle_s: float) -> Settled:
        """Return when the tab is quiet, or after `settle_s`."""
        loop = asyncio.get_running_loop()
        end = loop.time() + settle_s
        requests_end = loop.time() + min(REQUESTS_S, settle_s)
        quiet = False
        while not quiet and loop.time() < end and self._lives():
            if await self._arrive(end):
                requests_end = min(end, loop.time() + REQUESTS_S)
            begun = self._activity.begun
            calm = await self._calm(min(end, loop.time() + CHANGES_S))
            waited = await self._await_requests(requests_end)
            if calm is None or self._activity.journey != "none" or waited:
                continue
            if self._activity.begun == begun or loop.time() >= requests_end:
                quiet = calm
                break
        opened = await self._await_openings(end)
        return self._settled(quiet and opened)

    def _settled(self, quiet: bool) -> Settled:
        navigated = self._activity.arrivals != self._arrivals
        requested = self._activity.begun != self._begun
        changed = self._changed or navigated or requested or not self._lives()
        kept = next(filter(None, self._kept_back.values()), None)
        unheard = self._unheard or self._activity.silences != self._silences
        return Settled(quiet and not self._pending(), navigated, changed, None if navigated else kept, unheard)

    def _lives(self) -> bool:
        return not (self._tab.closed or self._tab.crashed)

    async def _arrive(self, end: float) -> bool:
        """Wait while the main frame is on its way; whether it was."""
        loop = asyncio.get_running_loop()
        on_its_way = False
        asked_end = min(end, loop.time() + ASKED_S)
        while self._activity.journey != "none" and self._lives():
            limit = asked_end if self._activity.journey == "asked" else end
            on_its_way |= self._activity.journey != "asked"
            if not await self._activity.stirring(limit - loop.time()):
                if self._activity.journey == "asked":
                    self._activity.journey = "none"
                break
        return on_its_way

    async def _calm(self, end: float) -> bool | None:
        """Whether the document came to rest in time; None when it was left."""
        loop = asyncio.get_running_loop()
        asking = asyncio.ensure_future(self._quiet(max(0.0, end - loop.time())))
        limit = end + ARM_S
        try:
            while self._activity.journey == "none" and loop.time() < limit:
                stirring = asyncio.ensure_future(self._activity.stirring(limit - loop.time()))
                await asyncio.wait((asking, stirring), return_when=asyncio.FIRST_COMPLETED)
                stirring.cancel()
                if asking.done():
                    return asking.result()
        finally:
            asking.cancel()
        return None if self._activity.journey != "none" else False

    async def _quiet(self, most_s: float) -> bool | None:
        """Of the main frame's document, and then of those of other frames that have changed: frames out of sight draw
        none, so that waiting for all would be long."""
        try:
            main = await self._world()
            quiet = await self._quiet_in(main, most_s)
        except (DocumentGone, SessionGone):
            return None
        others = [world for world in self._tab.frames.known_worlds if world is not main]
        changed = await asyncio.gather(*(world.call("hasChanged") for world in others), return_exceptions=True)
        waits = [self._quiet_in(world, most_s) for world, one in zip(others, changed, strict=True) if one is True]
        return all([quiet, *(one is not False for one in await asyncio.gather(*waits, return_exceptions=True))])

    async def _quiet_in(self, world: World, most_s: float) -> bool:
        answer: dict[str, Any] = await world.call("quiet", most_s * 1000)
        self._changed |= answer["changed"]
        self._kept_back[world] = kept_back(world, answer["kept"])
        quiet: bool = answer["quiet"]
        return quiet

    async def _await_requests(self, end: float) -> bool:
        """Wait until none is pending; whether there was one to wait for."""
        loop = asyncio.get_running_loop()
        waited = False
        while self._pending() and self._activity.journey == "none" and self._lives():
            if not await self._activity.stirring(end - loop.time()):
                return False
            waited = True
        return waited

    async def _await_openings(self, end: float) -> bool:
        """Wait for the tabs that the page has opened; whether all are there."""
        loop = asyncio.get_running_loop()
        while self._activity.openings and self._lives() and loop.time() < end:
            await self._activity.stirring(end - loop.time())
        return not self._activity.openings

    def _pending(self) -> bool:
        return bool(self._activity.requests - self._before)

    async def _world(self) -> World:
        return (await self._tab.frames.main()).world


@asynccontextmanager
async def watching(tab: Tab) -> AsyncIterator[Watch]:
    """Around an action and the wait after it."""
    tab.activity.acting += 1
    try:
        watch = Watch(tab)
        await watch.arm()
        yield watch
    finally:
        tab.activity.acting -= 1

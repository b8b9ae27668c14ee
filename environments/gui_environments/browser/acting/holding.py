"""One action's hold on all documents of a tab: the first press (or key) goes to the element that it is meant for, while
that is what it was, or nowhere.

In that element's document the page model judges it as it arrives; in every other document it stops it. Documents that
come in meanwhile stop presses for a moment by themselves. Sends no press and no key.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any, Literal

from gui_environments.browser.acting.mouse import move_mouse
from gui_environments.browser.acting.newcomers import Newcomers
from gui_environments.browser.cdp import CdpSession, SessionGone
from gui_environments.browser.pages.references import ReferenceBook
from gui_environments.browser.pages.world import DocumentGone, World
from gui_environments.browser.tabs.tab import Tab
from gui_environments.browser.values import PagePoint, quoted
from gui_environments.errors import ActionFailed, ActionRefused
from gui_environments.sights import ExpectedElement, PageExpectation

LOOK_AGAIN = "Nothing was done. Look at the page again."

PARTLY = {
    "press": "The first press arrived; by the next, {} was in its place, and was not pressed. Look at the page again.",
    "keys": "The focus moved to another frame meanwhile, to {}; what went there was stopped. A part may have arrived "
    "where it was meant. Look at the page again.",
}

BINDING = "toldArrival"
"""The page model tells over it, in its own world, that a press has arrived where it was meant to."""

ARRIVE_S = 3.0
"""How long the mouse may take to be seen in a frame of another process."""

TOLD_S = 0.5
"""How long what a document told as it went may be under way."""

VERDICT_S = 5.0
"""How long the documents may take to say what arrived."""

Kind = Literal["press", "keys"]


class Hold:
    """One action's hold on all documents of a tab."""

    def __init__(self, tab: Tab, book: ReferenceBook, expected: PageExpectation, kind: Kind) -> None:
        self._tab = tab
        self._book = book
        self._expected = expected
        self._kind: Kind = kind
        self._worlds: list[World] = []
        self._meant: World | None = None
        self._newcomers = Newcomers()
        self._arrived = asyncio.Event()
        self._heard: set[CdpSession] = set()

    async def begin(self) -> None:
        elements = {
            self._book.find(self._tab, element.reference).frame.world: element for element in self._expected.elements
        }
        first = self._expected.elements[0]
        self._meant = self._book.find(self._tab, first.reference).frame.world
        elements[self._meant] = first
        self._worlds = await self._tab.frames.every_world()
        await self._listen({*self._worlds, *elements})
        await self._newcomers.stop(await self._tab.frames.sessions())
        for world in sorted({*self._worlds, *elements}, key=lambda each: each is self._meant):
            await self._expect(world, elements.get(world))
        if self._kind == "press" and first.at is not None:
            await self._point(PagePoint(*first.at))

    async def _point(self, at: PagePoint) -> None:
        """Into a frame of another process the browser finds its way by the last picture that it has drawn, which may be
        older than what was looked at: so the mouse goes first, and is seen to arrive."""
        assert self._meant is not None
        if self._meant.session is await self._tab.frames.page_session():
            return
        loop = asyncio.get_running_loop()
        end = loop.time() + ARRIVE_S
        while loop.time() < end:
            await move_mouse(self._tab, PagePoint(at.x + 1, at.y))
            await move_mouse(self._tab, at)
            if await self._meant.call("pointedAsExpected"):
                return
        raise ActionRefused(f"The mouse does not reach what this was approved for in its frame. {LOOK_AGAIN}")

    async def _listen(self, worlds: set[World]) -> None:
        """To what documents tell as something arrives, each in its own world."""
        self._heard = {world.session for world in worlds}
        for session in self._heard:
            session.raw.on("Runtime.bindingCalled", self._hear)
        for world in worlds:
            try:
                await world.send("Runtime.addBinding", name=BINDING, executionContextId=world.context_id)
            except (DocumentGone, SessionGone):
                continue  # whether it is the one that is meant, is found out below

    def _hear(self, told: dict[str, Any]) -> None:
        if told["name"] != BINDING:
            return
        if told["payload"] == "meant":
            self._arrived.set()
        elif self._tab.hand.keys_kept_from is not None:
            self._tab.hand.keys_kept_from = True

    async def _expect(self, world: World, element: ExpectedElement | None) -> None:
        if world not in self._worlds:
            self._worlds.append(world)
        number = 0 if element is None else self._book.find(self._tab, element.reference).element
        identity = None if element is None else _identity(element)
        try:
            same = await world.call("expect", number, identity, self._kind)
        except (DocumentGone, SessionGone) as error:
            if element is None:
                return  # a frame less
            raise ActionRefused(f"The page has been left since this was approved. {LOOK_AGAIN}") from error
        if not same:
            raise ActionRefused(f"The page has changed what this was approved for. {LOOK_AGAIN}")

    async def end(self, *, needs_input: bool) -> None:
        """Raises `ActionRefused` when nothing arrived where it was meant to; `needs_input`: when nothing arrived at
        all, too."""
        meant = self._meant
        verdicts = await self.let_go()
        stopped = next((one for one in verdicts.values() if one is not None and one["passes"] is False), None)
        if self._arrived.is_set() or _passed(verdicts.get(meant) if meant else None):
            if stopped is not None:
                raise ActionFailed(PARTLY[self._kind].format(_found(stopped["found"])))
            return
        if stopped is not None:
            raise ActionRefused(self._words(stopped["found"]))
        if needs_input:
            raise ActionRefused(
                f"Nothing reached what this was approved for: the page was left, or came between. {LOOK_AGAIN}"
            )

    async def drop(self) -> None:
        await self.let_go()

    async def let_go(self) -> dict[World, dict[str, Any] | None]:
        """Hold nothing any more; what each document says has arrived. Idempotent."""
        verdicts = dict(zip(self._worlds, await asyncio.gather(*map(_verdict, self._worlds)), strict=True))
        silent = self._meant is not None and verdicts.get(self._meant) is None
        if silent and not self._arrived.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._arrived.wait(), TOLD_S)
        for session in self._heard:
            session.raw.remove_listener("Runtime.bindingCalled", self._hear)
        there = {world.frame_id for world, verdict in verdicts.items() if verdict is not None}
        await self._newcomers.let_go(there)
        self._meant, self._worlds, self._heard = None, [], set()
        return verdicts

    def _words(self, found: dict[str, Any] | None) -> str:
        first = called(self._expected.elements[0])
        return f"This was approved for {first}; at that moment it would have reached {_found(found)}. {LOOK_AGAIN}"


def called(element: ExpectedElement) -> str:
    name = element.name or element.text
    return f"{element.role} {quoted(name[:80])} [{element.reference}]" if name else f"{element.role}"


def _found(found: dict[str, Any] | None) -> str:
    if found is None:
        return "something else"
    name = found["name"] or found["text"]
    return f"{found['role']} {quoted(name[:80])}" if name else str(found["role"])


def _passed(verdict: dict[str, Any] | None) -> bool:
    return verdict is not None and (verdict["passes"] is True or verdict["partly"])


def _identity(element: ExpectedElement) -> dict[str, str]:
    return {
        "role": element.role,
        "name": element.name,
        "text": element.text,
        "leads": element.leads_to,
        "page": element.page,
    }


async def _verdict(world: World) -> dict[str, Any] | None:
    try:
        async with asyncio.timeout(VERDICT_S):
            verdict: dict[str, Any] | None = await world.call("unexpect")
            return verdict
    except (DocumentGone, SessionGone, TimeoutError):
        return None

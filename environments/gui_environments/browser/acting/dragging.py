"""Dragging in a tab: the left button down, motion through points in between, up. What a page makes draggable
(`draggable`, links, pictures, selected text) becomes the browser's own drag and drop, with the events that a person's
drag has; otherwise it is the mouse's. The button is up when this returns, raises or is cancelled."""

from __future__ import annotations

import asyncio
from typing import Any

from gui_environments.browser.acting.input_events import InputEvent, send_events
from gui_environments.browser.acting.keyboard import going_down, going_up, held_modifiers, modifier_keys
from gui_environments.browser.acting.keys import Modifiers, PageKey
from gui_environments.browser.acting.mouse import LEFT_IS_DOWN, between, dragged_to, mouse_event
from gui_environments.browser.cdp import CdpSession, SessionGone
from gui_environments.browser.chromium.ending import finish
from gui_environments.browser.tabs.tab import Tab
from gui_environments.browser.values import PagePoint
from gui_environments.errors import ActionFailed, ActionRefused

STEP_PX = 40
STEPS = 6
"""At least so many points, at most so far from each other: applications look for motion."""

FIRST_STEP_PX = 8
"""From here on Chromium takes a motion for a drag."""


async def drag(tab: Tab, start: PagePoint, end: PagePoint, modifiers: str | None = None) -> None:
    """Raises `ActionRefused` before anything was pressed, `ActionFailed`."""
    keys = modifier_keys(modifiers)
    if tab.hand.left_down:
        raise ActionRefused(LEFT_IS_DOWN)
    tab.require_usable()
    try:
        session = await tab.frames.page_session()
        await session.send("Input.setInterceptDrags", enabled=True)
    except SessionGone as error:
        raise ActionRefused(f"{tab.tab_id} is closing. List the tabs and use an open one.") from error
    try:
        await _Drag(tab, session, keys).carry(start, end)
    finally:
        await finish(_stop_intercepting(session))


async def _stop_intercepting(session: CdpSession) -> None:
    try:
        await session.send("Input.setInterceptDrags", enabled=False)
    except SessionGone:
        return


class _Drag:
    """One drag while it is made."""

    def __init__(self, tab: Tab, session: CdpSession, keys: tuple[PageKey, ...]) -> None:
        self._tab = tab
        self._session = session
        self._keys = keys
        self._held: Modifiers = held_modifiers(keys)
        self._dropped = False
        self._cargo: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()

    async def carry(self, start: PagePoint, end: PagePoint) -> None:
        self._session.raw.once("Input.dragIntercepted", self._take_cargo)
        at = start
        try:
            pressed = mouse_event("mousePressed", start, self._held, button="left", buttons=1, clickCount=1)
            first = mouse_event("mouseMoved", start, self._held)
            await send_events(self._tab, [*going_down(self._keys), first, pressed])
            await self._go(_way(start, end))
            at = end
        finally:
            self._session.raw.remove_listener("Input.dragIntercepted", self._take_cargo)
            self._tab.hand.at = at
            await finish(self._let_go(at))

    async def _go(self, way: list[PagePoint]) -> None:
        """Motion by motion, each handled before the next: the browser tells of a drag of the page's by then."""
        for number, point in enumerate(way):
            await send_events(self._tab, [dragged_to(point, self._held)])
            if self._cargo.done():
                await self._carry_cargo(self._cargo.result(), way[number:])
                return

    def _take_cargo(self, event: dict[str, Any]) -> None:
        if not self._cargo.done():
            self._cargo.set_result(event["data"])

    async def _carry_cargo(self, cargo: dict[str, Any], way: list[PagePoint]) -> None:
        def carried(kind: str, to: PagePoint) -> InputEvent:
            where = {"type": kind, "x": to.x, "y": to.y, "modifiers": int(self._held)}
            return InputEvent("Input.dispatchDragEvent", {**where, "data": cargo})

        end = way[-1]
        try:
            await send_events(self._tab, [carried("dragEnter", way[0])])
            for point in way:
                await send_events(self._tab, [carried("dragOver", point)])
            # Again where it ends: what the page answers to the last motion says whether it may be dropped there.
            await send_events(self._tab, [carried("dragOver", end), carried("drop", end)])
            self._dropped = True
        except BaseException:
            await finish(self._give_up(carried("dragCancel", end)))
            raise

    async def _give_up(self, cancel: InputEvent) -> None:
        try:
            await send_events(self._tab, [cancel])
        except (ActionRefused, ActionFailed):
            return

    async def _let_go(self, at: PagePoint) -> None:
        """A page that is gone, or does not answer, holds no button. A drop has let go of the button itself."""
        released = mouse_event("mouseReleased", at, self._held, button="left", buttons=0, clickCount=1)
        try:
            await send_events(self._tab, [*([] if self._dropped else [released]), *going_up(self._keys)])
        except (ActionRefused, ActionFailed):
            return


def _way(start: PagePoint, end: PagePoint) -> list[PagePoint]:
    """Points between, the first two near the start, so that what is dragged is what lies there."""
    points = between(start, end, STEP_PX, STEPS)
    length = max(abs(end.x - start.x), abs(end.y - start.y))
    if length <= FIRST_STEP_PX:
        return points
    first = FIRST_STEP_PX / length
    near = [
        PagePoint(start.x + (end.x - start.x) * part, start.y + (end.y - start.y) * part) for part in (first / 2, first)
    ]
    return [*near, *points]

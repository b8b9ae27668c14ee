"""Clicking the element of a reference: aimed at, then pressed under guard. When something comes over it or it moves
away between the two, nothing else in its document is pressed in its place: it is aimed at again, or refused.

The guard is in the element's own document. It does not see a frame that comes over it, and handlers of the page's that
capture on `window` hear of the press before it is stopped."""

from __future__ import annotations

import asyncio
from typing import Any

from gui_environments.actions import Button
from gui_environments.browser.aiming import Aim, aim_at, named
from gui_environments.browser.cdp import SessionGone
from gui_environments.browser.ending import finish
from gui_environments.browser.input_events import send_events
from gui_environments.browser.mouse import click, mouse_event
from gui_environments.browser.references import ReferenceBook
from gui_environments.browser.tabs import Tab
from gui_environments.browser.values import PagePoint
from gui_environments.browser.world import DocumentGone
from gui_environments.errors import ActionRefused

AGAIN_S = 1.0
"""Until when, from the beginning, it is aimed at anew."""

VERDICT_S = 0.25
"""How long the document may take to say what was hit. It does not answer while the tab is on its way to another, and
that was the press's doing."""


async def click_element(
    tab: Tab, book: ReferenceBook, text: str, button: Button = "left", count: int = 1, modifiers: str | None = None
) -> None:
    """Raises `ActionRefused` when nothing was pressed, `ActionFailed`."""
    loop = asyncio.get_running_loop()
    end = loop.time() + AGAIN_S
    while True:
        aim = await aim_at(tab, book, text)
        verdict: asyncio.Future[dict[str, Any] | None] = loop.create_future()
        await _guard(aim)
        if aim.reference.frame.local_root.parent is not None and not await _points(tab, aim):
            if loop.time() >= end:
                raise ActionRefused(f"{text} cannot be reached: its frame does not stand still. Nothing was pressed.")
            continue
        try:
            await click(tab, aim.point, button, count, modifiers)
        finally:
            await finish(_take_verdict(aim, verdict))
        hit = verdict.result()
        if hit is None:
            return
        if loop.time() >= end:
            break
    cover = named(tab, book, aim.reference.frame, hit)
    raise ActionRefused(
        f"{text} could not be pressed: each time {cover} was in its place by then. Nothing was pressed. "
        "Wait for the page to come to rest, and look at it again."
    )


async def _guard(aim: Aim) -> None:
    try:
        await asyncio.wait_for(aim.reference.frame.world.call("guard", aim.reference.element), VERDICT_S)
    except (DocumentGone, SessionGone, TimeoutError):
        return  # then the click says so


async def _points(tab: Tab, aim: Aim) -> bool:
    """Whether the mouse, moved there, arrives at the element. The browser finds its way into frames of other sites by
    the last picture that each of them has drawn, and that may be older than what was just looked at."""
    beside = PagePoint(aim.point.x + 1, aim.point.y)
    await send_events(tab, [mouse_event("mouseMoved", beside), mouse_event("mouseMoved", aim.point)])
    try:
        return bool(await asyncio.wait_for(aim.reference.frame.world.call("pointed"), VERDICT_S))
    except (DocumentGone, SessionGone, TimeoutError):
        return False


async def _take_verdict(aim: Aim, verdict: asyncio.Future[dict[str, Any] | None]) -> None:
    try:
        hit = await asyncio.wait_for(aim.reference.frame.world.call("unguard"), VERDICT_S)
    except (DocumentGone, SessionGone, TimeoutError):
        hit = None
    verdict.set_result(hit)

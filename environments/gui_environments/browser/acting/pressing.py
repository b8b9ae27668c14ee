"""Clicking the element of a reference: aimed at, then pressed under guard. When something comes over it or it moves
away between the two, nothing else is pressed in its place: it is aimed at again, or refused.

Guards stand in every document of the tab that is known: in the element's own, in those of the frames around it, and in
all others, where nothing is to be pressed. A page that listens on `window` before the guard hears of a press before it
is stopped."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

from gui_environments.actions import Button
from gui_environments.browser.acting.aiming import Aim, aim_at, named, owner_number
from gui_environments.browser.acting.input_events import send_events
from gui_environments.browser.acting.mouse import click, mouse_event
from gui_environments.browser.cdp import SessionGone
from gui_environments.browser.chromium.ending import finish
from gui_environments.browser.pages.frames import Frame
from gui_environments.browser.pages.references import ReferenceBook
from gui_environments.browser.pages.world import DocumentGone, World
from gui_environments.browser.tabs.tab import Tab
from gui_environments.browser.values import PagePoint
from gui_environments.errors import ActionFailed, ActionRefused

AGAIN_S = 1.0
"""Until when, from the beginning, it is aimed at anew."""

VERDICT_S = 0.25
"""How long a document may take to be guarded, and to say what was hit. It does not answer while the tab is on its way
to another, and that was the press's doing."""

FIRST_TIMES = ("once", "twice")
"""How often it was pressed before a press was stopped."""


@dataclass(frozen=True, slots=True)
class _Guard:
    """A guard in the document of `world`; `frame` is known for the element's own and those around it."""

    world: World
    frame: Frame | None


@dataclass(frozen=True, slots=True)
class _Verdict:
    """`passed`: presses that reached the element, None when its document does not say. `hit`: what one that was stopped
    would have hit, and `over`: what the button came up over, both in words."""

    passed: int | None
    hit: str | None = None
    over: str | None = None


async def click_element(
    tab: Tab, book: ReferenceBook, text: str, button: Button = "left", count: int = 1, modifiers: str | None = None
) -> tuple[str, ...]:
    """Sentences on what kept it from being a plain click, often none. Raises `ActionRefused` when nothing was pressed,
    `ActionFailed`."""
    loop = asyncio.get_running_loop()
    end = loop.time() + AGAIN_S
    while True:
        aim = await aim_at(tab, book, text)
        guards = await _guard(tab, aim, count)
        if not guards or not await _arrives(tab, aim):
            await _take_verdict(tab, book, aim, guards)
            if loop.time() >= end:
                raise ActionRefused(
                    f"{text} cannot be reached: the mouse, moved there, arrives elsewhere. Nothing was pressed."
                )
            continue
        verdict: asyncio.Future[_Verdict] = loop.create_future()
        try:
            await click(tab, aim.point, button, count, modifiers)
        finally:
            await finish(_deliver(verdict, tab, book, aim, guards))
        told = verdict.result()
        if told.hit is None:
            return _notes(aim, told)
        if told.passed:
            raise ActionFailed(
                f"{text} was pressed {FIRST_TIMES[told.passed - 1]} only: by then {told.hit} was in its place, and was "
                "not pressed."
            )
        if loop.time() >= end:
            break
    raise ActionRefused(
        f"{text} could not be pressed: each time {told.hit} was in its place by then. Nothing was pressed. "
        "Wait for the page to come to rest, and look at it again."
    )


def _notes(aim: Aim, told: _Verdict) -> tuple[str, ...]:
    if told.over is not None:
        return (f"When the button came up, {told.over} was over {aim.reference}: it may not count as a click.",)
    if told.passed == 0:
        return (f"The page, or something that came over it, kept the press from {aim.reference}.",)
    return ()


async def _guard(tab: Tab, aim: Aim, presses: int) -> list[_Guard]:
    """The guards, the element's own first; none when the element is gone."""
    own = aim.reference.frame
    guards = [_Guard(own.world, own)]
    if await _set(own.world, aim.reference.element, presses) is False:
        return []
    frame = own
    while frame.parent is not None:
        number = await _in_time(owner_number(frame))
        if number is not None:
            guards.append(_Guard(frame.parent.world, frame.parent))
            await _set(frame.parent.world, number, presses)
        frame = frame.parent
    # What is pressed in a frame that the reference is for is the frame's own affair.
    if not aim.is_frame:
        around = {guard.world for guard in guards}
        others = [world for world in tab.frames.known_worlds if world not in around]
        await asyncio.gather(*(_set(world, 0, presses) for world in others))
        guards += [_Guard(world, None) for world in others]
    return guards


async def _set(world: World, number: int, presses: int) -> bool | None:
    """None when the document does not answer: then the click says so."""
    answer: bool | None = await _in_time(world.call("guard", number, presses))
    return answer


async def _in_time(asking: Any) -> Any:
    try:
        return await asyncio.wait_for(asking, VERDICT_S)
    except (DocumentGone, SessionGone, TimeoutError):
        return None


async def _arrives(tab: Tab, aim: Aim) -> bool:
    """Whether the mouse, moved there, arrives at the element: a frame may come over it then, which its document does
    not see. Into frames of other sites the browser finds its way by the last picture that each of them has drawn, and
    that may be older than what was just looked at. A page without frames has neither."""
    if len(tab.page.frames) == 1 or aim.is_frame:
        return True
    world = aim.reference.frame.world
    await send_events(tab, [mouse_event("mouseMoved", PagePoint(aim.point.x + 1, aim.point.y))])
    await _in_time(world.call("expectMotion"))
    await send_events(tab, [mouse_event("mouseMoved", aim.point)])
    return bool(await _in_time(world.call("pointed")))


async def _deliver(
    verdict: asyncio.Future[_Verdict], tab: Tab, book: ReferenceBook, aim: Aim, guards: list[_Guard]
) -> None:
    verdict.set_result(await _take_verdict(tab, book, aim, guards))


async def _take_verdict(tab: Tab, book: ReferenceBook, aim: Aim, guards: list[_Guard]) -> _Verdict:
    answers = await asyncio.gather(*(_in_time(guard.world.call("unguard")) for guard in guards))
    hit = over = None
    for guard, answer in zip(guards, answers, strict=True):
        if answer is None:
            continue
        if answer["hit"] is not None and hit is None:
            hit = "another frame" if guard.frame is None else named(tab, book, guard.frame, answer["hit"])
        if answer["over"] is not None and guard.frame is aim.reference.frame:
            over = named(tab, book, guard.frame, answer["over"])
    passed = answers[0]["passed"] if answers and answers[0] is not None else None
    return _Verdict(passed, hit, over)

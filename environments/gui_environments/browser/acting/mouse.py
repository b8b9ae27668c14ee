"""The mouse in a tab, at points of its viewport: moves, clicks, buttons that stay down, the wheel. Every event is a
real one of the browser's, on its way through its hit testing; what is under a point is not this module's to know."""

from __future__ import annotations

import math

from gui_environments.actions import Button, Direction
from gui_environments.browser.acting.input_events import MOUSE, InputEvent, send_events
from gui_environments.browser.acting.keyboard import going_down, going_up, held_modifiers, modifier_keys
from gui_environments.browser.acting.keys import Modifiers
from gui_environments.browser.tabs.tab import Tab
from gui_environments.browser.values import PagePoint
from gui_environments.errors import ActionRefused
from gui_environments.geometry import Size

NOTCH_PX = 100
"""How far a notch of the wheel turns a page."""

BUTTON_BITS = {"left": 1, "right": 2, "middle": 4}

LEFT_IS_DOWN = "The left button is down. Let it go first (left_mouse_up)."


def require_inside(point: PagePoint, viewport: Size) -> None:
    """Raises `ActionRefused` for a point outside of the viewport: it would press nothing, or the wrong thing."""
    if not (0 <= point.x < viewport.width_px and 0 <= point.y < viewport.height_px):
        raise ActionRefused(
            f"({point.x:g}, {point.y:g}) is outside of the page's viewport of {viewport}. Scroll to bring what you "
            "want into view."
        )


def mouse_event(kind: str, at: PagePoint, held: Modifiers = Modifiers.NONE, **more: object) -> InputEvent:
    return InputEvent(MOUSE, {"type": kind, "x": at.x, "y": at.y, "modifiers": int(held), **more})


def dragged_to(point: PagePoint, held: Modifiers = Modifiers.NONE) -> InputEvent:
    """Moved with the left button down."""
    return mouse_event("mouseMoved", point, held, button="left", buttons=1)


async def move_mouse(tab: Tab, to: PagePoint) -> None:
    """With the left button down, as it is while it is held: a drag by hand."""
    await send_events(tab, [dragged_to(to) if tab.hand.left_down else mouse_event("mouseMoved", to)])
    tab.hand.at = to


async def click(tab: Tab, at: PagePoint, button: Button = "left", count: int = 1, modifiers: str | None = None) -> None:
    """Raises `ActionRefused` before anything was pressed, `ActionFailed`."""
    keys = modifier_keys(modifiers)
    if tab.hand.left_down:
        raise ActionRefused(LEFT_IS_DOWN)
    held = held_modifiers(keys)
    events = [*going_down(keys), mouse_event("mouseMoved", at, held)]
    for number in range(1, count + 1):
        bit = BUTTON_BITS[button]
        events.append(mouse_event("mousePressed", at, held, button=button, buttons=bit, clickCount=number))
        events.append(mouse_event("mouseReleased", at, held, button=button, buttons=0, clickCount=number))
    tab.hand.at = at
    await send_events(tab, [*events, *going_up(keys)])


async def press_left(tab: Tab, at: PagePoint) -> None:
    """Down, and left down."""
    if tab.hand.left_down:
        raise ActionRefused(LEFT_IS_DOWN)
    tab.hand.at, tab.hand.left_down = at, True
    pressed = mouse_event("mousePressed", at, button="left", buttons=1, clickCount=1)
    await send_events(tab, [mouse_event("mouseMoved", at), pressed])


async def release_left(tab: Tab, at: PagePoint) -> None:
    if not tab.hand.left_down:
        raise ActionRefused("The left button is not down. Press it first (left_mouse_down).")
    tab.hand.at, tab.hand.left_down = at, False
    await send_events(tab, [dragged_to(at), mouse_event("mouseReleased", at, button="left", buttons=0, clickCount=1)])


async def turn_wheel(tab: Tab, at: PagePoint, direction: Direction, notches: int, modifiers: str | None = None) -> None:
    """Over a point: what is scrolled is what lies under it. Raises `ActionRefused`, `ActionFailed`."""
    keys = modifier_keys(modifiers)
    held = held_modifiers(keys)
    sign = -1 if direction in ("up", "left") else 1
    across = direction in ("left", "right")
    delta = {"deltaX": sign * NOTCH_PX if across else 0, "deltaY": 0 if across else sign * NOTCH_PX}
    turns = [mouse_event("mouseWheel", at, held, **delta) for _ in range(notches)]
    tab.hand.at = at
    await send_events(tab, [*going_down(keys), mouse_event("mouseMoved", at, held), *turns, *going_up(keys)])


def between(start: PagePoint, end: PagePoint, step_px: float, at_least: int) -> list[PagePoint]:
    """Points on the way, `end` the last."""
    steps = max(at_least, math.ceil(math.hypot(end.x - start.x, end.y - start.y) / step_px))
    return [
        PagePoint(start.x + (end.x - start.x) * n / steps, start.y + (end.y - start.y) * n / steps)
        for n in range(1, steps + 1)
    ]

"""From a browser member's input to the action it asks for: values checked, coordinates mapped once. Does nothing.

Everything raises `ActionRefused` for a value that the member does not take.
"""

from __future__ import annotations

from typing import Any

from anthropic.types import beta

from gui_environments.actions import HoldKeys, TypeText
from gui_environments.browser.actions import (
    ClickTarget,
    DragPage,
    HoverTarget,
    MoveMouse,
    PageAction,
    PressKeySequence,
    PressMouse,
    ReleaseMouse,
    ScrollPage,
    ScrollToElement,
    SetField,
    Target,
)
from gui_environments.browser.values import PagePoint
from gui_operator.toolsets import limits
from gui_operator.toolsets.scaling import Scale, ScreenshotPoint

DEFAULT_NOTCHES = 3

Input = beta.BetaBrowserMemberInput


def page_action(call_input: Input, scale: Scale) -> PageAction | None:
    """None for a member that sends a page no input."""
    match call_input:
        case beta.BetaBrowserLeftClickInput(target=target, modifiers=held):
            return ClickTarget(_target(target, scale), "left", 1, held or None)
        case beta.BetaBrowserRightClickInput(target=target, modifiers=held):
            return ClickTarget(_target(target, scale), "right", 1, held or None)
        case beta.BetaBrowserMiddleClickInput(target=target, modifiers=held):
            return ClickTarget(_target(target, scale), "middle", 1, held or None)
        case beta.BetaBrowserDoubleClickInput(target=target, modifiers=held):
            return ClickTarget(_target(target, scale), "left", 2, held or None)
        case beta.BetaBrowserTripleClickInput(target=target, modifiers=held):
            return ClickTarget(_target(target, scale), "left", 3, held or None)
        case beta.BetaBrowserHoverInput(target=target):
            return HoverTarget(_target(target, scale))
        case beta.BetaBrowserLeftClickDragInput(from_=start, target=end):
            return DragPage(_point(start, scale), _point(end, scale))
        case beta.BetaBrowserLeftMouseDownInput(target=at):
            return PressMouse(_point(at, scale))
        case beta.BetaBrowserLeftMouseUpInput(target=at):
            return ReleaseMouse(_point(at, scale))
        case beta.BetaBrowserMouseMoveInput(target=at):
            return MoveMouse(_point(at, scale))
        case beta.BetaBrowserScrollInput(target=at, scroll_direction=direction, scroll_amount=amount):
            given = DEFAULT_NOTCHES if amount is None else amount
            notches = limits.whole_number(given, "scroll_amount", limits.SCROLL_NOTCHES)
            return ScrollPage(_point(at, scale), direction, notches)
        case beta.BetaBrowserScrollToInput(target=target):
            return ScrollToElement(target.ref)
        case _:
            return _keys(call_input)


def tab_of(call_input: Any) -> str | None:
    """The tab a call names; None, which an empty name means too, is the active one."""
    tab_id: str | None = call_input.tab_id
    return tab_id or None


def _keys(call_input: Input) -> PageAction | None:
    match call_input:
        case beta.BetaBrowserTypeInput(text=text):
            return TypeText(limits.something(text, "text"))
        case beta.BetaBrowserKeyInput(text=text, repeat=repeat):
            keys = limits.something(text, "text")
            times = 1 if repeat is None else limits.whole_number(repeat, "repeat", limits.KEY_REPEATS)
            return PressKeySequence(keys, times)
        case beta.BetaBrowserHoldKeyInput(text=text, duration=duration):
            return HoldKeys(limits.something(text, "text"), limits.page_duration_s(duration))
        case beta.BetaBrowserFormInputInput(target=target, value=value):
            return SetField(target.ref, value)
        case _:
            return None


def _target(target: beta.BetaBrowserClickTarget, scale: Scale) -> Target:
    return target.ref if isinstance(target, beta.BetaBrowserRefTarget) else _point(target, scale)


def _point(target: beta.BetaBrowserCoordinateTarget, scale: Scale) -> PagePoint:
    point = scale.screen_point(ScreenshotPoint(target.x, target.y))
    return PagePoint(point.x, point.y)

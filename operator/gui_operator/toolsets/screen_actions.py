"""From a computer member's input to the action it asks for: values checked, coordinates mapped once. Does nothing.

Everything raises `ActionRefused` for a value that the member does not take.
"""

from __future__ import annotations

from collections.abc import Sequence

from anthropic.types import beta

from gui_environments.actions import (
    Action,
    Click,
    Drag,
    HoldKeys,
    MovePointer,
    PressButton,
    PressKeys,
    ReleaseButton,
    Scroll,
    TypeText,
)
from gui_environments.geometry import ScreenPoint
from gui_operator.toolsets import limits
from gui_operator.toolsets.scaling import Scale, ScreenshotPoint

Input = beta.BetaComputerMemberInput


def screen_action(call_input: Input, scale: Scale) -> Action | None:
    """None for a member that sends no input, and for a wheel that is turned by nothing."""
    match call_input:
        case beta.BetaComputerLeftClickInput(coordinate=at, text=held):
            return Click("left", 1, _point_or_pointer(at, scale), held or None)
        case beta.BetaComputerRightClickInput(coordinate=at, text=held):
            return Click("right", 1, _point_or_pointer(at, scale), held or None)
        case beta.BetaComputerMiddleClickInput(coordinate=at, text=held):
            return Click("middle", 1, _point_or_pointer(at, scale), held or None)
        case beta.BetaComputerDoubleClickInput(coordinate=at, text=held):
            return Click("left", 2, _point_or_pointer(at, scale), held or None)
        case beta.BetaComputerTripleClickInput(coordinate=at, text=held):
            return Click("left", 3, _point_or_pointer(at, scale), held or None)
        case beta.BetaComputerLeftClickDragInput(start_coordinate=start, coordinate=end, text=held):
            return Drag(_point(start, scale), _point(end, scale), held or None)
        case beta.BetaComputerMouseMoveInput(coordinate=at):
            return MovePointer(_point(at, scale))
        case beta.BetaComputerLeftMouseDownInput():
            return PressButton()
        case beta.BetaComputerLeftMouseUpInput():
            return ReleaseButton()
        case beta.BetaComputerScrollInput():
            return _scroll(call_input, scale)
        case _:
            return _keys(call_input)


def _scroll(call_input: beta.BetaComputerScrollInput, scale: Scale) -> Action | None:
    clicks = limits.whole_number(call_input.scroll_amount, "scroll_amount", limits.SCROLL_CLICKS)
    at = _point_or_pointer(call_input.coordinate, scale)
    if clicks:
        return Scroll(call_input.scroll_direction, clicks, at, call_input.text or None)
    return None if at is None else MovePointer(at)


def _keys(call_input: Input) -> Action | None:
    match call_input:
        case beta.BetaComputerTypeInput(text=text):
            return TypeText(limits.something(text, "text"))
        case beta.BetaComputerKeyInput(text=text, repeat=repeat):
            chord = limits.something(text, "text")
            return PressKeys(chord, 1 if repeat is None else limits.whole_number(repeat, "repeat", limits.KEY_REPEATS))
        case beta.BetaComputerHoldKeyInput(text=text, duration=duration):
            chord = limits.something(text, "text")
            return HoldKeys(chord, limits.whole_number(duration, "duration", limits.DURATION_S))
        case _:
            return None


def _point(coordinate: Sequence[int], scale: Scale) -> ScreenPoint:
    return scale.screen_point(ScreenshotPoint.of(coordinate))


def _point_or_pointer(coordinate: Sequence[int] | None, scale: Scale) -> ScreenPoint | None:
    return None if coordinate is None else _point(coordinate, scale)

"""Records the calls of a toolset, whatever its family: refused, failed and broken off ones too. Never changes a
result."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from anthropic.lib.tools import BetaAsyncRunnableToolset
from anthropic.tools import BetaToolsetCallContext
from anthropic.types.beta import BetaBrowserRefTarget, BetaToolResultBlockParam, BetaToolUseBlock

from gui_environments.browser.values import PagePoint
from gui_environments.geometry import ScreenPoint
from gui_operator.policy.requests import Decision
from gui_operator.recording import Recording
from gui_operator.recording.calls import call_in_progress
from gui_operator.recording.run_events import POINTED
from gui_operator.toolsets.scaling import Scale

ContextT = TypeVar("ContextT", bound=BetaToolsetCallContext)


class RecordedToolset(BetaAsyncRunnableToolset):
    """Put before one of the SDK's abstract classes. `tool_result` is what the runner and a loop of one's own both call,
    and it sees the calls that `execute` does not."""

    recording: Recording | None = None

    async def tool_result(self, tool_use: BetaToolUseBlock) -> BetaToolResultBlockParam:
        if self.recording is None:
            return await super().tool_result(tool_use)
        with self.recording.call(
            toolset=tool_use.toolset_name, name=tool_use.name, call_input=tool_use.input, tool_use_id=tool_use.id
        ) as call:
            result = await super().tool_result(tool_use)
            call.answer(result["content"], is_error=bool(result.get("is_error")))
            return result


def record_pointed(recording: Recording | None, call_input: Any, at: PagePoint | None, scale: Scale) -> None:
    """Where the mouse went for the call in progress, if it names an element and so no point."""
    call = call_in_progress()
    named = isinstance(getattr(call_input, "target", None), BetaBrowserRefTarget)
    if recording is None or call is None or at is None or not named:
        return
    point = scale.screenshot_point(ScreenPoint(int(at.x), int(at.y)))
    recording.write(POINTED, {"call": call.number, "at": [point.x, point.y]})


def recorded_confirm(
    confirm: Callable[[ContextT], bool | Awaitable[bool]], recording: Recording
) -> Callable[[ContextT], Awaitable[bool]]:
    """`confirm`, with its decision recorded where it does not do so itself, as a gate does."""

    async def confirm_and_record(context: ContextT) -> bool:
        allowed: object = False
        try:
            returned: object = confirm(context)
            allowed = await returned if inspect.isawaitable(returned) else returned
        finally:
            call = call_in_progress()
            if call is not None and not call.decided:
                recording.decided(Decision(allowed is True, "callable"))
        return allowed is True

    return confirm_and_record

"""Records the calls of a toolset, whatever its family: refused, failed and broken off ones too. Never changes a
result."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from typing import TypeVar

from anthropic.lib.tools import BetaAsyncRunnableToolset
from anthropic.tools import BetaToolsetCallContext
from anthropic.types.beta import BetaToolResultBlockParam, BetaToolUseBlock

from gui_operator.policy.requests import Decision
from gui_operator.recording import Recording
from gui_operator.recording.calls import call_in_progress

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

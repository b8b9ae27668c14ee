"""Records the calls of a turn that reached no toolset and no tool: halted ones, and those to what does not exist."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from anthropic.lib.tools._toolsets._runnable import not_executed_result
from anthropic.types.beta import BetaToolResultBlockParam, BetaToolUseBlock

from gui_operator.recording import Recording


def record_unreached(
    recording: Recording, calls: Sequence[BetaToolUseBlock], results: Iterable[BetaToolResultBlockParam]
) -> None:
    """Record each of `calls` that `results` answers and that the recording has not seen. Calls that were answered by
    a tool which does not record itself are left out: they were run, and not by us."""
    by_id = {result["tool_use_id"]: result for result in results}
    for call in calls:
        result = by_id.get(call.id)
        if result is None or not result.get("is_error") or recording.has_call(call.id):
            continue
        halted = call.toolset_name is not None and result.get("content") == not_executed_result(call)["content"]
        recording.call_not_run(
            toolset=call.toolset_name,
            name=call.name,
            call_input=call.input,
            tool_use_id=call.id,
            outcome="not executed" if halted else "refused",
            content=result.get("content"),
        )

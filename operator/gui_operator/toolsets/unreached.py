"""Records the calls of a turn that reached no toolset and no tool: halted ones, and those to what does not exist."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from anthropic.lib.tools._beta_runner import malformed_toolset_call_result
from anthropic.lib.tools._toolsets._runnable import not_executed_result
from anthropic.types.beta import BetaToolResultBlockParam, BetaToolUseBlock

from gui_operator.recording import Recording


def record_unreached(
    recording: Recording, calls: Sequence[BetaToolUseBlock], results: Iterable[BetaToolResultBlockParam]
) -> None:
    """Record each of `calls` whose result says that it reached nothing."""
    by_id = {result["tool_use_id"]: result for result in results}
    for call in calls:
        result = by_id.get(call.id)
        if result is None or not _is_unreached(recording, call, result):
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


def _is_unreached(recording: Recording, call: BetaToolUseBlock, result: BetaToolResultBlockParam) -> bool:
    if not result.get("is_error"):
        return False
    if call.toolset_name is not None:
        # A toolset records each call by its id.
        return not recording.has_call(call.id)
    # A function tool may have run without knowing its call's id, so only the runner's own words show that none did.
    return result.get("content") in (missing_tool_text(call.name), malformed_toolset_call_result(call)["content"])


def missing_tool_text(name: str) -> str:
    """What the SDK's runner answers for a function tool it does not have. It has no function of its own for this."""
    return f"Error: Tool '{name}' not found"

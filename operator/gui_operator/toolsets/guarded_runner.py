"""Drives the SDK's tool runner so that nothing of a run is missing from its recording, and so that a recording that
cannot be written stops the run, also where the runner makes an answer of every exception."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from anthropic.lib.streaming import BetaAsyncMessageStream
from anthropic.lib.tools import BetaAsyncStreamingToolRunner, BetaAsyncToolRunner
from anthropic.types.beta import BetaMessage, BetaMessageParam, BetaToolUseBlock
from anthropic.types.beta.parsed_beta_message import ParsedBetaMessage

from gui_operator.recording import Recording
from gui_operator.toolsets.function_tool import answering
from gui_operator.toolsets.unreached import record_unreached

Runner = BetaAsyncToolRunner[Any] | BetaAsyncStreamingToolRunner[Any]


async def guard_runner(runner: Runner, recording: Recording) -> AsyncIterator[Any]:
    """The runner's items, one a reply: use it in place of `async for item in runner`.

    Each reply is a turn of the recording. After one that asks for tools it has them run, records the calls that reached
    nothing, and raises `RecordingFailed`, with the runner closed, when the recording failed. Ending it early closes the
    runner. A function tool that the runner starts while the reply still streams is recorded without its call's id.
    """
    try:
        async for item in runner:
            with recording.turn():
                yield item
                recording.require_writable()
                await _run_tools(runner, item, recording)
    finally:
        await runner.close()


async def _run_tools(
    runner: Runner, item: ParsedBetaMessage[Any] | BetaAsyncMessageStream[Any], recording: Recording
) -> None:
    message = await item.get_final_message() if isinstance(item, BetaAsyncMessageStream) else item
    # Only then may its calls run: after any other end they may be cut, refused or another's to run.
    if message.stop_reason == "tool_use":
        await run_calls(runner, message, recording)


async def run_calls(runner: Runner, message: BetaMessage, recording: Recording | None) -> BetaMessageParam | None:
    """Have the runner run the calls of the reply that it holds; returns their results as it will send them. Every call
    is recorded. Raises `RecordingFailed`."""
    calls = [block for block in message.content if isinstance(block, BetaToolUseBlock)]
    with answering(calls):
        response = await runner.generate_tool_call_response()
    if recording is not None:
        recording.require_writable()
        if response is not None:
            record_unreached(recording, calls, response["content"])  # type: ignore[arg-type] # the runner's own blocks
    return response

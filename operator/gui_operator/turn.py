"""One assistant turn without the SDK's runner: its calls in order, one result a call. Asks no model, and gives what the
runner would give for the same calls, in the SDK's own words. Decides nothing: toolsets and tools do."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from anthropic.lib.tools import (
    BetaAsyncBuiltinFunctionTool,
    BetaAsyncFunctionTool,
    BetaAsyncRunnableToolset,
    ToolError,
)

# The SDK keeps the texts of a turn in these private modules. Taking them from there keeps this module equal to the
# runner; a release that moves them fails the import and the contract test, not a run.
from anthropic.lib.tools._beta_runner import BaseToolRunner, malformed_toolset_call_result
from anthropic.lib.tools._tool_dispatch import tool_error_content, tool_result_content
from anthropic.lib.tools._toolsets._runnable import not_executed_result
from anthropic.types.beta import BetaToolResultBlockParam, BetaToolUnionParam, BetaToolUseBlock

from gui_operator.recording import Recording, RecordingFailed
from gui_operator.toolsets.function_tool import AsyncTool, answering
from gui_operator.toolsets.unreached import missing_tool_text, record_unreached

log = logging.getLogger(__name__)


class TurnRefused(ValueError):
    """The turn cannot be run, and nothing of it was."""


@dataclass(frozen=True, slots=True)
class Toolbox:
    """What a turn's calls can reach: toolsets by family, function tools by name. A tool may be named like a member."""

    toolsets: Mapping[str, BetaAsyncRunnableToolset]
    tools: Mapping[str, AsyncTool]
    recording: Recording | None = None

    @classmethod
    def of(
        cls, *tools_and_toolsets: BetaAsyncRunnableToolset | AsyncTool, recording: Recording | None = None
    ) -> Toolbox:
        """Raises `ValueError` when two have one name, or when one does not record in `recording`; `TypeError` for what
        is neither, synchronous ones included."""
        toolsets: dict[str, BetaAsyncRunnableToolset] = {}
        tools: dict[str, AsyncTool] = {}
        for item in tools_and_toolsets:
            if recording is not None and getattr(item, "recording", None) is not recording:
                raise ValueError(
                    f"{type(item).__name__} does not record in this recording; give it one, or wrap it with guarded"
                )
            if isinstance(item, BetaAsyncRunnableToolset):
                _put(toolsets, item.toolset_name, item)
            elif isinstance(item, (BetaAsyncBuiltinFunctionTool, BetaAsyncFunctionTool)):
                _put(tools, item.name, item)
            else:
                raise TypeError(f"{type(item).__name__} is not an asynchronous tool or toolset")
        return cls(MappingProxyType(toolsets), MappingProxyType(tools), recording)

    def params(self) -> list[BetaToolUnionParam]:
        """The `tools` of a request."""
        return [item.to_dict() for item in (*self.toolsets.values(), *self.tools.values())]

    @property
    def environment_died(self) -> str | None:
        """Why an environment behind one of these has ended, if one has."""
        everything = (*self.toolsets.values(), *self.tools.values())
        return next(filter(None, (getattr(item, "environment_died", None) for item in everything)), None)


def _put(table: dict[str, Any], name: str, item: object) -> None:
    if name in table:
        raise ValueError(f"two tools are called {name!r}")
    table[name] = item


async def run_turn(calls: Sequence[BetaToolUseBlock], toolbox: Toolbox) -> list[BetaToolResultBlockParam]:
    """Run the calls in order and give one result for each, in order.

    After a failed call of a toolset its later calls are not executed; other toolsets and the tools go on. Raises
    `TurnRefused` before anything ran, and `RecordingFailed` when the recording cannot be written. Cancellation goes
    through at once, whatever call is in flight.
    """
    ids = [call.id for call in calls]
    if len(set(ids)) != len(ids):
        raise TurnRefused(f"two calls of a turn have one id: {', '.join(sorted({i for i in ids if ids.count(i) > 1}))}")
    recording = toolbox.recording
    results: list[BetaToolResultBlockParam] = []
    failed_toolsets: set[str] = set()
    with recording.turn() if recording else contextlib.nullcontext():
        for call in calls:
            if recording is not None:
                recording.require_writable()
            result = await _result(call, toolbox, failed_toolsets)
            if recording is not None:
                record_unreached(recording, [call], [result])
            results.append(result)
    return results


async def _result(call: BetaToolUseBlock, toolbox: Toolbox, failed_toolsets: set[str]) -> BetaToolResultBlockParam:
    if call.toolset_name is not None:
        if call.toolset_name in failed_toolsets:
            return not_executed_result(call)
        toolset = toolbox.toolsets.get(call.toolset_name)
        if toolset is None:
            return BaseToolRunner._toolset_not_found_result(call)
        result = await toolset.tool_result(call)
        if result.get("is_error"):
            failed_toolsets.add(call.toolset_name)
        return result
    tool = toolbox.tools.get(call.name)
    if tool is not None:
        return await _tool_result(tool, call)
    if call.name in toolbox.toolsets:
        failed_toolsets.add(call.name)
        return malformed_toolset_call_result(call)
    return _block(call, missing_tool_text(call.name), is_error=True)


async def _tool_result(tool: AsyncTool, call: BetaToolUseBlock) -> BetaToolResultBlockParam:
    try:
        with answering([call]):
            return _block(call, tool_result_content(await tool.call(call.input)))
    except RecordingFailed:
        raise
    except Exception as error:  # the runner's rule: whatever a function tool raises is an answer to the model
        if not isinstance(error, ToolError):
            log.exception("unexpected error in tool %s", tool.name)
        return _block(call, tool_error_content(error), is_error=True)


def _block(call: BetaToolUseBlock, content: Any, *, is_error: bool = False) -> BetaToolResultBlockParam:
    block: BetaToolResultBlockParam = {"type": "tool_result", "tool_use_id": call.id, "content": content}
    if is_error:
        block["is_error"] = True
    return block

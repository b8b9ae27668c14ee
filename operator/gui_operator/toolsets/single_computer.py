"""`computer_20251124`, the one tool of models from before the toolsets: each call is handed to the computer toolset as
a call of the member that its `action` names. So it is judged, recorded and answered like one; what it takes and refuses
is the toolset's. For desktops only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from anthropic.lib.tools import BetaAsyncBuiltinFunctionTool, BetaFunctionToolResultType
from anthropic.tools import ToolError
from anthropic.types.beta import BetaToolComputerUse20251124Param, BetaToolUseBlock

from gui_operator.recording import Recording
from gui_operator.toolsets.computer import ComputerToolset
from gui_operator.toolsets.function_tool import answered_call

NAME: Literal["computer"] = "computer"
BETA = "computer-use-2025-11-24"

NOT_EXECUTED = "Not executed: an earlier computer action in this turn failed."
"""As the toolset's calls are answered then. The API does not ask for it here, but acting on after a failure is no
better with this tool."""


class SingleComputerTool(BetaAsyncBuiltinFunctionTool):
    """Around a toolset, which is not to be declared beside it."""

    def __init__(self, toolset: ComputerToolset) -> None:
        self.toolset = toolset
        self._failed: str | None = None

    @property
    def recording(self) -> Recording | None:
        return self.toolset.recording

    @property
    def environment_died(self) -> str | None:
        return self.toolset.environment_died

    def to_dict(self) -> BetaToolComputerUse20251124Param:
        size = self.toolset.screenshot_size
        return {
            "type": "computer_20251124",
            "name": NAME,
            "display_width_px": size.width_px,
            "display_height_px": size.height_px,
            "enable_zoom": True,
        }

    async def call(self, input: object) -> BetaFunctionToolResultType:
        call, turn = answered_call(input)
        if any(other.id == self._failed for other in turn):
            raise ToolError(NOT_EXECUTED)
        fields: Mapping[str, Any] = input if isinstance(input, Mapping) else {}
        block = BetaToolUseBlock(
            type="tool_use",
            id=call.id if call is not None else "",
            name=str(fields.get("action") or "(no action)"),
            toolset_name="computer",
            input={name: value for name, value in fields.items() if name != "action"},
        )
        result: Any = await self.toolset.tool_result(block)
        if result.get("is_error"):
            self._failed = block.id
            raise ToolError(result["content"])
        return result["content"] or "(no output)"


def member_of(call: BetaToolUseBlock) -> tuple[str | None, str]:
    """The toolset and the member that a call is of, whichever form it has; (None, its name) for one of neither."""
    if call.toolset_name is None and call.name == NAME and isinstance(call.input, Mapping):
        return "computer", str(call.input.get("action"))
    return call.toolset_name, call.name

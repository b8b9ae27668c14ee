"""A tool of the user's own, passed through what our function tools pass through. Its input is held to the schema it
declares before anybody is asked about it: what streams in eagerly may be of any form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from anthropic.lib.tools import BetaAsyncBuiltinFunctionTool, BetaFunctionToolResultType
from anthropic.tools import ToolError
from anthropic.types.beta import BetaToolUnionParam

from gui_environments.errors import ActionFailed, ActionRefused, EnvironmentDied
from gui_operator.policy import Effect, Gate
from gui_operator.policy.secrets import Secrets
from gui_operator.recording import Recording
from gui_operator.recording.calls import note_failed
from gui_operator.toolsets.function_tool import AsyncTool, FunctionTool

_PROBLEMS = 5
"""Of an input, told at once."""


class _GuardedTool(FunctionTool[Mapping[str, object]]):
    """What the tool raises reaches the runner as it is."""

    def __init__(
        self,
        tool: AsyncTool,
        *,
        gate: Gate,
        effect: Effect,
        recording: Recording | None,
        secrets: Secrets | None,
        streams_input: bool,
    ) -> None:
        super().__init__(gate=gate, recording=recording, secrets=secrets)
        self.effect = effect
        self._tool = tool
        declared: Mapping[str, Any] = tool.to_dict()
        # Only now: it takes long to load, and without a tool of one's own there is no need.
        from jsonschema import Draft202012Validator

        schema = declared.get("input_schema")
        self._validator = Draft202012Validator(schema) if schema is not None else None
        self._streams_input = streams_input and schema is not None

    def to_dict(self) -> BetaToolUnionParam:
        declared = self._tool.to_dict()
        if not self._streams_input:
            return declared
        return {**declared, "eager_input_streaming": True}  # type: ignore[return-value] # one with a schema has it

    def parse(self, call_input: Mapping[str, object]) -> Mapping[str, object]:
        if self._validator is not None:
            errors = sorted(self._validator.iter_errors(dict(call_input)), key=lambda error: error.json_path)
            if errors:
                said = "; ".join(f"{error.json_path}: {error.message[:200]}" for error in errors[:_PROBLEMS])
                raise ToolError(f"The input does not fit what '{self.name}' takes: {said}")
        return call_input

    async def perform(self, parsed: Mapping[str, object]) -> BetaFunctionToolResultType:
        return await self._tool.call(parsed)

    def error_for_model(self, error: Exception) -> Exception:
        if isinstance(error, (ActionRefused, ActionFailed, EnvironmentDied)):
            return super().error_for_model(error)
        note_failed()
        return error


def guarded(
    tool: AsyncTool,
    *,
    gate: Gate,
    effect: Effect = "script",
    recording: Recording | None = None,
    secrets: Secrets | None = None,
    streams_input: bool = False,
) -> BetaAsyncBuiltinFunctionTool:
    """`tool` behind `gate`, and recorded. `effect` is the widest thing it can do to the world; of `secrets` none is in
    what it answers; `streams_input`: replies are streamed, and its input may come in as it is written."""
    return _GuardedTool(
        tool, gate=gate, effect=effect, recording=recording, secrets=secrets, streams_input=streams_input
    )

"""What bash, the editor and any function tool pass through: the approval gate and the recording, which the SDK gives
to toolset members only. Never runs a call that the gate did not allow or that could not be recorded."""

from __future__ import annotations

import contextlib
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextvars import ContextVar
from typing import Any, Generic, TypeVar, cast

from anthropic.lib.tools import (
    BetaAsyncBuiltinFunctionTool,
    BetaAsyncFunctionTool,
    BetaFunctionToolResultType,
)
from anthropic.tools import ToolError
from anthropic.types.beta import BetaToolUseBlock

from gui_operator.policy import CallRequest, Effect, Gate
from gui_operator.policy.gate import refusal_text
from gui_operator.policy.secrets import Secrets
from gui_operator.recording import Recording
from gui_operator.toolsets.failures import EnvironmentEnded, error_for_model

AsyncTool = BetaAsyncBuiltinFunctionTool | BetaAsyncFunctionTool[Any]

ParsedT = TypeVar("ParsedT")

_answered_calls: ContextVar[Sequence[BetaToolUseBlock]] = ContextVar("answered_calls", default=())


@contextlib.contextmanager
def answering(calls: Sequence[BetaToolUseBlock]) -> Iterator[None]:
    """While inside, function tools find out which of `calls` they answer, which nothing else tells them."""
    token = _answered_calls.set(calls)
    try:
        yield
    finally:
        _answered_calls.reset(token)


def answered_call(call_input: object) -> tuple[BetaToolUseBlock | None, Sequence[BetaToolUseBlock]]:
    """The call that a function tool answers when it is handed this input, if that is known, and those of its turn."""
    # A tool is handed the very object that the block holds, so identity finds the right one of two equal calls.
    calls = _answered_calls.get()
    return next((call for call in calls if call.input is call_input), None), calls


def _answered_id(call_input: object) -> str | None:
    call, _ = answered_call(call_input)
    return None if call is None else call.id


class FunctionTool(BetaAsyncBuiltinFunctionTool, Generic[ParsedT]):
    """A function tool in three steps: `parse` refuses bad input, the gate decides, `perform` acts."""

    effect: Effect

    def __init__(self, *, gate: Gate, recording: Recording | None = None, secrets: Secrets | None = None) -> None:
        self._gate = gate
        self.recording = recording
        self.secrets = secrets
        self.environment_died: str | None = None

    @abstractmethod
    def parse(self, call_input: Mapping[str, object]) -> ParsedT:
        """The input as `perform` takes it. Raises `ToolError` for the model to read; does nothing else."""

    @abstractmethod
    async def perform(self, parsed: ParsedT) -> BetaFunctionToolResultType:
        """Carry the call out; what it raises goes through `error_for_model`."""

    def error_for_model(self, error: Exception) -> Exception:
        return error_for_model(error, self.name)

    async def call(self, input: object) -> BetaFunctionToolResultType:
        tool_use_id = _answered_id(input)
        if self.recording is None:
            return await self._masked_answer(input, tool_use_id)
        with self.recording.call(toolset=None, name=self.name, call_input=input, tool_use_id=tool_use_id) as call:
            content = await self._masked_answer(input, tool_use_id)
            call.answer(content)
            return content

    async def _masked_answer(self, call_input: object, tool_use_id: str | None) -> BetaFunctionToolResultType:
        """Without secrets, also where it is an error, of whatever kind."""
        if not self.secrets:
            return await self._answer(call_input, tool_use_id)
        masking = self.secrets.masking
        try:
            content = await self._answer(call_input, tool_use_id)
        except ToolError as error:
            raise ToolError(cast("Any", masking.in_json(error.content))) from None
        except Exception as error:
            if not masking.holds(f"{error} {error!r}"):
                raise
            raise ToolError(masking(f"{type(error).__name__}: {error}")) from None
        return cast("BetaFunctionToolResultType", masking.in_json(content))

    async def _answer(self, call_input: object, tool_use_id: str | None) -> BetaFunctionToolResultType:
        if not isinstance(call_input, Mapping):
            raise ToolError(f"The input of '{self.name}' is an object with named fields.")
        parsed = self.parse(call_input)
        request = CallRequest(None, self.name, self.effect, call_input, tool_use_id)
        decision = await self._gate.decide(request)
        if not decision.allowed:
            raise ToolError(refusal_text(request, decision))
        try:
            content = await self.perform(parsed)
        except Exception as error:
            for_model = self.error_for_model(error)
            if isinstance(for_model, EnvironmentEnded):
                self.environment_died = str(for_model)
            if for_model is error:
                raise
            raise for_model from error
        if not isinstance(content, str):
            content = list(content)
        return content or "(no output)"

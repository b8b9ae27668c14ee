from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from anthropic import beta_async_tool
from anthropic.tools import ToolError
from anthropic.types.beta import BetaToolUseBlock

from gui_environments.errors import ActionFailed, ActionRefused, EnvironmentDied
from gui_operator.policy import Answer, CallRequest, Gate, Rules
from gui_operator.recording import Recording, RecordingFailed
from gui_operator.recording.reading import read_events
from gui_operator.toolsets import guarded
from gui_operator.toolsets.function_tool import answering
from gui_operator.turn import Toolbox, run_turn

MakeCall = Callable[..., BetaToolUseBlock]


@beta_async_tool
async def order_status(number: int) -> str:
    """The state of an order.

    Args:
        number: The order's number.
    """
    if number == 0:
        raise ToolError("There is no order 0.")
    return f"Order {number} was sent."


def raising(error: Exception) -> Any:
    @beta_async_tool
    async def fails() -> str:
        """Fails."""
        raise error

    return fails


async def test_a_guarded_tool_is_declared_and_answers_as_it_does_alone() -> None:
    tool = guarded(order_status, gate=Gate.allowing_all())
    assert tool.to_dict() == order_status.to_dict()
    assert tool.name == "order_status"
    assert await tool.call({"number": 7}) == await order_status.call({"number": 7})


async def test_the_gate_sees_the_call_with_the_effect_it_was_given_and_its_id(call: MakeCall) -> None:
    asked: list[CallRequest] = []

    class Person:
        async def ask(self, request: CallRequest) -> Answer:
            asked.append(request)
            return Answer(False, reason="not that one")

    rules = Rules.parse(["order_status=ask"], otherwise="allow", tools=["order_status"])
    tool = guarded(order_status, gate=Gate(rules, Person()), effect="read")
    (result,) = await run_turn([call("order_status", number=7)], Toolbox.of(tool))
    assert asked == [CallRequest(None, "order_status", "read", {"number": 7}, "t1")]
    assert result.get("is_error")
    assert "not that one" in str(result["content"])


async def test_a_tools_own_error_reaches_the_model_as_it_does_alone(call: MakeCall) -> None:
    gate = Gate.allowing_all()
    tools = [order_status, raising(ValueError("no such thing"))]
    calls = [call("order_status", number=0), call("fails")]
    alone = await run_turn(calls, Toolbox.of(*tools))
    behind = await run_turn(calls, Toolbox.of(*(guarded(tool, gate=gate) for tool in tools)))
    assert behind == alone
    assert [bool(result.get("is_error")) for result in behind] == [True, True]


async def test_an_input_that_does_not_fit_is_refused_before_anybody_is_asked(call: MakeCall, tmp_path: Path) -> None:
    rules = Rules.parse(["order_status=deny"], otherwise="allow", tools=["order_status"])
    with Recording.open(tmp_path) as recording:
        tool = guarded(order_status, gate=Gate(rules, on_decision=recording.decided), recording=recording)
        (result,) = await run_turn([call("order_status", number="x")], Toolbox.of(tool, recording=recording))
    assert "$.number: 'x' is not of type 'integer'" in str(result["content"])
    assert "call_decided" not in [event["event"] for event in read_events(tmp_path)]


def test_its_input_may_be_declared_to_stream_in() -> None:
    gate = Gate.allowing_all()
    declared = guarded(order_status, gate=gate, streams_input=True).to_dict()
    assert declared == {**order_status.to_dict(), "eager_input_streaming": True}
    assert "eager_input_streaming" not in guarded(order_status, gate=gate).to_dict()


@pytest.mark.parametrize(
    ("error", "outcome", "text"),
    [
        (ActionRefused("Not there."), "refused", "Not there."),
        (ActionFailed("Half done."), "failed", "Half done."),
        (EnvironmentDied("It is gone."), "failed", "It is gone."),
        (ToolError("No."), "failed", "No."),
        (ValueError("x"), "failed", "ValueError: x"),
    ],
)
async def test_the_recording_tells_what_was_refused_from_what_failed(
    tmp_path: Path, error: Exception, outcome: str, text: str
) -> None:
    with Recording.open(tmp_path) as recording:
        tool = guarded(raising(error), gate=Gate.allowing_all(), recording=recording)
        with pytest.raises(Exception):  # noqa: B017, PT011 # which one is the last test's matter
            await tool.call({})
    (finished,) = [event for event in read_events(tmp_path) if event["event"] == "call_finished"]
    assert finished["outcome"] == outcome
    assert text in finished["result"][0]["text"]


async def test_an_empty_answer_says_so() -> None:
    @beta_async_tool
    async def silent() -> str:
        """Says nothing."""
        return ""

    assert await guarded(silent, gate=Gate.allowing_all()).call({}) == "(no output)"


async def test_two_equal_calls_of_a_turn_are_told_apart(tmp_path: Path, call: MakeCall) -> None:
    first, second = call("order_status", number=7), call("order_status", number=7)
    with Recording.open(tmp_path) as recording:
        tool = guarded(order_status, gate=Gate.allowing_all(), recording=recording)
        with answering([first, second]):
            await tool.call(second.input)
            await tool.call(first.input)
        await tool.call(first.input)
    ids = [event["id"] for event in read_events(tmp_path) if event["event"] == "call_started"]
    assert ids == ["t2", "t1", None]


async def test_a_recording_that_cannot_be_written_lets_no_tool_run_and_ends_the_turn(
    tmp_path: Path, call: MakeCall
) -> None:
    ran = []

    @beta_async_tool
    async def act() -> str:
        """Acts."""
        ran.append(1)
        return "done"

    recording = Recording.open(tmp_path)
    toolbox = Toolbox.of(guarded(act, gate=Gate.allowing_all(), recording=recording))
    full = os.open("/dev/full", os.O_WRONLY)
    os.dup2(full, recording.fileno())
    os.close(full)
    for _ in range(2):
        with pytest.raises(RecordingFailed):
            await run_turn([call("act"), call("act")], toolbox)
    assert ran == []
    recording.close()

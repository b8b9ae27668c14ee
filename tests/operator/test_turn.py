"""Turns on a real desktop and a real shell. That they equal the runner's is a contract test's to say."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from anthropic import beta_async_tool, beta_tool
from anthropic.types.beta import BetaToolResultBlockParam, BetaToolUseBlock

from gui_environments.desktop import Desktop
from gui_environments.shell.bash import Bash
from gui_operator.policy import Gate, Rules
from gui_operator.recording import Recording
from gui_operator.recording.reading import read_events
from gui_operator.toolsets import BashTool, ComputerToolset, guarded
from gui_operator.turn import Toolbox, TurnRefused, run_turn

MakeCall = Callable[..., BetaToolUseBlock]
HALTED = "Not executed: an earlier computer action in this turn failed."


@pytest.fixture
def toolbox(desktop: Desktop, shell: Bash) -> Toolbox:
    gate = Gate.allowing_all()
    return Toolbox.of(ComputerToolset(desktop, confirm=gate.confirm, settle_s=0), BashTool(shell, gate=gate))


def text_of(result: BetaToolResultBlockParam) -> str:
    content: Any = result["content"]
    return content if isinstance(content, str) else " ".join(block.get("text", block["type"]) for block in content)


def failed(results: list[BetaToolResultBlockParam]) -> list[bool]:
    return [bool(result.get("is_error")) for result in results]


async def test_every_call_gets_one_result_in_order_with_its_toolset_named_on_members_only(
    toolbox: Toolbox, call: MakeCall
) -> None:
    calls = [
        call("computer.mouse_move", coordinate=[640, 400]),
        call("bash", command="echo 4711"),
        call("computer.cursor_position"),
        call("computer.screenshot"),
    ]
    results = await run_turn(calls, toolbox)
    assert [result["tool_use_id"] for result in results] == ["t1", "t2", "t3", "t4"]
    assert [result.get("toolset_name", "absent") for result in results] == [
        "computer",
        "absent",
        "computer",
        "computer",
    ]
    assert [text_of(result) for result in results] == ["Moved the mouse.", "4711", "X=640,Y=400", "image"]
    assert failed(results) == [False] * 4


async def test_after_a_failed_call_its_toolset_halts_and_the_other_tools_go_on(
    toolbox: Toolbox, call: MakeCall
) -> None:
    calls = [
        call("computer.mouse_move", coordinate=[10, 10]),
        call("computer.left_click", coordinate=[1280, 10]),
        call("computer.mouse_move", coordinate=[20, 20]),
        call("bash", command="echo still here"),
        call("computer.screenshot"),
    ]
    results = await run_turn(calls, toolbox)
    assert failed(results) == [False, True, True, False, True]
    assert "outside the screenshot" in text_of(results[1])
    assert [text_of(results[number]) for number in (2, 4)] == [HALTED, HALTED]
    assert text_of(results[3]) == "still here"
    (position,) = await run_turn([call("computer.cursor_position")], toolbox)
    assert text_of(position) == "X=10,Y=10"


async def test_the_next_turn_starts_afresh(toolbox: Toolbox, call: MakeCall) -> None:
    assert failed(await run_turn([call("computer.left_click", coordinate=[-1, 0])], toolbox)) == [True]
    assert failed(await run_turn([call("computer.screenshot")], toolbox)) == [False]


async def test_a_failed_command_halts_nothing(toolbox: Toolbox, call: MakeCall) -> None:
    results = await run_turn(
        [call("bash", command="exit_with_3() { return 3; }; exit_with_3"), call("bash", restart=5)], toolbox
    )
    assert failed(results) == [False, True]
    assert "3" in text_of(results[0])
    assert failed(await run_turn([call("bash", command="true")], toolbox)) == [False]


async def test_what_does_not_exist_is_an_error_result(toolbox: Toolbox, call: MakeCall) -> None:
    calls = [
        call("browser.navigate", url="https://example.com"),
        call("browser.screenshot"),
        call("python", code="1"),
        call("computer.teleport"),
        call("computer.screenshot"),
    ]
    results = await run_turn(calls, toolbox)
    assert failed(results) == [True] * 5
    assert text_of(results[0]) == "Error: Toolset 'browser' member 'navigate' not found"
    # A toolset that is not there has not failed, so each of its calls is answered for itself.
    assert text_of(results[1]) == "Error: Toolset 'browser' member 'screenshot' not found"
    assert text_of(results[2]) == "Error: Tool 'python' not found"
    assert text_of(results[3]) == "Error: unknown computer toolset member 'teleport'"
    assert text_of(results[4]) == HALTED


async def test_a_call_named_like_a_toolset_is_malformed_and_halts_it(toolbox: Toolbox, call: MakeCall) -> None:
    results = await run_turn([call("computer", action="screenshot"), call("computer.screenshot")], toolbox)
    assert failed(results) == [True, True]
    assert "nothing in the batch was executed" in text_of(results[0])
    assert text_of(results[1]) == HALTED


async def test_a_tool_may_be_named_like_a_member(desktop: Desktop, call: MakeCall) -> None:
    @beta_async_tool
    async def screenshot() -> str:
        """Not the desktop's."""
        return "from the tool"

    gate = Gate.allowing_all()
    toolbox = Toolbox.of(ComputerToolset(desktop, confirm=gate.confirm), guarded(screenshot, gate=gate))
    results = await run_turn([call("screenshot"), call("computer.screenshot")], toolbox)
    assert [text_of(result) for result in results] == ["from the tool", "image"]


async def test_two_calls_with_one_id_are_refused_before_anything_ran(
    toolbox: Toolbox, call: MakeCall, tmp_path: Path
) -> None:
    first = call("bash", command=f"touch {tmp_path}/ran")
    with pytest.raises(TurnRefused, match="t1"):
        await run_turn([first, first.model_copy(update={"name": "screenshot", "toolset_name": "computer"})], toolbox)
    assert not (tmp_path / "ran").exists()


async def test_cancellation_goes_through_and_the_toolset_serves_the_next_turn(toolbox: Toolbox, call: MakeCall) -> None:
    turn = asyncio.ensure_future(run_turn([call("computer.wait", duration=300), call("computer.screenshot")], toolbox))
    await asyncio.sleep(0)
    turn.cancel()
    with pytest.raises(asyncio.CancelledError):
        await turn
    assert failed(await run_turn([call("computer.cursor_position")], toolbox)) == [False]


def test_a_toolbox_refuses_two_of_one_name_and_what_it_cannot_call(shell: Bash) -> None:
    @beta_tool
    def blocking() -> str:
        """Would block the loop."""
        return ""

    gate = Gate.allowing_all()
    with pytest.raises(ValueError, match="two tools are called 'bash'"):
        Toolbox.of(BashTool(shell, gate=gate), BashTool(shell, gate=gate))
    with pytest.raises(TypeError, match="not an asynchronous tool"):
        Toolbox.of(blocking)  # type: ignore[arg-type]


def test_a_toolbox_gives_the_tools_of_a_request(toolbox: Toolbox) -> None:
    assert toolbox.params() == [{"type": "computer_toolset_20260801"}, {"type": "bash_20250124", "name": "bash"}]


async def test_a_recorded_turn_holds_every_call_what_was_decided_and_what_came_of_it(
    desktop: Desktop, shell: Bash, tmp_path: Path, call: MakeCall
) -> None:
    with Recording.open(tmp_path / "run") as recording:
        rules = Rules.parse(["left_click=deny"], otherwise="allow")
        gate = Gate(rules, on_decision=recording.decided)
        computer = ComputerToolset(desktop, confirm=gate.confirm, recording=recording, settle_s=0)
        toolbox = Toolbox.of(computer, BashTool(shell, gate=gate, recording=recording), recording=recording)
        calls = [
            call("computer.screenshot"),
            call("computer.left_click", coordinate=[5, 5]),
            call("bash", command="echo out; false"),
            call("computer.screenshot"),
            call("nothing"),
        ]
        await run_turn(calls, toolbox)
    events = list(read_events(tmp_path / "run"))
    started = [event for event in events if event["event"] == "call_started"]
    assert [(event["toolset"], event["name"], event["id"], event["turn"]) for event in started] == [
        ("computer", "screenshot", "t1", 1), ("computer", "left_click", "t2", 1), (None, "bash", "t3", 1),
        ("computer", "screenshot", "t4", 1), (None, "nothing", "t5", 1),
    ]  # fmt: skip
    finished = [event for event in events if event["event"] == "call_finished"]
    assert [event["outcome"] for event in finished] == ["ok", "refused", "ok", "not executed", "refused"]
    assert finished[0]["result"][0]["source"]["type"] == "file"
    assert "out" in finished[2]["result"][0]["text"]
    decided = [(e["call"], e["allowed"], e["rule"]) for e in events if e["event"] == "call_decided"]
    assert decided == [(1, True, "otherwise=allow"), (2, False, "left_click=deny"), (3, True, "otherwise=allow")]
    assert [event["event"] for event in events if event["event"].startswith("turn")] == [
        "turn_started",
        "turn_finished",
    ]


async def test_the_end_of_an_environment_is_told_to_the_model_and_known_to_the_toolbox(
    toolbox: Toolbox, shell: Bash, call: MakeCall
) -> None:
    assert toolbox.environment_died is None
    await shell.close()
    (result,) = await run_turn([call("bash", command="true")], toolbox)
    assert failed([result]) == [True]
    assert "has ended and nothing more can be done in it" in text_of(result)
    assert toolbox.environment_died == text_of(result)


async def test_a_toolbox_with_a_recording_refuses_what_does_not_record_in_it(shell: Bash, tmp_path: Path) -> None:
    @beta_async_tool
    async def unguarded() -> str:
        """Records nothing."""
        return ""

    gate = Gate.allowing_all()
    with Recording.open(tmp_path / "run") as recording:
        for tool in (BashTool(shell, gate=gate), unguarded):
            with pytest.raises(ValueError, match="does not record in this recording"):
                Toolbox.of(tool, recording=recording)
        Toolbox.of(guarded(unguarded, gate=gate, recording=recording), recording=recording)

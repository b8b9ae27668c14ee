"""The SDK's runner over HTTP, against the stand-in, with a recording beside it."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest
from anthropic import AsyncAnthropic

from gui_environments.desktop import Desktop
from gui_environments.shell.bash import Bash
from gui_operator.policy import Gate
from gui_operator.recording import Recording, RecordingFailed
from gui_operator.recording.reading import read_events
from gui_operator.toolsets import BashTool, ComputerToolset, guard_runner
from standin.script import calls, function, member, says, text, truncated
from standin.server import StandIn

StartRunner = Callable[..., Any]


@pytest.fixture
async def client(stand_in: StandIn) -> AsyncIterator[AsyncAnthropic]:
    async with AsyncAnthropic(base_url=stand_in.url, api_key="test", max_retries=0) as client:
        yield client


@pytest.fixture
def recording(tmp_path: Path) -> Recording:
    return Recording.open(tmp_path / "run")


@pytest.fixture
def start(client: AsyncAnthropic, desktop: Desktop, shell: Bash, recording: Recording) -> StartRunner:
    gate = Gate.allowing_all(on_decision=recording.decided)
    tools = [
        ComputerToolset(desktop, confirm=gate.confirm, recording=recording, settle_s=0),
        BashTool(shell, gate=gate, recording=recording),
    ]

    def start(**options: Any) -> Any:
        return client.beta.messages.tool_runner(
            model="claude-opus-5-5",
            max_tokens=1000,
            messages=[{"role": "user", "content": "Go on."}],
            tools=tools,
            **options,
        )

    return start


def kinds(recording: Recording) -> list[tuple[Any, ...]]:
    """Each call that ended: its turn, id, name and outcome."""
    events = list(read_events(recording.directory))
    asked = {event["call"]: event for event in events if event["event"] == "call_started"}
    return [
        (event["turn"], asked[event["call"]]["id"], asked[event["call"]]["name"], event["outcome"])
        for event in events
        if event["event"] == "call_finished"
    ]


@pytest.mark.filterwarnings("ignore:Toolset 'browser':UserWarning")  # the runner says what the test is about
@pytest.mark.parametrize("stream", [False, True])
async def test_every_call_is_recorded_with_its_turn_and_id_halted_and_unknown_ones_too(
    stand_in: StandIn, start: StartRunner, recording: Recording, stream: bool
) -> None:
    first = [
        function("bash", command="echo 1"),
        member("computer", "left_click", coordinate=[5000, 5]),
        function("bash", command="echo 2"),
        member("computer", "screenshot"),
    ]
    second = [member("browser", "list_tabs"), member("computer", "screenshot")]
    stand_in.play(calls(text("Now."), *first), calls(*second), says("Done."))
    replies = 0
    async for item in guard_runner(start(stream=stream), recording):
        if stream:
            async for _ in item:
                pass
        replies += 1
    recording.close()
    assert replies == 3
    ids = [block["id"] for block in (*first, *second)]
    # The halted call is known only once the turn's results are, so it is recorded at the turn's end.
    assert sorted(kinds(recording)) == sorted(
        [
            (1, ids[0], "bash", "ok"),
            (1, ids[1], "left_click", "refused"),
            (1, ids[2], "bash", "ok"),
            (1, ids[3], "screenshot", "not executed"),
            (2, ids[4], "list_tabs", "refused"),
            (2, ids[5], "screenshot", "ok"),
        ]
    )


async def test_the_calls_of_a_cut_reply_do_not_run(stand_in: StandIn, start: StartRunner, recording: Recording) -> None:
    stand_in.play(
        truncated(function("bash", command="echo 1"), function("bash", command="echo 2 and more"), characters=15)
    )
    async for _ in guard_runner(start(), recording):
        pass
    recording.close()
    assert kinds(recording) == []


async def test_a_recording_that_fails_in_a_tool_closes_the_runner_before_its_next_request(
    stand_in: StandIn, start: StartRunner, recording: Recording, tmp_path: Path
) -> None:
    stand_in.play(calls(function("bash", command=f"touch {tmp_path}/ran"), function("bash", command="true")))
    runner = start()
    items = guard_runner(runner, recording)
    await anext(items)
    full = os.open("/dev/full", os.O_WRONLY)
    os.dup2(full, recording.fileno())
    os.close(full)
    with pytest.raises(RecordingFailed):
        await anext(items)
    recording.close()
    assert not (tmp_path / "ran").exists()
    assert [item async for item in runner] == []
    assert len(stand_in.requests) == 1


async def test_a_recording_that_fails_in_a_member_gets_out_of_the_runner_itself(
    stand_in: StandIn, start: StartRunner, recording: Recording
) -> None:
    stand_in.play(calls(member("computer", "screenshot")))
    runner = start()
    await anext(runner)
    recording.close()
    with pytest.raises(RecordingFailed):
        await anext(runner)


async def test_leaving_early_closes_the_runner(stand_in: StandIn, start: StartRunner, recording: Recording) -> None:
    stand_in.play(calls(function("bash", command="true")))
    runner = start()
    async with aclosing(guard_runner(runner, recording)) as items:
        async for _ in items:
            break
    recording.close()
    assert [item async for item in runner] == []
    assert kinds(recording) == []


async def test_with_calls_that_start_while_the_reply_streams_each_is_recorded_once(
    stand_in: StandIn, start: StartRunner, recording: Recording
) -> None:
    turn = [
        function("bash", restart="no"),
        member("computer", "screenshot"),
        member("computer", "left_click", coordinate=[5000, 5]),
        member("computer", "screenshot"),
        function("bash", command="true"),
    ]
    stand_in.play(calls(*turn), says("Done."))
    async for stream in guard_runner(start(stream=True, run_tools_eagerly=True), recording):
        async for _ in stream:
            pass
    recording.close()
    ended = [(number, name, outcome) for number, _, name, outcome in kinds(recording)]
    assert ended == [
        (1, "bash", "refused"),
        (1, "screenshot", "ok"),
        (1, "left_click", "refused"),
        (1, "bash", "ok"),
        (1, "screenshot", "not executed"),
    ]

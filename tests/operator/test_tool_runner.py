"""Our tools in the hands of the SDK's tool runner, over HTTP: on a real desktop, with message threads and without,
streamed or not, eagerly or not. The stand-in refuses what the API refuses, and its fixture fails a test whose client
was refused or fell back without a word."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
import pytest_asyncio
from anthropic import APIConnectionError, AsyncAnthropic

from contract.runners import WAYS, Way, run_guarded, run_to_the_end, start_runner
from contract.worlds import World, open_world
from gui_environments.actions import MovePointer
from gui_environments.desktop import Desktop
from gui_environments.geometry import ScreenPoint
from gui_operator.policy import Gate
from gui_operator.recording import Recording
from gui_operator.recording.reading import read_events
from gui_operator.recording.recording import RecordingFailed
from gui_operator.toolsets import ComputerToolset
from standin.blocks import Json, content_blocks, text_of
from standin.results import HALT_TEXTS
from standin.script import (
    OVERLOADED,
    RATE_LIMITED,
    CutReply,
    HeldReply,
    Reply,
    ThreadFault,
    calls,
    function,
    member,
    says,
    text,
    thinking,
    truncated,
)
from standin.server import StandIn

pytestmark = pytest.mark.asyncio(loop_scope="module")

PLAIN, EAGER = Way(threads=True), Way(threads=True, stream=True, eager=True)
STREAMED = Way(threads=True, stream=True)
NOT_FOUND = "ignore:Tool '.*' not found in tool runner:UserWarning"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def world(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[World]:
    async with open_world(tmp_path_factory.mktemp("world")) as world:
        yield world


@pytest.fixture
def recording(tmp_path: Path) -> Iterator[Recording]:
    with Recording.open(tmp_path / "recording") as recording:
        yield recording


def click(x: int = 10, y: int = 20) -> Json:
    return member("computer", "left_click", coordinate=[x, y])


def bash(command: str) -> Json:
    return function("bash", command=command)


async def results_of(stand_in: StandIn, world: World, way: Way, *turn: Json, **options: Any) -> list[Json]:
    """What goes back over the wire for one turn of calls."""
    world.log.forget()
    stand_in.play(calls(*turn), says("Done."))
    last = await run_to_the_end(stand_in, world.tools(**options), way)
    assert last.stop_reason == "end_turn"
    assert [request.mode for request in stand_in.requests] == way.expected_modes(2)
    return stand_in.requests[-1].results


def said(results: list[Json]) -> list[str]:
    return [text_of(result) for result in results]


async def clicks_seen(world: World) -> list[tuple[int, int]]:
    """Where the application saw presses of the left button, until now: the pointer marks the end."""
    for x in (1000, 1001):
        await world.desktop.perform(MovePointer(ScreenPoint(x, 700)), settle_s=0)
    await world.log.wait_for(lambda events: bool(events) and events[-1]["x"] == 1001, "the mark")
    return [(event["x"], event["y"]) for event in world.log.read("press") if event["button"] == 1]


@pytest.mark.parametrize("way", WAYS, ids=str)
async def test_all_members_act_on_the_desktop(stand_in: StandIn, world: World, way: Way) -> None:
    turn = [
        member("computer", "screenshot"),
        member("computer", "mouse_move", coordinate=[100, 101]),
        member("computer", "cursor_position"),
        member("computer", "left_click", coordinate=[0, 0]),
        member("computer", "right_click", coordinate=[20, 30], text="shift"),
        member("computer", "middle_click"),
        member("computer", "double_click", coordinate=[40, 50]),
        member("computer", "triple_click", coordinate=[60, 70]),
        member("computer", "left_click_drag", start_coordinate=[200, 200], coordinate=[400, 300]),
        member("computer", "left_mouse_down"),
        member("computer", "mouse_move", coordinate=[500, 310]),
        member("computer", "left_mouse_up"),
        member("computer", "scroll", scroll_direction="down", scroll_amount=2, coordinate=[600, 300]),
        member("computer", "type", text="Grüße!\n"),
        member("computer", "key", text="ctrl+a", repeat=2),
        member("computer", "hold_key", text="F6", duration=0),
        member("computer", "wait", duration=0),
        member("computer", "zoom", region=[90, 190, 150, 250]),
    ]
    results = await results_of(stand_in, world, way, thinking("All of them."), text("I try everything."), *turn)
    assert [bool(result.get("is_error")) for result in results] == [False] * len(turn)
    pictures = [any(block["type"] == "image" for block in content_blocks(result)) for result in results]
    assert [index for index, holds in enumerate(pictures) if holds] == [0, len(turn) - 1]
    assert said(results)[1:4] == ["Moved the mouse.", "X=100,Y=101", "Clicked."]

    events = await world.log.wait_for(lambda events: "up F6" in keys_of(events), "the last key")
    presses = [(event["button"], event["x"], event["y"]) for event in events if event["event"] == "press"]
    assert presses == [
        (1, 0, 0),
        (3, 20, 30),
        (2, 20, 30),
        *[(1, 40, 50)] * 2,
        *[(1, 60, 70)] * 3,
        (1, 200, 200),
        (1, 400, 300),
        *[(5, 600, 300)] * 2,
    ]
    releases = [(event["x"], event["y"]) for event in events if event["event"] == "release" and event["button"] == 1]
    assert releases[-2:] == [(400, 300), (500, 310)]
    typed = "".join(event["char"] for event in events if event["event"] == "key down" and event["char"].isprintable())
    assert typed.startswith("Grüße!")
    assert keys_of(events).count("down a") == 2


def keys_of(events: list[Json]) -> list[str]:
    return [f"{event['event'].removeprefix('key ')} {event['key']}" for event in events if "key" in event]


@pytest.mark.parametrize("way", WAYS, ids=str)
async def test_bash_and_the_editor_work_beside_the_computer(stand_in: StandIn, world: World, way: Way) -> None:
    turn = [
        function("str_replace_based_edit_tool", command="create", path="note.txt", file_text="4711\n"),
        click(),
        bash("cat note.txt"),
        function("str_replace_based_edit_tool", command="str_replace", path="note.txt", old_str="11", new_str="12"),
        bash("cat note.txt; echo $DISPLAY"),
        function("screenshot", of="me"),
    ]
    results = await results_of(stand_in, world, way, *turn)
    assert not any(result.get("is_error") for result in results)
    assert [result.get("toolset_name") for result in results] == [None, "computer", *[None] * 4]
    assert "4711" in said(results)[2]
    assert said(results)[4].split() == ["4712", world.desktop.display]
    assert said(results)[5] == "No picture of me, but words."


@pytest.mark.parametrize("way", WAYS, ids=str)
async def test_a_failed_call_halts_its_toolset_and_nothing_else(stand_in: StandIn, world: World, way: Way) -> None:
    turn = [click(1, 2), click(9999, 0), click(3, 4), bash("echo on"), member("computer", "screenshot")]
    results = await results_of(stand_in, world, way, *turn)
    assert [bool(result.get("is_error")) for result in results] == [False, True, True, False, True]
    assert "outside the screenshot" in said(results)[1]
    assert said(results)[2] == said(results)[4] == HALT_TEXTS["computer"]
    assert said(results)[3] == "on"
    assert await clicks_seen(world) == [(1, 2)]


@pytest.mark.parametrize("way", [PLAIN, EAGER], ids=str)
async def test_a_denied_call_does_not_run(stand_in: StandIn, world: World, way: Way) -> None:
    turn = [click(1, 2), member("computer", "right_click"), bash("touch denied"), click(3, 4)]
    results = await results_of(stand_in, world, way, *turn, rules=["right_click=deny", "bash=deny"])
    assert [bool(result.get("is_error")) for result in results] == [False, True, True, True]
    assert "'right_click' was not run" in said(results)[1]
    assert "'bash' was not run" in said(results)[2]
    assert not (world.folder / "denied").exists()
    assert await clicks_seen(world) == [(1, 2)]


@pytest.mark.parametrize("way", [PLAIN, EAGER], ids=str)
async def test_an_unknown_member_is_refused(stand_in: StandIn, world: World, way: Way) -> None:
    results = await results_of(stand_in, world, way, member("computer", "fly"), click(3, 4))
    assert said(results) == ["Error: unknown computer toolset member 'fly'", HALT_TEXTS["computer"]]
    assert await clicks_seen(world) == []


@pytest.mark.parametrize("way", [PLAIN, EAGER], ids=str)
async def test_a_disabled_member_is_declared_so_and_refused(stand_in: StandIn, world: World, way: Way) -> None:
    results = await results_of(stand_in, world, way, click(3, 4), configs={"left_click": {"enabled": False}})
    assert "not permitted" in said(results)[0]
    declared = {tool["type"]: tool for tool in stand_in.requests[0].conversation.tools if "type" in tool}
    assert declared["computer_toolset_20260801"]["configs"]["left_click"] == {"enabled": False}
    assert await clicks_seen(world) == []


async def test_an_eager_call_runs_while_the_reply_still_streams(stand_in: StandIn, world: World) -> None:
    world.log.forget()
    reply = calls(click(5, 6), text("And then I wait."), bash("echo later"))
    # After eleven events the click is whole and the words after it are on their way. The reply goes on only when the
    # application has seen the click.
    stand_in.play(HeldReply(reply, 11, lambda: len(world.log.read("release")) == 1), says("Done."))
    await run_to_the_end(stand_in, world.tools(), EAGER)
    assert said(stand_in.requests[-1].results) == ["Clicked.", "later"]
    assert await clicks_seen(world) == [(5, 6)]


@pytest.mark.parametrize("way", WAYS, ids=str)
async def test_a_paused_turn_goes_on_and_its_calls_run_once(stand_in: StandIn, world: World, way: Way) -> None:
    world.log.forget()
    stand_in.play(says("Searching.", "pause_turn"), calls(click(5, 6)), says("Done."))
    await run_to_the_end(stand_in, world.tools(), way)
    assert [request.mode for request in stand_in.requests] == way.expected_modes(3)
    assert await clicks_seen(world) == [(5, 6)]


@pytest.mark.parametrize("way", [PLAIN, STREAMED, Way(threads=False)], ids=str)
@pytest.mark.parametrize("reason", ["refusal", "max_tokens", "model_context_window_exceeded"])
async def test_calls_of_a_reply_that_did_not_ask_for_tools_do_not_run(
    stand_in: StandIn, world: World, way: Way, reason: str
) -> None:
    world.log.forget()
    reply = Reply((click(5, 6),), reason)
    stand_in.play(truncated(click(5, 6), characters=9) if reason == "max_tokens" else reply)
    last = await run_to_the_end(stand_in, world.tools(), way)
    assert last.stop_reason == reason
    assert await clicks_seen(world) == []


@pytest.mark.parametrize("how", ["lost", "ended"])
async def test_calls_of_a_reply_that_broke_off_do_not_run(stand_in: StandIn, world: World, how: Any) -> None:
    world.log.forget()
    stand_in.play(CutReply(calls(click(5, 6), click(7, 8)), 8, how))
    if how == "lost":
        with pytest.raises((APIConnectionError, httpx2.RemoteProtocolError)):
            await run_to_the_end(stand_in, world.tools(), STREAMED)
    else:
        assert (await run_to_the_end(stand_in, world.tools(), STREAMED)).stop_reason is None
    assert await clicks_seen(world) == []


@pytest.mark.parametrize("way", WAYS, ids=str)
async def test_nothing_runs_twice_when_the_service_stumbles(stand_in: StandIn, world: World, way: Way) -> None:
    world.log.forget()
    stand_in.play(RATE_LIMITED, calls(click(5, 6)), OVERLOADED, RATE_LIMITED, says("Done."))
    await run_to_the_end(stand_in, world.tools(), way)
    assert await clicks_seen(world) == [(5, 6)]


@pytest.mark.parametrize("way", [PLAIN, STREAMED, EAGER], ids=str)
async def test_nothing_runs_twice_when_the_server_loses_the_thread(stand_in: StandIn, world: World, way: Way) -> None:
    world.log.forget()
    stand_in.play(calls(click(5, 6)), ThreadFault("thread_not_found"), calls(click(7, 8)), says("Done."))
    stand_in.expect(fallbacks=1)
    await run_to_the_end(stand_in, world.tools(), way)
    assert [request.mode for request in stand_in.requests] == ["create", "continue", "create", "continue"]
    assert await clicks_seen(world) == [(5, 6), (7, 8)]


@pytest.mark.parametrize("way", [Way(threads=True), Way(threads=False)], ids=str)
async def test_a_long_run_on_a_large_screen_sends_only_pictures_that_are_taken(stand_in: StandIn, way: Way) -> None:
    """More than 20 pictures, where no side may be longer than 2000 px."""
    gate = Gate.allowing_all()
    async with Desktop.open((3840, 2160)) as desktop:
        computer = ComputerToolset(desktop, confirm=gate.confirm, settle_s=0)
        turns = [calls(*[member("computer", "screenshot") for _ in range(11)]) for _ in range(2)]
        stand_in.play(*turns, says("Done."))
        await run_to_the_end(stand_in, [computer], way)
    assert len(stand_in.requests[-1].results) == 11


@pytest.mark.filterwarnings(NOT_FOUND)
@pytest.mark.parametrize("way", WAYS, ids=str)
async def test_every_call_is_recorded_with_what_became_of_it(
    stand_in: StandIn, world: World, recording: Recording, way: Way
) -> None:
    turn = [click(1, 2), click(9999, 0), click(3, 4), bash("echo on"), function("teleport")]
    stand_in.play(calls(*turn), says("Done."))
    tools = world.tools(recording=recording)
    seen = [item async for item in run_guarded(stand_in, tools, way, recording)]
    assert len(seen) == 2
    recording.close()
    events = list(read_events(recording.directory))
    started = {event["call"]: (event["name"], event["input"]) for event in events if event["event"] == "call_started"}
    ended = [event for event in events if event["event"] == "call_finished"]
    # Not by id: a function tool that the runner starts eagerly is not told which call it answers.
    outcomes = [
        [event["outcome"] for event in ended if started[event["call"]] == (call["name"], call["input"])]
        for call in turn
    ]
    assert outcomes == [["ok"], ["refused"], ["not executed"], ["ok"], ["refused"]]


def break_recording(recording: Recording) -> None:
    """From now on every write of it fails as on a full disk."""
    full = os.open("/dev/full", os.O_WRONLY)
    os.dup2(full, recording.fileno())
    os.close(full)


@pytest.mark.parametrize("way", WAYS, ids=str)
async def test_a_recorder_that_fails_stops_the_run_before_a_member_acts(
    stand_in: StandIn, world: World, recording: Recording, way: Way
) -> None:
    world.log.forget()
    break_recording(recording)
    stand_in.play(calls(click(5, 6)))
    with pytest.raises(RecordingFailed):
        await run_to_the_end(stand_in, world.tools(recording=recording), way)
    assert await clicks_seen(world) == []


@pytest.mark.parametrize("way", WAYS, ids=str)
async def test_a_recorder_that_fails_stops_the_run_before_bash_acts(
    stand_in: StandIn, world: World, recording: Recording, way: Way
) -> None:
    stand_in.play(calls(bash("touch unrecorded")))
    tools = world.tools(recording=recording)
    break_recording(recording)
    with pytest.raises(RecordingFailed):
        async for _ in run_guarded(stand_in, tools, way, recording):
            pass
    assert not (world.folder / "unrecorded").exists()


async def test_a_run_that_is_cancelled_lets_go_of_what_it_holds(stand_in: StandIn, world: World) -> None:
    world.log.forget()
    stand_in.play(calls(member("computer", "hold_key", text="ctrl+F7", duration=200)))
    running = asyncio.create_task(run_to_the_end(stand_in, world.tools(), PLAIN))
    await world.log.wait_for(lambda events: "down F7" in keys_of(events), "the key")
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    await world.log.wait_for(lambda events: {"up F7", "up Control_L"} <= set(keys_of(events)), "letting go")


async def test_a_held_back_call_runs_when_the_reply_is_whole(stand_in: StandIn, world: World) -> None:
    world.log.forget()
    stand_in.play(calls(click(5, 6), bash("echo on"), text("Well.")), says("Done."))
    async with AsyncAnthropic(base_url=stand_in.url, api_key="test") as client:
        runner = start_runner(client, world.tools(), EAGER)
        async for stream in runner:
            async for event in stream:
                if event.type == "content_block_start" and event.content_block.type == "tool_use":
                    runner.defer_tool_call(event.content_block)
            if len(stand_in.requests) == 1:
                assert await clicks_seen(world) == []
                world.log.forget()
    assert said(stand_in.requests[-1].results) == ["Clicked.", "on"]
    assert await clicks_seen(world) == [(5, 6)]

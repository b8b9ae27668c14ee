"""What is sent: only what is new where the API keeps threads, whole histories with the same beginning elsewhere, old
pictures left out in batches, the cache's breakpoints."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest

from gui_operator.agent.conversation.conversation import Pruning
from gui_operator.agent.conversation.pictures import LEFT_OUT_TEXT, count_pictures
from gui_operator.agent.models import facts_of
from gui_operator.report.reading import read_run
from gui_operator.report.run import RecordedCall
from standin.blocks import count_breakpoints
from standin.requests import Request
from standin.script import CutReply, Reply, ThreadFault, calls, function, member, says

from .conftest import Player
from .scripts import click, note, notes, screenshot

SMALL = Pruning(keep_pictures=2, at_pictures=6, at_prompt_tokens=5000)


def sent_bytes(request: Request, messages: int) -> bytes:
    """The beginning of a request up to so many messages, as the API's cache sees it: tools, system prompt, messages."""
    body = request.body
    return json.dumps([body["tools"], body["system"], body["messages"][:messages]]).encode()


def pictures_in(request: Request) -> int:
    return count_pictures(request.conversation.messages)  # type: ignore[arg-type] # as they came over the wire


async def test_a_whole_history_begins_with_the_same_bytes_until_pictures_are_left_out(at_desktop: Player) -> None:
    turns = [calls(screenshot(), note("one")) for _ in range(14)]
    at_desktop.stand_in.play(*turns, says("Done."))
    played = await at_desktop.play(threads=False, pruning=SMALL)
    assert played.ending.status == "succeeded"
    requests = at_desktop.stand_in.requests
    same = [
        sent_bytes(before, len(before.body["messages"])) == sent_bytes(after, len(before.body["messages"]))
        for before, after in pairwise(requests)
    ]
    prunes = [event for event in played.events_of("noticed") if "left out" in event["text"]]
    # Seven pictures are too many; two stay. So it happens at the seventh, and then every five.
    assert same.count(False) == len(prunes) == 2
    assert [index for index, equal in enumerate(same) if not equal] == [6, 11]
    assert max(map(pictures_in, requests)) == 6
    assert LEFT_OUT_TEXT in json.dumps(requests[-1].body)


async def test_sixty_turns_with_screenshots_go_through_as_a_thread(at_desktop: Player) -> None:
    at_desktop.stand_in.play(*[calls(click(10 * n, 5 * n), screenshot()) for n in range(60)], says("Done."))
    played = await at_desktop.play()
    assert played.ending.status == "succeeded"
    requests = at_desktop.stand_in.requests
    assert [request.mode for request in requests] == ["create", *["continue"] * 60]
    assert all(len(request.body["messages"]) == 1 for request in requests)
    assert pictures_in(requests[-1]) == 60


async def test_sixty_turns_with_screenshots_go_through_as_whole_histories(at_desktop: Player) -> None:
    at_desktop.stand_in.play(*[calls(click(10 * n, 5 * n), screenshot()) for n in range(60)], says("Done."))
    played = await at_desktop.play(threads=False)
    assert played.ending.status == "succeeded"
    assert max(map(pictures_in, at_desktop.stand_in.requests)) == Pruning().at_pictures


async def test_a_thread_that_has_grown_long_is_started_anew_without_its_old_pictures(at_desktop: Player) -> None:
    at_desktop.stand_in.allow_pruning()
    long = Reply((screenshot(),), "tool_use", usage={"input_tokens": 6000})
    at_desktop.stand_in.play(*[calls(screenshot()) for _ in range(4)], long, calls(screenshot()), says("Done."))
    played = await at_desktop.play(pruning=SMALL)
    assert played.ending.status == "succeeded"
    requests = at_desktop.stand_in.requests
    assert [request.mode for request in requests] == [*["create", *["continue"] * 4], "create", "continue"]
    assert (pictures_in(requests[4]), pictures_in(requests[5])) == (4, 2)


async def test_where_the_api_keeps_no_threads_the_run_says_so_and_leaves_pictures_out(at_desktop: Player) -> None:
    at_desktop.stand_in.expect(fallbacks=9)  # after the API said that it keeps none, every request is whole
    at_desktop.stand_in.play(
        calls(screenshot()),
        ThreadFault("thread_unsupported_request"),
        *[calls(screenshot()) for _ in range(8)],
        says("Done."),
    )
    played = await at_desktop.play(pruning=SMALL)
    assert played.ending.status == "succeeded"
    assert sum("keeps no thread" in event["text"] for event in played.events_of("noticed")) == 1
    assert max(map(pictures_in, at_desktop.stand_in.requests)) == 6


async def test_an_exhausted_context_is_tried_once_more_without_the_old_pictures(at_desktop: Player) -> None:
    at_desktop.stand_in.allow_pruning()
    exhausted = Reply((note("two"),), "model_context_window_exceeded")
    at_desktop.stand_in.play(*[calls(screenshot()) for _ in range(3)], exhausted, notes("one"), says("Done."))
    played = await at_desktop.play()
    assert played.ending.status == "succeeded"
    assert at_desktop.ran() == ["one"]
    assert [pictures_in(request) for request in at_desktop.stand_in.requests] == [0, 1, 2, 3, 1, 1]


@pytest.mark.parametrize("platform", ["anthropic", "bedrock"])
@pytest.mark.parametrize("threads", [True, False])
async def test_there_are_never_more_than_four_breakpoints_and_one_moves_on(
    player: Player, platform: Any, threads: bool
) -> None:
    player.stand_in.play(notes("one"), notes(*"abcdefghijkl"), *[notes("two") for _ in range(4)], says("Done."))
    # The name of the platform alone: whether a request may ask for a breakpoint without naming a block follows from it.
    await player.play(threads=threads, facts=facts_of("claude-opus-5-5", platform))
    for request in player.stand_in.requests[1:]:
        body = request.body
        marked = count_breakpoints(body["messages"]) + (body.get("cache_control") is not None)
        assert 1 <= marked <= 3
        last = body["messages"][-1]["content"][-1]
        assert "cache_control" in (body if platform == "anthropic" else last)
    assert player.stand_in.requests[0].body["system"][-1]["cache_control"] == {"type": "ephemeral"}


async def test_a_turn_longer_than_the_cache_looks_back_marks_where_it_began(player: Player) -> None:
    player.stand_in.play(notes("one"), notes(*"abcdefghijkl"), notes("two"), says("Done."))
    await player.play(threads=False)
    first_results = player.stand_in.requests[2].body["messages"][2]["content"]
    assert "cache_control" in first_results[-1]
    assert "cache_control" not in player.stand_in.requests[1].body["messages"][2]["content"][-1]


async def test_a_turn_that_acts_and_does_not_look_is_given_a_screenshot(at_desktop: Player) -> None:
    at_desktop.stand_in.play(
        calls(click(), note("one")),
        calls(click(), screenshot(), member("computer", "cursor_position")),
        calls(member("computer", "cursor_position"), note("two")),
        calls(click(), click(9999, 1)),
        calls(click(9999, 1)),
        says("Done."),
    )
    played = await at_desktop.play()
    shown = [
        [block["type"] for result in request.results for block in result_blocks(result)]
        for request in at_desktop.stand_in.requests[1:]
    ]
    assert shown[0] == ["text", "image", "text"]
    assert shown[1] == ["text", "image", "text"]
    assert shown[2] == ["text", "text"]
    # A failed call's result can hold no picture, so it comes behind the results.
    assert shown[3] == ["text", "text"]
    behind = at_desktop.stand_in.requests[4].conversation.messages[-1]["content"][2:]
    assert [block["type"] for block in behind] == ["text", "image"]
    assert shown[4] == ["text"]
    added = played.events_of("screenshot_added")
    assert len(added) == 2
    # A reader of the recording finds it with the call that it came with.
    read = read_run(at_desktop.folder.with_name("recording"))
    clicked, failed = read.turns[0].items[0], read.turns[3].items[-1]
    assert [len(item.pictures) for item in (clicked, failed) if isinstance(item, RecordedCall)] == [1, 1]
    assert (played.run.tally.turns, added[0]["toolset"]) == (6, "computer")
    assert (at_desktop.folder.with_name("recording") / added[0]["result"][0]["source"]["path"]).exists()


async def test_a_screenshot_is_added_neither_against_the_rules_nor_against_the_job(at_desktop: Player) -> None:
    at_desktop.rules = ["computer.screenshot=ask"]
    at_desktop.stand_in.play(calls(click()), says("Done."))
    assert (await at_desktop.play()).events_of("screenshot_added") == []


async def test_the_job_may_say_that_no_screenshot_is_added(at_desktop: Player) -> None:
    at_desktop.stand_in.play(calls(click()), says("Done."))
    assert (await at_desktop.play(look_after=False)).events_of("screenshot_added") == []


async def test_what_ran_of_a_reply_that_broke_off_is_told_with_what_is_there_now(at_desktop: Player) -> None:
    at_desktop.stand_in.allow_pruning()
    at_desktop.stand_in.play(CutReply(calls(note("one"), note("two")), 12), says("Done."))
    played = await at_desktop.play(eager=True)
    assert played.ending.status == "succeeded"
    told = at_desktop.stand_in.requests[1].conversation.messages[-1]["content"]
    assert [block["type"] for block in told] == ["text", "text", "text", "image"]
    assert '"echo one >> ran"' in told[1]["text"]
    assert at_desktop.ran() == ["one"]


def result_blocks(result: dict[str, Any]) -> list[dict[str, Any]]:
    content = result["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


async def test_a_tool_of_the_run_is_never_started_early(player: Player) -> None:
    player.stand_in.allow_pruning()
    reply = calls(function("report_failure", reason="Never mind."), note("one"))
    player.stand_in.play(CutReply(reply, 12), says("Done."))
    assert (await player.play(eager=True)).ending.status == "succeeded"

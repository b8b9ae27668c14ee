"""How runs end, and what the API may do meanwhile: each stop reason, cut and lost replies, faults of the service."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from anthropic import AsyncAnthropic

from gui_operator.recording import Recording, RecordingFailed
from standin.requests import Request
from standin.script import (
    BROKEN,
    OVERLOADED,
    RATE_LIMITED,
    CutReply,
    Fault,
    Reply,
    calls,
    function,
    says,
    text,
    thinking,
    truncated,
)

from .conftest import Player
from .scripts import note, notes

EVERY_WAY = pytest.mark.parametrize(
    "way",
    [
        pytest.param({"threads": threads, "eager": eager}, id=f"{'threads' if threads else 'local'}{'-eager' * eager}")
        for threads in (True, False)
        for eager in (False, True)
    ],
)
TWO_WAYS = pytest.mark.parametrize(
    "way",
    [
        pytest.param({"threads": True, "eager": False}, id="threads"),
        pytest.param({"threads": False, "eager": True}, id="local-eager"),
    ],
)
"""Where each of the two things is enough to be tried once."""

Way = dict[str, Any]


@EVERY_WAY
async def test_a_run_does_what_the_model_asks_and_ends_with_its_words(player: Player, way: Way) -> None:
    player.stand_in.play(
        calls(thinking("Hm."), text("First."), note("one"), note("two")), notes("three"), says("Done.")
    )
    played = await player.play(**way)
    assert (played.ending.status, played.ending.words, played.ending.exit_code) == ("succeeded", "Done.", 0)
    assert player.ran() == ["one", "two", "three"]
    modes = [request.mode for request in player.stand_in.requests]
    assert modes == (["create", "continue", "continue"] if way["threads"] else ["whole"] * 3)
    assert (played.run.tally.turns, played.run.tally.actions) == (3, 3)


@TWO_WAYS
async def test_a_paused_turn_goes_on(player: Player, way: Way) -> None:
    player.stand_in.play(says("Searching.", "pause_turn"), notes("one"), says("Done."))
    assert (await player.play(**way)).ending.status == "succeeded"
    assert player.ran() == ["one"]


@pytest.mark.parametrize("threads", [True, False])
async def test_a_refusal_ends_the_run_and_its_calls_do_not_run(player: Player, threads: bool) -> None:
    details = {"type": "refusal", "category": "cyber", "explanation": "It may harm."}
    player.stand_in.play(notes("one"), Reply((note("two"), text("No.")), "refusal", stop_details=details))
    ending = (await player.play(threads=threads)).ending
    assert (ending.status, ending.exit_code) == ("refused", 4)
    assert ending.reason == "The model refused: It may harm."
    assert player.ran() == ["one"]


async def test_what_ran_before_a_refusal_is_recorded(player: Player) -> None:
    player.stand_in.play(Reply((note("one"), text("No.")), "refusal"))
    played = await player.play(eager=True)
    assert (played.ending.status, player.ran()) == ("refused", ["one"])
    assert [event["outcome"] for event in played.events_of("call_finished")] == ["ok"]


@TWO_WAYS
async def test_a_reply_cut_inside_a_call_is_asked_for_once_more_with_more_room(player: Player, way: Way) -> None:
    player.stand_in.allow_pruning()  # with threads a new one is started, on purpose
    player.stand_in.play(notes("one"), truncated(note("two"), characters=9), notes("two"), says("Done."))
    played = await player.play(**way, max_tokens=1000)
    assert played.ending.status == "succeeded"
    assert player.ran() == ["one", "two"]
    assert [request.body["max_tokens"] for request in player.stand_in.requests] == [1000, 1000, 2000, 2000]


async def test_a_reply_that_is_cut_again_fails_the_run(player: Player) -> None:
    player.stand_in.allow_pruning()
    player.stand_in.play(truncated(note("one"), characters=9), truncated(note("one"), characters=9))
    ending = (await player.play(max_tokens=1000)).ending
    assert (ending.status, ending.reason) == ("failed", "The model's reply was cut at 2,000 tokens, twice.")
    assert player.ran() == []


@pytest.mark.parametrize("threads", [True, False])
async def test_an_exhausted_context_without_pictures_fails_the_run(player: Player, threads: bool) -> None:
    player.stand_in.play(notes("one"), Reply((note("two"),), "model_context_window_exceeded"))
    ending = (await player.play(threads=threads)).ending
    assert ending.status == "failed"
    assert "longer than the model can read" in ending.reason
    assert player.ran() == ["one"]


@EVERY_WAY
@pytest.mark.parametrize("how", ["lost", "ended"])
async def test_a_reply_that_breaks_off_is_asked_for_again_and_nothing_runs_twice(
    player: Player, way: Way, how: Any
) -> None:
    player.stand_in.allow_pruning()
    broken = CutReply(calls(note("two"), note("three")), 12, how)
    player.stand_in.play(notes("one"), broken, notes("three"), says("Done."))
    played = await player.play(**way)
    assert played.ending.status == "succeeded"
    # Whether the first call had begun when the reply broke off is told to the model; here it goes on with the second.
    assert player.ran() == (["one", "two", "three"] if way["eager"] else ["one", "three"])
    asked_again = player.stand_in.requests[2].conversation.messages[-1]
    told = [block["text"] for block in asked_again["content"] if block["type"] == "text"]
    assert any("have run already" in words and "echo two" in words for words in told) == way["eager"]


async def test_a_reply_that_breaks_off_again_and_again_fails_the_run(player: Player) -> None:
    player.stand_in.allow_pruning()
    player.stand_in.play(*[CutReply(notes("one"), 2, "ended")] * 3)
    ending = (await player.play()).ending
    assert (ending.status, ending.exit_code) == ("failed", 1)
    assert "without its end" in ending.reason
    assert player.ran() == []


@TWO_WAYS
async def test_a_run_survives_what_the_sdk_tries_again(player: Player, way: Way) -> None:
    player.stand_in.play(RATE_LIMITED, notes("one"), OVERLOADED, BROKEN, says("Done."))
    assert (await player.play(**way)).ending.status == "succeeded"
    assert player.ran() == ["one"]


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (RATE_LIMITED, "rate limit was reached, and stayed so (429"),
        (OVERLOADED, "overloaded, and stayed so (529: Overloaded)"),
        (BROKEN, "The API failed (500"),
        (Fault(401, "authentication_error", "invalid x-api-key", retry=False), "did not accept the key"),
        (Fault(400, "invalid_request_error", "no such thing", retry=False), "refused the request (400: no such thing)"),
    ],
)
async def test_a_service_that_stays_away_ends_the_run_with_what_it_said(
    player: Player, fault: Fault, words: str
) -> None:
    player.stand_in.play(notes("one"), *[fault] * (3 if fault.retry else 1))
    ending = (await player.play()).ending
    assert ending.status == "failed"
    assert words in ending.reason
    assert player.ran() == ["one"]


async def test_a_service_that_is_not_there_ends_the_run(player: Player) -> None:
    player.stand_in.url = "http://127.0.0.1:9/nobody"
    ending = (await player.play(max_retries=0)).ending
    assert ending.status == "failed"
    assert "could not be reached" in ending.reason


async def test_a_model_that_says_it_cannot_ends_the_run_as_failed(player: Player) -> None:
    player.stand_in.play(calls(function("report_failure", reason="There is no such invoice.")))
    ending = (await player.play()).ending
    assert (ending.status, ending.exit_code) == ("failed", 1)
    assert ending.reason.endswith("There is no such invoice.")


@pytest.mark.parametrize("threads", [True, False])
async def test_a_model_that_ends_without_a_word_is_asked_once_what_came_of_it(player: Player, threads: bool) -> None:
    player.stand_in.allow_pruning()
    player.stand_in.play(notes("one"), Reply((), "end_turn"), says("It is noted."))
    ending = (await player.play(threads=threads)).ending
    assert (ending.status, ending.words) == ("succeeded", "It is noted.")
    player.stand_in.play(Reply((), "end_turn"), Reply((thinking("Hm."),), "end_turn"))
    with Recording.open(player.folder.with_name("again")) as again:
        ending = (await player.play(threads=threads, recording=again)).ending
    assert (ending.status, ending.reason) == ("failed", "The model ended without a word.")


async def test_a_question_that_nobody_answers_ends_the_run(player: Player) -> None:
    player.stand_in.play(calls(function("ask_person", question="Which account?")))
    ending = (await player.play()).ending
    assert (ending.status, ending.exit_code) == ("needs a person", 5)
    assert ending.reason.endswith("Which account?")


async def test_an_environment_that_has_ended_ends_the_run(player: Player) -> None:
    await player.bash.close()
    player.stand_in.play(notes("one"))
    ending = (await player.play()).ending
    assert (ending.status, ending.exit_code) == ("environment died", 6)
    assert "nothing more can be done in it" in ending.reason


@pytest.mark.parametrize("eager", [False, True])
async def test_a_recording_that_cannot_be_written_ends_the_run_before_anything_runs_unrecorded(
    player: Player, tmp_path: Path, eager: bool
) -> None:
    with Recording.open(tmp_path / "full") as recording:

        def fill_up(request: Request) -> Reply:
            full = os.open("/dev/full", os.O_WRONLY)
            os.dup2(full, recording.fileno())
            os.close(full)
            return notes("one")

        player.stand_in.play(fill_up)
        async with AsyncAnthropic(base_url=player.stand_in.url, api_key="test") as client:
            with pytest.raises(RecordingFailed):
                await player.run_with(client, recording, eager=eager).to_its_end()
    assert player.ran() == []

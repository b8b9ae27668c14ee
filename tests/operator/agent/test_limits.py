"""What a run may use, and how it ends when it has."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from anthropic import AsyncAnthropic

from gui_operator.agent.prices import Price, Rates
from gui_operator.recording import Recording
from gui_operator.recording.reading import read_events
from standin.script import Reply, calls, function, says

from .conftest import Player
from .scripts import note, notes

PRICE = Price(Rates(input=1.0, output=1.0, cache_read=1.0, cache_write_5m=1.0, cache_write_1h=1.0))
"""A dollar for a million tokens of any kind."""


def of_tokens(number: int, word: str) -> Reply:
    """A reply that costs about so many tokens."""
    return Reply((note(word),), "tool_use", usage={"input_tokens": number, "output_tokens": 1})


async def test_the_last_turn_within_the_limit_still_runs_its_calls(player: Player) -> None:
    player.stand_in.play(notes("one"), notes("two"))
    ending = (await player.play(limits={"turns": 2})).ending
    assert (ending.status, ending.exit_code) == ("limit reached", 3)
    assert ending.reason == "The limit of 2 turns was reached."
    assert player.ran() == ["one", "two"]


async def test_a_task_that_is_done_in_the_last_turn_is_done(player: Player) -> None:
    player.stand_in.play(notes("one"), says("Done."))
    assert (await player.play(limits={"turns": 2})).ending.status == "succeeded"


async def test_tokens_are_counted_over_all_replies(player: Player) -> None:
    player.stand_in.play(of_tokens(400, "one"), of_tokens(700, "two"))
    played = await player.play(limits={"tokens": 1000})
    assert played.ending.status == "limit reached"
    assert "1,000 tokens, with 1,102 used" in played.ending.reason
    assert player.ran() == ["one", "two"]


async def test_dollars_are_counted_by_the_price(player: Player) -> None:
    player.stand_in.play(of_tokens(600_000, "one"), of_tokens(600_000, "two"))
    played = await player.play(limits={"dollars": 1}, price=PRICE)
    assert played.ending.reason == "The limit of 1 dollars, with 1.2000 spent was reached."
    assert played.run.tally.dollars == pytest.approx(1.200002)
    assert [event["cost_dollars"] for event in played.events_of("model_replied")][-1] == pytest.approx(1.200002)


async def test_what_a_run_costs_is_unknown_without_a_price(player: Player) -> None:
    player.stand_in.play(says("Done."))
    played = await player.play()
    assert played.run.tally.dollars is None
    assert "cost unknown" in played.told[-1]


@pytest.mark.parametrize("eager", [False, True])
async def test_a_turn_with_more_actions_than_are_left_does_not_run(player: Player, eager: bool) -> None:
    player.stand_in.play(notes("one"), notes("two", "three"))
    ending = (await player.play(limits={"actions": 2}, eager=eager)).ending
    assert (ending.status, ending.reason) == ("limit reached", "The limit of 2 actions was reached.")
    assert player.ran() == ["one"]


async def test_the_tools_of_the_run_are_no_actions(player: Player) -> None:
    player.stand_in.play(notes("one"), calls(function("report_failure", reason="No.")))
    assert (await player.play(limits={"actions": 1})).ending.status == "failed"


async def test_the_time_ends_whatever_is_in_flight(player: Player) -> None:
    over = asyncio.Event()

    async def never_answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await over.wait()
        writer.close()

    async with await asyncio.start_server(never_answer, "127.0.0.1", 0) as server:
        player.stand_in.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        ending = (await player.play(limits={"seconds": 0.5})).ending
        over.set()
    assert (ending.status, ending.reason) == ("limit reached", "The limit of 0.5 seconds was reached.")


async def test_an_interrupted_run_ends_the_call_in_flight(player: Player, tmp_path: Path) -> None:
    player.stand_in.play(calls(function("bash", command="echo begun >> ran; sleep 1000; echo ended >> ran")))
    with Recording.open(tmp_path / "recording") as recording:
        async with AsyncAnthropic(base_url=player.stand_in.url, api_key="test") as client:
            running = asyncio.create_task(player.run_with(client, recording).to_its_end())
            async with asyncio.timeout(30):
                while player.ran() != ["begun"]:  # noqa: ASYNC110 - a file, which nobody announces
                    await asyncio.sleep(0.01)
            running.cancel()
            with pytest.raises(asyncio.CancelledError):
                await running
    finished = [event for event in read_events(tmp_path / "recording") if event["event"] == "call_finished"]
    assert [event["outcome"] for event in finished] == ["cancelled"]
    assert player.ran() == ["begun"]

"""The result that a job asks for: handed in by the model, held to the whole schema, asked for once more."""

from __future__ import annotations

from typing import Any

import pytest

from gui_operator.agent.results import declared_schema, problems_of
from standin.script import calls, function, says

from .conftest import Player
from .scripts import note, notes

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"number": {"type": "string", "pattern": "^A-[0-9]+$"}, "count": {"type": "integer", "minimum": 1}},
    "required": ["number", "count"],
    "additionalProperties": False,
}
GOOD = {"number": "A-17", "count": 2}


def submit(**result: Any) -> dict[str, Any]:
    return function("submit_result", **result)


async def test_a_result_that_fits_ends_the_run(player: Player) -> None:
    player.stand_in.play(notes("one"), calls(submit(**GOOD)))
    played = await player.play(result_schema=SCHEMA)
    assert (played.ending.status, played.ending.result) == ("succeeded", GOOD)
    declared = {tool.get("name"): tool for tool in player.stand_in.requests[0].conversation.tools}["submit_result"]
    assert declared["strict"] is True
    assert "pattern" not in declared["input_schema"]["properties"]["number"]
    assert "^A-[0-9]+$" in declared["input_schema"]["properties"]["number"]["description"]


async def test_a_result_that_does_not_fit_is_asked_for_once_more(player: Player) -> None:
    player.stand_in.play(calls(submit(number="17", count=0)), calls(submit(**GOOD)))
    played = await player.play(result_schema=SCHEMA)
    assert (played.ending.status, played.ending.result) == ("succeeded", GOOD)
    (refused,) = player.stand_in.requests[1].results
    said = refused["content"] if isinstance(refused["content"], str) else refused["content"][0]["text"]
    assert refused["is_error"] is True
    assert "result.count: 0 is less than the minimum of 1" in said
    assert "result.number: '17' does not match" in said


async def test_a_second_result_that_does_not_fit_fails_the_run(player: Player) -> None:
    player.stand_in.play(calls(submit(number="17", count=1)), calls(submit(number="18", count=1)))
    ending = (await player.play(result_schema=SCHEMA)).ending
    assert (ending.status, ending.result) == ("failed", None)
    assert "'18' does not match" in ending.reason


@pytest.mark.parametrize("threads", [True, False])
async def test_a_model_that_ends_without_a_result_is_asked_once_in_the_same_conversation(
    player: Player, threads: bool
) -> None:
    player.stand_in.play(notes("one"), says("Done."), calls(submit(**GOOD)))
    played = await player.play(result_schema=SCHEMA, threads=threads)
    assert (played.ending.status, played.ending.result) == ("succeeded", GOOD)
    last = player.stand_in.requests[-1]
    assert last.mode == ("continue" if threads else "whole")
    assert "without handing in the result" in str(last.body["messages"][-1]["content"])


async def test_a_model_that_ends_without_a_result_again_fails_the_run(player: Player) -> None:
    player.stand_in.play(says("Done."), says("Really done."))
    ending = (await player.play(result_schema=SCHEMA)).ending
    assert (ending.status, ending.words) == ("failed", "Really done.")


async def test_a_result_is_not_taken_from_a_turn_in_which_something_failed(player: Player) -> None:
    player.stand_in.play(
        calls(note("one"), function("bash", nothing="here"), submit(**GOOD)), calls(note("two"), submit(**GOOD))
    )
    played = await player.play(result_schema=SCHEMA)
    assert (played.ending.status, played.run.tally.turns) == ("succeeded", 2)
    assert player.stand_in.requests[1].results[-1]["is_error"] is True
    assert player.ran() == ["one", "two"]


async def test_a_result_need_not_be_an_object(player: Player) -> None:
    player.stand_in.play(calls(submit(result=["a", "b"])))
    ending = (await player.play(result_schema={"type": "array", "items": {"type": "string"}, "maxItems": 2})).ending
    assert (ending.status, ending.result) == ("succeeded", ["a", "b"])


async def test_without_a_schema_there_is_nothing_to_hand_in(player: Player) -> None:
    player.stand_in.play(says("Done."))
    await player.play()
    names = [tool.get("name") for tool in player.stand_in.requests[0].conversation.tools]
    assert names == ["bash", "report_failure", "ask_person"]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object"},
        {"type": "object", "properties": {"a": {"type": "object", "additionalProperties": {"type": "string"}}}},
        {"type": "object", "properties": {"a": {"type": ["string", "null"]}}},
        {"type": "object", "properties": {"a": {}}},
    ],
)
def test_what_the_api_cannot_hold_the_model_to_is_declared_as_it_is(schema: dict[str, Any]) -> None:
    assert declared_schema(schema, wrap=False) == (schema, False)


def test_references_still_lead_somewhere_where_a_result_is_wrapped() -> None:
    schema = {"$defs": {"name": {"type": "string"}}, "type": "array", "items": {"$ref": "#/$defs/name"}}
    declared, strict = declared_schema(schema, wrap=True)
    assert strict
    assert declared["$defs"] == {"name": {"type": "string"}}
    assert problems_of({"result": [1]}, declared) == ["result.result[0]: 1 is not of type 'string'"]


def test_formats_are_held_to_as_well() -> None:
    schema = {"type": "string", "format": "date"}
    assert problems_of("2026-11-30", schema) == []
    assert problems_of("30.11.2026", schema) == ["result: '30.11.2026' is not a 'date'"]

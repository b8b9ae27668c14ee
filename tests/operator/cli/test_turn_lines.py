"""What is a turn and what is not: a line is taken whole or refused whole, with words that say where."""

from __future__ import annotations

import json

import pytest

from gui_operator.cli.expectations import Expectation, unmet_expectations
from gui_operator.cli.placeholders import Described
from gui_operator.cli.turn_lines import InvalidLine, read_turn_line

CALL = {"name": "bash", "input": {"command": "true"}}


def turn(**parts: object) -> bytes:
    return json.dumps({"calls": [CALL], **parts}).encode()


def nested(levels: int) -> object:
    value: object = "x"
    for _ in range(levels):
        value = [value]
    return value


def test_a_turn_is_read_with_its_ids_toolsets_and_expectations():
    line = turn(
        calls=[{"id": "a-1", "toolset_name": "computer", "name": "screenshot", "input": {}}, CALL],
        expect=[{"call": 2, "text": "x", "error": False}],
    )
    read = read_turn_line(line, Described())
    first = read.calls[0]
    assert (first.id, first.toolset_name, first.name) == ("a-1", "computer", "screenshot")
    assert read.calls[1].input == {"command": "true"}
    assert read.expectations == (Expectation(call=2, error=False, text="x"),)


def test_ids_that_were_left_out_are_made_up_and_never_the_same():
    lines = [read_turn_line(turn(calls=[CALL, CALL]), Described()) for _ in range(50)]
    assert len({call.id for line in lines for call in line.calls}) == 100


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"nonsense", "not valid JSON"),
        (b"\xff", "not UTF-8"),
        (b"[]", "not a JSON object"),
        (b"[" * 100_000, "nested too deeply"),
        (turn(calls=[CALL | {"input": {"command": nested(300)}}]), "nested too deeply"),
        (b'{"calls": [NaN]}', "NaN is not JSON"),
        (b'{"calls": [], "calls": []}', "'calls' appears twice"),
        (b"{}", "has no calls"),
        (turn(calls=[]), "at least one call"),
        (turn(calls={}), "calls is not a list"),
        (turn(other=1), "unknown key 'other'; known are calls, expect, keep, note"),
        (turn(calls=[5]), "call 1 is not a JSON object"),
        (turn(calls=[CALL, {"input": {}}]), "call 2: name is missing"),
        (turn(calls=[{"name": "bash"}]), "call 1: input is missing"),
        (turn(calls=[CALL | {"input": []}]), "call 1: input is not a JSON object"),
        (turn(calls=[CALL | {"id": ""}]), "call 1: id is"),
        (turn(calls=[CALL | {"id": None}]), "call 1: id is"),
        (turn(calls=[CALL | {"toolset_name": 5}]), "call 1: toolset_name is"),
        (turn(calls=[CALL | {"type": "text"}]), "call 1: type is"),
        (turn(calls=[CALL | {"arguments": {}}]), "call 1: unknown key 'arguments'"),
        (turn(calls=[CALL | {"id": "a"}, CALL | {"id": "a"}]), "call 2: the id 'a' is used twice"),
        (turn(note=5), "note is a string"),
        (turn(expect={}), "expect is not a list"),
        (turn(expect=[{"call": 0, "error": True}]), "expect 1: call is"),
        (turn(expect=[{"call": 2, "error": True}]), "from 1 to 1"),
        (turn(expect=[{"call": True, "error": True}]), "expect 1: call is"),
        (turn(expect=[{"call": 1}]), "expect 1: says nothing"),
        (turn(expect=[{"call": 1, "error": None}]), "error is true or false"),
        (turn(expect=[{"call": 1, "error": 1}]), "error is true or false"),
        (turn(expect=[{"call": 1, "text": ""}]), "text is a string that is not empty"),
        (turn(expect=[{"call": 1, "txt": "x"}]), "expect 1: unknown key 'txt'"),
    ],
)
def test_a_line_that_is_not_a_turn_is_refused_in_words(line, words):
    with pytest.raises(InvalidLine) as refused:
        read_turn_line(line, Described())
    assert words in str(refused.value)


def result(content: object, *, error: bool = False) -> dict[str, object]:
    return {"type": "tool_result", "tool_use_id": "x", "content": content, **({"is_error": True} if error else {})}


def unmet(expectation: Expectation, answer: dict[str, object]) -> list[str]:
    return unmet_expectations([expectation], read_turn_line(turn(), Described()).calls, [answer])


def test_expectations_that_are_met_say_nothing():
    assert unmet(Expectation(1, error=False, text="47"), result("4711")) == []
    assert unmet(Expectation(1, error=True, text="no"), result([{"type": "text", "text": "no"}], error=True)) == []
    assert unmet(Expectation(1, text="b"), result([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}])) == []


def test_each_unmet_expectation_is_a_sentence_about_its_call():
    assert unmet(Expectation(1, error=False), result("broke", error=True)) == [
        "call 1 (bash) was to succeed and failed: “broke”"
    ]
    assert unmet(Expectation(1, error=True), result([])) == ["call 1 (bash) was to fail and succeeded: nothing"]
    assert unmet(Expectation(1, text="x"), result("y" * 400)) == [
        f"call 1 (bash) was to say “x” and said “{'y' * 300}…”"
    ]

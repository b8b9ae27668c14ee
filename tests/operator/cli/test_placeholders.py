"""What a turn leaves open: found wherever it stands, filled from what the conversation knows, or refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from anthropic.types.beta import BetaToolUseBlock

from gui_operator.cli.known import Known, listed_elements
from gui_operator.cli.placeholders import Described
from gui_operator.cli.turn_lines import InvalidLine, read_turn_line

READING = """\
main [ref_1]
  heading "Orders" [ref_2] level=1
  textbox "Name" [ref_3] value="Ada [ref_99]" required
  button "Say \\"yes\\" [ref_98]" [ref_4] disabled
  row
    button "Delete" [ref_5]
  row
    button "Delete" [ref_6]
  textbox [ref_7]
  text "button [ref_97]"
Below this are 300 px more. Scroll, or use filter "all"."""


def turn(*inputs: dict[str, Any], **parts: Any) -> bytes:
    calls = [{"toolset_name": "browser", "name": "left_click", "input": given} for given in inputs]
    return json.dumps({"calls": calls, **parts}).encode()


def inputs(line: bytes, known: Known | Described) -> list[object]:
    return [call.input for call in read_turn_line(line, known).calls]


def knowing(reading: str = READING, name: str = "read_page", **values: str) -> Known:
    known = Known(values)
    known.learn([call(name)], [result(reading)])
    return known


def call(name: str, toolset: str | None = "browser") -> BetaToolUseBlock:
    return BetaToolUseBlock(type="tool_use", id="x", name=name, input={}, toolset_name=toolset)


def result(text: str, *, error: bool = False) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": "x", "content": text, "is_error": error}


def keep(line: bytes, known: Known, *results: dict[str, Any]) -> tuple[dict[str, str], list[str]]:
    return known.keep(read_turn_line(line, known).keeps, results)


def test_a_reference_and_values_are_put_in_wherever_they_stand_in_an_input():
    line = turn(
        {"target": {"type": "ref", "ref": {"$ref": 'textbox "Name"'}}, "url": {"$text": "${site}orders?n=${n}&x=$$5"}},
        {"paths": ["a", {"$text": "${n}.txt"}]},
    )
    assert inputs(line, knowing(site="http://127.0.0.1:1/", n="7")) == [
        {"target": {"type": "ref", "ref": "ref_3"}, "url": "http://127.0.0.1:1/orders?n=7&x=$5"},
        {"paths": ["a", "7.txt"]},
    ]


def test_a_value_may_stand_in_what_is_expected():
    line = turn({}, expect=[{"call": 1, "text": {"$text": "Order ${n}"}}])
    (expectation,) = read_turn_line(line, Known({"n": "7"})).expectations
    assert expectation.text == "Order 7"


@pytest.mark.parametrize("text", ["${n}", "$(rm)", "{{n}}", "$ref", '{"$text": "${n}"}'])
def test_text_that_is_no_placeholder_stays_as_it_is_written(text):
    assert inputs(turn({"text": text}), Known({"n": "7"})) == [{"text": text}]


def test_what_is_filled_in_is_not_looked_into():
    assert inputs(turn({"text": {"$text": "${a}"}}), Known({"a": "${b}", "b": "no"})) == [{"text": "${b}"}]


@pytest.mark.parametrize(
    ("open_place", "words"),
    [
        ({"$ref": 'button "Save"'}, "no read_page or find of an earlier line listed 'button \"Save\"'"),
        ({"$ref": 'textbox "name"'}, "listed"),
        ({"$ref": ""}, "listed"),
        ({"$ref": 'button "Delete"'}, "the name of several elements: ref_5, ref_6"),
        ({"$ref": ["ref_1"]}, "$ref is a string"),
        ({"$text": "${m}"}, "there is no value 'm' yet; known are n"),
        ({"$text": "$n"}, "a $ begins a ${name}"),
        ({"$text": "costs 5$"}, "a $ begins a ${name}"),
        ({"$text": "${n.m}"}, "a $ begins a ${name}"),
        ({"$text": None}, "$text is a string"),
        ({"$txt": "x"}, "an object with $ is"),
        ({"$text": "x", "other": 1}, "with nothing beside it"),
        ({"$ref": "x", "$text": "y"}, "with nothing beside it"),
    ],
)
def test_what_cannot_be_filled_in_refuses_the_line_and_says_where(open_place, words):
    for line in (turn({}, {"target": {"ref": open_place}}), turn({}, {"target": [open_place]})):
        with pytest.raises(InvalidLine) as refused:
            inputs(line, knowing(n="7"))
        assert str(refused.value).startswith("call 2: ")
        assert words in str(refused.value)


def test_without_any_value_that_is_said():
    with pytest.raises(InvalidLine, match="known are none"):
        inputs(turn({"text": {"$text": "${n}"}}), Known({}))


def test_nothing_that_a_page_writes_passes_for_an_element_or_a_reference():
    assert listed_elements(READING) == {
        "main": ("ref_1",),
        'heading "Orders"': ("ref_2",),
        'textbox "Name"': ("ref_3",),
        'button "Say \\"yes\\" [ref_98]"': ("ref_4",),
        'button "Delete"': ("ref_5", "ref_6"),
        "textbox": ("ref_7",),
    }


def test_the_last_reading_that_listed_an_element_counts():
    known = knowing()
    known.learn([call("read_page")], [result('button "Delete" [ref_6]')])
    line = turn({"ref": {"$ref": 'button "Delete"'}}, {"ref": {"$ref": 'textbox "Name"'}})
    assert inputs(line, known) == [{"ref": "ref_6"}, {"ref": "ref_3"}]


def test_of_what_find_lists_the_first_counts_since_it_fits_best():
    line = turn({"ref": {"$ref": 'button "Delete"'}})
    assert inputs(line, knowing('button "Delete" [ref_6]\nbutton "Delete" [ref_5]', "find")) == [{"ref": "ref_6"}]


@pytest.mark.parametrize(
    ("name", "toolset", "error"),
    [
        ("get_page_text", "browser", False),
        ("bash", None, False),
        ("read_page", "other", False),
        ("read_page", "browser", True),
    ],
)
def test_only_a_reading_that_succeeded_gives_references(name, toolset, error):
    known = Known({})
    known.learn([call(name, toolset)], [result('button "Save" [ref_1]', error=error)])
    with pytest.raises(InvalidLine, match="listed"):
        inputs(turn({"ref": {"$ref": 'button "Save"'}}), known)


def test_a_part_of_a_result_is_kept_for_later_lines():
    known = Known({})
    line = turn(
        {}, {}, keep=[{"call": 2, "as": "number", "pattern": r"No\. (\d+)"}, {"call": 1, "as": "all", "pattern": "a+"}]
    )
    assert keep(line, known, result("baab"), result("No. 47 of 50")) == ({"number": "47", "all": "aa"}, [])
    assert inputs(turn({"text": {"$text": "${number} ${all}"}}), known) == [{"text": "47 aa"}]


def test_what_is_not_there_to_keep_is_said_and_an_older_value_does_not_stand_in_for_it():
    known = Known({"number": "46"})
    line = turn({}, keep=[{"call": 1, "as": "number", "pattern": r"No\. (\d+)"}])
    assert keep(line, known, result("nothing here")) == (
        {},
        ["call 1 has nothing to keep as number: its result does not match No\\. (\\d+)"],
    )
    with pytest.raises(InvalidLine, match="no value 'number'"):
        inputs(turn({"text": {"$text": "${number}"}}), known)


def test_a_group_that_took_no_part_in_the_match_has_nothing_to_keep():
    kept, sentences = keep(turn({}, keep=[{"call": 1, "as": "n", "pattern": "a(b)?"}]), Known({}), result("a"))
    assert kept == {}
    assert len(sentences) == 1


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (5, "keep 1 is not a JSON object"),
        ({"call": 1, "as": "n"}, "keep 1: pattern is a regular expression"),
        ({"call": 1, "as": "n", "pattern": ""}, "keep 1: pattern is a regular expression"),
        ({"call": 1, "as": "n", "pattern": "("}, "keep 1: pattern is not a regular expression: missing )"),
        ({"call": 1, "as": "n", "pattern": "(" * 90 + "a" + ")" * 90 + "{99999999999}"}, "keep 1: pattern is not"),
        ({"call": 1, "as": "1n", "pattern": "a"}, "keep 1: as is a name"),
        ({"call": 1, "pattern": "a"}, "keep 1: as is a name"),
        ({"call": 2, "as": "n", "pattern": "a"}, "keep 1: call is the number of a call"),
        ({"call": 1, "as": "n", "pattern": "a", "flags": "i"}, "keep 1: unknown key 'flags'"),
    ],
)
def test_what_cannot_be_meant_by_keep_refuses_the_line(entry, words):
    with pytest.raises(InvalidLine) as refused:
        read_turn_line(turn({}, keep=[entry]), Known({}))
    assert words in str(refused.value)


def test_for_a_reader_what_is_open_is_shown_as_it_is_written():
    line = turn({"target": {"ref": {"$ref": 'button "Save"'}}, "text": {"$text": "Order ${number}, $$5"}})
    assert inputs(line, Described()) == [{"target": {"ref": 'button "Save"'}, "text": "Order ${number}, $5"}]

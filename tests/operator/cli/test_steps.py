"""The lines that a person follows a turn file by."""

from __future__ import annotations

import base64
import hashlib
import json

import pytest

from gui_operator.cli.steps import Steps, read_turns
from gui_operator.report.described_calls import WIDTH, describe_call

TWO_CALLS = (
    b'{"calls": [{"toolset_name": "computer", "name": "left_click", "input": {"coordinate": [3, 4]}}, '
    b'{"name": "bash", "input": {"command": "cat a\\ncat b"}}]}'
)
TURNS = (
    TWO_CALLS,
    b"",
    b"not a turn",
    b'{"calls": [{"toolset_name": "computer", "name": "screenshot", "input": {}}]}',
)


def results(*contents: object, unmet: tuple[str, ...] = (), error: bool = False) -> dict[str, object]:
    return {"results": [{"content": content, "is_error": error} for content in contents], "unmet": list(unmet)}


def test_each_call_is_shown_with_what_came_of_it():
    steps = Steps(read_turns(TURNS), None)
    assert list(steps.render(results("Clicked.", "one\ntwo"))) == [
        "turn 1",
        "  ok      left_click (3, 4)",
        "  ok      bash: cat a⏎cat b",
        "            one",
        "            two",
    ]
    assert not steps.failed


def test_lines_that_were_refused_and_expectations_not_met_are_shown_and_count_as_failure():
    steps = Steps(read_turns(TURNS), None)
    assert list(steps.render(results("", "", unmet=("call 2 was to …",))))[-1] == "  NOT AS EXPECTED: call 2 was to …"
    assert steps.failed
    steps = Steps(read_turns(TURNS[2:]), None)
    assert list(steps.render({"error": "not valid"})) == ["turn 1", "  refused: not valid"]
    assert steps.failed


def test_a_failed_call_is_shown_with_its_reason_though_it_may_be_expected():
    steps = Steps(read_turns(TURNS[3:]), None)
    assert list(steps.render(results("The display is gone.", error=True))) == [
        "turn 1",
        "  failed  screenshot",
        "            The display is gone.",
    ]
    assert not steps.failed


def test_a_picture_is_shown_by_the_file_that_the_recording_keeps_it_in(tmp_path):
    picture = b"not really a picture, which does not matter here"
    kept = tmp_path / f"{hashlib.sha256(picture).hexdigest()}.png"
    kept.write_bytes(picture)
    source = {"type": "base64", "media_type": "image/png", "data": base64.b64encode(picture).decode()}
    steps = Steps(read_turns(TURNS[3:]), tmp_path)
    assert list(steps.render(results([{"type": "image", "source": source}])))[-1] == f"            picture: {kept}"


def test_of_a_member_what_it_said_beyond_its_first_line_is_shown_and_of_a_reading_its_length():
    names = ("left_click", "navigate", "read_page")
    calls = [{"toolset_name": "browser", "name": name, "input": {}} for name in names]
    steps = Steps(read_turns([json.dumps({"calls": calls, "note": "Look round."}).encode()]), None)
    shown = results("Clicked.\nA new tab, tab_2, opened.", "Navigated to http://x/", "main [ref_1]\n  link [ref_2]")
    assert list(steps.render(shown)) == [
        "turn 1: Look round.",
        "  ok      left_click",
        "            A new tab, tab_2, opened.",
        "  ok      navigate",
        "            Navigated to http://x/",
        "  ok      read_page",
        "            2 lines, 27 characters",
    ]


def test_values_and_what_was_kept_are_shown():
    steps = Steps(read_turns(TURNS[3:]), None)
    first = {"environment": {"browser": {"viewport": [800, 600]}}, "values": {"shop": "http://127.0.0.1:1/"}}
    assert list(steps.render(first)) == ["shop: http://127.0.0.1:1/", "browser: viewport 800x600"]
    assert list(steps.render(results("") | {"kept": {"number": "47"}})) == [
        "turn 1",
        "  ok      screenshot",
        "  kept    number: 47",
    ]


@pytest.mark.parametrize(
    ("name", "given", "line"),
    [
        ("left_click", {"text": "ctrl", "coordinate": [3, 4]}, "left_click (3, 4) “ctrl”"),
        ("left_click", {"target": {"type": "coordinate", "x": 3, "y": 4}}, "left_click (3, 4)"),
        (
            "left_click_drag",
            {"target": {"type": "coordinate", "x": 3, "y": 4}, "from": {"type": "coordinate", "x": 1, "y": 2}},
            "left_click_drag (1, 2) (3, 4)",
        ),
        ("form_input", {"value": "Ü\n", "target": {"type": "ref", "ref": "ref_3"}}, "form_input ref_3 = “Ü⏎”"),
        ("form_input", {"value": True, "target": {"type": "ref", "ref": "ref_3"}}, "form_input ref_3 = true"),
        ("file_upload", {"paths": ["ä"], "target": {"type": "ref", "ref": "ref_3"}}, 'file_upload ref_3 paths=["ä"]'),
        ("navigate", {"url": "back", "tab_id": "tab_1"}, "navigate back tab_id=tab_1"),
        ("find", {"query": "the name"}, "find “the name”"),
        ("left_click", {"target": 5}, "left_click target=5"),
        ("left_click", {"target": {"x": 5}}, 'left_click {"x": 5}'),
        ("bash", {"command": ["ls"]}, 'bash: ["ls"]'),
        ("bash", {"restart": True}, "bash restart=true"),
    ],
)
def test_a_call_is_one_line_that_begins_with_what_it_acts_on(name, given, line):
    assert describe_call(name, given) == line


def test_what_a_call_leaves_open_is_shown_as_it_is_written():
    call = (
        b'{"calls": [{"toolset_name": "browser", "name": "form_input", "input": '
        b'{"target": {"type": "ref", "ref": {"$ref": "textbox \\"Name\\""}}, "value": {"$text": "${number}"}}}]}'
    )
    turn = next(read_turns([call]))
    assert turn is not None
    assert describe_call(turn.calls[0].name, turn.calls[0].input) == 'form_input textbox "Name" = “${number}”'


def test_a_long_call_is_cut_to_one_line():
    assert describe_call("bash", {"command": "x" * 500}) == f"bash: {'x' * (WIDTH - 7)}…"

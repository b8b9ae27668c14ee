"""The lines that a person follows a turn file by."""

from __future__ import annotations

import base64
import hashlib

from gui_operator.cli.steps import Steps, describe_call, read_turns

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


def test_a_long_call_is_cut_to_one_line():
    (call,) = next(read_turns([b'{"calls": [{"name": "bash", "input": {"command": "%s"}}]}' % (b"x" * 500)]))
    assert describe_call(call) == "bash: " + "x" * 93 + "…"

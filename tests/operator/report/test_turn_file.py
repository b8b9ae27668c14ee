from __future__ import annotations

from pathlib import Path
from typing import Any

from gui_operator.cli.placeholders import Described
from gui_operator.cli.turn_lines import read_turn_line
from gui_operator.recording import Recording, Redaction
from gui_operator.report.reading import read_run
from gui_operator.report.turn_file import turn_file

from .runs import HOSTILE, invoice_run, make_call


def calls_of(line: str) -> list[tuple[str | None, str, Any]]:
    turn = read_turn_line(line.encode(), Described())
    return [(call.toolset_name, call.name, call.input) for call in turn.calls]


def test_a_run_s_turns_are_lines_that_exec_takes(tmp_path: Path) -> None:
    turns = turn_file(read_run(invoice_run(tmp_path)))
    assert turns.warnings == ()
    first, second = turns.lines
    assert calls_of(first) == [("browser", "screenshot", {}), ("browser", "read_page", {})]
    assert calls_of(second)[1:3] == [
        ("browser", "form_input", {"target": {"type": "ref", "ref": "ref_1"}, "value": "A-17"}),
        (None, "bash", {"command": "rm -r /"}),
    ]
    assert read_turn_line(first.encode(), Described()).note == "I look first."


def test_texts_come_back_as_they_were_whatever_they_hold(tmp_path: Path) -> None:
    with Recording.open(tmp_path) as recording, recording.turn():
        make_call(recording, "computer.type", text=HOSTILE)
    (line,) = turn_file(read_run(tmp_path)).lines
    assert line.isascii()
    assert calls_of(line) == [("computer", "type", {"text": HOSTILE})]


def test_what_cannot_be_run_again_is_left_out_and_said(tmp_path: Path) -> None:
    with Recording.open(tmp_path, redact=Redaction(["hunter2"])) as recording, recording.turn():
        make_call(recording, "submit_result", confirmation="K-47")
        make_call(recording, "computer.type", text={"$ref": "button"})
        make_call(recording, "computer.type", text="hunter2")
        make_call(recording, "elsewhere.click", x=1)
    turns = turn_file(read_run(tmp_path))
    assert [calls_of(line) for line in turns.lines] == [[("computer", "type", {"text": "[secret]"})]]
    assert turns.warnings == (
        "call 1 (submit_result) is left out: exec has no such tool",
        "call 2 (computer.type) is left out: it holds an object that a turn file would fill in",
        "call 3 (computer.type) holds [secret] where a secret was",
        "call 4 (elsewhere.click) is left out: exec has no such tool",
    )


def test_a_turn_without_calls_is_no_line(tmp_path: Path) -> None:
    with Recording.open(tmp_path) as recording:
        with recording.turn():
            pass
        with recording.turn():
            make_call(recording, "bash", command="ls")
    assert len(turn_file(read_run(tmp_path)).lines) == 1

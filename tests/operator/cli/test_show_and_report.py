"""`gui-operator show` and `report` on what real sessions of `exec` recorded, also on what a killed one left."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from gui_operator.cli.main import main
from gui_operator.recording import Recording
from gui_operator.report.reading import read_run

from .sessions import COMMAND, LONGEST_WAIT_S, ExecSession, bash, computer, text_of

POLL_S = 0.01


Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def command(capfd: pytest.CaptureFixture[str]) -> Command:
    """Carries a command out in this process; gives its exit code and what it printed."""

    def carry_out(*arguments: str) -> tuple[int, str, str]:
        capfd.readouterr()
        try:
            code = main(arguments)
        except SystemExit as end:
            code = int(end.code or 0)
        printed = capfd.readouterr()
        return code, printed.out, printed.err

    return carry_out


def test_a_session_is_shown_reported_and_run_again(
    start_exec: Callable[..., ExecSession], command: Command, tmp_path: Path
) -> None:
    first, again, work = tmp_path / "first", tmp_path / "again", tmp_path / "work"
    work.mkdir()
    session = start_exec(
        "--record", str(first), "--workdir", str(work), "--approve", "preset", "--approve", "bash=allow"
    )
    session.read()
    session.ask(computer("screenshot"), computer("left_click", coordinate=[400, 300]))
    session.ask(computer("left_click", coordinate=[5000, 1]), computer("wait", duration=1), bash("echo Grüße >> said"))
    assert session.end() == 0

    code, shown, said = command("show", str(first))
    assert (code, said) == (0, "")
    for words in (
        "\nturn 1 (",
        "     2 ok           computer.left_click (400, 300) (",
        "     3 refused      computer.left_click (5000, 1) (",
        "     4 not executed computer.wait duration=1 (",
        "     5 ok           bash: echo Grüße >> said (",
        "\ndone: 2 of 5 calls were not carried out, or not to their end.\n",
    ):
        assert words in shown

    assert command("report", str(first)) == (0, f"{first / 'report.html'}\n", "")
    page = (first / "report.html").read_text(encoding="utf-8")
    assert "The last picture before it, of call 1, with (400, 300) marked." in page
    assert page.count("data:image/png;base64,") == 1

    code, turns, said = command("show", str(first), "--turns")
    assert (code, said) == (0, "")
    session = start_exec("--record", str(again), "--workdir", str(work))
    for line in turns.splitlines():
        session.send_line(line.encode())
    assert session.process.stdin is not None
    session.process.stdin.close()
    assert session.process.wait(LONGEST_WAIT_S) == 0, session.errors
    assert (work / "said").read_text(encoding="utf-8") == "Grüße\nGrüße\n"
    once, twice = (read_run(folder) for folder in (first, again))
    assert [(call.title, call.input, call.outcome) for call in once.calls] == [
        (call.title, call.input, call.outcome) for call in twice.calls
    ]


def test_what_a_killed_session_left_is_shown_and_reported(
    start_exec: Callable[..., ExecSession], command: Command, tmp_path: Path
) -> None:
    session = start_exec("--record", str(tmp_path / "run"))
    session.read()
    assert text_of(session.ask(bash("echo one"))["results"][0]) == "one"
    session.send(bash("sleep 1000"))
    events = tmp_path / "run/events.jsonl"
    deadline = time.monotonic() + LONGEST_WAIT_S
    while "sleep 1000" not in events.read_text(encoding="utf-8"):
        assert time.monotonic() < deadline
        time.sleep(POLL_S)
    session.process.send_signal(signal.SIGKILL)
    session.process.wait(LONGEST_WAIT_S)
    code, shown, said = command("show", str(tmp_path / "run"))
    assert (code, said) == (0, "")
    assert "     2 unfinished   bash: sleep 1000\n" in shown
    assert "\nnot ended: The recording has no end: the run goes on, or was killed." in shown
    assert command("report", str(tmp_path / "run"))[0] == 0
    assert "unfinished" in (tmp_path / "run/report.html").read_text(encoding="utf-8")


def test_where_there_is_no_recording_both_say_so(command: Command, tmp_path: Path) -> None:
    for name in ("show", "report"):
        code, printed, said = command(name, str(tmp_path))
        assert (code, printed) == (2, "")
        assert f"gui-operator {name}: error: no recording can be read in {tmp_path}" in said
    assert list(tmp_path.iterdir()) == []


def test_a_report_that_cannot_be_written_is_an_error(command: Command, tmp_path: Path) -> None:
    with Recording.open(tmp_path):
        pass
    (tmp_path / "report.html").mkdir()
    (tmp_path / "report.html/in the way").touch()
    code, printed, said = command("report", str(tmp_path))
    assert (code, printed) == (2, "")
    assert f"error: {tmp_path / 'report.html'} cannot be written: Is a directory" in said
    assert {path.name for path in tmp_path.iterdir()} == {"events.jsonl", "images", "report.html"}


def test_turns_that_cannot_be_run_again_are_said_and_count(command: Command, tmp_path: Path) -> None:
    with Recording.open(tmp_path) as recording:
        for name in ("submit_result", "bash"):
            with recording.turn(), recording.call(toolset=None, name=name, call_input={}, tool_use_id=None) as call:
                call.answer("ok")
    code, printed, said = command("show", str(tmp_path), "--turns")
    assert (code, printed) == (1, '{"calls": [{"name": "bash", "input": {}}]}\n')
    assert "call 1 (submit_result) is left out: exec has no such tool" in said


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    with Recording.open(tmp_path) as recording:
        for _ in range(3000):
            with recording.turn(), recording.call(toolset=None, name="bash", call_input={}, tool_use_id=None) as call:
                call.answer("ok")
    process = subprocess.Popen([*COMMAND, "show", str(tmp_path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(LONGEST_WAIT_S) == 0
    process.stderr.close()

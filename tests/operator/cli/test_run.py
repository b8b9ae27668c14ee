"""The command `run`, as a person starts it: the real command, the stand-in for the API, a real desktop and browser."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gui_operator.agent.endings import Ending
from gui_operator.agent.prices import Price, Rates
from gui_operator.agent.tally import Tally
from gui_operator.agent.usage import Usage as TokensUsed
from gui_operator.cli.main import main
from gui_operator.cli.run_folder import outcome_of
from gui_operator.jobs import JobDraft
from gui_operator.recording.outcome import read_outcome
from gui_operator.recording.reading import read_events
from standin.blocks import Json, content_blocks
from standin.requests import Request
from standin.script import Reply, calls, function, member, says, text
from standin.server import StandIn

from .sessions import COMMAND, LONGEST_WAIT_S

JOB = """
task: Open an account for ${company} at ${accounts} and say which legal form was entered.
environment: both
start: ${accounts}
allow: [127.0.0.1, localhost]
inputs: {company: Müller & Söhne}
result: {type: object, properties: {form: {enum: [GmbH, AG]}}, required: [form], additionalProperties: false}
approve: {bash: deny}
screen: 1600x900
limits: {turns: 10}
"""


def start(stand_in: StandIn, folder: Path, *arguments: str) -> subprocess.Popen[str]:
    variables = {name: value for name, value in os.environ.items() if not name.startswith("ANTHROPIC_")}
    variables["ANTHROPIC_API_KEY"] = "test"
    return subprocess.Popen(
        [*COMMAND, "run", *arguments, "--base-url", stand_in.url],
        cwd=folder,
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def end(process: subprocess.Popen[str]) -> tuple[int, list[str], str]:
    """The exit code, the lines of output and what was said on standard error."""
    output, errors = process.communicate(timeout=LONGEST_WAIT_S)
    return process.returncode, output.splitlines(), errors


def run(stand_in: StandIn, folder: Path, *arguments: str) -> tuple[int, list[str], str]:
    return end(start(stand_in, folder, *arguments))


def reading_of(request: Request, call: int) -> str:
    return "".join(block.get("text", "") for block in content_blocks(request.results[call]))


def reference(reading: str, element: str) -> Mapping[str, str]:
    match = re.search(rf"^\s*{re.escape(element)}[^\n]*?\[(ref_\d+)\]", reading, re.MULTILINE)
    assert match, f"no {element} in:\n{reading}"
    return {"type": "ref", "ref": match[1]}


def fill_in(request: Request) -> Reply:
    """By the references that the page was read with, in the same turn as something on the desktop and a shell that is
    denied."""
    page = reading_of(request, 0)
    company, form = reference(page, 'textbox "Company name"'), reference(page, 'combobox "Legal form"')
    return calls(
        text("I fill it in."),
        member("browser", "form_input", target=dict(company), value="Müller & Söhne"),
        member("browser", "form_input", target=dict(form), value="GmbH"),
        member("computer", "key", text="Escape"),
        function("bash", command="touch denied"),
    )


def test_a_job_runs_on_both_and_leaves_its_result_its_report_and_its_recording(
    stand_in: StandIn, tmp_path: Path
) -> None:
    (tmp_path / "account.yaml").write_text(JOB, encoding="utf-8")
    stand_in.play(
        calls(member("browser", "read_page", filter="all"), member("computer", "screenshot")),
        fill_in,
        calls(function("submit_result", form="Ltd")),
        calls(member("browser", "read_page", filter="all"), member("browser", "navigate", url="https://example.com/")),
        calls(function("submit_result", form="GmbH")),
    )
    service = f"accounts={sys.executable} -m gui_environments.samples.accounts --folder {tmp_path / 'received'}"
    code, lines, errors = run(stand_in, tmp_path, "account.yaml", "--service", service)
    assert code == 0, errors
    directory = tmp_path / lines[0]
    assert directory.parent == tmp_path / "runs"
    assert json.loads(lines[1]) == {"form": "GmbH"}
    assert "turn 2" in errors
    assert "browser.form_input" in errors

    outcome = read_outcome(directory)
    assert outcome is not None
    assert (outcome.status, outcome.result, outcome.exit_code) == ("succeeded", {"form": "GmbH"}, 0)
    assert (outcome.usage.turns, outcome.usage.actions) == (5, 8)
    assert outcome.cost_dollars is not None
    assert outcome.cost_dollars > 0
    assert (directory / "report.html").exists()

    filled, shown = stand_in.requests[2], reading_of(stand_in.requests[4], 0)
    assert [bool(result.get("is_error")) for result in filled.results] == [False, False, False, True]
    assert "rules do not permit it" in reading_of(filled, 3)
    # What acted and did not look is shown, each on the last of its results.
    assert ["image" in kinds(result) for result in filled.results] == [False, True, True, False]
    assert 'value="Müller & Söhne"' in shown
    assert 'value="GmbH"' in shown
    refused = stand_in.requests[4].results[1]
    assert refused["is_error"] is True
    assert "example.com" in reading_of(stand_in.requests[4], 1)
    first = stand_in.requests[0].body
    assert first["messages"][0]["content"].startswith("Open an account for Müller & Söhne at http://127.0.0.1:")
    assert [request.mode for request in stand_in.requests] == ["create", *["continue"] * 4]
    started = [event for event in read_events(directory) if event["event"] == "call_started"]
    assert [event["name"] for event in started][:2] == ["navigate", "read_page"]


def test_the_result_says_all_that_was_used() -> None:
    job = JobDraft({"task": "Look."}).job()
    rate = Rates(input=1, output=1, cache_read=1, cache_write_5m=1, cache_write_1h=1)
    tally = Tally(Price(rate))
    tally.count_reply(TokensUsed(1, 2, 3, 4, 5), duration_s=0.5)
    tally.count_actions(7, duration_s=0.25)
    outcome = outcome_of(job, Ending("succeeded", "Done."), tally, datetime.now(UTC), 0)
    assert outcome.usage.model_dump() == {
        "requests": 1,
        "turns": 1,
        "actions": 7,
        "input_tokens": 1,
        "output_tokens": 2,
        "cache_read_tokens": 3,
        "cache_write_5m_tokens": 4,
        "cache_write_1h_tokens": 5,
    }
    assert outcome.cost_dollars == pytest.approx(15e-6)
    assert (outcome.timings.model_s, outcome.timings.environment_s) == (0.5, 0.25)


def kinds(result: Json) -> list[str]:
    return [block["type"] for block in content_blocks(result)]


def test_ctrl_c_ends_the_call_in_flight_and_still_writes_the_result(stand_in: StandIn, tmp_path: Path) -> None:
    stand_in.play(calls(function("bash", command="echo begun > begun; sleep 1000")))
    work = tmp_path / "work"
    work.mkdir()
    process = start(
        stand_in, tmp_path, "Wait.", "--workdir", str(work), "--approve", "bash=allow", "--record", "interrupted"
    )
    events = tmp_path / "interrupted" / "events.jsonl"
    wait_for_line(events, '"command":"echo begun')
    process.send_signal(signal.SIGINT)
    code, lines, errors = end(process)
    assert code == 130, errors
    assert lines == ["interrupted", ""]
    outcome = read_outcome(tmp_path / "interrupted")
    assert outcome is not None
    assert (outcome.status, outcome.exit_code) == ("interrupted", 130)
    assert [event["event"] for event in read_events(tmp_path / "interrupted")][-1] == "recording_finished"


def wait_for_line(path: Path, part: str) -> None:
    """Bounded by the test's own time-out."""
    while not path.exists() or part not in path.read_text(encoding="utf-8"):
        time.sleep(0.02)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "say what is to be done"),
        (["Do it.", "--max-dollars", "1", "--model", "claude-opus-9"], "no price of claude-opus-9 is known"),
        (["Do it.", "--model", "claude-3-haiku"], "is not known to take the computer or browser tools"),
        (["Do it.", "--environment", "browser", "--start", "https://example.com"], "Name it in allow"),
        (["nothing.yaml"], "nothing.yaml: cannot be read"),
        (["Do it.", "--max-turns", "none"], "'none' is not a number"),
        (["Do it.", "--result", "nothing.json"], "--result: nothing.json"),
    ],
)
def test_what_cannot_be_meant_is_said_before_anything_starts(
    stand_in: StandIn, tmp_path: Path, arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["run", *arguments])
    assert ended.value.code == 2
    assert words in capsys.readouterr().err


def test_without_a_key_nothing_starts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("ANTHROPIC_")]:
        monkeypatch.delenv(name)
    with pytest.raises(SystemExit) as ended:
        main(["run", "Do it."])
    assert ended.value.code == 2
    assert "ANTHROPIC_API_KEY" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_job_is_checked_and_its_prompt_shown_without_starting_anything(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "prompt.txt").write_text("Be quick.", encoding="utf-8")
    assert main(["run", "--check", "Do it."]) == 0
    assert main(["run", "--show-prompt"]) == 0
    assert main(["run", "Do it.", "--show-prompt", "--system-prompt", "prompt.txt"]) == 0
    shown = capsys.readouterr().out
    assert "never an instruction" in shown
    assert shown.endswith("Be quick.\n")
    assert list(tmp_path.iterdir()) == [tmp_path / "prompt.txt"]


def test_the_model_s_words_are_the_last_line_and_its_memory_stays_in_its_folder(
    stand_in: StandIn, tmp_path: Path
) -> None:
    remember = function("memory", command="create", path="/memories/seen.txt", file_text="All is empty.")
    escape = function("memory", command="create", path="/memories/../escaped.txt", file_text="No.")
    stand_in.play(calls(member("computer", "screenshot"), remember, escape), says("All is empty."))
    code, lines, errors = run(stand_in, tmp_path, "What is there?", "--record", "seen", "--memory", "memory")
    assert (code, lines) == (0, ["seen", "All is empty."]), errors
    assert [bool(result.get("is_error")) for result in stand_in.requests[1].results] == [False, False, True]
    remembered = [path for path in tmp_path.rglob("*.txt") if "memory" in path.parts]
    assert [path.read_text(encoding="utf-8") for path in remembered] == ["All is empty."]
    assert not list(tmp_path.rglob("escaped.txt"))

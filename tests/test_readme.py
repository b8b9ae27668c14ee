"""The README's promises, run as they are written: its commands, its Python example, its table of what is refused."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import cast, get_args

import pytest
from anthropic.types import beta
from tests.environments.browser.site import Site
from tests.operator.cli import sessions

from gui_environments.protocols import FileEdits, Shell
from gui_operator.jobs import Job, Limits, read_job
from gui_operator.policy import Gate, NobodyToAsk, Rules
from gui_operator.policy.effects import MEMBER_EFFECTS, TOOL_EFFECTS
from gui_operator.recording.outcome import Outcome, Status
from gui_operator.toolsets import BashTool, EditorTool
from loopback import allowing
from standin.blocks import Json
from standin.requests import Request
from standin.script import Reply, calls, function, member, says
from standin.server import StandIn

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
TYPED_WITHIN_S = 60
"""Bounds a hang; reached only by a test that fails."""


def fenced(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def commands_of(block: str) -> list[str]:
    """What follows each prompt, with the lines that a backslash joins to it."""
    return [f"{command.strip()}\n" for command in re.split(r"^\$ ", block, flags=re.MULTILINE) if command.strip()]


COMMANDS = [command for block in fenced("console") for command in commands_of(block)]
OURS = [command for command in COMMANDS if command.startswith("scripts/")]
"""Each has tests of its own, takes long, or changes the machine."""
WITH_CLAUDE = [command for command in COMMANDS if "gui-operator run" in command and "--check" not in command]
TOLD_TO_PEOPLE = ("run --check", "show", "report")
"""Commands of ours whose output is not JSON."""
RUN = [
    command
    for command in COMMANDS
    if command not in OURS and command not in WITH_CLAUDE and not command.startswith("git clone")
]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """This checkout as a reader has it, with a `runs` folder that is not ours."""
    folder = tmp_path / "checkout"
    folder.mkdir()
    for entry in ROOT.iterdir():
        if entry.name not in ("runs", ".git"):
            (folder / entry.name).symlink_to(entry)
    return folder


@pytest.mark.parametrize("command", OURS)
def test_a_script_it_names_is_there_and_says_how_it_is_called(command: str) -> None:
    program, *arguments = command.partition("#")[0].split()
    script = ROOT / program
    assert os.access(script, os.X_OK)
    text = script.read_text()
    assert all(argument in text for argument in arguments), f"{program} does not speak of {arguments}"


@pytest.mark.timeout(400)
def test_its_other_commands_work_as_written_one_after_another(checkout: Path) -> None:
    assert sum(".venv/bin/gui-operator exec" in command for command in RUN) == 8
    for command in RUN:
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", command],
            cwd=checkout,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
        )
        assert done.returncode == 0, f"{command}{done.stdout[-2000:]}{done.stderr}"
        if command.startswith(tuple(f".venv/bin/gui-operator {name} " for name in TOLD_TO_PEOPLE)):
            continue
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        assert [answer["unmet"] for answer in answers[1:]] == [[]] * len(answers[1:])
    assert (checkout / "runs/first/events.jsonl").exists()
    assert "The timeline" in (checkout / "runs/first/report.html").read_text(encoding="utf-8")
    assert "Fountain pen" in (checkout / "runs/again.jsonl").read_text(encoding="utf-8")
    assert "Fountain pen" in (checkout / "runs/orders/orders.json").read_text(encoding="utf-8")
    assert len(list((checkout / "runs/accounts/downloads").iterdir())) == 1
    assert "Customer number K-" in (checkout / "runs/both/orders.json").read_text(encoding="utf-8")


JOB_KEYS = README.partition("### A job in a file")[2].partition("\n## ")[0]


def test_its_job_is_read_as_written(tmp_path: Path) -> None:
    (text,) = fenced("yaml")
    file = tmp_path / "job.yaml"
    file.write_text(text, encoding="utf-8")
    (tmp_path / "invoices").mkdir()
    job = read_job(file)
    assert job.task_text().startswith("Enter the invoice A-17 in")
    assert job.public().keys() | {"limits"} == {line.partition(":")[0] for line in text.splitlines()[1:]}


def test_its_table_of_jobs_has_every_key_and_its_table_of_results_too() -> None:
    rows = re.findall(r"^\| (`.*?) \|", JOB_KEYS, re.MULTILINE)
    assert sorted(name for row in rows for name in re.findall(r"`(\w+)`", row)) == sorted(Job.model_fields)
    limits = next(line for line in JOB_KEYS.splitlines() if line.startswith("| `limits`"))
    assert {*re.findall(r"`(\w+)`", limits)} - {"limits"} == Limits.model_fields.keys()
    for name in ("turns", "seconds"):
        assert f"`{name}` ({Limits.model_fields[name].default})" in limits
    results = README.partition("| key | holds |")[2].partition("\n\n")[0]
    named = {
        name for row in re.findall(r"^\| (`.*?) \|", results, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)
    }
    assert named == Outcome.model_fields.keys()
    assert all(f"`{status}`" in results for status in get_args(Status))


SHOP = """<title>New order</title><label>Customer <input id=customer></label>
<button onclick="said.textContent = 'Order number 47 for ' + customer.value">Order</button><p id=said></p>"""


def test_its_turn_file_for_pages_runs_as_written(tmp_path: Path) -> None:
    (turns,) = fenced("json")
    (tmp_path / "saved").mkdir()
    (tmp_path / "saved/47.json").write_text("order 47\n")
    site = Site()
    site.put("/orders/new", SHOP)
    options = ["--environment", "browser", "--value", f"shop={site.url('/')}", "--workdir", str(tmp_path)]
    options += allowing()
    try:
        done = subprocess.run([*sessions.COMMAND, "exec", "-", *options], input=turns, capture_output=True, text=True)
    finally:
        site.close()
    assert done.returncode == 0, done.stdout + done.stderr
    _, _, ordered, _ = [json.loads(line) for line in done.stdout.splitlines()]
    assert ordered["kept"] == {"number": "47"}, done.stdout + done.stderr
    assert "Order number 47 for Ada" in sessions.text_of(ordered["results"][2])


def test_its_python_example_runs_unchanged(stand_in: StandIn, tmp_path: Path) -> None:
    example, *_ = (each for each in fenced("python") if "tool_runner" in each)
    poem = tmp_path / "haiku.txt"

    def once_it_is_written(request: Request) -> Reply:
        """Keeps the desktop open until the terminal has carried out what was typed."""
        deadline = time.monotonic() + TYPED_WITHIN_S
        while not poem.exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        return says("The haiku is written.")

    stand_in.play(
        calls(member("computer", "screenshot")),
        calls(member("computer", "type", text=f"echo 'Ein Feld, leer und grün' > {poem}\n")),
        once_it_is_written,
    )
    # Without the start files of whoever runs this, for which the terminal's shell would have to wait.
    variables = os.environ | {"ANTHROPIC_BASE_URL": stand_in.url, "ANTHROPIC_API_KEY": "test", "HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", example], cwd=tmp_path, env=variables, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert poem.read_text(encoding="utf-8") == "Ein Feld, leer und grün\n"
    assert "The haiku is written." in done.stdout
    assert not any(result.get("is_error") for request in stand_in.requests for result in request.results)


def test_its_example_with_a_browser_runs_unchanged(stand_in: StandIn, tmp_path: Path) -> None:
    _, example = (each for each in fenced("python") if "tool_runner" in each)
    stand_in.play(calls(member("browser", "screenshot"), member("browser", "read_page")), says("There is no link."))
    variables = os.environ | {"ANTHROPIC_BASE_URL": stand_in.url, "ANTHROPIC_API_KEY": "test"}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", example], cwd=tmp_path, env=variables, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "There is no link." in done.stdout
    assert not any(result.get("is_error") for request in stand_in.requests for result in request.results)


@pytest.mark.timeout(400)
def test_its_runs_with_claude_work_as_written(stand_in: StandIn, checkout: Path) -> None:
    stand_in.play(
        calls(member("computer", "screenshot")),
        says("A terminal."),
        calls(member("browser", "read_page", filter="all")),
        says("GmbH, AG and others."),
    )
    # With the key, and with no other change.
    variables = os.environ | {"ANTHROPIC_BASE_URL": stand_in.url, "ANTHROPIC_API_KEY": "test"}
    said = []
    for command in WITH_CLAUDE:
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", command],
            cwd=checkout,
            env=variables,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
        )
        assert done.returncode == 0, done.stderr
        folder, words = done.stdout.splitlines()
        said.append(words)
        assert {"events.jsonl", "result.json", "report.html"} <= {path.name for path in (checkout / folder).iterdir()}
    assert said == ["A terminal.", "GmbH, AG and others."]
    assert "GmbH" in str(stand_in.requests[-1].results[0]["content"])


def test_its_run_from_python_works_unchanged(stand_in: StandIn, tmp_path: Path) -> None:
    (example,) = (each for each in fenced("python") if "run_task" in each)
    stand_in.play(
        calls(function("order_status", number=17)),
        calls(function("order_status", number="17"), member("computer", "screenshot")),
        says("It is typed."),
    )
    variables = os.environ | {"ANTHROPIC_BASE_URL": stand_in.url, "ANTHROPIC_API_KEY": "test", "HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", example], cwd=tmp_path, env=variables, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("succeeded It is typed.\n")
    assert "Order 17 was sent." in str(stand_in.requests[1].results)
    assert "'17' is not of type 'integer'" in str(stand_in.requests[2].results[0])
    declared = {tool.get("name"): tool for tool in stand_in.requests[0].conversation.tools}
    assert declared["order_status"]["eager_input_streaming"] is True


def edit(command: str, path: str, **fields: object) -> Json:
    return {"name": "str_replace_based_edit_tool", "input": {"command": command, "path": path, **fields}}


CLICKS = ("left_click", "right_click", "middle_click", "double_click", "triple_click")
OUTSIDE = [1280, 0]
REFUSED: list[tuple[Json, str]] = [
    *((sessions.computer(name, speed=3), "no field 'speed'") for name in ("screenshot", "cursor_position", *CLICKS)),
    ({"name": "bash", "input": {"command": "ls", "timeout": 3}}, "no field 'timeout'"),
    (edit("view", "twice", depth=3), "no field 'depth'"),
    (sessions.computer("zoom", region=[10, 10, 10, 20]), "not a region"),
    (sessions.computer("zoom", region=[0, 0, 1281, 20]), "not a region"),
    *((sessions.computer(name, coordinate=OUTSIDE), "outside the screenshot") for name in (*CLICKS, "mouse_move")),
    *((sessions.computer(name, coordinate=[1, 1], text="a"), "not a modifier") for name in CLICKS),
    (sessions.computer("left_click_drag", start_coordinate=OUTSIDE, coordinate=[1, 1]), "outside the screenshot"),
    (sessions.computer("left_click_drag", start_coordinate=[1, 1], coordinate=OUTSIDE), "outside the screenshot"),
    (sessions.computer("left_click_drag", start_coordinate=[1, 1], coordinate=[2, 2], text="a"), "not a modifier"),
    (sessions.computer("left_mouse_up"), "not down"),
    (sessions.computer("scroll", scroll_direction="up", scroll_amount=1, coordinate=OUTSIDE), "outside the screenshot"),
    (sessions.computer("scroll", scroll_direction="up", scroll_amount=1, text="a"), "not a modifier"),
    (sessions.computer("scroll", scroll_direction="up", scroll_amount=101), "from 0 to 100"),
    (sessions.computer("type", text=""), "empty"),
    (sessions.computer("type", text="a\x1b"), "control character"),
    (sessions.computer("type", text="a"), "Nothing on the screen has the keyboard focus"),
    (sessions.computer("key", text="Retrun"), "Did you mean Return"),
    (sessions.computer("key", text="a+b+c+d+e+f+g+h+i"), "at most 8 keys"),
    (sessions.computer("key", text="a", repeat=101), "from 1 to 100"),
    (sessions.computer("hold_key", text="Retrun", duration=1), "Did you mean Return"),
    (sessions.computer("hold_key", text="a", duration=301), "from 0 to 300"),
    (sessions.computer("wait", duration=301), "from 0 to 300"),
    (sessions.bash(""), "not empty"),
    ({"name": "bash", "input": {"command": "ls", "restart": True}}, "not both"),
    (sessions.bash("echo \0"), "NUL"),
    (sessions.bash("#" * (2**20 + 1)), "1 MiB"),
    (edit("view", "../outside"), "outside"),
    (edit("view", "pipe"), "not a regular file"),
    (edit("view", "large"), "larger than 32 MiB"),
    (edit("view", "latin"), "not UTF-8"),
    (edit("str_replace", "twice", old_str="a", new_str="b"), "found 2 times"),
    (edit("str_replace", "twice", old_str="c", new_str="b"), "not found"),
    (edit("view", "twice", view_range=[4, 9]), "not in the file"),
    (edit("insert", "twice", insert_line=9, insert_text="b"), "not in the file"),
]


@pytest.fixture
def session(tmp_path: Path) -> Iterator[sessions.ExecSession]:
    """The worker in a folder of the test's, on an empty desktop."""
    command = [*sessions.COMMAND, "exec", "-", "--workdir", str(tmp_path)]
    errors = tmp_path / "errors"
    with errors.open("wb") as file:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=file)
    with process:
        yield sessions.ExecSession(process, errors)


def test_what_its_table_says_is_refused_is_refused(session: sessions.ExecSession, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with (tmp_path / "large").open("wb") as large:
        large.truncate(2**25 + 1)
    (tmp_path / "latin").write_bytes(b"Gr\xfc\xdfe")
    (tmp_path / "twice").write_text("a\na\n")
    session.read()
    for call, words in REFUSED:
        (result,) = session.ask(call)["results"]
        assert result.get("is_error"), call
        assert words in sessions.text_of(result)
    session.ask(sessions.computer("left_mouse_down"))
    for name in ("left_mouse_down", *CLICKS[:1]):
        (result,) = session.ask(sessions.computer(name))["results"]
        assert "already down" in sessions.text_of(result)
    assert session.end() == 0


def test_its_table_has_every_member_and_tool() -> None:
    section = README.partition("## The members and what they refuse")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert named == {*MEMBER_EFFECTS["computer"], *MEMBER_EFFECTS["browser"], *TOOL_EFFECTS}


TAKES = README.partition("## What the members take")[2].partition("\n## ")[0]


def taken(heading: str) -> list[tuple[str, list[Json]]]:
    """Each member or tool of the table, with the inputs its row gives as JSON; a row without a name goes on."""
    rows = TAKES.partition(f"| of {heading} | input |")[2].partition("\n\n")[0].strip().splitlines()[1:]
    named: list[tuple[str, list[Json]]] = []
    names: list[str] = []
    for row in rows:
        first, second = row[1:].split("|", 1)
        names = re.findall(r"`(\w+)`", first) or names
        named += [(name, [json.loads(given) for given in re.findall(r"`(\{.*?\})`", second)]) for name in names]
    return named


@pytest.mark.parametrize("toolset", ["computer", "browser"])
def test_what_it_says_a_member_takes_is_all_that_the_member_takes(toolset: str) -> None:
    rows = taken(f"the {toolset} toolset")
    assert sorted(name for name, _ in rows) == sorted(MEMBER_EFFECTS[toolset])
    for name, (given,) in rows:
        words = "".join(word.capitalize() for word in (toolset, *name.split("_")))
        model = getattr(beta, f"Beta{words}Input")
        model.model_validate(given)
        assert given.keys() == {field.alias or key for key, field in model.model_fields.items()}, name


def test_what_it_says_a_tool_takes_is_taken() -> None:
    gate = Gate(Rules((), "deny"), NobodyToAsk())
    tools: dict[str, BashTool | EditorTool] = {
        "bash": BashTool(cast("Shell", None), gate=gate),
        "str_replace_based_edit_tool": EditorTool(cast("FileEdits", None), gate=gate),
    }
    rows = taken("neither")
    assert {name for name, _ in rows} == tools.keys()
    for name, inputs in rows:
        assert inputs
        for given in inputs:
            tools[name].parse(given)

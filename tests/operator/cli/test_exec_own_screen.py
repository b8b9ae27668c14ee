"""`gui-operator exec --display own`: the screen the command itself runs on, which here is a display of the test's."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from .sessions import COMMAND, LONGEST_WAIT_S, ExecSession, bash, computer, text_of

StartExec = Callable[..., ExecSession]


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ExecSession]:
    """Whoever sits at the screen: a session with a terminal on its display."""
    errors = tmp_path_factory.mktemp("host") / "errors"
    arguments = ["exec", "-", "--screen", "1024x768", "--app", "xterm -geometry 100x30+0+0 -e bash --norc"]
    with errors.open("wb") as error_file:
        process = subprocess.Popen(
            [*COMMAND, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=error_file
        )
    with process:
        yield ExecSession(process, errors)


@pytest.fixture(scope="module")
def on_screen(host: ExecSession) -> Mapping[str, str]:
    """The variables of a program that runs on that screen."""
    return variables_on(host)


def variables_on(host: ExecSession) -> Mapping[str, str]:
    desktop = host.read()["environment"]["desktop"]
    return {"DISPLAY": desktop["display"], "XAUTHORITY": desktop["xauthority"]}


def wait_for(file: Path) -> None:
    deadline = time.monotonic() + LONGEST_WAIT_S
    while not file.exists():
        assert time.monotonic() < deadline, f"{file} did not come"
        time.sleep(0.01)


def test_it_acts_on_the_screen_it_runs_on_and_leaves_it_there(start_exec, host, on_screen, tmp_path):
    guest = start_exec("--display", "own", "--workdir", str(tmp_path), variables=on_screen)
    guest.read()
    results = guest.ask(
        computer("left_click", coordinate=[200, 200]),
        computer("type", text=f"touch {tmp_path}/typed\n"),
        computer("screenshot"),
        bash("echo $DISPLAY in $PWD"),
        {"name": "str_replace_based_edit_tool", "input": {"command": "create", "path": "made", "file_text": "x"}},
    )["results"]
    assert [text_of(result) for result in results if result.get("is_error")] == []
    assert results[2]["content"][0]["source"]["media_type"] == "image/png"
    assert text_of(results[3]) == f"{on_screen['DISPLAY']} in {tmp_path}"
    wait_for(tmp_path / "typed")
    guest.ask(computer("mouse_move", coordinate=[123, 45]))
    assert guest.end() == 0
    (position,) = host.ask(computer("cursor_position"))["results"]
    assert text_of(position) == "X=123,Y=45"


def test_the_first_line_names_no_display_and_what_cannot_be_done_is_said_at_start(start_exec, on_screen):
    guest = start_exec("--display", "own", variables=on_screen)
    desktop = guest.read()["environment"]["desktop"]
    limits = desktop.pop("limits")
    assert desktop == {"screen": [1024, 768], "screenshot": [1024, 768]}
    assert any("ASCII" in sentence for sentence in limits)
    assert [sentence for sentence in limits if f"own screen: {sentence}" not in guest.errors] == []
    (refused,) = guest.ask(computer("type", text="Grüße"))["results"]
    assert refused["is_error"] is True
    assert "Nothing was typed" in text_of(refused)
    assert guest.end() == 0


def test_the_folders_of_a_session_are_gone_in_the_end(start_exec, on_screen):
    guest = start_exec("--display", "own", variables=on_screen)
    guest.read()
    workdir, temporary = guest.bash("mktemp >/dev/null; echo $PWD; echo $TMPDIR").splitlines()
    assert Path(workdir).is_dir()
    assert guest.end() == 0
    assert not Path(workdir).exists()
    assert not Path(temporary).exists()


def test_a_screen_that_dies_ends_the_session_with_six(start_exec):
    host = start_exec()
    guest = start_exec("--display", "own", variables=variables_on(host))
    guest.read()
    assert host.end() == 0
    (result,) = guest.ask(computer("mouse_move", coordinate=[1, 1]))["results"]
    assert result["is_error"] is True
    assert guest.process.wait(LONGEST_WAIT_S) == 6


def test_where_no_shell_can_be_had_it_serves_the_computer_alone_and_says_so(on_screen):
    # What decides that is set as on another system; everything else is this one.
    program = (
        "import sys\n"
        "from gui_operator.cli import desktops, worker\n"
        "from gui_operator.cli.main import main\n"
        "desktops.HAS_SHELL = worker.HAS_SHELL = False\n"
        "sys.exit(main(['exec', '-', '--display', 'own']))\n"
    )
    turn = {"calls": [computer("screenshot"), bash("touch /nowhere")]}
    done = subprocess.run(
        [sys.executable, "-c", program],
        input=json.dumps(turn) + "\n",
        capture_output=True,
        text=True,
        env=os.environ | on_screen,
    )
    assert done.returncode == 0, done.stderr
    first, answer = map(json.loads, done.stdout.splitlines())
    assert [tool["type"] for tool in first["tools"]] == ["computer_toolset_20260801"]
    assert [result.get("is_error", False) for result in answer["results"]] == [False, True]
    assert "bash and the text editor need Linux" in done.stderr


def run_exec(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, "exec", "-", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=os.environ | variables,
    )


def test_without_xvfb_it_is_named_and_never_chosen_though_a_screen_is_there(on_screen):
    done = run_exec(**on_screen, PATH="/nowhere")
    assert done.returncode == 6
    assert "`--display own` would drive this machine's own screen" in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("display", "words"), [("", "DISPLAY is not set"), (":29999", "screen cannot be reached")], ids=["none", "dead"]
)
def test_without_a_screen_it_ends_with_six_and_says_why(display, words):
    done = run_exec("--display", "own", DISPLAY=display)
    assert done.returncode == 6
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(
    "lack", ["raise ImportError('pyautogui')", "raise SystemExit('NOTE: You must install tkinter')"]
)
def test_where_pyautogui_cannot_be_imported_it_ends_with_six_and_says_what_to_do(tmp_path, lack):
    # A module of this name stands in for one that is not there, or lacks tkinter and then exits.
    (tmp_path / "pyautogui.py").write_text(lack)
    done = run_exec("--display", "own", DISPLAY=":29999", PYTHONPATH=str(tmp_path))
    assert done.returncode == 6
    assert "needs pyautogui" in done.stderr
    assert "Give the display's name instead" in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""

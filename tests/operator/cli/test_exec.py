"""`gui-operator exec` as a program that speaks to it sees it: lines in, lines out, and how it ends."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from gui_operator.cli.main import main

from .sessions import COMMAND, bash, computer, text_of


def test_the_first_line_describes_the_environment_and_the_tools_of_a_request(start_exec):
    session = start_exec("--screen", "1920x1080", "--model", "claude-sonnet-4-5")
    first = session.read()
    desktop = first["environment"]["desktop"]
    assert desktop["screen"] == [1920, 1080]
    assert desktop["screenshot"] == [1456, 819]
    assert desktop["display"].startswith(":")
    assert Path(desktop["xauthority"]).exists()
    assert [tool["type"] for tool in first["tools"]] == [
        "computer_toolset_20260801",
        "bash_20250124",
        "text_editor_20250728",
    ]
    assert session.end() == 0


def test_a_turn_is_answered_before_the_next_line_comes_and_results_are_as_the_api_takes_them(start_exec):
    session = start_exec()
    session.read()
    answer = session.ask(
        {"id": "look", **computer("screenshot")},
        {"id": "click", **computer("left_click", coordinate=[1280, 5])},
        {"id": "after", **computer("mouse_move", coordinate=[1, 1])},
        {"id": "run", **bash("echo done")},
    )
    look, click, after, run = answer["results"]
    assert [result["tool_use_id"] for result in answer["results"]] == ["look", "click", "after", "run"]
    assert {result["type"] for result in answer["results"]} == {"tool_result"}
    assert look["toolset_name"] == "computer"
    assert look["content"][0]["source"]["media_type"] == "image/png"
    assert click["is_error"] is True
    assert text_of(after) == "Not executed: an earlier computer action in this turn failed."
    assert "toolset_name" not in run
    assert "done" in text_of(run)
    assert answer["unmet"] == []
    assert "two" in session.bash("echo two")
    assert session.end() == 0


def test_bash_and_applications_are_given_the_same_variables(start_exec, tmp_path):
    seen = tmp_path / "seen"
    session = start_exec("--app", f"sh -c 'env >{seen}'", variables={"LC_ALL": "POSIX", "SHELL": "/bin/sh"})
    session.read()
    of_bash = dict(line.split("=", 1) for line in session.bash("env").splitlines())
    of_application = dict(line.split("=", 1) for line in seen.read_text().splitlines())
    assert of_application["LANG"] == "C.UTF-8"
    own = {"_", "OLDPWD", "PWD", "SHELL", "SHLVL", "TERM", "GUI_OPERATOR_TREE"}
    assert {name: value for name, value in of_bash.items() if name not in own} == {
        name: value for name, value in of_application.items() if name not in own
    }


def test_ids_that_are_left_out_are_made_up_and_differ(start_exec):
    session = start_exec()
    session.read()
    results = [result for _ in range(2) for result in session.ask(bash("true"), bash("true"))["results"]]
    assert len({result["tool_use_id"] for result in results}) == 4


def test_lines_that_are_no_turns_are_answered_with_an_error_and_the_session_goes_on(start_exec):
    session = start_exec()
    session.read()
    for line in (b"nonsense", b'{"calls": []}', b'{"calls": [{"name": "bash", "input": {}}], "expct": []}'):
        session.send_line(line)
        assert set(session.read()) == {"error"}
    session.send_line(b" " * (16 * 2**20 + 1))
    assert session.read() == {"error": "the line is longer than 16 MiB"}
    session.send_line(b"\n   ")
    assert "alive" in session.bash("echo alive")
    assert session.end() == 0
    for number in (1, 2, 3, 4):
        assert f"line {number} was refused: " in session.errors


def test_nothing_of_a_line_with_a_bad_expectation_runs(start_exec, tmp_path):
    session = start_exec()
    session.read()
    assert "from 1 to 1" in session.ask(bash(f"touch {tmp_path}/ran"), expect=[{"call": 2, "error": False}])["error"]
    assert session.end() == 0
    assert not (tmp_path / "ran").exists()


def test_an_expectation_that_is_not_met_is_said_in_words_and_ends_with_one_after_all_turns(start_exec):
    session = start_exec()
    session.read()
    answer = session.ask(bash("echo 4712"), expect=[{"call": 1, "text": "4711"}, {"call": 1, "error": False}])
    assert len(answer["unmet"]) == 1
    assert "“4711”" in answer["unmet"][0]
    assert "still" in session.bash("echo still")
    assert session.end() == 1
    assert f"line 1, not as expected: {answer['unmet'][0]}" in session.errors


def test_expectations_that_are_met_end_with_zero(start_exec):
    session = start_exec()
    session.read()
    answer = session.ask(
        bash("echo 4711"),
        computer("left_click", coordinate=[-1, 0]),
        expect=[{"call": 1, "text": "4711"}, {"call": 2, "error": True}],
    )
    assert answer["unmet"] == []
    assert session.end() == 0


def test_stop_on_error_ends_at_the_first_turn_with_a_failed_call(start_exec):
    session = start_exec("--stop-on-error")
    session.read()
    session.ask(bash("false"))
    (result,) = session.ask(computer("left_click", coordinate=[5000, 5000]))["results"]
    assert result["is_error"] is True
    assert session.process.stdout.read() == b""
    assert session.process.wait() == 1


def test_turns_are_read_from_a_file_whose_last_line_has_no_newline(start_exec, tmp_path):
    file = tmp_path / "turns.jsonl"
    file.write_text("\n".join(json.dumps({"calls": [bash(f"echo {word}")]}) for word in ("one", "two")))
    session = start_exec(source=str(file))
    session.read()
    assert ["one" in text_of(session.read()["results"][0]), "two" in text_of(session.read()["results"][0])] == [
        True
    ] * 2
    assert session.end() == 0


def test_applications_start_without_a_shell_and_what_they_print_stays_off_the_output(start_exec, tmp_path):
    noisy = tmp_path / "noisy application"
    noisy.write_text('#!/bin/sh\necho noise; echo "$1" > "$2"; exec xterm -T "$1"\n')
    noisy.chmod(0o755)
    session = start_exec("--app", f"'{noisy}' '$HOME; echo' {tmp_path}/given")
    session.read()
    assert (tmp_path / "given").read_text() == "$HOME; echo\n"
    session.bash("echo more noise >/dev/stdout; echo even more >&2")
    assert session.end() == 0


def test_bash_opens_windows_on_the_desktop_and_starts_in_the_workdir_that_the_editor_edits(start_exec, tmp_path):
    session = start_exec("--workdir", str(tmp_path))
    desktop = session.read()["environment"]["desktop"]
    assert session.bash("echo $DISPLAY:$PWD").startswith(f"{desktop['display']}:{tmp_path}")
    edit = {"command": "create", "path": "made.txt", "file_text": "by the editor\n"}
    session.ask({"name": "str_replace_based_edit_tool", "input": edit})
    assert "by the editor" in session.bash("cat made.txt")
    assert session.end() == 0
    assert (tmp_path / "made.txt").read_text() == "by the editor\n"


def test_without_a_workdir_there_is_a_fresh_one_that_is_gone_in_the_end(start_exec):
    session = start_exec()
    session.read()
    workdir = Path(session.bash("touch here; pwd").splitlines()[0])
    assert (workdir / "here").exists()
    assert session.end() == 0
    assert not workdir.exists()


def test_the_recording_holds_every_call_and_a_second_one_does_not_overwrite_it(start_exec, tmp_path):
    folder = tmp_path / "recording"
    session = start_exec("--record", str(folder))
    session.read()
    session.ask({"id": "look", **computer("screenshot")}, {"id": "run", **bash("echo recorded")})
    assert session.end() == 0
    events = [json.loads(line) for line in (folder / "events.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [event["id"] for event in events if event["event"] == "call_started"] == ["look", "run"]
    assert len(list((folder / "images").iterdir())) == 1
    again = start_exec("--record", str(folder))
    assert again.process.wait() == 2
    assert "already holds a recording" in again.errors


def test_approvals_refuse_what_they_deny_and_what_nobody_can_be_asked_about(start_exec, tmp_path):
    session = start_exec("--approve", "all", "--approve", "bash=deny", "--approve", "keyboard=ask")
    session.read()
    run, key, look = session.ask(
        bash(f"touch {tmp_path}/ran"), computer("key", text="a"), {"name": "bash", "input": {"restart": True}}
    )["results"]
    assert [result["is_error"] for result in (run, key, look)] == [True] * 3
    assert "nobody to ask" in text_of(key)
    assert session.ask(computer("screenshot"))["results"][0].get("is_error", False) is False
    assert session.end() == 0
    assert not (tmp_path / "ran").exists()


def test_a_display_that_is_there_already_is_used_and_left_there(start_exec):
    host = start_exec("--screen", "800x600")
    desktop = host.read()["environment"]["desktop"]
    guest = start_exec("--display", desktop["display"], variables={"XAUTHORITY": desktop["xauthority"]})
    assert guest.read()["environment"]["desktop"]["screen"] == [800, 600]
    guest.ask(computer("mouse_move", coordinate=[123, 45]))
    assert guest.end() == 0
    (position,) = host.ask(computer("cursor_position"))["results"]
    assert "123" in text_of(position)
    assert host.end() == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["-", "--screen", "1280"], "not a size"),
        (["-", "--screen", "0x600"], "not a size"),
        (["-", "--screen", "1280x99999"], "at most 32767"),
        (["-", "--display", "1"], "did you mean :1?"),
        (["-", "--display", "owm"], "no display such as :1"),
        (["-", "--display", ":1", "--screen", "800x600"], "--screen cannot be chosen"),
        (["-", "--display", "own", "--app", "xterm"], "--app cannot be used"),
        (["-", "--us-keyboard"], "--us-keyboard is for --display own"),
        (["-", "--app", "'"], "cannot be split"),
        (["-", "--settle", "-1"], "number of seconds"),
        (["-", "--approve", "bsh=deny"], "no tool, member or kind of effect"),
        (["-", "--workdir", "/nowhere"], "not a folder"),
        (["-", "--environment", "moon"], "invalid choice"),
        (["/nowhere/turns.jsonl"], "No such file"),
        (["/"], "Is a directory"),
        ([], "required"),
    ],
)
def test_a_command_that_cannot_be_meant_ends_with_two_and_starts_nothing(arguments, words, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["exec", *arguments])
    assert ended.value.code == 2
    said = capsys.readouterr()
    assert words in said.err
    assert said.out == ""


@pytest.mark.parametrize(
    ("arguments", "variables", "words"),
    [
        ([], {"PATH": "/nowhere"}, "Xvfb"),
        (["--app", "no-such-program"], {}, "no program no-such-program"),
        (["--app", "sh -c 'echo out of order; exit 3'"], {}, "out of order"),
        (["--display", ":29999"], {}, ":29999"),
    ],
)
def test_an_environment_that_cannot_start_ends_with_six_and_says_why(arguments, variables, words):
    done = subprocess.run(
        [*COMMAND, "exec", "-", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=os.environ | variables,
    )
    assert done.returncode == 6
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_help_of_the_program_and_of_each_command_says_how_to_use_it():
    for arguments, words in (
        (["--help"], ["exec", "doctor"]),
        (["exec", "--help"], ["--approve", "--app", "--record", "exit codes", "tool_result", "16 MiB"]),
        (["doctor", "--help"], ["exit codes"]),
    ):
        done = subprocess.run([*COMMAND, *arguments], capture_output=True, text=True)
        assert done.returncode == 0
        assert [word for word in words if word not in done.stdout] == []

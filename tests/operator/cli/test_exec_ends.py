"""However `exec` ends, nothing of it stays: no process, no display, no file."""

from __future__ import annotations

import os
import resource
import select
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from .sessions import COMMAND, LONGEST_WAIT_S, ExecSession, bash, computer, text_of

PYTHON = sys.executable


def processes_of(desktop: dict[str, Any]) -> dict[int, str]:
    """The processes that belong to this desktop: they have its display in their variables, or are its X server."""
    found = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            variables = (folder / "environ").read_bytes().split(b"\0")
        except (FileNotFoundError, ProcessLookupError, PermissionError):
            continue
        of_display = f"XAUTHORITY={desktop['xauthority']}".encode() in variables
        if of_display or str(desktop["xauthority"]) in command:
            found[int(folder.name)] = command
    return found


def assert_nothing_is_left(desktop: dict[str, Any]) -> None:
    assert processes_of(desktop) == {}
    assert not Path(desktop["xauthority"]).parent.exists()
    lock = Path(f"/tmp/.X{desktop['display'].removeprefix(':')}-lock")
    # Another test's server may have taken the number by now; a lock without its process is what was left.
    assert not lock.exists() or Path(f"/proc/{lock.read_text().strip()}").exists()


def wait_for_file(path: Path) -> None:
    """Until a named pipe is written to, which says that the command in flight has begun."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        ready, _, _ = select.select([descriptor], [], [], LONGEST_WAIT_S)
        assert ready, "the command never began"
    finally:
        os.close(descriptor)


def x_server_of(desktop: dict[str, Any]) -> int:
    return next(pid for pid, command in processes_of(desktop).items() if command.startswith("Xvfb"))


def started_with_everything(start_exec) -> tuple[ExecSession, dict[str, Any]]:
    session = start_exec("--app", "xterm")
    desktop = session.read()["environment"]["desktop"]
    session.bash("sleep 1000 & setsid sleep 1000 &")
    assert len(processes_of(desktop)) >= 4
    return session, desktop


def test_the_end_of_the_input_leaves_nothing_behind(start_exec):
    session, desktop = started_with_everything(start_exec)
    assert session.end() == 0
    assert_nothing_is_left(desktop)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_while_a_command_runs_ends_it_and_leaves_nothing_behind(start_exec, tmp_path, number, code):
    session, desktop = started_with_everything(start_exec)
    os.mkfifo(tmp_path / "begun")
    session.send(bash(f"echo begun > {tmp_path}/begun; sleep 1000"))
    wait_for_file(tmp_path / "begun")
    assert session.interrupt(number) == code
    assert session.process.stdout.read() == b""
    assert "Traceback" not in session.errors
    assert_nothing_is_left(desktop)


def test_a_signal_while_a_line_is_awaited_ends_it_and_leaves_nothing_behind(start_exec):
    session, desktop = started_with_everything(start_exec)
    assert session.interrupt(signal.SIGINT) == 130
    assert_nothing_is_left(desktop)


def test_a_second_signal_does_not_cut_the_closing_short(start_exec):
    session, desktop = started_with_everything(start_exec)
    session.process.send_signal(signal.SIGTERM)
    assert session.interrupt(signal.SIGINT) in {130, 143}
    assert_nothing_is_left(desktop)


def test_a_signal_while_keys_are_held_releases_them(start_exec):
    host = start_exec()
    desktop = host.read()["environment"]["desktop"]
    guest = start_exec("--display", desktop["display"], variables={"XAUTHORITY": desktop["xauthority"]})
    guest.read()
    guest.send(computer("hold_key", text="shift", duration=100))
    watch = "import sys, Xlib.display; print(any(Xlib.display.Display().query_keymap()))"
    seen = host.bash(f"until {PYTHON} -c '{watch}' | grep True; do :; done")
    assert "True" in seen
    assert guest.interrupt(signal.SIGINT) == 130
    assert "False" in host.bash(f"{PYTHON} -c '{watch}'")
    assert host.end() == 0


def test_a_display_that_dies_is_reported_in_the_turn_and_ends_with_six(start_exec):
    session, desktop = started_with_everything(start_exec)
    os.kill(x_server_of(desktop), signal.SIGKILL)
    look, run = session.ask(computer("screenshot"), bash("echo still here"))["results"]
    assert look["is_error"] is True
    assert desktop["display"] in text_of(look)
    assert "still here" in text_of(run)
    assert session.process.stdout.read() == b""
    assert session.process.wait(LONGEST_WAIT_S) == 6
    assert "gone" in session.errors
    assert_nothing_is_left(desktop)


def test_a_reader_that_goes_away_ends_the_session_without_a_trace(start_exec):
    session, desktop = started_with_everything(start_exec)
    session.process.stdout.close()
    session.send(bash("true"))
    assert session.process.wait(LONGEST_WAIT_S) == 1
    assert "Traceback" not in session.errors
    assert_nothing_is_left(desktop)


def test_an_output_that_is_full_ends_the_session_with_a_word_about_it():
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*COMMAND, "exec", "-"], stdin=subprocess.DEVNULL, stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert done.returncode == 1
    assert "the results cannot be written any more: No space left on device" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_reader_that_does_not_read_does_not_keep_a_signal_from_ending_it(start_exec):
    session, desktop = started_with_everything(start_exec)
    # Several results of a megabyte do not fit into a pipe, so that a write waits for ever.
    session.send(*[bash("head -c 29000 /dev/zero | tr '\\0' x")] * 40)
    session.send(bash("true"))
    ready, _, _ = select.select([session.process.stdout], [], [], LONGEST_WAIT_S)
    assert ready
    assert session.interrupt(signal.SIGTERM) == 143
    assert_nothing_is_left(desktop)


def test_a_worker_that_is_killed_outright_leaves_nothing_behind(start_exec):
    session, desktop = started_with_everything(start_exec)
    session.process.kill()
    session.process.wait(LONGEST_WAIT_S)
    for pid in processes_of(desktop):
        wait_for_end(pid)
    assert processes_of(desktop) == {}


def wait_for_end(pid: int) -> None:
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        ready, _, _ = select.select([descriptor], [], [], LONGEST_WAIT_S)
        assert ready, f"process {pid} goes on"
    finally:
        os.close(descriptor)


def test_a_recording_that_cannot_be_written_any_more_ends_the_session_and_nothing_runs_unrecorded(start_exec, tmp_path):
    session = start_exec("--record", str(tmp_path / "recording"))
    desktop = session.read()["environment"]["desktop"]
    session.bash("true")
    size_bytes = (tmp_path / "recording/events.jsonl").stat().st_size
    resource.prlimit(session.process.pid, resource.RLIMIT_FSIZE, (size_bytes, size_bytes))
    session.send(bash(f"touch {tmp_path}/ran"))
    assert session.process.stdout.read() == b""
    assert session.process.wait(LONGEST_WAIT_S) == 1
    assert "cannot be written" in session.errors
    assert not (tmp_path / "ran").exists()
    assert_nothing_is_left(desktop)


def test_ctrl_c_while_modules_are_loaded_ends_at_once_and_is_never_lost() -> None:
    # The import system swallows exceptions at times; here it always does.
    script = """
import os, signal, sys
class Loading:
    def find_spec(self, name, path=None, target=None):
        if name == "gui_operator.cli.exec":
            try:
                os.kill(os.getpid(), signal.SIGINT)
            except KeyboardInterrupt:
                pass
sys.meta_path.insert(0, Loading())
from gui_operator.cli.main import main
sys.exit(main(["exec", "-"]))
"""
    ended = subprocess.run(
        [PYTHON, "-c", script], stdin=subprocess.DEVNULL, capture_output=True, timeout=LONGEST_WAIT_S, check=False
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (-signal.SIGINT, b"", b"")


def test_without_a_standard_output_nothing_is_started() -> None:
    closed = ["/bin/sh", "-c", '"$@" >&-', "sh", *COMMAND, "exec", "-"]
    ended = subprocess.run(
        closed, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=LONGEST_WAIT_S, check=False
    )
    assert ended.returncode == 2
    assert b"the standard streams: Bad file descriptor" in ended.stderr
    assert b"Traceback" not in ended.stderr

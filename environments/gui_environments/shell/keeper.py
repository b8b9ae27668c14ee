"""The process between the worker and its shell: everything the shell starts stays its descendant, and dies with it.

It starts the shell, reaps, kills on request, and when its standard input ends - because the session closed, or because
the worker was killed - it kills every process that descends from it and ends. It is run as a program of its own
(`python -I -m gui_environments.shell.keeper`) with an empty environment, so that the shell's parent holds no key
either. It reads no output of the shell, and it never touches a process that does not descend from it.

Requests and answers are JSON, one a line: see `carry_out`.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import select
import signal
import subprocess
import time
from typing import Any

from gui_environments.shell.processes import Process, descendants, kill_all, read_process, send_signal

ABORT_SIGNAL = signal.SIGRTMAX
"""Tells the shell to give up the rest of its command. Real-time, since no program has a use of its own for it."""

CLEAR_LIMIT_S = 10.0
"""After this, what is left cannot be killed by us (another user's, or stuck in the kernel)."""

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_CHILD_SUBREAPER = 36

_libc = ctypes.CDLL(None, use_errno=True)


class Keeper:
    """The state of this process: the shell, and what was there before the command that runs now."""

    def __init__(self, child_ended: int) -> None:
        self._child_ended = child_ended
        self._shell: subprocess.Popen[bytes] | None = None
        self._earlier: set[tuple[int, int]] = set()

    def carry_out(self, request: dict[str, Any]) -> dict[str, Any]:
        match request["do"]:
            case "start":
                self._start(request["arguments"], request["environment"], request["directory"])
                return {"pid": self._shell_pid}
            case "mark":
                self._earlier = {p.identity for p in descendants(os.getpid()) if p.pid != self._shell_pid}
            case "interrupt":
                self._interrupt()
            case "kill_command":
                kill_all(self._of_this_command)
            case "clear":
                self.clear()
            case "say whether the shell runs":
                pass  # an end that came before the request was told before this answer
            case unknown:
                raise ValueError(f"no request of ours: {unknown}")
        return {}

    def reap(self) -> None:
        """Take in every process that ended, and tell if the shell was among them."""
        with contextlib.suppress(BlockingIOError):
            os.read(self._child_ended, 1 << 16)
        with contextlib.suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                if ended[0] == self._shell_pid:
                    self._tell_end(os.waitstatus_to_exitcode(ended[1]))

    def _tell_end(self, code: int) -> None:
        if self._shell is not None:
            self._shell.returncode = code  # or it would ask the kernel for a process that is gone
            self._shell = None
        # As a shell gives it: 128 and the signal's number for a process that was killed.
        say({"event": "exited", "status": code if code >= 0 else 128 - code})

    def clear(self) -> None:
        """Kill everything that descends from this process and wait until it is gone."""
        deadline = time.monotonic() + CLEAR_LIMIT_S
        while _has_children() and time.monotonic() < deadline:
            kill_all(lambda: descendants(os.getpid()))
            # Woken by the next child that ends. The bound is for children that were adopted just now.
            select.select([self._child_ended], [], [], 0.02)
            self.reap()

    @property
    def _shell_pid(self) -> int | None:
        return self._shell.pid if self._shell is not None else None

    def _start(self, arguments: list[str], environment: dict[str, str], directory: str) -> None:
        if self._shell is not None:
            raise RuntimeError("there is a shell already")
        self._shell = subprocess.Popen(
            arguments,
            env=environment,
            cwd=directory,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=_prepare_child,  # safe: this process has one thread
        )

    def _of_this_command(self) -> list[Process]:
        """What the command that runs now started, and the shell. A job of an earlier command is left out with its
        descendants; a process that such a job started and then orphaned since cannot be told apart and is not."""
        return descendants(os.getpid(), sparing=self._earlier)

    def _interrupt(self) -> None:
        """Kill what the command started and make the shell give up the rest of it, without a step in between: the shell
        stands still while its children die, and finds the signal waiting when it goes on."""
        shell = read_process(self._shell_pid) if self._shell_pid is not None else None
        if shell is not None:
            send_signal(shell, signal.SIGSTOP)
        kill_all(lambda: [p for p in self._of_this_command() if shell is None or p.pid != shell.pid])
        if shell is not None:
            send_signal(shell, ABORT_SIGNAL)
            send_signal(shell, signal.SIGCONT)


def main() -> None:
    _libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    # Commands of the same user cannot open this process's pipes through /proc then; those of root still can.
    _libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    child_ended, wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.signal(signal.SIGCHLD, _take_note)
    signal.signal(signal.SIGTERM, _leave)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    keeper = Keeper(child_ended)
    try:
        _serve(keeper, child_ended)
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        keeper.clear()


def _serve(keeper: Keeper, child_ended: int) -> None:
    """Answer requests in order, and tell of the shell's end, until standard input ends."""
    waiting = b""
    while True:
        ready, _, _ = select.select([0, child_ended], [], [])
        # Whatever it was woken for: an answer must not overtake the end of the shell.
        keeper.reap()
        if 0 in ready:
            received = os.read(0, 1 << 16)
            if not received:
                return
            *lines, waiting = (waiting + received).split(b"\n")
            for line in lines:
                say(_answer(keeper, json.loads(line)))


def _answer(keeper: Keeper, request: dict[str, Any]) -> dict[str, Any]:
    try:
        return {"did": request["do"], **keeper.carry_out(request)}
    except (OSError, subprocess.SubprocessError) as error:
        return {"did": request["do"], "error": str(error)}


def say(message: dict[str, Any]) -> None:
    # Nobody listens any more when the worker is gone; its end of standard input says so as well.
    with contextlib.suppress(BrokenPipeError):
        os.write(1, json.dumps(message).encode() + b"\n")


def _prepare_child() -> None:
    """In the shell's process before it is the shell: die with the keeper, whatever ends that."""
    _libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def _has_children() -> bool:
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def _take_note(number: int, frame: object) -> None:
    """Python writes the signal into the wake-up pipe; there is nothing else to do."""


def _leave(number: int, frame: object) -> None:
    raise SystemExit(0)


if __name__ == "__main__":
    main()

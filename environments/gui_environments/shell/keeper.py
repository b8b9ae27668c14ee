"""The supervisor of a shell: one that can also end what a single command started, and leave earlier jobs alone.

Run as a program by `kept_shell`, with no grace: a command that has to go is killed. It reads no output of the shell,
and it never touches a process that does not descend from it.
"""

from __future__ import annotations

import os
import signal
from typing import Any

from gui_environments.processes.killing import kill_all
from gui_environments.processes.prctl import PR_SET_DUMPABLE, prctl
from gui_environments.processes.proc import Identity, Process, processes_below, read_process, signal_process
from gui_environments.processes.supervisor import Supervisor
from gui_environments.processes.supervisor import main as run_supervisor

ABORT_SIGNAL = signal.SIGRTMAX
"""Tells the shell to give up the rest of its command. Real-time, since no program has a use of its own for it."""


class Keeper(Supervisor):
    """Its only child by request is the shell."""

    _earlier: frozenset[Identity] = frozenset()
    """What was there before the command that runs now."""

    def carry_out(self, request: dict[str, Any], fds: list[int]) -> dict[str, Any]:
        match request["do"]:
            case "mark":
                below = processes_below(os.getpid())
                self._earlier = frozenset(process.identity for process in below if process.pid not in self.children)
            case "interrupt":
                self._interrupt()
            case "kill command":
                kill_all(self._of_this_command)
            case "clear":
                self.end_everything_now()
            case _:
                return super().carry_out(request, fds)
        return {}

    def _of_this_command(self) -> list[Process]:
        """What the command that runs now started, and the shell. A job of an earlier command is left out with its
        descendants; a process that such a job started and then orphaned since cannot be told apart and is not."""
        return processes_below(os.getpid(), sparing=self._earlier)

    def _interrupt(self) -> None:
        """Kill what the command started and make the shell give up the rest of it, without a step in between: the shell
        stands still while its children die, and finds the signal waiting when it goes on."""
        shells = [shell for pid in self.children if (shell := read_process(pid)) is not None]
        for shell in shells:
            signal_process(shell, signal.SIGSTOP)
        kill_all(lambda: [process for process in self._of_this_command() if process.pid not in self.children])
        for shell in shells:
            signal_process(shell, ABORT_SIGNAL)
            signal_process(shell, signal.SIGCONT)


def main() -> None:
    # Commands of the same user cannot take this process's descriptors then; those of root still can.
    prctl(PR_SET_DUMPABLE, 0)
    run_supervisor(Keeper)

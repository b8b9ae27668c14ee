"""Ends all that is below this process: asked first, killed after a grace. For a process that adopts what is orphaned
below it; it never touches anything else."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Collection

from gui_environments.processes.killing import kill_all
from gui_environments.processes.proc import Identity, Process, processes_below, signal_process

GIVE_UP_S = 10.0
"""For SIGKILL to take effect."""


def end_all(
    reap: Callable[[], bool], wait: Callable[[], None], *, grace_s: float, sparing: Collection[Identity] = ()
) -> None:
    """SIGTERM to all but `sparing` and what is below them; after the grace, kill what is left, again and again.

    `reap` takes the status of every child that ended and says whether any child is left; `wait` returns when one may
    have ended, and soon in any case, since nothing announces the end of a grandchild. What cannot be killed in time (it
    became another user's, or is stuck in the kernel) is left.
    """
    told: set[Identity] = set()
    kill_at = time.monotonic() + grace_s
    # Without a child there is nothing below. What is read from /proc may miss one that is being orphaned just now.
    while reap() and time.monotonic() < kill_at + GIVE_UP_S:
        left = processes_below(os.getpid(), sparing=sparing)
        if sparing and not left:
            return
        if time.monotonic() < kill_at:
            _ask_to_end([process for process in left if process.identity not in told])
            told |= {process.identity for process in left}
        else:
            kill_all(lambda: processes_below(os.getpid(), sparing=sparing))
        wait()


def _ask_to_end(processes: list[Process]) -> None:
    for process in processes:
        signal_process(process, signal.SIGTERM)
        signal_process(process, signal.SIGCONT)

"""Kills processes that may be starting others at the same time. Which ones is the caller's to say."""

from __future__ import annotations

import select
import signal
import time
from collections.abc import Callable, Iterable

from gui_environments.processes.proc import Identity, Process, holding, signal_process

FREEZE_PASSES = 50
"""How often a tree is looked at again while it is being stopped. A tree that still grows then is killed as it stands,
and whoever called looks again."""

DEATH_LIMIT_S = 5.0
"""How long killed processes are waited for, all together. Another user's process, or one stuck in the kernel, is not
killed by us."""


def kill_all(choose: Callable[[], Iterable[Process]]) -> None:
    """Kill what `choose` finds: first everything is stopped, and looked for again until nothing new appears, so that
    nothing can start a process while its siblings are being killed. Returns when they are dead."""
    stopped: dict[Identity, Process] = {}
    for _ in range(FREEZE_PASSES):
        fresh = [process for process in choose() if process.identity not in stopped]
        if not fresh:
            break
        for process in fresh:
            signal_process(process, signal.SIGSTOP)
            stopped[process.identity] = process
    for process in stopped.values():
        signal_process(process, signal.SIGKILL)
    deadline = time.monotonic() + DEATH_LIMIT_S
    for process in stopped.values():
        _wait_for_end(process, deadline)


def _wait_for_end(process: Process, deadline: float) -> None:
    """A killed process is there until it is next scheduled; under load that takes a while."""
    with holding(process) as handle:
        if handle is not None:
            poll = select.poll()  # select would refuse descriptors above 1023
            poll.register(handle, select.POLLIN)
            poll.poll(max(0.0, deadline - time.monotonic()) * 1000)

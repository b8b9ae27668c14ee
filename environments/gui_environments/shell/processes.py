"""The processes of this machine as /proc tells them, and signals that reach exactly the process that was read.

Linux only. Never finds a process by its name: only by descent, by session, or by a mark in its environment.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

FREEZE_PASSES = 50
"""How often a tree is looked at again while it is being stopped. A tree that still grows then is killed as it stands,
and whoever called looks again."""

DEATH_LIMIT_S = 5.0
"""How long killed processes are waited for, all together. Another user's process, or one stuck in the kernel, is not
killed by us."""


@dataclass(frozen=True, slots=True)
class Process:
    """One process. A pid alone may be given to another process later; a pid with its start time is not."""

    pid: int
    start_ticks: int
    parent: int
    session: int
    is_zombie: bool

    @property
    def identity(self) -> tuple[int, int]:
        return self.pid, self.start_ticks


def read_process(pid: int) -> Process | None:
    """The process, or None if there is none of that pid (any more)."""
    try:
        text = Path(f"/proc/{pid}/stat").read_bytes()
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        return None
    # The name is in parentheses and may hold anything, also parentheses; what follows the last one are numbers.
    fields = text[text.rindex(b")") + 2 :].split()
    return Process(pid, int(fields[19]), int(fields[1]), int(fields[3]), fields[0] in (b"Z", b"X"))


def read_processes() -> Iterator[Process]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal() and (process := read_process(int(entry.name))) is not None:
            yield process


def descendants(root: int, *, sparing: Iterable[tuple[int, int]] = ()) -> list[Process]:
    """What descends from `root`, without `root`, without zombies. A process in `sparing` is left out with all that
    descends from it."""
    spared = frozenset(sparing)
    children: dict[int, list[Process]] = defaultdict(list)
    for process in read_processes():
        children[process.parent].append(process)
    found: list[Process] = []
    ahead = [root]
    while ahead:
        for process in children[ahead.pop()]:
            if process.identity not in spared:
                ahead.append(process.pid)
                if not process.is_zombie:
                    found.append(process)
    return found


def marked_processes(mark: bytes, session: int) -> list[Process]:
    """Processes in `session`, and those whose environment, as they were started, holds `mark`."""
    return [p for p in read_processes() if not p.is_zombie and (p.session == session or mark in _environment(p.pid))]


def send_signal(process: Process, number: int) -> None:
    """Signal that process and no other that got its pid since. One that is gone, or is not ours to signal, is left."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        handle = os.pidfd_open(process.pid)
        try:
            now = read_process(process.pid)
            if now is not None and now.identity == process.identity:
                signal.pidfd_send_signal(handle, number)
        finally:
            os.close(handle)


def kill_all(choose: Callable[[], Iterable[Process]]) -> None:
    """Kill what `choose` finds: first everything is stopped, and looked for again until nothing new appears, so that
    nothing can start a process while its siblings are being killed. Returns when they are dead."""
    stopped: dict[tuple[int, int], Process] = {}
    for _ in range(FREEZE_PASSES):
        fresh = [process for process in choose() if process.identity not in stopped]
        if not fresh:
            break
        for process in fresh:
            send_signal(process, signal.SIGSTOP)
            stopped[process.identity] = process
    for process in stopped.values():
        send_signal(process, signal.SIGKILL)
    deadline = time.monotonic() + DEATH_LIMIT_S
    for process in stopped.values():
        _wait_for_end(process, deadline)


def _wait_for_end(process: Process, deadline: float) -> None:
    """A killed process is there until it is next scheduled; under load that takes a while."""
    with contextlib.suppress(ProcessLookupError):
        handle = os.pidfd_open(process.pid)
        try:
            now = read_process(process.pid)
            if now is not None and now.identity == process.identity:
                select.select([handle], [], [], max(0.0, deadline - time.monotonic()))
        finally:
            os.close(handle)


def _environment(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return b""

"""The processes of this machine as /proc tells them, and signals that reach exactly the process that was read.

Never finds a process by its name: only by descent, by session, or by a mark in its environment.
"""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Collection, Iterator
from typing import NamedTuple

Identity = tuple[int, int]
"""A pid with its start time. A pid alone may be given to another process later; this is not."""


class Process(NamedTuple):
    """One process. No dataclass: to import those takes as long as all else in the supervisor."""

    pid: int
    start_ticks: int
    parent: int
    session: int
    is_zombie: bool

    @property
    def identity(self) -> Identity:
        return self.pid, self.start_ticks


def read_process(pid: int) -> Process | None:
    """The process, or None if there is none of that pid (any more)."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat:  # noqa: PTH123 - pathlib is several times slower here
            text = stat.read()
    except OSError:
        return None
    # The name is in parentheses and may hold anything, also parentheses; what follows the last one are numbers.
    fields = text[text.rindex(b")") + 2 :].split()
    return Process(pid, int(fields[19]), int(fields[1]), int(fields[3]), fields[0] in (b"Z", b"X"))


def read_processes() -> Iterator[Process]:
    for entry in os.listdir("/proc"):  # noqa: PTH208 - as above, and this is asked often
        if entry.isdigit() and (process := read_process(int(entry))) is not None:
            yield process


def parent_of(pid: int) -> int | None:
    """The parent of `pid`, None when it has ended (a zombie counts as ended)."""
    process = read_process(pid)
    return None if process is None or process.is_zombie else process.parent


def processes_below(root: int, *, sparing: Collection[Identity] = ()) -> list[Process]:
    """What lives and descends from `root`, parents before their children. A process in `sparing` is left out with all
    that descends from it."""
    children: dict[int, list[Process]] = {}
    for process in read_processes():
        if process.identity not in sparing:
            children.setdefault(process.parent, []).append(process)
    found: list[Process] = []
    level = children.get(root, [])
    while level:
        found += level
        level = [child for process in level for child in children.get(process.pid, ())]
    return [process for process in found if not process.is_zombie]


def descendants(root: int) -> list[int]:
    """The pids of `processes_below(root)`."""
    return [process.pid for process in processes_below(root)]


def marked_processes(mark: bytes, sessions: Collection[int]) -> list[Process]:
    """What lives in one of `sessions`, or had `mark` in its environment when it was started."""
    return [p for p in read_processes() if not p.is_zombie and (p.session in sessions or mark in _environment(p.pid))]


def _environment(pid: int) -> bytes:
    try:
        with open(f"/proc/{pid}/environ", "rb") as environment:  # noqa: PTH123
            return environment.read()
    except OSError:
        return b""


def send_signal(pid: int, number: int) -> None:
    """To whatever has the pid: for children, whose pids stay theirs until they are reaped. One that has ended, or is
    not ours to signal (it changed its user), is left."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)


def signal_process(process: Process, number: int) -> None:
    """To that process and no other that got its pid since. Left when it has ended, or is not ours to signal."""
    with contextlib.suppress(ProcessLookupError, PermissionError), holding(process) as handle:
        if handle is not None:
            signal.pidfd_send_signal(handle, number)
        elif _is_there(process):
            os.kill(process.pid, number)  # a container that denies descriptors of processes: this is next best


@contextlib.contextmanager
def holding(process: Process) -> Iterator[int | None]:
    """A descriptor (pidfd) of that process, readable when it has ended; None when it is there no more, or where the
    system gives none."""
    try:
        handle = os.pidfd_open(process.pid)
    except OSError:
        yield None
        return
    try:
        yield handle if _is_there(process) else None
    finally:
        os.close(handle)


def _is_there(process: Process) -> bool:
    now = read_process(process.pid)
    return now is not None and now.identity == process.identity

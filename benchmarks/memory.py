"""Memory of the processes that this one has started."""

from __future__ import annotations

import os
from pathlib import Path

from gui_environments.processes.proc import descendants


def descendants_pss_mib(word: str = "") -> float:
    """The proportional set size of all processes below this one, or of those that have a word in their command line:
    shared pages count by their share."""
    return sum(_pss_kib(pid) for pid in descendants(os.getpid()) if word in _command_line(pid)) / 1024


def _command_line(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text(errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return ""


def descendants_written_mib() -> float:
    """Of that, what the processes have written themselves: all that can grow. The share of a program's file depends on
    how many others on the machine run it at the moment."""
    return sum(_pss_kib(pid, "Pss_Anon:", "Pss_Shmem:") for pid in descendants(os.getpid())) / 1024


def _pss_kib(pid: int, *kinds: str) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith(kinds or ("Pss:",)))

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


def _pss_kib(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))

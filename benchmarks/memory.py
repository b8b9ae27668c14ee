"""Memory of the processes that this one has started."""

from __future__ import annotations

import os
from pathlib import Path

from gui_environments.processes.proc import descendants


def descendants_pss_mib() -> float:
    """The proportional set size of all processes below this one: shared pages count by their share."""
    return sum(map(_pss_kib, descendants(os.getpid()))) / 1024


def _pss_kib(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))

"""Processor time of the processes that this one has started: unlike time on the clock, it does not depend on what else
the machine does."""

from __future__ import annotations

import os
from pathlib import Path

from gui_environments.processes.proc import descendants


def descendants_processor_s() -> float:
    """What all processes below this one, and those of theirs that have ended, have used so far."""
    return sum(map(_ticks, descendants(os.getpid()))) / os.sysconf("SC_CLK_TCK")


def _ticks(pid: int) -> int:
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    fields = text.rpartition(")")[2].split()
    return sum(map(int, fields[11:15]))  # in programs and in the kernel, its own and its ended children's

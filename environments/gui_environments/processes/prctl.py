"""What a process of ours tells the kernel about itself. Linux only."""

from __future__ import annotations

import ctypes
import os

PR_SET_PDEATHSIG = 1
"""The signal this process gets when its parent ends, whatever ends it."""

PR_SET_DUMPABLE = 4
"""0: processes of the same user cannot look into this one through /proc; those of root still can."""

PR_SET_CHILD_SUBREAPER = 36
"""1: what is orphaned below this process becomes its child, not that of the machine's first process."""

_libc = ctypes.CDLL(None, use_errno=True)


def prctl(option: int, value: int) -> None:
    if _libc.prctl(option, ctypes.c_ulong(value), 0, 0, 0) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))

"""What the tests need to know about processes: whether one is there, and waiting for that with a bound."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

WAIT_LIMIT_S = 20.0
LOOK_AGAIN_S = 0.01


def is_running(pid: int) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat[stat.rindex(")") + 2] not in "ZX"


async def until(condition: Callable[[], bool]) -> None:
    """Return as soon as `condition` holds; fail when it does not come to hold."""
    deadline = time.monotonic() + WAIT_LIMIT_S
    while not condition():
        assert time.monotonic() < deadline, "what was waited for did not happen"
        await asyncio.sleep(LOOK_AGAIN_S)


def read_pid(file: Path) -> int | None:
    text = file.read_text() if file.exists() else ""
    return int(text) if text.endswith("\n") else None


async def pid_in(file: Path) -> int:
    """The process id that a command writes, as a whole line, to `file`."""
    await until(lambda: read_pid(file) is not None)
    pid = read_pid(file)
    assert pid is not None
    return pid

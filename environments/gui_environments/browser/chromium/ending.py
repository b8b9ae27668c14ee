"""The end of a browser: the launcher, and so everything below it, has ended, and nothing is left on disk."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from gui_environments.browser.chromium.launcher import GRACE_S, PID_FILE


def open_launcher(private: Path) -> int | None:
    """A descriptor of the launcher's process (a pidfd) for the caller to close; None when it has ended."""
    try:
        pid = int((private / PID_FILE).read_text())
        descriptor = os.pidfd_open(pid)
    except (FileNotFoundError, ProcessLookupError, ValueError):
        return None
    # The number may have been given to another process since: ours has the private directory in its command line.
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        command = b""
    if os.fsencode(private) not in command:
        os.close(descriptor)
        return None
    return descriptor


def tell_launcher_to_end(private: Path) -> None:
    launcher = open_launcher(private)
    if launcher is None:
        return
    try:
        signal.pidfd_send_signal(launcher, signal.SIGTERM)
    except ProcessLookupError:
        return
    finally:
        os.close(launcher)


async def finish(work: Coroutine[Any, Any, None]) -> None:
    """Await `work` to its end; a cancellation meanwhile is raised after it."""
    task = asyncio.ensure_future(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await task
        raise


async def end_launcher(private: Path) -> None:
    """See to it that the launcher, and so everything below it, has ended, and that nothing is left on disk."""
    launcher = open_launcher(private)
    if launcher is not None:
        tell_launcher_to_end(private)
        if not await _has_ended(launcher, 2 * GRACE_S):
            signal.pidfd_send_signal(launcher, signal.SIGKILL)
            await _has_ended(launcher, 2 * GRACE_S)
        os.close(launcher)
    shutil.rmtree(private, ignore_errors=True)


async def _has_ended(pidfd: int, at_most_s: float) -> bool:
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_reader(pidfd, ended.set)
    try:
        await asyncio.wait_for(ended.wait(), at_most_s)
    except TimeoutError:
        return False
    finally:
        loop.remove_reader(pidfd)
    return True

"""One thread for work that blocks, and a way to tell that work that whoever asked for it has gone away. Knows nothing
of what the work is."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

log = logging.getLogger(__name__)

T = TypeVar("T")


class Cancellation:
    """Set when the caller of a piece of work has gone away; long work looks at it and comes to an end early."""

    def __init__(self) -> None:
        self._event = threading.Event()

    @property
    def requested(self) -> bool:
        return self._event.is_set()

    def request(self) -> None:
        self._event.set()

    def wait(self, timeout_s: float) -> bool:
        """Sleep for `timeout_s`, or less if cancelled meanwhile; whether it was."""
        return self._event.wait(timeout_s)


class WorkThread:
    """Runs one piece of work at a time."""

    def __init__(self, name: str) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)

    async def run(self, work: Callable[[Cancellation], T]) -> T:
        """`work` on the thread. A cancelled caller waits until the work has wound up (it is told through its
        `Cancellation`), so that what its `finally` blocks release is released by then."""
        cancellation = Cancellation()
        future = asyncio.get_running_loop().run_in_executor(self._thread, work, cancellation)
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            cancellation.request()
            await asyncio.wait([future])
            if not future.cancelled() and future.exception() is not None:
                log.debug("work that was cancelled ended with %r", future.exception())
            raise

    def close(self) -> None:
        """Idempotent. Work that is running is not waited for."""
        self._thread.shutdown(wait=False)

"""Bounds on what a tab may take, which stand still while somebody is asked about a dialog of it. Its tab owns it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager


class Clock:
    """The constructor does no I/O."""

    def __init__(self) -> None:
        self.stops = 0
        """How often it was stopped."""
        self._stopped = 0
        self._limits: dict[asyncio.Timeout, float] = {}
        """Those that run, with what was left of each when the clock was stopped."""
        self._running = asyncio.Event()
        self._running.set()

    @property
    def is_stopped(self) -> bool:
        return self._stopped > 0

    async def running(self) -> None:
        """Returns when it is not stopped."""
        await self._running.wait()

    @asynccontextmanager
    async def timeout(self, seconds: float) -> AsyncIterator[None]:
        """Like `asyncio.timeout`."""
        async with asyncio.timeout(None if self.is_stopped else seconds) as limit:
            self._limits[limit] = seconds
            try:
                yield
            finally:
                del self._limits[limit]

    @contextmanager
    def stopped(self) -> Iterator[None]:
        self.stops += 1
        self._stopped += 1
        if self._stopped == 1:
            self._running.clear()
            self._hold()
        try:
            yield
        finally:
            self._stopped -= 1
            if self._stopped == 0:
                self._go_on()
                self._running.set()

    def _hold(self) -> None:
        now = asyncio.get_running_loop().time()
        for limit in self._limits:
            end = limit.when()
            if end is not None and not limit.expired():
                self._limits[limit] = max(0.0, end - now)
                limit.reschedule(None)

    def _go_on(self) -> None:
        now = asyncio.get_running_loop().time()
        for limit, left_s in self._limits.items():
            if not limit.expired():
                limit.reschedule(now + left_s)

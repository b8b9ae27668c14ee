"""Reading what `event_window` wrote."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

EVENT_WINDOW = Path(__file__).with_name("event_window.py")
SHIFT, CONTROL, ALT, SUPER = 1, 4, 8, 64
"""Bits of an event's `state`."""

_WITHIN_S = 20.0
_POLL_S = 0.005

Event = dict[str, Any]


class EventLog:
    def __init__(self, path: Path) -> None:
        self.path = path
        self._skipped = 0

    @property
    def command(self) -> list[str]:
        """The argument list of the window that writes this log."""
        return [sys.executable, str(EVENT_WINDOW), str(self.path)]

    async def wait_until_ready(self) -> None:
        """The window covers the screen and gets the keys."""
        await self.wait_for_count("ready", 1)
        self.forget()

    def forget(self) -> None:
        """Leave out all events that were written until now."""
        self._skipped = len(self._lines())

    def read(self, *kinds: str) -> list[Event]:
        """The events of these kinds (all, when none is named) since the last `forget`, in order."""
        events = [json.loads(line) for line in self._lines()[self._skipped :]]
        return [event for event in events if not kinds or event["event"] in kinds]

    async def wait_for(self, condition: Callable[[list[Event]], bool], what: str) -> list[Event]:
        """All events since the last `forget`, once `condition` holds for them. The application is another process, so
        it may see an event a little after the call that caused it has returned."""
        for _ in range(int(_WITHIN_S / _POLL_S)):
            events = self.read()
            if condition(events):
                return events
            await asyncio.sleep(_POLL_S)
        raise AssertionError(f"{what}: not within {_WITHIN_S} s; the application saw {self.read()}")

    async def wait_for_count(self, kind: str, count: int) -> list[Event]:
        """The events of `kind`, once there are `count` of them."""

        def reached(events: list[Event]) -> bool:
            return [event["event"] for event in events].count(kind) >= count

        await self.wait_for(reached, f"{count} x {kind}")
        return self.read(kind)

    def _lines(self) -> list[str]:
        if not self.path.exists():
            return []
        # The last line may be on its way.
        return self.path.read_text(encoding="utf-8").split("\n")[:-1]

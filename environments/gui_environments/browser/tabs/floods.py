"""Listening to what pages send, within bounds: each event takes the driver and us a fraction of a millisecond, and a
page that sends them without end would keep every call waiting. What comes too fast for too long, or keeps answers
waiting, is not listened to for a while, for all tabs: they are listened to together. Whoever listens is told, and tells
it on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from playwright.async_api import BrowserContext

from gui_environments.browser.tabs.lagging import Lag

PAUSE_S = 2.0
LONGEST_PAUSE_S = 32.0
"""How long nothing is listened to, at first, and when it goes on like that every time it is listened to again."""

RECENT = 200
"""Events that tell which page it is that sends them."""

PROBE = 0.1
"""How much of the bound is left then: a flood that goes on is told by a tenth."""


@dataclass(frozen=True, slots=True)
class Bound:
    """`most` events at once; `per_s` is what may come for ever."""

    most: int
    per_s: float


class BoundedListening:
    """Begins at once. Without listeners to what it names the driver sends nothing of it."""

    def __init__(
        self,
        context: BrowserContext,
        listeners: Mapping[str, Callable[[Any], None]],
        bound: Callable[[], Bound],
        on_pause: Callable[[float], None],
    ) -> None:
        self._context: Any = context
        self._listeners = {name: self._counted(listener) for name, listener in listeners.items()}
        self._bound = bound
        self._on_pause = on_pause
        self._lag = Lag(context)
        self._level = 0.0
        """Events that have not run off yet."""
        self._at = self._since = 0.0
        self._pause_s = PAUSE_S
        self._resuming: asyncio.TimerHandle | None = None
        self.on = False
        self._begin()
        context.on("close", lambda _: self._end())

    def _end(self) -> None:
        self._lag.forget()
        if self._resuming is not None:
            self._resuming.cancel()

    def _counted(self, listener: Callable[[Any], None]) -> Callable[[Any], None]:
        def take(event: Any) -> None:
            listener(event)
            if self.on and (self._is_too_much() or self._lag.is_long()):
                self._pause()

        return take

    def _is_too_much(self) -> bool:
        bound, now = self._bound(), asyncio.get_running_loop().time()
        self._level = max(0.0, self._level - (now - self._at) * bound.per_s) + 1
        self._at = now
        return self._level >= bound.most

    def _begin(self) -> None:
        self.on = True
        for name, listener in self._listeners.items():
            self._context.on(name, listener)

    def _pause(self) -> None:
        self.on = False
        self._lag.forget()
        for name, listener in self._listeners.items():
            self._context.remove_listener(name, listener)
        loop = asyncio.get_running_loop()
        goes_on = self._since > 0 and loop.time() - self._since < self._pause_s
        self._pause_s = min(LONGEST_PAUSE_S, 2 * self._pause_s) if goes_on else PAUSE_S
        self._resuming = loop.call_later(self._pause_s, self._resume)
        self._on_pause(self._pause_s)

    def _resume(self) -> None:
        self._at = self._since = asyncio.get_running_loop().time()
        self._level = (1 - PROBE) * self._bound().most
        self._begin()

"""Whether the browser's answers are late: what it sends of itself waits in the same line. Found out by asking it for
nothing in particular, while something is sent."""

from __future__ import annotations

import asyncio

from playwright.async_api import BrowserContext, Error

from gui_environments.browser.cdp import CdpError, CdpSession, SessionGone

LATE_S = 2.0
"""How long an answer may take that takes a millisecond else."""

EVERY = 50
"""Events after which it is asked again, and that must have come meanwhile: else it is not for them that it is late."""


class Lag:
    """Of one browser. The constructor does no I/O."""

    def __init__(self, context: BrowserContext) -> None:
        self._context = context
        self._session: CdpSession | None = None
        self._asking: asyncio.Task[None] | None = None
        self._asked = 0.0
        self._events = 0

    def is_long(self) -> bool:
        """For each event. Whether events have kept an answer waiting for too long."""
        self._events += 1
        now = asyncio.get_running_loop().time()
        if self._asking is None or self._asking.done():
            if self._events >= EVERY:
                self._events = 0
                self._asked = now
                self._asking = asyncio.get_running_loop().create_task(self._ask())
            return False
        return self._events >= EVERY and now - self._asked > LATE_S

    def forget(self) -> None:
        """What is waited for still; later it is asked anew."""
        if self._asking is not None:
            self._asking.cancel()

    async def _ask(self) -> None:
        try:
            if self._session is None:
                assert self._context.browser is not None
                self._session = CdpSession(await self._context.browser.new_browser_cdp_session())
            await self._session.send("Browser.getVersion")
        except (CdpError, Error, SessionGone):
            return  # it has ended

"""Slowing a page down that sends more than can be listened to. What it sends waits in line before the answer to every
call, and not listening does not stop it. It goes on as on a slower machine, and is as fast as before in a while."""

from __future__ import annotations

import asyncio

from gui_environments.browser.cdp import CdpError, CdpSession, SessionGone
from gui_environments.browser.pages.frames import Frames

TIMES = 20
"""Of so much time its scripts have one part."""

AFTER_S = 2.0
"""So long after a page was left what it sent may still come in."""


class Slowing:
    """Of one tab's page and its frames. The constructor does no I/O."""

    def __init__(self, frames: Frames) -> None:
        self._frames = frames
        self._going: asyncio.Task[None] | None = None
        self._left = asyncio.Event()
        self._left_at = float("-inf")

    @property
    def goes_on(self) -> bool:
        return self._going is not None and not self._going.done()

    def begin(self, for_s: float) -> None:
        """In the background. One that goes on is not made longer."""
        loop = asyncio.get_running_loop()
        if loop.time() - self._left_at > AFTER_S and not self.goes_on:
            self._left.clear()
            self._going = loop.create_task(self._slow(for_s))

    def end(self) -> None:
        """The page has been left."""
        self._left_at = asyncio.get_running_loop().time()
        self._left.set()

    async def _slow(self, for_s: float) -> None:
        try:
            await _set(await self._frames.page_session(), TIMES)
            for session in await self._frames.sessions():
                await _set(session, TIMES)
            try:
                await asyncio.wait_for(self._left.wait(), for_s)
            except TimeoutError:
                pass
            finally:
                for session in await self._frames.sessions():
                    await _set(session, 1)
        except (CdpError, SessionGone):
            return  # closed


async def _set(session: CdpSession, times: int) -> None:
    await session.send("Emulation.setCPUThrottlingRate", rate=times)

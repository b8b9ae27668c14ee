"""How long a page, and each of its frames, is waited for while it is read: a frame that does not answer, or a thousand
of them, does not keep the rest from being read. Reads nothing itself."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from gui_environments.browser.tabs.tab import Tab
from gui_environments.errors import ActionRefused

FRAME_S = 4.0
"""How long one frame may take, with those in it. Reading a large document takes a fraction of that, but on a machine
that is busy elsewhere a frame in a frame, each in a process of its own, has taken two seconds."""

FRAMES_S = 7.0
"""How long all of them may take, from the beginning of a reading on."""


@asynccontextmanager
async def answering(tab: Tab, within_s: float) -> AsyncIterator[None]:
    """Around whatever is read of a tab's page. Raises `ActionRefused` where it cannot be read, or takes longer."""
    tab.require_usable()
    try:
        async with asyncio.timeout(within_s):
            yield
    except TimeoutError:
        tab.require_usable()
        raise ActionRefused(
            f"The page in {tab.tab_id} does not answer: a script keeps it busy, or a dialog is open. "
            "Wait, reload it, or close the tab."
        ) from None


class FrameUnread(Exception):
    """A frame did not answer in time, or there was no time left for it."""


class Patience:
    """With the frames of one reading."""

    def __init__(self) -> None:
        self._end = asyncio.get_running_loop().time() + FRAMES_S
        self.unread = 0
        """Frames that were left out."""

    @asynccontextmanager
    async def for_frame(self) -> AsyncIterator[None]:
        """Around whatever is asked of one frame. Raises `FrameUnread`."""
        left_s = min(FRAME_S, self._end - asyncio.get_running_loop().time())
        try:
            async with asyncio.timeout(left_s):
                await asyncio.sleep(0)  # when no time is left, nothing is asked
                yield
        except TimeoutError:
            self.unread += 1
            raise FrameUnread from None

    @property
    def notice(self) -> tuple[str, ...]:
        """A sentence when frames were left out."""
        if not self.unread:
            return ()
        frames = "1 frame was" if self.unread == 1 else f"{self.unread} frames were"
        return (f"({frames} left out: a script keeps it busy, or there are too many; read with the ref of one)",)

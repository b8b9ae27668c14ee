"""What a call on a display of our own does when the display ends under it: it raises, at once, and says why."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Coroutine
from typing import Any, TypeVar

from gui_environments.desktop.xvfb import VirtualDisplay
from gui_environments.errors import EnvironmentDied

T = TypeVar("T")

WIND_UP_S = 1.0
"""How long a call that lost its display may take to notice; after that it is left to itself."""


class DisplayLife:
    """Watches the X server's process, from its making to `close`. Made on the event loop."""

    def __init__(self, server: VirtualDisplay) -> None:
        self._server = server
        self._end = asyncio.ensure_future(server.process.wait())

    async def while_alive(self, call: Coroutine[Any, Any, T]) -> T:
        """What `call` gives, unless the display ends first. Raises `EnvironmentDied`, with the server's last words."""
        if self._end.done():
            call.close()
            raise EnvironmentDied(self.last_words())
        task = asyncio.ensure_future(call)
        try:
            await asyncio.wait([task, self._end], return_when=asyncio.FIRST_COMPLETED)
        finally:
            if not task.done():
                # It winds up what it holds before it ends.
                task.cancel()
                await asyncio.wait([task], timeout=WIND_UP_S if self._end.done() else None)
        if not task.done() or task.cancelled():
            raise EnvironmentDied(self.last_words())
        try:
            return task.result()
        except EnvironmentDied as error:
            # The connection noticed before the process was reaped, which is a matter of milliseconds.
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(self._end), 1)
            raise EnvironmentDied(self.last_words() if self._end.done() else str(error)) from error

    def last_words(self) -> str:
        code = self._server.process.returncode
        how = "was closed" if code is None else f"ended by signal {-code}" if code < 0 else f"ended with status {code}"
        said = self._server.output.last_lines()
        return f"The display {self._server.name} is gone: its X server {how}." + (
            f" It said last:\n{said}" if said else ""
        )

    def close(self) -> None:
        self._end.cancel()

"""One end of a connection: bytes in, bytes out, no faster than the other side takes them. Knows nothing of HTTP."""

from __future__ import annotations

import asyncio
import struct
from contextlib import suppress
from socket import SO_LINGER, SOL_SOCKET

CHUNK_BYTES = 65536
"""Read at once at most. Twice as much is buffered before the sender has to wait, and as much again on the way out."""

NO_LINGER = struct.pack("ii", 1, 0)
"""Close with a reset."""

FLUSH_S = 5.0
"""How long a peer may take for the last bytes meant for it."""

LINGER_S = 2.0
LINGER_BYTES = 1 << 20
"""What a peer may still send after the last answer. To close before that would reset the connection, and it might never
see that answer."""


class Peer:
    """Counts what passes, and when something last did (`active_at`, in the loop's time)."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._loop = asyncio.get_running_loop()
        self.received_bytes = 0
        self.sent_bytes = 0
        self.active_at = self._loop.time()

    async def read(self) -> bytes:
        """What is there, at least one byte; nothing at the end. Raises `OSError` when the connection broke."""
        data = await self._reader.read(CHUNK_BYTES)
        self.received_bytes += len(data)
        self.active_at = self._loop.time()
        return data

    async def send(self, data: bytes) -> None:
        """Returns when the peer keeps up. Raises `OSError` when the connection broke."""
        self._writer.write(data)
        self.sent_bytes += len(data)
        await self._writer.drain()
        self.active_at = self._loop.time()

    def send_end(self) -> None:
        """Tell the peer that nothing more will come; it may still send."""
        with suppress(OSError):
            if self._writer.can_write_eof():
                self._writer.write_eof()

    @property
    def ended(self) -> bool:
        """Whether the peer said that it sends no more, and all that it sent was read."""
        return self._reader.at_eof()

    @property
    def address(self) -> str | None:
        name = self._writer.get_extra_info("peername")
        return name[0] if isinstance(name, tuple) else None

    async def close(self) -> None:
        """After all that was sent has gone out, or can go no more."""
        try:
            async with asyncio.timeout(FLUSH_S):
                self._writer.close()
                await self._writer.wait_closed()
        except (OSError, TimeoutError):
            pass
        finally:
            # Without effect on what is closed already.
            self.abort()

    async def close_after_answer(self) -> None:
        """Like `close`, for a peer that may still be sending what will not be read."""
        self.send_end()
        left = LINGER_BYTES
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(LINGER_S):
                while left > 0 and (data := await self._reader.read(CHUNK_BYTES)):
                    left -= len(data)
        await self.close()

    def abort(self) -> None:
        """At once; what was not sent is lost."""
        self._writer.transport.abort()

    def reset(self) -> None:
        """Like `abort`, and the peer sees that the connection broke, unless it was closed before."""
        if not self._writer.transport.is_closing():
            with suppress(OSError):
                socket = self._writer.get_extra_info("socket")
                socket.setsockopt(SOL_SOCKET, SO_LINGER, NO_LINGER)
        self.abort()

    async def wait_gone(self) -> None:
        """Until the connection is given back, after `close` or `abort`."""
        with suppress(OSError):
            await self._writer.wait_closed()

"""The host that the egress bench asks, in a process of its own: `python -m benchmarks.egress_host` says its port and
serves until its standard input ends.

It answers each HTTP request with a kilobyte. What does not begin as one is taken for a TLS hello, which is sent back;
each eight bytes that follow are a number, and so many bytes are sent.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 1024\r\n\r\n" + b"x" * 1024
BLOCK = b"x" * 65536
NUMBER_BYTES = 8


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError, asyncio.IncompleteReadError):
        first = await reader.read(65536)
        if first.startswith(b"GET "):
            await answer(first, reader, writer)
        else:
            writer.write(first)
            while True:
                await send(int.from_bytes(await reader.readexactly(NUMBER_BYTES), "big"), writer)
    writer.close()


async def answer(first: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while first:
        writer.write(ANSWER)
        first = await reader.read(65536)


async def send(size: int, writer: asyncio.StreamWriter) -> None:
    while size > 0:
        writer.write(BLOCK[:size])
        await writer.drain()
        size -= len(BLOCK)


async def main() -> None:
    server = await asyncio.start_server(serve, "127.0.0.1", 0, backlog=512)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.read)
    server.close()


if __name__ == "__main__":
    asyncio.run(main())

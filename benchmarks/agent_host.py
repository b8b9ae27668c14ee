"""What the agent's bench asks in the place of a model, in a process of its own: `python -m benchmarks.agent_host TURNS`
says its port and serves until its standard input ends.

It answers at once, with a click and a screenshot, TURNS times, and then that all is done; and begins anew. The size of
each request stands in the usage of its reply, as its input tokens.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: %d\r\n\r\n"


class Host:
    def __init__(self, turns: int) -> None:
        self._turns = turns
        self._answered = itertools.count()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).lower()
                size = int(head.partition(b"content-length:")[2].partition(b"\r\n")[0])
                await reader.readexactly(size)
                body = b"".join(_encoded(event) for event in self._reply(size))
                writer.write(HEAD % len(body) + body)
                await writer.drain()
        writer.close()

    def _reply(self, size: int) -> Iterator[dict[str, Any]]:
        number = next(self._answered)
        ends = number % (self._turns + 1) == self._turns
        usage = {"input_tokens": size, "output_tokens": 1}
        message = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": "claude", "content": []}
        ending = {"stop_reason": None, "stop_sequence": None}
        yield {"type": "message_start", "message": {**message, **ending, "usage": usage}}
        yield from _text(0, "All is done." if ends else "Now the next one.")
        if not ends:
            yield from _call(1, f"toolu_{number}_a", "left_click", {"coordinate": [number % 1000, 300]})
            yield from _call(2, f"toolu_{number}_b", "screenshot", {})
        reason = {**ending, "stop_reason": "end_turn" if ends else "tool_use"}
        yield {"type": "message_delta", "delta": reason, "usage": {"output_tokens": 60}}
        yield {"type": "message_stop"}


def _text(index: int, text: str) -> Iterator[dict[str, Any]]:
    yield {"type": "content_block_start", "index": index, "content_block": {"type": "text", "text": ""}}
    yield {"type": "content_block_delta", "index": index, "delta": {"type": "text_delta", "text": text}}
    yield {"type": "content_block_stop", "index": index}


def _call(index: int, call_id: str, name: str, given: dict[str, Any]) -> Iterator[dict[str, Any]]:
    block = {"type": "tool_use", "id": call_id, "name": name, "toolset_name": "computer", "input": {}}
    delta = {"type": "input_json_delta", "partial_json": json.dumps(given)}
    yield {"type": "content_block_start", "index": index, "content_block": block}
    yield {"type": "content_block_delta", "index": index, "delta": delta}
    yield {"type": "content_block_stop", "index": index}


def _encoded(event: dict[str, Any]) -> bytes:
    return f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()


async def main() -> None:
    server = await asyncio.start_server(Host(int(sys.argv[1])).serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.read)
    server.close()


if __name__ == "__main__":
    asyncio.run(main())

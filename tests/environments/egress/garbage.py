"""Garbage for the proxy, from both of its sides: clients and hosts that send what is nearly right, in pieces, and break
off in every way. `python -m environments.egress.garbage SECONDS [SEED]`, in `tests`, throws it as long as is wanted."""

from __future__ import annotations

import asyncio
import random
import sys
import time
from collections.abc import Callable
from contextlib import suppress

from environments.egress.hosts import Host, Session, ok, proxied, started, wait_until
from environments.egress.openings import hello, upgrade
from gui_environments.egress import EgressLimits

SEEDS = [
    b"GET http://127.0.0.1:PORT/ HTTP/1.1\r\nHost: a\r\n\r\n",
    b"GET http://127.0.0.1:PORT/ HTTP/1.0\r\n\r\n",
    b"POST http://127.0.0.1:PORT/ HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
    b"POST http://evil.test/ HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nabcde",
    b"CONNECT 127.0.0.1:PORT HTTP/1.1\r\nHost: a\r\n\r\n" + hello(None),
    b"CONNECT evil.test:443 HTTP/1.1\r\nHost: a\r\n\r\n" + hello("evil.test"),
    b"CONNECT 127.0.0.1:PORT HTTP/1.1\r\nHost: a\r\n\r\n" + upgrade("127.0.0.1:PORT"),
]
"""What mutations are made of."""

AT_ONCE = 10


async def throw_garbage(seed: int, goes_on: Callable[[int], bool]) -> Session:
    """As long as it `goes_on`, which is asked with the number of rounds; the session, when all of it is over."""
    choice = random.Random(seed)
    limits = EgressLimits(head_s=2, idle_s=3, half_closed_s=1)
    async with started(answering_garbage(choice)) as host, proxied("127.0.0.1", limits=limits) as session:
        rounds = 0
        while goes_on(rounds):
            rounds += 1
            thrown = [mutated(choice).replace(b"PORT", str(host.port).encode()) for _ in range(AT_ONCE)]
            await asyncio.gather(
                *(_throw(session, data, choice.randrange(len(data) + 1), choice.randrange(3)) for data in thrown)
            )
        await wait_until(lambda: session.proxy.connections == 0)
        head, _ = await session.ask(b"GET http://evil.test/ HTTP/1.1\r\nHost: evil.test\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 403 ")
        assert {event.host for event in session.judged if event.verdict.allowed} <= {"127.0.0.1"}
        return session


def mutated(choice: random.Random) -> bytes:
    data = bytearray(choice.choice(SEEDS))
    for _ in range(choice.randint(1, 8)):
        at = choice.randrange(len(data) + 1)
        match choice.randrange(5):
            case 0:
                data[at : at + 1] = choice.randbytes(1)
            case 1:
                data[at:at] = choice.randbytes(choice.randint(1, 40))
            case 2:
                del data[at : at + choice.randint(1, 40)]
            case 3:
                data[at:at] = choice.choice(SEEDS)
            case 4:
                data[at:at] = choice.choice([b"\r\n", b"\x00", b":", b" ", b"\r\n\r\n", b"%00", b"@", b"\xff"])
    return bytes(data)


def answering_garbage(choice: random.Random) -> Host:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(65536)
        writer.write(_nearly_an_answer(choice))
        await writer.drain()

    return Host(serve)


def _nearly_an_answer(choice: random.Random) -> bytes:
    answer = bytearray(ok(b"x" * choice.randrange(2000)))
    match choice.randrange(5):
        case 0:
            return mutated(choice)
        case 1:
            return bytes(answer[: choice.randrange(len(answer))])
        case 2:
            for _ in range(3):
                answer[choice.randrange(len(answer))] = choice.randrange(256)
            return bytes(answer)
        case 3:
            switched = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"
            return switched + choice.randbytes(50)
        case _:
            chunks = bytes(choice.choice(b"0123456789abcdef\r\n;x") for _ in range(60))
            return b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks


async def _throw(session: Session, data: bytes, cut: int, way: int) -> None:
    with suppress(OSError):
        async with session.client() as client:
            await client.send(data[:cut])
            await asyncio.sleep(0)
            await client.send(data[cut:])
            if way == 0:
                client.writer.transport.abort()
            elif way == 1:
                client.writer.write_eof()
                await client.read_to_end()


if __name__ == "__main__":
    end = time.monotonic() + float(sys.argv[1])
    thrown = asyncio.run(throw_garbage(int(sys.argv[2]) if len(sys.argv) > 2 else 1, lambda _: time.monotonic() < end))
    print(f"{len(thrown.events)} events, no harm")

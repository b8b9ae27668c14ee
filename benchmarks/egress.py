"""The egress proxy, beside the same requests made directly. The proxy and the client share a loop, as in the worker;
the host is a process of its own."""

from __future__ import annotations

import asyncio
import resource
import ssl
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager

from benchmarks.egress_host import ANSWER, NUMBER_BYTES
from benchmarks.measuring import Row, median_ms
from gui_environments.egress import EgressProxy, HostRules

ADDED_MS = 2.0
"""What a request may take longer through the proxy."""

GIGABYTE = 10**9
AT_ONCE = 200

KEPT_MIB = 16.0
"""What carrying a gigabyte may add to this process."""

Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Connect = Callable[[], Awaitable[Ends]]


async def measure_egress(runs: int) -> Sequence[Row]:
    async with _host() as port, EgressProxy.open(HostRules.of([f"127.0.0.1:{port}"])) as proxy:
        request = f"GET http://127.0.0.1:{port}/ HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()

        async def directly() -> Ends:
            return await asyncio.open_connection("127.0.0.1", port)

        async def through() -> Ends:
            return await asyncio.open_connection(proxy.address.host, proxy.address.port)

        async def tunnelled() -> Ends:
            reader, writer = await through()
            writer.write(f"CONNECT 127.0.0.1:{port} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
            await reader.readuntil(b"\r\n\r\n")
            return reader, writer

        rows = [
            await _row("a request on a connection that is open", directly, through, _requests_on_one(request), runs),
            await _row("a request on a connection of its own", directly, through, _request_alone(request), runs),
            await _row("a tunnel and the first answer through it", directly, tunnelled, _greet, runs),
        ]
        together = (await _times(directly, _greet), await _times(tunnelled, _greet))
        rows.append(Row(f"{AT_ONCE} tunnels at once, each answered", together[1], floor=together[0]))
        return [*rows, *await _measure_gigabyte(directly, tunnelled)]


async def _row(work: str, plain: Connect, ours: Connect, use: Callable[[Connect], Awaitable[float]], runs: int) -> Row:
    floor = await _median(lambda: use(plain), runs)
    return Row(work, await _median(lambda: use(ours), runs), floor=floor, limit=floor + ADDED_MS, goal="floor + 2 ms")


async def _median(use: Callable[[], Awaitable[float]], runs: int) -> float:
    times = sorted([await use() for _ in range(runs + 1)][1:])
    return times[len(times) // 2]


def _requests_on_one(request: bytes) -> Callable[[Connect], Awaitable[float]]:
    async def use(connect: Connect) -> float:
        reader, writer = await connect()
        took = await median_ms(lambda: _ask(request, reader, writer), 5)
        writer.close()
        return took

    return use


def _request_alone(request: bytes) -> Callable[[Connect], Awaitable[float]]:
    async def use(connect: Connect) -> float:
        start = time.perf_counter()
        reader, writer = await connect()
        await _ask(request, reader, writer)
        took = (time.perf_counter() - start) * 1000
        writer.close()
        return took

    return use


async def _ask(request: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(request)
    await reader.readuntil(b"\r\n\r\n")
    await reader.readexactly(len(ANSWER.partition(b"\r\n\r\n")[2]))


async def _greet(connect: Connect) -> float:
    start = time.perf_counter()
    reader, writer = await connect()
    writer.write(HELLO)
    await reader.readexactly(len(HELLO))
    took = (time.perf_counter() - start) * 1000
    writer.close()
    return took


async def _times(connect: Connect, use: Callable[[Connect], Awaitable[float]]) -> float:
    start = time.perf_counter()
    await asyncio.gather(*(use(connect) for _ in range(AT_ONCE)))
    return (time.perf_counter() - start) * 1000


async def _measure_gigabyte(directly: Connect, tunnelled: Connect) -> list[Row]:
    floor = await _fetch_gigabyte(directly)
    before = _peak_mib()
    ours = await _fetch_gigabyte(tunnelled)
    return [
        Row("a gigabyte through a tunnel", ours, "s", floor=floor),
        Row("memory that it added", _peak_mib() - before, "MiB", limit=KEPT_MIB, goal=f"{KEPT_MIB:.0f} MiB"),
    ]


async def _fetch_gigabyte(connect: Connect) -> float:
    reader, writer = await connect()
    writer.write(HELLO)
    await reader.readexactly(len(HELLO))
    start = time.perf_counter()
    writer.write(GIGABYTE.to_bytes(NUMBER_BYTES, "big"))
    left = GIGABYTE
    while left:
        left -= len(await reader.read(65536))
    writer.close()
    return time.perf_counter() - start


def _peak_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _hello() -> bytes:
    """What a TLS client sends first to an address."""
    context = ssl.create_default_context()
    context.check_hostname = False
    outgoing = ssl.MemoryBIO()
    end = context.wrap_bio(ssl.MemoryBIO(), outgoing)
    try:
        end.do_handshake()
    except ssl.SSLWantReadError:
        return outgoing.read()
    raise AssertionError("a handshake takes two")


HELLO = _hello()


@asynccontextmanager
async def _host() -> AsyncIterator[int]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "benchmarks.egress_host"), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield int(await process.stdout.readline())
    finally:
        process.stdin.close()
        await process.wait()

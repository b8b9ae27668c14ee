"""Real servers on loopback that keep what arrived, a client that speaks bytes, and a book of names."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from ipaddress import ip_address

from gui_environments.egress import EgressEvent, EgressLimits, EgressProxy, HostRules, RequestEnded, RequestJudged
from gui_environments.egress.ranges import IpAddress
from gui_environments.egress.resolving import Resolve

PATIENCE_S = 30.0
"""Bounds a hang; reached only by a test that fails."""

POLL_S = 0.005

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


async def wait_until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not condition():  # noqa: ASYNC110 - what is waited for has no event
            await asyncio.sleep(POLL_S)


class Host:
    """A server: `arrived` is all that it received, over all of its `connections`."""

    def __init__(self, serve: Serve, tls: ssl.SSLContext | None = None) -> None:
        self._serve = serve
        self._tls = tls
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.arrived = b""
        self.connections = 0
        self.port = 0

    async def start(self, address: str = "127.0.0.1", port: int = 0) -> None:
        self._server = await asyncio.start_server(self._accept, address, port, ssl=self._tls)
        self.port = self._server.sockets[0].getsockname()[1]

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.create_task(self._run(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with suppress(OSError, asyncio.IncompleteReadError):
                await self._serve(reader, writer)
        finally:
            await close(writer)

    async def stop(self) -> None:
        if self._server is not None:
            self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._server is not None:
            await self._server.wait_closed()


async def close(writer: asyncio.StreamWriter) -> None:
    """Also where the other side is gone or does not read."""
    with suppress(OSError, TimeoutError):
        async with asyncio.timeout(1):
            writer.close()
            await writer.wait_closed()
    writer.transport.abort()
    with suppress(OSError):
        await writer.wait_closed()


@asynccontextmanager
async def started(host: Host, address: str = "127.0.0.1", port: int = 0) -> AsyncIterator[Host]:
    await host.start(address, port)
    try:
        yield host
    finally:
        await host.stop()


def answering(*answers: bytes) -> Host:
    """Reads one request's head, and its body when it has a length, for each answer; then closes."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for answer in answers:
            head = await reader.readuntil(b"\r\n\r\n")
            host.arrived += head
            length = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
            if length:
                host.arrived += await reader.readexactly(int(length[0].split(b":")[1]))
            writer.write(answer)
            await writer.drain()

    host = Host(serve)
    return host


def echoing(tls: ssl.SSLContext | None = None) -> Host:
    """Sends back whatever comes, and ends when the client has."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            host.arrived += data
            writer.write(data)
            await writer.drain()

    host = Host(serve, tls)
    return host


def ok(body: bytes = b"hello", *headers: bytes) -> bytes:
    length = b"Content-Length: %d" % len(body)
    return b"\r\n".join([b"HTTP/1.1 200 OK", length, *headers, b"", body])


class Names:
    """A resolver with a book of its own; each name's addresses by look-up, the last for ever."""

    def __init__(self, **book: Sequence[str] | Sequence[Sequence[str]]) -> None:
        self._book: dict[str, list[Sequence[str]]] = {}
        for name, addresses in book.items():
            rounds = [addresses] if addresses and isinstance(addresses[0], str) else addresses
            self._book[name.replace("_", ".")] = list(rounds)  # type: ignore[arg-type]
        self.looked_up: list[str] = []

    async def __call__(self, name: str) -> Sequence[IpAddress]:
        self.looked_up.append(name)
        rounds = self._book.get(name)
        if rounds is None:
            raise OSError(f"{name} is not in the book")
        return [ip_address(text) for text in (rounds.pop(0) if len(rounds) > 1 else rounds[0])]


class Client:
    """A connection to the proxy, in bytes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def read_head(self) -> bytes:
        async with asyncio.timeout(PATIENCE_S):
            return await self.reader.readuntil(b"\r\n\r\n")

    async def read_answer(self) -> tuple[bytes, bytes]:
        """Of an answer with a length: its head and body."""
        head = await self.read_head()
        length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
        async with asyncio.timeout(PATIENCE_S):
            return head, await self.reader.readexactly(int(length.split(b":")[1]))

    async def read_to_end(self) -> bytes:
        """All that comes until the connection ends, in order or not."""
        read = b""
        async with asyncio.timeout(PATIENCE_S):
            try:
                while data := await self.reader.read(65536):
                    read += data
            except OSError:
                pass
        return read

    async def connect(self, host: str, port: int) -> bytes:
        """Ask for a tunnel; the head of the answer."""
        await self.send(f"CONNECT {host}:{port} HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
        return await self.read_head()


class Session:
    """A proxy with all that it told."""

    def __init__(self, proxy: EgressProxy, events: list[EgressEvent]) -> None:
        self.proxy = proxy
        self.events = events

    @asynccontextmanager
    async def client(self) -> AsyncIterator[Client]:
        reader, writer = await asyncio.open_connection(self.proxy.address.host, self.proxy.address.port)
        try:
            yield Client(reader, writer)
        finally:
            await close(writer)

    async def ask(self, request: bytes) -> tuple[bytes, bytes]:
        async with self.client() as client:
            await client.send(request)
            return await client.read_answer()

    @property
    def judged(self) -> list[RequestJudged]:
        return [event for event in self.events if isinstance(event, RequestJudged)]

    @property
    def ended(self) -> list[RequestEnded]:
        return [event for event in self.events if isinstance(event, RequestEnded)]

    async def wait_ended(self, count: int = 1) -> list[RequestEnded]:
        await wait_until(lambda: len(self.ended) >= count)
        return self.ended


@asynccontextmanager
async def proxied(
    *allow: str, names: Resolve | None = None, limits: EgressLimits | None = None, rules: HostRules | None = None
) -> AsyncIterator[Session]:
    events: list[EgressEvent] = []
    async with EgressProxy.open(
        rules or HostRules.of(allow),
        resolve=names or Names(),
        on_event=events.append,
        limits=limits or EgressLimits(),
    ) as proxy:
        yield Session(proxy, events)


def get(url: str, *headers: str) -> bytes:
    return "\r\n".join([f"GET {url} HTTP/1.1", "Host: whatever.test", *headers, "", ""]).encode()

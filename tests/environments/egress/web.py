"""A web of the tests' own: on ports 80 and 443 of every address, whatever the host's name is. It serves the pages that
the tests need and keeps what arrived, by the address it arrived at."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import ssl
from contextlib import suppress
from dataclasses import dataclass

from environments.egress.hosts import close

WORKER = """
self.onmessage = event => fetch(event.data, { mode: 'no-cors' }).catch(() => {})
"""
SHARED_WORKER = """
onconnect = event => { event.ports[0].onmessage = message => fetch(message.data, { mode: 'no-cors' }).catch(() => {}) }
"""
SERVICE_WORKER = """
addEventListener('install', () => skipWaiting())
addEventListener('activate', event => event.waitUntil(clients.claim()))
addEventListener('message', event => event.waitUntil(fetch(event.data, { mode: 'no-cors' }).catch(() => {})))
"""
SCRIPTS = {"/worker.js": WORKER, "/shared.js": SHARED_WORKER, "/service.js": SERVICE_WORKER}

GREETING = b"\x81\x05hello"
"""A WebSocket's text frame."""


@dataclass(frozen=True)
class Arrival:
    """A request as its host saw it."""

    scheme: str
    host: str
    path: str
    address: str
    method: str


class Web:
    def __init__(self, tls: ssl.SSLContext) -> None:
        self._tls = tls
        self._servers: list[asyncio.Server] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self.arrivals: list[Arrival] = []
        self.connections: list[tuple[str, int]] = []
        """By the address connected to, also where no request followed."""

    async def start(self) -> None:
        """On the usual ports of every address: in a network of its own."""
        for address in ("0.0.0.0", "::"):
            await self.listen(address, 80)
            await self.listen(address, 443, secure=True)

    async def listen(self, address: str, port: int = 0, *, secure: bool = False) -> int:
        server = await asyncio.start_server(self._accept, address, port, ssl=self._tls if secure else None)
        self._servers.append(server)
        return int(server.sockets[0].getsockname()[1])

    async def stop(self) -> None:
        for server in self._servers:
            server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for server in self._servers:
            await server.wait_closed()

    def has(self, host: str, path: str) -> bool:
        return any((arrival.host, arrival.path.partition("?")[0]) == (host, path) for arrival in self.arrivals)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._run(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
                await self._serve(reader, writer)
        finally:
            await close(writer)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        address, port = writer.get_extra_info("sockname")[:2]
        self.connections.append((address, port))
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        request, *lines = head.rstrip().split("\r\n")
        method, path, _ = request.split(" ", 2)
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
        self.arrivals.append(
            Arrival(
                "http" if writer.get_extra_info("ssl_object") is None else "https",
                headers.get("host", ""),
                path,
                address,
                method,
            )
        )
        if headers.get("upgrade") == "websocket":
            writer.write(switching(headers["sec-websocket-key"]) + GREETING)
            await writer.drain()
            await reader.read()
            return
        writer.write(answer(path))
        await writer.drain()


def switching(key: str) -> bytes:
    digest = hashlib.sha1(f"{key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11".encode()).digest()
    accepted = base64.b64encode(digest)
    return (
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
        + accepted
        + b"\r\n\r\n"
    )


def answer(path: str) -> bytes:
    """`/to?URL` redirects there, `/refreshing?URL` goes there by itself, `/preloading?URL` says that it will want that
    picture, `/reporting?URL` has its violations reported there, everything else is a page."""
    place, _, query = path.partition("?")
    lines = ["Connection: close", "Cache-Control: no-store", "Access-Control-Allow-Origin: *"]
    if place == "/to":
        return head("302 Found", *lines, f"Location: {query}", "Content-Length: 0")
    if place in SCRIPTS:
        return page(SCRIPTS[place], *lines, "Content-Type: text/javascript")
    if place == "/refreshing":
        lines.append(f"Refresh: 0;url={query}")
    if place == "/preloading":
        lines.append(f"Link: <{query}>; rel=preload; as=image")
    if place == "/reporting":
        lines.append(f"Content-Security-Policy: img-src 'none'; report-uri {query}")
    return page(f"<!doctype html><title>{place}</title><p>{place}", *lines, "Content-Type: text/html; charset=utf-8")


def page(body: str, *lines: str) -> bytes:
    data = body.encode()
    return head("200 OK", *lines, f"Content-Length: {len(data)}") + data


def head(status: str, *lines: str) -> bytes:
    return "\r\n".join([f"HTTP/1.1 {status}", *lines, "", ""]).encode("latin-1")

"""The egress proxy: the one way out of a session, for its browser and for whatever else is told to use it.

It hands on what the rules allow and nothing else. It reads the names of the hosts that TLS connections ask for, never
what they carry; it keeps nothing, and tells each verdict as it is made.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from gui_environments.egress.connection import Connection
from gui_environments.egress.events import EgressEvent, EgressListener
from gui_environments.egress.limits import EgressLimits
from gui_environments.egress.peer import CHUNK_BYTES, Peer
from gui_environments.egress.resolving import Resolve, system_resolver
from gui_environments.egress.rules import HostRules
from gui_environments.egress.terms import Terms

log = logging.getLogger(__name__)

LOOKS_IN_AN_IDLE_TIME = 10
"""How often connections are looked at for whether they are idle, in the shortest time that makes them so."""

FULL = b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"

NO_LIMITS_GIVEN = EgressLimits()


@dataclass(frozen=True, slots=True)
class ProxyAddress:
    """Where the proxy listens, as a URL or as a host and port."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"http://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"


class EgressProxy:
    """A running proxy. Made by `EgressProxy.open`."""

    def __init__(self, terms: Terms, address: ProxyAddress | Path) -> None:
        self._terms = terms
        self._address = address
        self._connections: dict[asyncio.Task[None], Peer] = {}
        self._is_closing = False

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        rules: HostRules,
        *,
        listen: tuple[str, int] | Path = ("127.0.0.1", 0),
        on_event: EgressListener | None = None,
        resolve: Resolve | None = None,
        limits: EgressLimits = NO_LIMITS_GIVEN,
    ) -> AsyncIterator[EgressProxy]:
        """Listens on an address (port 0 is one that is free) or, given a path, on a Unix socket, which only this user
        may use. On leaving, every connection is ended. Raises `OSError` when it cannot listen there."""
        terms = Terms(rules, resolve or system_resolver(), limits, on_event or _tell_nobody)
        listener = _listen(listen)
        name = listener.getsockname()
        proxy = cls(terms, listen if isinstance(listen, Path) else ProxyAddress(name[0], name[1]))
        try:
            start = asyncio.start_unix_server if isinstance(listen, Path) else asyncio.start_server
            server = await start(proxy._accept, sock=listener, limit=CHUNK_BYTES, backlog=limits.connections)
        except BaseException:
            listener.close()
            raise
        watching = asyncio.create_task(proxy._end_idle())
        try:
            yield proxy
        finally:
            server.close()
            watching.cancel()
            await proxy._end_all()
            await asyncio.gather(watching, return_exceptions=True)
            await server.wait_closed()
            if isinstance(listen, Path):
                listen.unlink(missing_ok=True)  # noqa: ASYNC240 - one call, at once

    @property
    def address(self) -> ProxyAddress:
        """Not for one on a Unix socket, to which browsers cannot be sent."""
        assert isinstance(self._address, ProxyAddress), "it listens on a Unix socket"
        return self._address

    @property
    def connections(self) -> int:
        """How many clients are connected."""
        return len(self._connections)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._is_closing:
            writer.transport.abort()
            return
        if len(self._connections) >= self._terms.limits.connections:
            log.warning("the egress proxy has %d connections and takes no more", len(self._connections))
            writer.write(FULL)
            writer.close()
            return
        peer = Peer(reader, writer)
        task = asyncio.create_task(Connection(peer, self._terms).serve())
        self._connections[task] = peer
        task.add_done_callback(self._forget)

    def _forget(self, task: asyncio.Task[None]) -> None:
        del self._connections[task]
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a connection of the egress proxy was ended by an error", exc_info=error)

    async def _end_idle(self) -> None:
        """A peer that was told to leave ends the connection, also where somebody waits for it."""
        limits = self._terms.limits
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(min(limits.idle_s, limits.half_closed_s) / LOOKS_IN_AN_IDLE_TIME)
            for task, peer in list(self._connections.items()):
                limit_s = limits.half_closed_s if peer.ended else limits.idle_s
                if loop.time() - peer.active_at > limit_s:
                    task.cancel()

    async def _end_all(self) -> None:
        self._is_closing = True
        tasks = list(self._connections)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _listen(where: tuple[str, int] | Path) -> socket.socket:
    if isinstance(where, Path):
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    else:
        family = socket.AF_INET6 if ":" in where[0] else socket.AF_INET
        # Without the protocol asyncio would not know that what it accepts here must not wait before it sends.
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        if isinstance(where, Path):
            # Before anybody can connect: it is not yet listened on.
            listener.bind(str(where))
            where.chmod(0o600)
        else:
            listener.bind(where)
        listener.setblocking(False)
    except BaseException:
        listener.close()
        raise
    return listener


def _tell_nobody(event: EgressEvent) -> None:
    log.debug("%s", event)

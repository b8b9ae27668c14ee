"""Names to addresses: once for each connection, by the system. Nothing is kept."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from ipaddress import ip_address
from typing import Any

from gui_environments.egress.entries import is_localhost
from gui_environments.egress.ranges import IpAddress

Resolve = Callable[[str], Awaitable[Sequence[IpAddress]]]
"""From a name in canonical form to all of its addresses; raises `OSError` when there are none."""

LOCALHOST: Sequence[IpAddress] = (ip_address("127.0.0.1"), ip_address("::1"))

LOOKUPS_AT_ONCE = 64
"""Threads that wait for name servers; more names wait for their turn."""


def system_resolver() -> Resolve:
    """As other programs on this machine resolve names. `localhost` is never asked for."""
    turns = asyncio.Semaphore(LOOKUPS_AT_ONCE)

    async def resolve(name: str) -> Sequence[IpAddress]:
        if is_localhost(name):
            return LOCALHOST
        await turns.acquire()
        found = await _look_up(name, turns.release)
        # Of IPv6 addresses the zone is part of what was found; it decides nothing.
        return list(dict.fromkeys(ip_address(entry[4][0].partition("%")[0]) for entry in found))

    return resolve


def _look_up(name: str, when_over: Callable[[], None]) -> asyncio.Future[list[Any]]:
    """In a thread of its own, since a lookup can neither be bounded nor cancelled: one that is not waited for any more
    is left behind, and keeps neither the loop nor the process. Only when the thread is through is it `when_over`."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[list[Any]] = loop.create_future()

    def settle(found: list[Any], error: Exception | None) -> None:
        when_over()
        if done.done():
            return
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(found)

    def look_up() -> None:
        found: list[Any] = []
        error: Exception | None = None
        try:
            found = socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)
        except OSError as raised:
            error = raised
        except UnicodeError:  # from Python's own reading of names, such as those with a part that is too long
            error = OSError(f"{name} is no name that can be looked up")
        # The loop may be closed by now; then nobody waits.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(settle, found, error)

    threading.Thread(target=look_up, name="egress lookup", daemon=True).start()
    return done

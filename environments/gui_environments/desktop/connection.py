"""One connection to an X server, and the one thread that may use it. Knows nothing of what is said over it."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import threading
import traceback
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import Xlib.display
import Xlib.error
import Xlib.protocol.display
import Xlib.protocol.event

from gui_environments.desktop.work_thread import Cancellation, WorkThread
from gui_environments.errors import EnvironmentDied, EnvironmentUnavailable

log = logging.getLogger(__name__)

T = TypeVar("T")

_environ_lock = threading.Lock()

CONNECTION_LOST = (Xlib.error.ConnectionClosedError, BrokenPipeError, ConnectionResetError)
"""What python-xlib lets out when the server is gone."""


@contextmanager
def xauthority_in_environ(xauthority: Path | None) -> Iterator[None]:
    """`XAUTHORITY` set for the moment of connecting: neither python-xlib nor libxcb takes a cookie file as an argument.

    Held under a lock, so that desktops opened side by side do not read each other's cookie.
    """
    with _environ_lock:
        before = os.environ.get("XAUTHORITY")
        if xauthority is not None:
            os.environ["XAUTHORITY"] = str(xauthority)
        try:
            yield
        finally:
            if xauthority is not None:
                if before is None:
                    del os.environ["XAUTHORITY"]
                else:
                    os.environ["XAUTHORITY"] = before


class XConnection:
    """A python-xlib display and its worker thread. Made by `open_connection`."""

    def __init__(self, display: Any, name: str) -> None:
        self.display = display
        self.name = name
        self._thread = WorkThread(f"x11 {name}")
        self._closed = False
        display.set_error_handler(self._log_protocol_error)

    async def run(self, work: Callable[[Cancellation], T]) -> T:
        """`work` on the connection's thread. A cancelled caller waits until the work has wound up (it is told through
        its `Cancellation`), so that what its `finally` blocks release is released by then.

        Raises `EnvironmentDied` when the server is gone.
        """
        if self._closed:
            raise EnvironmentDied(f"The display {self.name} has been closed.")
        try:
            return await self._thread.run(work)
        except CONNECTION_LOST as error:
            raise EnvironmentDied(f"The display {self.name} is gone: the X server closed the connection.") from error

    async def close(self) -> None:
        """End the connection. Idempotent; a server that is already gone is no error."""
        if self._closed:
            return
        self._closed = True
        try:
            await self._thread.run(lambda _: self._close_display())
        finally:
            self._thread.close()

    def _close_display(self) -> None:
        try:
            close_display(self.display)
        except CONNECTION_LOST:
            log.debug("%s was gone when its connection was closed", self.name)

    def _log_protocol_error(self, error: object, _request: object) -> None:
        # A window may vanish between looking at it and asking about it; the request that cared gets its own error.
        log.debug("X protocol error on %s: %s", self.name, error)


def connect(name: str, xauthority: Path | None = None) -> Any:
    """A python-xlib display (blocking). Raises `EnvironmentUnavailable` when the server does not answer or refuses."""
    try:
        with xauthority_in_environ(xauthority):
            require_cookies(Path(os.environ.get("XAUTHORITY") or Path.home() / ".Xauthority"))
            # python-xlib keeps one table of event and error codes for all displays, but each server numbers those of
            # its extensions as it likes. The lock of the environment guards the table, too.
            table = Xlib.protocol.display.Display
            table.event_classes = Xlib.protocol.event.event_class.copy()
            table.error_classes = Xlib.error.xerror_class.copy()
            # Said this way, python-xlib does not try TCP when the local socket is not there.
            display = Xlib.display.Display(f"unix/{name}" if name.startswith(":") else name)
            display.display.event_classes = table.event_classes
            # RANDR's errors are put in the places of core ones, and are no errors of its own kind.
            display.display.error_classes = table.error_classes | Xlib.error.xerror_class
            return display
    except (Xlib.error.DisplayError, OSError) as error:
        close_sockets_of(error)
        raise EnvironmentUnavailable(f"Cannot connect to the X display {name}: {reason_of(error)}") from None


def close_display(display: Any) -> None:
    """End the connection of `connect`. Of a server that is gone python-xlib would keep the socket."""
    try:
        display.close()
    finally:
        display.display.socket.close()


def reason_of(error: Exception) -> str:
    reason = error.msg if isinstance(error, Xlib.error.DisplayConnectionError) else error
    return (reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)).strip()


def require_cookies(path: Path) -> None:
    """Raises OSError for a cookie file without a whole entry: python-xlib would complain of it on standard output."""
    try:
        rest = path.read_bytes()
    except FileNotFoundError:
        return
    entries = 0
    while rest:
        fields = 0
        rest = rest[2:]  # the family
        while fields < 4 and len(rest) >= 2 + int.from_bytes(rest[:2]):
            rest = rest[2 + int.from_bytes(rest[:2]) :]
            fields += 1
        if fields < 4:
            raise OSError(f"the cookie file {path} is damaged")
        entries += 1
    if entries == 0:
        raise OSError(f"the cookie file {path} holds no cookie")


def close_sockets_of(error: BaseException | None) -> None:
    """The ones that python-xlib opened for a connection that then failed, and left to the garbage collector."""
    while error is not None:
        for frame, _ in traceback.walk_tb(error.__traceback__):
            owner = frame.f_locals.get("self")
            attributes = vars(owner) if isinstance(owner, Xlib.protocol.display.Display) else {}
            for opened in (attributes.get("socket"), frame.f_locals.get("s")):
                if isinstance(opened, socket.socket):
                    opened.close()
        error = error.__context__


async def open_connection(name: str, xauthority: Path | None = None) -> XConnection:
    """A connection to the display `name` (":101"). Raises `EnvironmentUnavailable`."""
    connecting = asyncio.ensure_future(asyncio.to_thread(connect, name, xauthority))
    try:
        display = await asyncio.shield(connecting)
    except asyncio.CancelledError:
        await asyncio.wait([connecting])
        if connecting.exception() is None:
            close_display(connecting.result())
        raise
    return XConnection(display, name)


@asynccontextmanager
async def connection_to(name: str, xauthority: Path | None = None) -> AsyncIterator[XConnection]:
    """`open_connection`, closed at the end."""
    connection = await open_connection(name, xauthority)
    try:
        yield connection
    finally:
        await connection.close()


def require_extensions(display: Any, name: str) -> None:
    """Raises `EnvironmentUnavailable` when the server lacks what no desktop can do without; logs what it must do
    without. Blocking."""
    if display.query_extension("XTEST") is None:
        raise EnvironmentUnavailable(
            f"The X server of {name} has no XTEST extension, so it takes no input from programs. Start it with XTEST, "
            "or use a display of our own (leave the display out)."
        )
    if display.query_extension("DAMAGE") is None:
        log.warning("%s has no DAMAGE extension: after an action we can only wait a fixed time", name)

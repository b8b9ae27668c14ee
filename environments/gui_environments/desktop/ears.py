"""A connection that sends a message to one window and hears what is sent to the root window. Apart from the desktop's
own, whose events are about damage. Used on the X thread; presses nothing."""

from __future__ import annotations

import logging
import select
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from Xlib import X
from Xlib.ext import record

from gui_environments.desktop.connection import CONNECTION_LOST, close_display, connect
from gui_environments.desktop.map_reads import MapReads, recorded_map_reads
from gui_environments.desktop.session import XSession
from gui_environments.desktop.xkb import enable_xkb

log = logging.getLogger(__name__)


class Ears:
    """Made by `open_ears`."""

    def __init__(self, display: Any, delivery: Any | None) -> None:
        self.display = display
        self._delivery = delivery
        """What a recorder delivers on; None on a server that cannot record."""

    @property
    def can_record(self) -> bool:
        return self._delivery is not None

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Only meanwhile does the server send events, since nobody reads them otherwise."""
        root = self.display.screen().root
        # Answers to pings are sent to the root window, by Qt as StructureNotify.
        root.change_attributes(event_mask=X.SubstructureNotifyMask | X.StructureNotifyMask)
        self.display.sync()
        try:
            yield
        finally:
            root.change_attributes(event_mask=X.NoEventMask)
            self.display.sync()
            for _ in self.events():
                pass

    def recording(self, clients: list[int]) -> AbstractContextManager[MapReads]:
        assert self._delivery is not None
        return recorded_map_reads(self.display, self._delivery, clients)

    def send(self, window: int, message: Any) -> None:
        # No event mask: the server gives it to the client that made the window, and to nobody else.
        self.display.create_resource_object("window", window).send_event(message, event_mask=X.NoEventMask)
        self.display.flush()

    def events(self) -> Iterator[Any]:
        """Those that are there."""
        while self.display.pending_events():
            yield self.display.next_event()

    def wait_for_events(self, timeout_s: float) -> bool:
        """Whether there are any."""
        if self.display.pending_events():
            return True
        return bool(select.select([self.display.fileno()], [], [], timeout_s)[0])

    def close(self) -> None:
        for connection in (self._delivery, self.display):
            if connection is not None:
                _close(connection)


def open_ears(session: XSession) -> Ears:
    display = _connect(session)
    return Ears(display, _connect(session) if display.query_extension(record.extname) else None)


def _connect(session: XSession) -> Any:
    connection = connect(session.display.get_display_name(), session.xauthority)
    connection.set_error_handler(_log_protocol_error)
    # Also so that the server sends no MappingNotify to a connection that nobody reads for long.
    enable_xkb(connection)
    return connection


def _close(connection: Any) -> None:
    try:
        close_display(connection)
    except CONNECTION_LOST:
        log.debug("the server was gone when a listening connection was closed")


def _log_protocol_error(error: object, _request: object) -> None:
    # A window may vanish while it is asked; what waits for its answer looks whether it is there.
    log.debug("X protocol error while listening: %s", error)

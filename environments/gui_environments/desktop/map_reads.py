"""Watches which applications read the keyboard map, through the RECORD extension. Sees those requests and nothing else:
no keys, no text.

RECORD delivers on a connection of its own, which does nothing but wait; so a recorder has a thread that reads it.
"""

from __future__ import annotations

import logging
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from Xlib.error import XError
from Xlib.ext import record

from gui_environments.desktop.connection import CONNECTION_LOST
from gui_environments.desktop.xkb import EXTENSION, GET_MAP

log = logging.getLogger(__name__)

GET_KEYBOARD_MAPPING = 101

_START_TIMEOUT_S = 5.0


@dataclass(frozen=True, slots=True)
class MapRead:
    """One request for the map by the connection `client` (its resource base). `keycode` and `count` are what a core
    request asked for; both 0 for a request of XKB's."""

    client: int
    keycode: int
    count: int


class MapReads:
    """What was seen, in order. Filled by the recorder's thread, waited on by ours."""

    def __init__(self) -> None:
        self._seen: list[MapRead] = []
        self._changed = threading.Condition()

    def add(self, read: MapRead) -> None:
        with self._changed:
            self._seen.append(read)
            self._changed.notify_all()

    def seen(self) -> list[MapRead]:
        with self._changed:
            return self._seen.copy()

    def wait(self, known: int, timeout_s: float) -> None:
        """Until there are more than `known`, for at most `timeout_s`."""
        with self._changed:
            self._changed.wait_for(lambda: len(self._seen) > known, timeout_s)


@contextmanager
def recorded_map_reads(control: Any, delivery: Any, clients: list[int]) -> Iterator[MapReads]:
    """The map reads of `clients` while inside. `control` and `delivery` are connections; only this may use `delivery`
    meanwhile."""
    xkb = control.query_extension(EXTENSION).major_opcode
    reads = MapReads()
    context = control.record_create_context(0, clients, [_range(xkb)])
    control.sync()
    started = threading.Event()

    def note(reply: Any) -> None:
        if reply.category == record.StartOfData:
            started.set()
        elif reply.category == record.FromClient:
            for read in _parse(bytes(reply.data), reply.id_base):
                reads.add(read)

    def deliver() -> None:
        try:
            delivery.record_enable_context(context, note)
        except (*CONNECTION_LOST, XError) as error:
            # The server is gone, or a client was before the recording began; nothing will be seen.
            log.debug("nothing is recorded: %r", error)
            started.set()

    thread = threading.Thread(target=deliver, name="X recorder", daemon=True)
    thread.start()
    started.wait(_START_TIMEOUT_S)
    try:
        yield reads
    finally:
        control.record_disable_context(context)
        control.sync()
        thread.join(_START_TIMEOUT_S)
        control.record_free_context(context)
        control.flush()


def _range(xkb: int) -> dict[str, Any]:
    none = (0, 0)
    return {
        "core_requests": (GET_KEYBOARD_MAPPING, GET_KEYBOARD_MAPPING),
        "core_replies": none,
        "ext_requests": (xkb, xkb, GET_MAP, GET_MAP),
        "ext_replies": (0, 0, 0, 0),
        "delivered_events": none,
        "device_events": none,
        "errors": none,
        "client_started": False,
        "client_died": False,
    }


def _parse(data: bytes, client: int) -> Iterator[MapRead]:
    offset = 0
    while offset + 8 <= len(data):
        opcode, length_words = data[offset], struct.unpack_from("<H", data, offset + 2)[0]
        if opcode == GET_KEYBOARD_MAPPING:
            yield MapRead(client, data[offset + 4], data[offset + 5])
        else:
            yield MapRead(client, 0, 0)
        offset += 4 * max(length_words, 1)

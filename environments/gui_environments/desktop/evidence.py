"""Evidence that the application with the focus has handled all the keys it was sent, and has seen a change of the
keyboard map. Changes no map and presses no key that means anything.

A client looks a key up when it handles it, in the map as it has read it by then; so a keycode may be given another
meaning only when every key typed with it has been handled. What shows that depends on the toolkit:

- A window that lists `_NET_WM_PING` sends the ping back to the root window in the order of its events, as Tk's do.
- Java asks the server for the symbols of each key as it handles it: a tap of a keycode without a meaning shows when.
- Programs of the X Toolkit (xterm) read the whole map for every MappingNotify they handle, also for one that we send to
  their window alone and that says nothing (a mapping of pointer buttons).

The last two are seen by a recorder. An application that gives none of these signs is told apart before anything is
typed, and gets no borrowed keycodes.
"""

from __future__ import annotations

import itertools
import logging
import select
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

from Xlib import X
from Xlib.ext import record
from Xlib.protocol import event

from gui_environments.desktop.connection import Cancellation, connect
from gui_environments.desktop.focus import Focus, Kind, clients_of_same_process, exists
from gui_environments.desktop.recorder import MapReads, recorded_map_reads
from gui_environments.desktop.session import XSession
from gui_environments.desktop.xkb import enable_xkb

log = logging.getLogger(__name__)

_POLL_S = 0.02
"""How often a wait looks whether it was cancelled or its window is gone. What is waited for itself wakes it at once."""

_NOTICES = 32
_NOTICES_IN_A_ROW = 24
"""How many empty MappingNotify are sent to a program of the X Toolkit, and how many reads of the whole map, without
one of XKB's in between, show that the first of them was handled. A real change of the map, however late it is handled,
makes such a program read by XKB too; so earlier changes never give a row, and what is left of earlier notices, which
are always followed by a change, gives one of at most 8 + 4."""

_FIRST_NOTICES = 4
_FIRST_IN_A_ROW = 3
"""The same before anything is changed, when only the program's being there is asked for."""

_WHOLE_MAP = 200
"""A read of at least this many keycodes is one of the whole map (248 on every server in use)."""

_OTHER_CONNECTIONS_S = 0.25
"""How long to wait at first for the other connections of the focused process to read the changed map. Chromium with
GTK looks characters up in a map that a second connection keeps, and reads it within 5 ms of a change. When a process
has answered two pings after this time and still has not read the map, its other connections are not about keys."""

_BUSY_S = 5.0
"""How long a process may be too busy for that."""

_stamps = itertools.count(1)


@dataclass(slots=True)
class Watched:
    """A focused application under watch: `reads` when a recorder is on."""

    focus: Focus
    others: list[int]
    """Other connections of the focused process that may read the keyboard map (resource bases)."""
    reads: MapReads | None


@dataclass(frozen=True, slots=True)
class Probes:
    """Two keycodes that mean nothing and are not lent: tapped before and after, so that a late sign of the one is not
    taken for the other."""

    before: int
    after: int


class Witness:
    """Listens on connections of its own, opened when first needed. Used on the X thread."""

    def __init__(self, session: XSession) -> None:
        self._session = session
        self._ears: Any = None
        self._delivery: Any = None

    def close(self) -> None:
        for connection in (self._delivery, self._ears):
            if connection is not None:
                connection.close()
        self._ears = self._delivery = None

    @contextmanager
    def watching(self, focus: Focus) -> Iterator[Watched]:
        self._open()
        root = self._ears.screen().root
        clients = clients_of_same_process(self._ears, focus)
        # Answers to pings are sent to the root window, by Qt as StructureNotify.
        root.change_attributes(event_mask=X.SubstructureNotifyMask | X.StructureNotifyMask)
        with ExitStack() as stack:
            stack.callback(self._stop_listening)
            reads = None
            if (focus.kind is not Kind.ANSWERS_PING or len(clients) > 1) and self._delivery is not None:
                reads = stack.enter_context(recorded_map_reads(self._ears, self._delivery, clients))
            self._ears.sync()
            yield Watched(focus, clients[1:], reads)

    def wait_until_ready(
        self, watched: Watched, probes: Probes, timeout_s: float, cancellation: Cancellation | None
    ) -> bool:
        """Whether the application follows. False after `timeout_s`, or when cancelled."""
        notices = (_FIRST_NOTICES, _FIRST_IN_A_ROW)
        return self._wait(watched, probes.before, notices, timeout_s, cancellation)

    def wait_until_handled(
        self, watched: Watched, probes: Probes, timeout_s: float, cancellation: Cancellation | None
    ) -> bool:
        """Whether the application has handled everything sent before this call, the map having been changed since
        `wait_until_ready`. False after `timeout_s`, or when cancelled."""
        notices = (_NOTICES, _NOTICES_IN_A_ROW)
        return self._wait(watched, probes.after, notices, timeout_s, cancellation)

    def _wait(
        self,
        watched: Watched,
        probe_keycode: int,
        notices: tuple[int, int],
        timeout_s: float,
        cancellation: Cancellation | None,
    ) -> bool:
        self._session.input.finish()
        end_s = time.monotonic() + timeout_s

        def goes_on() -> bool:
            return time.monotonic() < end_s and not (cancellation and cancellation.requested)

        if watched.focus.kind is Kind.ANSWERS_PING:
            return self._ping(watched.focus, goes_on)
        if watched.reads is None:
            return False
        if watched.focus.kind is Kind.JAVA:
            return self._tap(watched, watched.reads, probe_keycode, goes_on)
        return self._notify(watched, watched.reads, notices, goes_on)

    def tell_of_map(self, watched: Watched) -> None:
        """Chromium's own connection (it has others) does not learn that symbols changed, and names keys to pages by the
        map it has; a MappingNotify makes it read the map before the keys that follow."""
        if watched.others:
            keyboard = self._ears.display.info
            first, last = keyboard.min_keycode, keyboard.max_keycode
            notice = event.MappingNotify(request=X.MappingKeyboard, first_keycode=first, count=last - first + 1)
            self._send(watched.focus.window, notice)
            self._ears.sync()

    def wait_until_map_is_read(self, watched: Watched, known_reads: int, cancellation: Cancellation) -> None:
        """Until the other connections of the focused process have read the map since `known_reads`. The focused one
        needs no wait: it learns of the change before it gets the keys."""
        if watched.reads is None or not watched.others:
            return
        if self._wait_for_others(watched, watched.reads, known_reads):
            return
        end_s = time.monotonic() + _BUSY_S
        for _ in range(2):
            self._ping(watched.focus, lambda: time.monotonic() < end_s and not cancellation.requested)
        if not self._wait_for_others(watched, watched.reads, known_reads):
            watched.others.clear()

    def _wait_for_others(self, watched: Watched, reads: MapReads, known_reads: int) -> bool:
        end_s = time.monotonic() + _OTHER_CONNECTIONS_S
        while True:
            seen = reads.seen()
            if any(read.client in watched.others for read in seen[known_reads:]):
                return True
            left_s = end_s - time.monotonic()
            if left_s <= 0:
                return False
            reads.wait(len(seen), left_s)

    def _ping(self, focus: Focus, goes_on: Callable[[], bool]) -> bool:
        protocols, ping = self._ears.intern_atom("WM_PROTOCOLS"), self._ears.intern_atom("_NET_WM_PING")
        stamp = next(_stamps)
        message = event.ClientMessage(
            window=focus.top_level, client_type=protocols, data=(32, [ping, stamp, focus.top_level, 0, 0])
        )
        self._send(focus.top_level, message)
        while goes_on():
            for each in self._events():
                if each.type == X.ClientMessage and each.client_type == protocols:
                    answered, stamped = each.data[1][0], each.data[1][1]
                    if answered == ping and stamped == stamp:
                        return True
            if not self._wait_for_events() and not exists(self._ears, focus.top_level):
                return False
        return False

    def _tap(self, watched: Watched, reads: MapReads, keycode: int, goes_on: Callable[[], bool]) -> bool:
        known = len(reads.seen())
        self._session.input.press_key(keycode)
        self._session.input.release_key(keycode)
        self._session.input.flush()

        def is_seen() -> bool:
            return any(read.keycode == keycode and read.count == 1 for read in reads.seen()[known:])

        return self._wait_for_reads(watched, reads, is_seen, goes_on)

    def _notify(self, watched: Watched, reads: MapReads, notices: tuple[int, int], goes_on: Callable[[], bool]) -> bool:
        known = len(reads.seen())
        count, in_a_row = notices
        notice = event.MappingNotify(request=X.MappingPointer, first_keycode=0, count=0)
        for _ in range(count):
            self._send(watched.focus.window, notice)

        def is_seen() -> bool:
            row = 0
            for read in reads.seen()[known:]:
                row = row + 1 if read.count >= _WHOLE_MAP else 0
                if row == in_a_row:
                    return True
            return False

        return self._wait_for_reads(watched, reads, is_seen, goes_on)

    def _wait_for_reads(
        self, watched: Watched, reads: MapReads, is_seen: Callable[[], bool], goes_on: Callable[[], bool]
    ) -> bool:
        while goes_on():
            count = len(reads.seen())
            if is_seen():
                return True
            reads.wait(count, _POLL_S)
            if not exists(self._ears, watched.focus.window):
                return False
        return False

    def _send(self, window: int, message: Any) -> None:
        # No event mask: the server gives it to the client that made the window, and to nobody else.
        self._ears.create_resource_object("window", window).send_event(message, event_mask=0)
        self._ears.flush()

    def _events(self) -> Iterator[Any]:
        while self._ears.pending_events():
            yield self._ears.next_event()

    def _wait_for_events(self) -> bool:
        if self._ears.pending_events():
            return True
        return bool(select.select([self._ears.fileno()], [], [], _POLL_S)[0])

    def _stop_listening(self) -> None:
        self._ears.screen().root.change_attributes(event_mask=0)
        self._ears.sync()
        for _ in self._events():
            pass

    def _open(self) -> None:
        if self._ears is None:
            self._ears = self._connect()
            if self._ears.query_extension(record.extname):
                self._delivery = self._connect()

    def _connect(self) -> Any:
        connection = connect(self._session.display.get_display_name(), self._session.xauthority)
        connection.set_error_handler(_log_protocol_error)
        # Also so that the server sends no MappingNotify to a connection that nobody reads for long.
        enable_xkb(connection)
        return connection


def _log_protocol_error(error: object, _request: object) -> None:
    # A window may vanish while it is asked; what waits for its answer looks whether it is there.
    log.debug("X protocol error while listening: %s", error)

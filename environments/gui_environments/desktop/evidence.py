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

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from Xlib import X
from Xlib.protocol import event

from gui_environments.desktop.ears import Ears, open_ears
from gui_environments.desktop.focus import Focus, Kind, clients_of_same_process
from gui_environments.desktop.map_reads import MapReads
from gui_environments.desktop.session import XSession
from gui_environments.desktop.signs import answers_ping, looks_up_tap, reads_map_for_notices
from gui_environments.desktop.work_thread import Cancellation

_NOTICES = 32
_NOTICES_IN_A_ROW = 24
"""How many empty MappingNotify are sent to a program of the X Toolkit, and how many reads of the whole map, without
one of XKB's in between, show that the first of them was handled. A real change of the map, however late it is handled,
makes such a program read by XKB too; so earlier changes never give a row, and what is left of earlier notices, which
are always followed by a change, gives one of at most 8 + 4."""

_FIRST_NOTICES = 4
_FIRST_IN_A_ROW = 3
"""The same before anything is changed, when only the program's being there is asked for."""

_OTHER_CONNECTIONS_S = 0.25
"""How long to wait at first for the other connections of the focused process to read the changed map. Chromium with
GTK looks characters up in a map that a second connection keeps, and reads it within 5 ms of a change. When a process
has answered two pings after this time and still has not read the map, its other connections are not about keys."""

_BUSY_S = 5.0
"""How long a process may be too busy for that."""


@dataclass(slots=True)
class Watched:
    """A focused application under watch: `reads` when a recorder is on."""

    ears: Ears
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
        self._ears: Ears | None = None

    def close(self) -> None:
        if self._ears is not None:
            self._ears.close()
            self._ears = None

    @contextmanager
    def watching(self, focus: Focus) -> Iterator[Watched]:
        self._ears = ears = self._ears or open_ears(self._session)
        clients = clients_of_same_process(ears.display, focus)
        with ExitStack() as stack:
            stack.enter_context(ears.listening())
            reads = None
            if (focus.kind is not Kind.ANSWERS_PING or len(clients) > 1) and ears.can_record:
                reads = stack.enter_context(ears.recording(clients))
            yield Watched(ears, focus, clients[1:], reads)

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

        ears, focus, reads = watched.ears, watched.focus, watched.reads
        if focus.kind is Kind.ANSWERS_PING:
            return answers_ping(ears, focus, goes_on)
        if reads is None:
            return False
        if focus.kind is Kind.JAVA:
            return looks_up_tap(ears, self._session.input, focus, reads, probe_keycode, goes_on)
        return reads_map_for_notices(ears, focus, reads, *notices, goes_on)

    def tell_of_map(self, watched: Watched) -> None:
        """Chromium's own connection (it has others) does not learn that symbols changed, and names keys to pages by the
        map it has; a MappingNotify makes it read the map before the keys that follow."""
        if watched.others:
            keyboard = watched.ears.display.display.info
            first, last = keyboard.min_keycode, keyboard.max_keycode
            notice = event.MappingNotify(request=X.MappingKeyboard, first_keycode=first, count=last - first + 1)
            watched.ears.send(watched.focus.window, notice)
            watched.ears.display.sync()

    def wait_until_map_is_read(self, watched: Watched, known_reads: int, cancellation: Cancellation) -> None:
        """Until the other connections of the focused process have read the map since `known_reads`. The focused one
        needs no wait: it learns of the change before it gets the keys."""
        if watched.reads is None or not watched.others:
            return
        if self._wait_for_others(watched, watched.reads, known_reads):
            return
        end_s = time.monotonic() + _BUSY_S
        for _ in range(2):
            answers_ping(watched.ears, watched.focus, lambda: time.monotonic() < end_s and not cancellation.requested)
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

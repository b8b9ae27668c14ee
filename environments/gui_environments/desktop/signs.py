"""Three signs that an application has handled all that was sent to it before: it answers a ping, it looks up a key that
was tapped, it reads the map for a notice. Which one an application gives is not decided here (see `evidence`).

Each function asks for the sign once and waits while `goes_on()`; it is whether the sign came.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

from Xlib import X
from Xlib.protocol import event

from gui_environments.desktop.ears import Ears
from gui_environments.desktop.focus import Focus, exists
from gui_environments.desktop.map_reads import MapReads
from gui_environments.desktop.xtest import XTestInput

_POLL_S = 0.02
"""How often a wait looks whether it is to go on. What is waited for itself wakes it at once."""

_WHOLE_MAP = 200
"""A read of at least this many keycodes is one of the whole map (248 on every server in use)."""

_stamps = itertools.count(1)


def answers_ping(ears: Ears, focus: Focus, goes_on: Callable[[], bool]) -> bool:
    protocols, ping = ears.display.intern_atom("WM_PROTOCOLS"), ears.display.intern_atom("_NET_WM_PING")
    stamp = next(_stamps)
    data = (32, [ping, stamp, focus.top_level, 0, 0])
    ears.send(focus.top_level, event.ClientMessage(window=focus.top_level, client_type=protocols, data=data))
    while goes_on():
        for each in ears.events():
            if each.type == X.ClientMessage and each.client_type == protocols:
                answered, stamped = each.data[1][0], each.data[1][1]
                if answered == ping and stamped == stamp:
                    return True
        if not ears.wait_for_events(_POLL_S) and not exists(ears.display, focus.top_level):
            return False
    return False


def looks_up_tap(
    ears: Ears, keys: XTestInput, focus: Focus, reads: MapReads, keycode: int, goes_on: Callable[[], bool]
) -> bool:
    """`keycode` must mean nothing."""
    known = len(reads.seen())
    keys.press_key(keycode)
    keys.release_key(keycode)
    keys.flush()

    def is_seen() -> bool:
        return any(read.keycode == keycode and read.count == 1 for read in reads.seen()[known:])

    return _wait_for_reads(ears, focus, reads, is_seen, goes_on)


def reads_map_for_notices(
    ears: Ears, focus: Focus, reads: MapReads, count: int, in_a_row: int, goes_on: Callable[[], bool]
) -> bool:
    """`count` notices; the sign are `in_a_row` reads of the whole map with no read by XKB in between."""
    known = len(reads.seen())
    notice = event.MappingNotify(request=X.MappingPointer, first_keycode=0, count=0)
    for _ in range(count):
        ears.send(focus.window, notice)

    def is_seen() -> bool:
        row = 0
        for read in reads.seen()[known:]:
            row = row + 1 if read.count >= _WHOLE_MAP else 0
            if row == in_a_row:
                return True
        return False

    return _wait_for_reads(ears, focus, reads, is_seen, goes_on)


def _wait_for_reads(
    ears: Ears, focus: Focus, reads: MapReads, is_seen: Callable[[], bool], goes_on: Callable[[], bool]
) -> bool:
    while goes_on():
        count = len(reads.seen())
        if is_seen():
            return True
        reads.wait(count, _POLL_S)
        if not exists(ears.display, focus.window):
            return False
    return False

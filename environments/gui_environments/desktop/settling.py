"""Waiting until the screen is quiet after an action, by evidence: what the X server reports as changed. Blocking; used
on the connection's thread only. It never promises that nothing will change later: an application may redraw at any
time, and a wait for that would have no end.

Without the DAMAGE extension nothing can be seen, and every wait is `BLIND_S` long.
"""

from __future__ import annotations

import time
from collections.abc import Iterable

from gui_environments.desktop.damage import ScreenDamage, watch_screen
from gui_environments.desktop.session import XSession
from gui_environments.desktop.work_thread import Cancellation
from gui_environments.geometry import ScreenRegion, Size

FIRST_CHANGE_S = 0.1
"""How long an application has for its first change. Most take 1 to 4 ms; where nothing changes, this is the cost."""

QUIET_S = 0.03
"""Quiet is about two frames at 60 Hz without a change..."""

QUIET_GAPS = 3
LONGEST_QUIET_S = 0.15
"""... and that many times the longest pause between two changes so far, up to this: a busy machine draws in fits."""

RESPONSE_S = 0.025
"""A change this soon is taken for the response to the action, whatever changes there by itself."""

PACE_S = 0.005
"""Between two looks at a screen that changes without pause, so that we do not compete with the application."""

IDLE_S = 1.0
"""A rest that shows what changes by itself: carets blink every 300 to 600 ms, clocks tick every second."""

CANCELLATION_S = 0.02
"""How often a wait looks whether it was cancelled."""

BLIND_S = 0.3

CELL_PX = 32


class SettleWatch:
    """What changes on the screen of one `XSession`, and what of it by itself. The constructor does no I/O."""

    def __init__(self, session: XSession) -> None:
        self._session = session
        self._damage: ScreenDamage | None = None
        self._opened = False
        self._restless = 0
        """The cells that change by themselves, as far as is known: blinking carets, clocks, animations."""
        self._idle_since_s: float | None = None
        """When the last wait ended; None when no wait has separated an action's changes from what comes by itself."""

    def arm(self) -> None:
        """Before an action: what changed since the last wait is not of its doing."""
        if not self._opened:
            self._damage = watch_screen(self._session.display)
            self._opened = True
        if self._damage is None:
            return
        changed = self._cells_changed(self._damage)
        if self._idle_since_s is not None:
            idle_s = time.monotonic() - self._idle_since_s
            self._restless = changed if idle_s >= IDLE_S else self._restless | changed
        self._idle_since_s = None

    def wait_until_quiet(
        self, settle_s: float, cancellation: Cancellation, *, first_change_s: float = FIRST_CHANGE_S
    ) -> None:
        """After an action: return when the screen has been quiet for `QUIET_S`, or nothing has changed for
        `first_change_s`; at the latest after `settle_s`. Returns early when cancelled.

        Places that changed by themselves before the action count for `FIRST_CHANGE_S` only, so that a clock or an
        animation does not use up the bound.
        """
        if settle_s <= 0:
            return
        if self._damage is None:
            cancellation.wait(min(settle_s, BLIND_S))
            return
        self._watch_until_quiet(self._damage, settle_s, first_change_s, cancellation)
        self._idle_since_s = time.monotonic()

    def _watch_until_quiet(
        self, damage: ScreenDamage, settle_s: float, first_change_s: float, cancellation: Cancellation
    ) -> None:
        now = start = time.monotonic()
        bound = start + settle_s
        deadline = start + first_change_s
        changed_once = changed_again = 0
        quiet_s, last_change = QUIET_S, start
        while True:
            changed = self._cells_changed(damage)
            now = time.monotonic()
            if changed & ~self._restless or (changed and now <= start + RESPONSE_S):
                if changed_once:
                    quiet_s = max(quiet_s, min(QUIET_GAPS * (now - last_change), LONGEST_QUIET_S))
                deadline, last_change = now + quiet_s, now
            elif changed and now <= start + FIRST_CHANGE_S:
                deadline = max(deadline, now + QUIET_S)
            changed_again |= changed_once & changed
            changed_once |= changed
            if cancellation.wait(PACE_S if changed else 0):
                return
            if not _wait_for_change(damage, min(deadline, bound), cancellation):
                break
        if time.monotonic() >= bound:
            # What still changes at the end of the bound will not let the next wait end either.
            self._restless |= changed_again

    def _cells_changed(self, damage: ScreenDamage) -> int:
        return cells_covered(damage.take(), self._session.screen)


def _wait_for_change(damage: ScreenDamage, until_s: float, cancellation: Cancellation) -> bool:
    """Whether something changed before `until_s` (on `time.monotonic()`)."""
    while (left_s := until_s - time.monotonic()) > 0 and not cancellation.requested:
        if damage.wait(min(left_s, CANCELLATION_S)):
            return True
    return False


def cells_covered(regions: Iterable[ScreenRegion], screen: Size) -> int:
    """The cells of a grid over the screen that `regions` touch, as the bits of one number: cheap to keep and to
    compare, and a change drawn in slightly different rectangles is the same change."""
    columns = -(-screen.width_px // CELL_PX)
    covered = 0
    for region in regions:
        left, right = region.left // CELL_PX, -(-region.right // CELL_PX)
        row = ((1 << (right - left)) - 1) << left
        for y in range(region.top // CELL_PX, -(-region.bottom // CELL_PX)):
            covered |= row << (y * columns)
    return covered

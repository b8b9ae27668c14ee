"""Keycodes without a meaning, given one for as long as a text or chord needs it. Knows nothing of when applications
have caught up: whoever borrows waits for that before the next change (see `evidence`)."""

from __future__ import annotations

from typing import Any

from gui_environments.desktop.xkb import KeySymbols, read_key_map, write_key_symbols


class BorrowedKeycodes:
    """What is borrowed on one display now. Used on the X thread."""

    def __init__(self, display: Any) -> None:
        self._display = display
        self._lent: dict[int, tuple[KeySymbols, KeySymbols]] = {}
        """What a keycode was, and what it is now."""

    def borrow(self, wanted: dict[int, KeySymbols]) -> None:
        """Give exactly these keycodes these symbols, and others that were borrowed their own again: one change of the
        map, which every application is told of once."""
        keys = read_key_map(self._display).keys
        own = {keycode: own for keycode, (own, now) in self._lent.items() if keys[keycode] == now}
        changes = {**own, **wanted}
        if not changes:
            self._lent.clear()
            return
        # A change covers a run of keycodes. Those in between get what they have, also when somebody has set another
        # layout since they were lent.
        run = range(min(changes), max(changes) + 1)
        write_key_symbols(self._display, {keycode: changes.get(keycode, keys[keycode]) for keycode in run})
        self._display.sync()
        self._lent = {keycode: (own.get(keycode, keys[keycode]), now) for keycode, now in wanted.items()}

    def give_back(self) -> None:
        """Idempotent."""
        if self._lent:
            self.borrow({})

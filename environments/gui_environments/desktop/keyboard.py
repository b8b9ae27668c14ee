"""The keyboard of one X display: literal text and key chords, on whatever layout is set. Blocking; used on the
connection's thread only. Never leaves a key down or a keyboard map changed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from gui_environments.desktop.connection import Cancellation
from gui_environments.desktop.session import XSession


class Keyboard:
    """Types and presses through one `XSession`. The constructor does no I/O; what it must know of the display is read
    when it is first needed."""

    def __init__(self, session: XSession) -> None:
        self._session = session

    def type_text(self, text: str, cancellation: Cancellation) -> None:
        """`text` as it stands. Raises `ActionRefused` before the first character when a part of it cannot be typed."""
        raise NotImplementedError

    def press_chord(self, chord: str, repeat: int, cancellation: Cancellation) -> None:
        """One chord, `repeat` times. Raises `ActionRefused` for a key that is not known."""
        raise NotImplementedError

    def hold_chord(self, chord: str, seconds: float, cancellation: Cancellation) -> None:
        """One chord, down for `seconds` or until cancelled."""
        raise NotImplementedError

    @contextmanager
    def modifiers_held(self, modifiers: str | None) -> Iterator[None]:
        """The modifiers (`ctrl+shift`) down while inside. Raises `ActionRefused` before pressing for an unknown one."""
        if modifiers is not None:
            raise NotImplementedError
        yield

    def close(self) -> None:
        """Put back what is still changed on the display. Idempotent."""

"""The keyboard of one X display: literal text and key chords, on whatever layout is set. Blocking; used on the
connection's thread only. Leaves no key down and no keyboard map changed.

Characters that the layout has are typed with their own keys. All others are given to keycodes that mean nothing, for
as long as the application with the focus needs to handle them; where there is no evidence to be had of that, such text
is refused before the first character.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

from gui_environments.desktop.chords import Chord, Key, parse_chord, parse_modifiers
from gui_environments.desktop.evidence import Probes
from gui_environments.desktop.focus import Focus, Kind
from gui_environments.desktop.keyboard_state import (
    first_group_unlocked,
    keys_down,
    let_go_of_keys,
    let_go_of_other_modifiers,
)
from gui_environments.desktop.keysyms import SHIFT_L, STATE_KEYS, character_of, keysym_of
from gui_environments.desktop.layout import Layout, Stroke, read_layout
from gui_environments.desktop.lending import Lending, focus_for_the_rest, require_focus, require_one_receiver
from gui_environments.desktop.receivable import require_receivable
from gui_environments.desktop.session import XSession
from gui_environments.desktop.strokes import plan_text, require_typeable
from gui_environments.desktop.work_thread import Cancellation
from gui_environments.desktop.xkb import KeySymbols, enable_xkb, two_levels
from gui_environments.errors import ActionRefused

MAX_REPEAT = 100

_STROKES_AT_ONCE = 64
"""Strokes between two looks at the cancellation. They leave in one write, so that no key is down while we wait for a
turn on the processor: half a second of that and the server would repeat it."""


class Keyboard:
    """Types and presses through one `XSession`. The constructor does no I/O; what it must know of the display is read
    when it is needed, since a layout may be changed at any time."""

    def __init__(self, session: XSession) -> None:
        self._session = session
        self._lending = Lending(session)
        self._speaks_xkb = False
        self._typed_into: Focus | None = None

    def type_text(self, text: str, cancellation: Cancellation) -> None:
        """`text` as it stands. Raises `ActionRefused` before the first character when a part of it cannot be typed,
        `ActionFailed` when the application stopped answering on the way."""
        require_typeable(text)
        focus = self._typed_into = require_focus(self._session, cancellation)
        require_receivable(text, focus)
        layout = self._read_layout()
        shift = _shift_keycode(layout)
        passages = plan_text(text, layout, _lendable(layout), in_utf16=focus.kind is Kind.JAVA)
        with first_group_unlocked(self._session), self._lending.ended_after():
            let_go_of_keys(self._session)
            for index, passage in enumerate(passages):
                if cancellation.requested:
                    return
                if not passage.borrowed:
                    self._send_strokes(passage.strokes, shift, cancellation)
                    continue
                if index:
                    focus = focus_for_the_rest(self._session, focus)
                probes = _probes(layout)
                with self._lending.lent(passage.borrowed, probes, focus, cancellation, is_first=index == 0):
                    self._send_strokes(passage.strokes, shift, cancellation)

    def require_one_receiver(self, text: str) -> None:
        """After the response to `text`, which was typed last. Raises `ActionFailed` when the window it went to is not
        the one with the focus any more, which it may have lost before all of the text was there."""
        if self._typed_into is not None:
            require_one_receiver(self._session, self._typed_into, text)

    def press_chord(self, chord: str, repeat: int, cancellation: Cancellation) -> None:
        """One chord, `repeat` times (1 to 100). Raises `ActionRefused` for a key that is not known."""
        if not 1 <= repeat <= MAX_REPEAT:
            raise ActionRefused(f"A chord is pressed 1 to {MAX_REPEAT} times, not {repeat}.")
        with self._chord_ready(parse_chord(chord), cancellation) as keycodes:
            for _ in range(repeat):
                if cancellation.requested:
                    return
                with self._held(keycodes):
                    pass

    def hold_chord(self, chord: str, seconds: float, cancellation: Cancellation) -> None:
        """One chord, down for `seconds` or until cancelled."""
        if seconds < 0:
            raise ActionRefused(f"A chord cannot be held for {seconds} seconds.")
        with self._chord_ready(parse_chord(chord), cancellation) as keycodes, self._held(keycodes):
            self._session.input.flush()
            cancellation.wait(seconds)

    @contextmanager
    def modifiers_held(self, modifiers: str | None) -> Iterator[None]:
        """The modifiers (`ctrl+shift`) down while inside, and no others. Raises `ActionRefused` before pressing for an
        unknown one."""
        keycodes: list[int] = []
        if modifiers is not None:
            chord = parse_modifiers(modifiers)
            layout = self._read_layout()
            keycodes = [_require(_stroke_of(key, layout), key).keycode for key in chord.keys]
        let_go_of_other_modifiers(self._session, keycodes)
        with self._held(self._without_those_down(keycodes) if keycodes else []):
            yield

    def close(self) -> None:
        """Put back what is still changed on the display. Idempotent."""
        self._lending.close()

    def _read_layout(self) -> Layout:
        if not self._speaks_xkb:
            enable_xkb(self._session.display)
            self._speaks_xkb = True
        return read_layout(self._session.display)

    def _send_strokes(self, strokes: Sequence[Stroke], shift: int, cancellation: Cancellation) -> None:
        keys = self._session.input
        for start in range(0, len(strokes), _STROKES_AT_ONCE):
            if cancellation.requested:
                return
            with ExitStack() as shifted:
                is_shifted = False
                for stroke in strokes[start : start + _STROKES_AT_ONCE]:
                    if stroke.shifted != is_shifted:
                        is_shifted = stroke.shifted
                        shifted.enter_context(self._held([shift])) if is_shifted else shifted.close()
                    keys.press_key(stroke.keycode)
                    keys.release_key(stroke.keycode)
            keys.flush()

    @contextmanager
    def _chord_ready(self, chord: Chord, cancellation: Cancellation) -> Iterator[list[int]]:
        """The keycodes to press for `chord`, those that the layout lacks lent meanwhile."""
        layout = self._read_layout()
        spare = iter(_lendable(layout))
        lent: dict[int, KeySymbols] = {}
        strokes: list[Stroke] = []
        for key in chord.keys:
            stroke = _stroke_of(key, layout)
            if stroke is None and not key.is_modifier and (keycode := next(spare, None)) is not None:
                lent[keycode] = _both_cases(key)
                stroke = Stroke(keycode, shifted=_is_capital(key))
            strokes.append(_require(stroke, key))
        keycodes = _with_shift(chord, strokes, layout)
        self._require_up(chord, strokes)
        let_go_of_other_modifiers(self._session, keycodes)
        with ExitStack() as stack:
            if not any(key.keysym in STATE_KEYS for key in chord.keys):
                stack.enter_context(first_group_unlocked(self._session))
            if lent:
                stack.enter_context(self._lending.ended_after())
                focus = require_focus(self._session, cancellation)
                stack.enter_context(self._lending.lent(lent, _probes(layout), focus, cancellation))
            yield self._without_those_down(keycodes)

    @contextmanager
    def _held(self, keycodes: Sequence[int]) -> Iterator[None]:
        """Down in order, up in reverse, whatever happens in between."""
        pressed: list[int] = []
        try:
            for keycode in keycodes:
                pressed.append(keycode)
                self._session.input.press_key(keycode)
            yield
        finally:
            for keycode in reversed(pressed):
                self._session.input.release_key(keycode)
            self._session.input.flush()

    def _without_those_down(self, keycodes: Iterator[int] | Sequence[int]) -> list[int]:
        """What is down already, somebody else holds: it is not ours to press or to let go."""
        down = set(keys_down(self._session))
        return [keycode for keycode in dict.fromkeys(keycodes) if keycode not in down]

    def _require_up(self, chord: Chord, strokes: Sequence[Stroke]) -> None:
        down = set(keys_down(self._session))
        nothing_to_press = down.issuperset(stroke.keycode for stroke in strokes)
        for key, stroke in zip(chord.keys, strokes, strict=True):
            if stroke.keycode in down and (nothing_to_press or not key.is_modifier):
                raise ActionRefused(
                    f'The key "{key.name}" is down already, so it cannot be pressed. No key was pressed.'
                )


def _probes(layout: Layout) -> Probes:
    before, after = layout.spare_keycodes[:2]
    return Probes(before, after)


def _lendable(layout: Layout) -> tuple[int, ...]:
    return layout.spare_keycodes[2:]


def _stroke_of(key: Key, layout: Layout) -> Stroke | None:
    character = character_of(key.keysym)
    return layout.keysyms.get(key.keysym) or (layout.characters.get(character) if character else None)


def _require(stroke: Stroke | None, key: Key) -> Stroke:
    if stroke is None:
        raise ActionRefused(
            f'This keyboard layout has no key "{key.name}", and none can be lent to it. No key was pressed.'
        )
    return stroke


def _with_shift(chord: Chord, strokes: Sequence[Stroke], layout: Layout) -> list[int]:
    """Keycodes in order; Shift before the first key that needs it, unless the chord names it."""
    keycodes: list[int] = []
    shift = _shift_keycode(layout)
    for stroke in strokes:
        if stroke.shifted and shift not in keycodes:
            keycodes.append(shift)
        keycodes.append(stroke.keycode)
    return keycodes


def _shift_keycode(layout: Layout) -> int:
    stroke = layout.keysyms.get(SHIFT_L)
    if stroke is None:
        raise ActionRefused("This keyboard has no left Shift key, so nothing can be typed on it. No key was pressed.")
    return stroke.keycode


def _both_cases(key: Key) -> KeySymbols:
    """A lent key behaves like one of the layout: a letter gives its capital with Shift."""
    character = character_of(key.keysym)
    if character is None:
        return two_levels(key.keysym, key.keysym)
    small, capital = character.lower(), character.upper()
    if len(small) == len(capital) == 1:
        return two_levels(keysym_of(small), keysym_of(capital))
    return two_levels(key.keysym, key.keysym)


def _is_capital(key: Key) -> bool:
    symbols = _both_cases(key).symbols
    character = character_of(key.keysym)
    return character is not None and symbols[0] != symbols[1] and keysym_of(character) == symbols[1]

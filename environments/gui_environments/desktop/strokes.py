"""Text as a sequence of key strokes on a layout: which characters have a key, which need a borrowed keycode, and in
how many parts. Pure: reads no display and presses nothing; everything that cannot be typed is refused here, before the
first key."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field

from gui_environments.desktop.keysyms import RETURN, TAB, keysym_of
from gui_environments.desktop.layout import Layout, Stroke
from gui_environments.desktop.xkb import KeySymbols, two_levels
from gui_environments.errors import ActionRefused

MAX_STROKES = 512
"""Of a passage with borrowed keycodes, so that the wait for the application to handle it has a bound that means
something."""


@dataclass(frozen=True, slots=True)
class Passage:
    """Strokes that one set of borrowed keycodes serves. `borrowed` is empty where the layout has every key."""

    strokes: tuple[Stroke, ...]
    borrowed: dict[int, KeySymbols]


def plan_text(text: str, layout: Layout, borrowable: tuple[int, ...], *, in_utf16: bool) -> list[Passage]:
    """`text` as passages. `borrowable` are the keycodes that may be given other symbols; `in_utf16` types a character
    beyond U+FFFF as its two surrogates, which is what Java's toolkits take.

    Raises `ActionRefused` for what no key can type.
    """
    require_typeable(text)
    keysyms = _keysyms_of(text.replace("\r\n", "\n"), in_utf16=in_utf16)
    find = _finder(layout)
    missing = {keysym for keysym in set(keysyms) if find(keysym) is None}
    if missing and not borrowable:
        raise ActionRefused(
            "Some characters of the text have no key on this keyboard layout, and no keycode is free to give them one: "
            f"{_listed(missing)}. Nothing was typed."
        )
    return _cut_into_passages(keysyms, find, borrowable)


def require_typeable(text: str) -> None:
    """Raises `ActionRefused` for characters that have no key by nature."""
    if text == "":
        raise ActionRefused("The text is empty: there is nothing to type.")
    for index, character in enumerate(text.replace("\r\n", "\n")):
        code = ord(character)
        if character in "\n\t":
            continue
        if unicodedata.category(character) == "Cc":
            raise ActionRefused(
                f"Character {index + 1} of the text is the control character U+{code:04X}, which cannot be typed. "
                "Newlines and tabs can; other keys are pressed with `key`. Nothing was typed."
            )
        if 0xD800 <= code <= 0xDFFF or code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF:
            raise ActionRefused(
                f"Character {index + 1} of the text, U+{code:04X}, is not a Unicode character but half of one or none "
                "at all. Nothing was typed."
            )


def _keysyms_of(text: str, *, in_utf16: bool) -> list[int]:
    keysyms: list[int] = []
    for character in text:
        if character == "\n":
            keysyms.append(RETURN)
        elif character == "\t":
            keysyms.append(TAB)
        elif in_utf16 and ord(character) > 0xFFFF:
            units = character.encode("utf-16-be")
            keysyms += [keysym_of(chr(int.from_bytes(units[at : at + 2], "big"))) for at in (0, 2)]
        else:
            keysyms.append(keysym_of(character))
    return keysyms


def _finder(layout: Layout) -> Callable[[int], Stroke | None]:
    by_keysym = {keysym_of(character): stroke for character, stroke in layout.characters.items()}
    by_keysym |= {key: layout.keysyms[key] for key in (RETURN, TAB) if key in layout.keysyms}
    return by_keysym.get


@dataclass(slots=True)
class _OpenPassage:
    """A passage being filled: free keycodes are taken without Shift first, then with it."""

    borrowable: tuple[int, ...]
    strokes: list[Stroke] = field(default_factory=list)
    placed: dict[int, Stroke] = field(default_factory=dict)

    def place(self, keysym: int) -> Stroke | None:
        """None when the passage is full."""
        if len(self.strokes) >= MAX_STROKES:
            return None
        if keysym not in self.placed:
            index = len(self.placed)
            if index >= 2 * len(self.borrowable):
                return None
            keycode = self.borrowable[index % len(self.borrowable)]
            self.placed[keysym] = Stroke(keycode, shifted=index >= len(self.borrowable))
        return self.placed[keysym]

    def close(self) -> Passage:
        plain = {stroke.keycode: keysym for keysym, stroke in self.placed.items() if not stroke.shifted}
        shifted = {stroke.keycode: keysym for keysym, stroke in self.placed.items() if stroke.shifted}
        borrowed = {keycode: two_levels(keysym, shifted.get(keycode, keysym)) for keycode, keysym in plain.items()}
        return Passage(tuple(self.strokes), borrowed)


def _cut_into_passages(
    keysyms: list[int], find: Callable[[int], Stroke | None], borrowable: tuple[int, ...]
) -> list[Passage]:
    passages: list[Passage] = []
    passage = _OpenPassage(borrowable)
    for keysym in keysyms:
        stroke = find(keysym) or passage.place(keysym)
        if stroke is None:
            passages.append(passage.close())
            passage = _OpenPassage(borrowable)
            stroke = passage.place(keysym)
            assert stroke is not None
        passage.strokes.append(stroke)
    return [*passages, passage.close()]


def _listed(keysyms: set[int]) -> str:
    codes = sorted(keysym & 0xFFFFFF for keysym in keysyms)
    shown = ", ".join(f"U+{code:04X}" for code in codes[:10])
    return shown + (f" and {len(codes) - 10} more" if len(codes) > 10 else "")

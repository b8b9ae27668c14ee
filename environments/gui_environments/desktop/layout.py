"""What the keys of a display mean at one moment: which key types a character, which keycodes are free. Pure data once
read; presses nothing.

Only the first group counts, and only the two levels that no modifier and Shift reach: while text is typed the group is
the first and nothing is locked (see `keyboard_state`). Everything else is typed with a borrowed keycode, so that the
result does not depend on what AltGr, dead keys or Caps Lock do in an application.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gui_environments.desktop.keysyms import character_of
from gui_environments.desktop.xkb import KeyMap, read_key_map

_FIRST_OUTLYING_KEYCODE = 94
"""From the key beside the left Shift on, a character is a second copy (`<` on a US layout, the parentheses of some
keypads) that applications know less well."""


@dataclass(frozen=True, slots=True)
class Stroke:
    """One press and release of a key, with Shift or without."""

    keycode: int
    shifted: bool = False


@dataclass(frozen=True, slots=True)
class Layout:
    characters: dict[str, Stroke]
    keysyms: dict[int, Stroke]
    spare_keycodes: tuple[int, ...]
    """Keycodes that mean nothing, in ascending order."""


def read_layout(display: Any) -> Layout:
    return layout_of(read_key_map(display))


def layout_of(key_map: KeyMap) -> Layout:
    keysyms: dict[int, Stroke] = {}
    characters: dict[str, Stroke] = {}
    for _, stroke, keysym in sorted(_reachable(key_map), key=lambda each: each[0]):
        keysyms.setdefault(keysym, stroke)
        character = character_of(keysym)
        if character is not None:
            characters.setdefault(character, stroke)
    spare = tuple(keycode for keycode, key in sorted(key_map.keys.items()) if not any(key.symbols))
    return Layout(characters, keysyms, spare)


def _reachable(key_map: KeyMap) -> list[tuple[tuple[bool, int, int], Stroke, int]]:
    """Each keysym that no modifier or Shift reaches, its stroke, and what to prefer strokes by."""
    found = []
    for keycode, key in key_map.keys.items():
        if key.group_count == 0:
            continue
        for level in {0, key_map.shift_levels[key.types[0]]}:
            keysym = key.level(0, level)
            if keysym:
                preference = (keycode >= _FIRST_OUTLYING_KEYCODE, level, keycode)
                found.append((preference, Stroke(keycode, shifted=level > 0), keysym))
    return found

"""Keysyms, X's numbers for what a key means, as names and as characters. Tables only: no X connection, no layout."""

from __future__ import annotations

import importlib
import pkgutil
import re
from functools import cache

import Xlib.keysymdef

RETURN = 0xFF0D
TAB = 0xFF09
SHIFT_L = 0xFFE1

MODIFIERS = frozenset({*range(0xFFE1, 0xFFEF), 0xFE03, 0xFE11})
"""Shift_L to Hyper_R with the locks among them, ISO_Level3_Shift, ISO_Level5_Shift."""

STATE_KEYS = frozenset({0xFF7F, 0xFF14, 0xFFE5, 0xFFE6, 0xFF7E, *range(0xFE01, 0xFE14)})
"""Keys pressed for the lock, latch or group they leave behind: Num_Lock, Scroll_Lock, Caps_Lock, Shift_Lock,
Mode_switch and the ISO keys."""

_UNICODE = 0x01000000

_LEGACY_CODECS = {
    0x01: "iso8859_2",
    0x02: "iso8859_3",
    0x03: "iso8859_4",
    0x05: "iso8859_6",
    0x06: "koi8_u",
    0x07: "iso8859_7",
    0x0C: "iso8859_8",
    0x0D: "tis_620",
    0x13: "iso8859_15",
}
"""Keysyms older than Unicode: the high byte says which character set the low byte is taken from. Only their letters are
used (see `character_of`); what stays unknown is typed with its Unicode keysym, so nothing is lost by it."""

_LEGACY_LETTERS = {
    "iso8859_7": frozenset({*range(0xC1, 0xD2), *range(0xD4, 0xDA), *range(0xE1, 0xF2), *range(0xF4, 0xFA)}),
    # KOI8-U where X has KOI8-R letters and the Ukrainian ones; X uses the rest for Serbian and Macedonian.
    "koi8_u": frozenset({*range(0xC0, 0x100), 0xA3, 0xB3, 0xA4, 0xB4, 0xA6, 0xB6, 0xA7, 0xB7, 0xAD, 0xBD}),
}

_EURO_SIGN = 0x20AC
"""The one keysym of the currency block that layouts use; its number is also its code point."""


def keysym_of(character: str) -> int:
    """The keysym every toolkit understands as `character`: Latin-1 as it is, everything else by its code point."""
    code = ord(character)
    return code if code <= 0xFF else _UNICODE | code


@cache
def character_of(keysym: int) -> str | None:
    """The character of a keysym found on a layout, legacy ones included; None for keys that are not characters and for
    the few legacy keysyms that are not known here."""
    if 0x20 <= keysym <= 0x7E or 0xA0 <= keysym <= 0xFF:
        return chr(keysym)
    if _UNICODE | 0x100 <= keysym <= _UNICODE | 0x10FFFF:
        code = keysym & 0xFFFFFF
        return None if 0xD800 <= code <= 0xDFFF else chr(code)
    if keysym == _EURO_SIGN:
        return "€"
    codec = _LEGACY_CODECS.get(keysym >> 8)
    low = keysym & 0xFF
    if codec is None or low < 0xA1 or low not in _LEGACY_LETTERS.get(codec, range(0x100)):
        return None
    try:
        character = bytes((low,)).decode(codec)
    except UnicodeDecodeError:
        return None
    return character if character.isalpha() and keysym in _named() else None


@cache
def _named() -> frozenset[int]:
    return frozenset(keysym_names().values())


@cache
def keysym_names() -> dict[str, int]:
    """Every name X gives a keysym, in X's spelling (`Page_Up`, `XF86AudioPlay`)."""
    names: dict[str, int] = {"EuroSign": _EURO_SIGN}
    for module in pkgutil.iter_modules(Xlib.keysymdef.__path__):
        table = vars(importlib.import_module(f"Xlib.keysymdef.{module.name}"))
        names.update(
            {name[3:].replace("XF86_", "XF86"): value for name, value in table.items() if name.startswith("XK_")}
        )
    return names


@cache
def keysym_names_folded() -> dict[str, str]:
    """Names in lower case, to X's spelling. Where several differ in case alone, a key that is not a character comes
    first, then the small letter."""
    folded: dict[str, str] = {}
    for name, keysym in sorted(keysym_names().items(), key=lambda item: (item[1] < 0xFE00, item[0].swapcase())):
        del keysym
        folded.setdefault(name.lower(), name)
    return folded


def keysym_named(name: str) -> int | None:
    """By X's name (exact case first), or by code point as X writes it (`U20AC`)."""
    names = keysym_names()
    if name in names:
        return names[name]
    folded = keysym_names_folded().get(name.lower())
    if folded is not None:
        return names[folded]
    if re.fullmatch("[Uu][0-9A-Fa-f]{4,6}", name):
        code = int(name[1:], 16)
        # Control characters have keys of their own, surrogates are no characters.
        if 0xA0 <= code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF:
            return keysym_of(chr(code))
    return None

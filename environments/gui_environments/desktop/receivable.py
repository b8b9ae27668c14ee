"""Characters that an application would drop or turn into others however they are typed. Found by typing them; refused
before the first one. Looks at the text and at what is known about the application, nothing else."""

from __future__ import annotations

import unicodedata

from gui_environments.desktop.focus import Focus, Kind
from gui_environments.errors import ActionRefused
from gui_environments.host_variables import is_utf8

_NEW_SINCE_UNICODE_13 = """
    61D 870-88E 890-891 898-89F 8B5 8C8-8D2 C3C C5D CDD CF3 ECE 170D 1715 171F 180F 1AC1-1ACE 1B4C 1B7D-1B7E 1C89-1C8A
    1DFA 20C0 2427-2429 2C2F 2C5F 2E53-2E5D 2FFC-2FFF 31E4-31E5 31EF 9FFD-9FFF A7C0-A7C1 A7CB-A7CD A7D0-A7DC A7F2-A7F4
    FBC2 FD40-FD4F FDCF FDFE-FDFF
"""
"""Up to U+FFFF, by version 16. Qt takes a character for text only when its own tables know it, and Qt 5.15 has those of
version 13. (Above U+FFFF it lets everything pass.)"""

_BYTE_ORDER_MARK = 0xFEFF
"""Qt drops it."""


def require_receivable(text: str, focus: Focus) -> None:
    """Raises `ActionRefused` for what the application with the focus cannot take."""
    if focus.kind is Kind.OTHER and not text.isascii() and focus.locale is not None and not is_utf8(focus.locale):
        raise ActionRefused(
            f'The application with the focus runs in the locale "{focus.locale}", which has no Unicode, so it would '
            "lose the characters of the text that are not ASCII. Nothing was typed. Type ASCII only, or start the "
            "application in a UTF-8 locale."
        )
    if focus.is_qt:
        unknown = sorted({character for character in text if _qt_may_drop(character)})
        if unknown:
            names = ", ".join(f"U+{ord(character):04X}" for character in unknown[:10])
            raise ActionRefused(
                f"The application with the focus uses Qt, which may drop these characters: {names}. Nothing was typed. "
                "Leave them out, or bring the text in by a file or the clipboard."
            )


def _qt_may_drop(character: str) -> bool:
    code = ord(character)
    if code > 0xFFFF or character in "\t\r\n":
        return False
    return code == _BYTE_ORDER_MARK or code in _NEW or unicodedata.category(character) == "Cn"


def _parse_ranges(text: str) -> frozenset[int]:
    codes: set[int] = set()
    for each in text.split():
        first, _, last = each.partition("-")
        codes.update(range(int(first, 16), int(last or first, 16) + 1))
    return frozenset(codes)


_NEW = _parse_ranges(_NEW_SINCE_UNICODE_13)

"""Names of files as pages suggest them, made safe. Touches no file."""

from __future__ import annotations

import os
import re
import unicodedata

NAME_LIMIT_BYTES = 200
"""File systems take 255; this leaves room for a number and `.part`."""

PART = ".part"
"""What the name of a file that is not whole yet ends in."""

_FORBIDDEN = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*]')

_DEVICES = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?: *\.|$)", re.IGNORECASE)
"""Names that are devices where the file may be carried to, whatever follows the first dot."""

_TAKEN_OUT = frozenset(("Cc", "Cf", "Cs", "Co", "Cn"))
"""What is not seen, or turns the order of what is: controls, marks of direction, surrogates, private and unassigned."""

_SEPARATORS = frozenset(("Zl", "Zp", "Zs"))


def safe_name(suggested: str) -> str:
    """A file name that is nothing but a name: no path, no control or direction marks, not hidden, no option of a
    command, no device, not taken for a part of a file, not too long."""
    name = _FORBIDDEN.sub("_", suggested.replace("\\", "/").rpartition("/")[2])
    name = "".join(_seen(character) for character in name).strip().rstrip(". ")
    if name.startswith((".", "-", "~")) or _DEVICES.match(name):
        name = "_" + name.removeprefix(".")
    if name.lower().endswith(PART):
        name += "_"
    stem, dot, extension = name.rpartition(".")
    if not dot or len(os.fsencode(extension)) > NAME_LIMIT_BYTES // 4:
        stem, dot, extension = name, "", ""
    room = NAME_LIMIT_BYTES - len(os.fsencode(dot + extension))
    stem = stem.encode("utf-8")[:room].decode("utf-8", "ignore").rstrip()
    return stem + dot + extension or "download"


def numbered(name: str, number: int) -> str:
    """`report.pdf`, `report (1).pdf`, ..."""
    if number == 0:
        return name
    stem, dot, extension = name.rpartition(".")
    return f"{stem} ({number}){dot}{extension}" if dot and stem else f"{name} ({number})"


def _seen(character: str) -> str:
    category = unicodedata.category(character)
    if category in _SEPARATORS:
        return " "
    return "" if category in _TAKEN_OUT else character

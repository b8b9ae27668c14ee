"""How a value may be spelled: as a regular expression that finds it as it is, in any case of its letters, in an address
(percent signs, `+`), in JSON, in HTML, and inside base64 of any alignment. Pure.

The expressions mean the same to Python and to the JavaScript of Chromium.
"""

from __future__ import annotations

import base64
import re

SHORTEST = 4
"""Characters that a secret has at least. A shorter one stands in everything by chance."""

LINE_CHARACTERS = 8
"""A line of a value of several lines is looked for by itself from this length on: tools number lines and indent
them."""

_SPECIAL = frozenset("\\^$.|?*+()[]{}/-")

_NAMED = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;", "\u00a0": "&nbsp;"}

_SPACE = (
    r"(?:\s|%20|%0a|%0d|%09|\+|\\[nrt]|\\u00(?:20|0a|0d|09|a0)|&nbsp;|&#0*(?:32|9|10|13|160);|&#x0*(?:20|9|a|d|a0);)"
)

_BREAK = r"(?:[\r\n]|\\[rn])*"
"""Base64 is often broken into lines."""

_BASE64 = {"+": r"(?:\+|-|%2[Bb]|%2[Dd])", "/": r"(?:\\?/|_|%2[Ff]|%5[Ff])"}
_BASE64_ONE = r"(?:[A-Za-z0-9+/_-]|%2[BbDdFf]|%5[Ff])"
_BASE64_END = r"(?:=|%3[Dd])"


def spelled(value: str, *, spaces: str = "+") -> str:
    """An expression for every spelling of `value`. White space at its ends does not count, and other white space is any
    white space: pages show it as they like. `spaces` is how often it is there, `*` where it may be left out."""
    pieces = re.split(r"(\s+)", value.strip())
    plain = "".join(_SPACE + spaces if piece.isspace() else "".join(map(_one, piece)) for piece in pieces)
    forms = [f"(?i:{plain})", *_base64_forms(value.strip())]
    return "(?:" + "|".join(forms) + ")"


def parts(value: str) -> tuple[str, ...]:
    """What is looked for: the value, and each longer line of one that has several; the longest first."""
    lines = {line.strip() for line in value.splitlines()} if len(value.splitlines()) > 1 else set()
    found = {value.strip(), *(line for line in lines if len(line) >= LINE_CHARACTERS)}
    return tuple(sorted(found, key=lambda text: (-len(text), text)))


def _one(char: str) -> str:
    """An escape comes before the character that it begins with."""
    code = ord(char)
    spellings = ["".join(f"%{byte:02x}" for byte in char.encode("utf-8", "surrogatepass"))]
    spellings.append("".join(rf"\\u{unit:04x}" for unit in _utf16_units(char)))
    spellings += [f"&#0*{code};", f"&#x0*{code:x};"]
    if char in _NAMED:
        spellings.append(_NAMED[char])
    if char in "\"\\/'":
        spellings.append(r"\\" + _literal(char))
    spellings.append(_literal(char))
    return "(?:" + "|".join(spellings) + ")"


def _literal(char: str) -> str:
    return f"\\{char}" if char in _SPECIAL else char


def _utf16_units(char: str) -> list[int]:
    data = char.encode("utf-16-be", "surrogatepass")
    return [int.from_bytes(data[at : at + 2], "big") for at in range(0, len(data), 2)]


def _base64_forms(value: str) -> list[str]:
    """One for each alignment. At both ends a character of base64 may hold bits of what stands beside the value: the
    form takes such a character with it, and is found by those that hold bits of the value alone."""
    data = value.encode("utf-8", "surrogatepass")
    forms = []
    for before in range(3):
        whole = base64.b64encode(b"\0" * before + data + b"\0\0").decode("ascii")
        first, end = -(-8 * before // 6), 8 * (before + len(data)) // 6
        core = _BREAK.join(_BASE64.get(char, char) for char in whole[first:end])
        left = f"{_BASE64_ONE}?" if before else ""
        right = f"{_BASE64_ONE}?" if 8 * (before + len(data)) % 6 else ""
        forms.append(f"{left}{core}{right}{_BASE64_END}*")
    return forms

"""Text as a person can judge it: what cannot be seen, or moves other text about, is spelled out. Pure."""

from __future__ import annotations

# Printable by their category, and yet nothing is seen of them: fillers, joiners, variation selectors.
_UNSEEN = frozenset("\u00ad\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_UNSEEN_RANGES = ((0x180B, 0x180F), (0xFE00, 0xFE0F), (0xE0000, 0xE0FFF))


def visible(text: str) -> str:
    """`text` with every character that is not seen, or that moves others about, written as its code point."""
    return text.translate(_SPELLED)


def visible_lines(text: str) -> str:
    """The same, with line breaks and tabs left as they are."""
    return text.translate(_SPELLED_IN_LINES)


def bounded(text: str, limit: int) -> str:
    """At most `limit` characters, and how many there are where that is not all."""
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text):,} characters)"


def _is_seen(char: str) -> bool:
    # str.isprintable is false for controls, formats (bidi, zero width), separators but the space, and lone surrogates.
    code = ord(char)
    return char.isprintable() and char not in _UNSEEN and not any(low <= code <= high for low, high in _UNSEEN_RANGES)


class _Spelling(dict[int, str]):
    """What becomes of each character, found out when it is first met: most texts are of few, and long."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        self[code] = char if _is_seen(char) else f"\\u{{{code:x}}}"
        return self[code]


_SPELLED = _Spelling()
_SPELLED_IN_LINES = _Spelling({ord("\n"): "\n", ord("\t"): "\t"})

"""What a text is to the eye, whatever it says: a date, a time, a sum of money, an address of mail. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

LONGEST = 40
"""Longer texts hold a date rather than are one."""

_MONTHS_BEGIN = """
jan feb mar mär apr may mai jun jul aug sep oct okt nov dec dez ene abr ago dic janv fév févr avr juin juil août
"""
_MONTHS = f"(?:{'|'.join(_MONTHS_BEGIN.split())})"
_SHAPES = (
    (re.compile(rf"\b\d{{1,2}}\.? {_MONTHS}\w*|\b{_MONTHS}\w*\.? \d{{1,2}}\b", re.IGNORECASE), "date day when"),
    (re.compile(r"\b\d{1,4}[./-]\d{1,2}[./-]\d{2,4}\b"), "date day when"),
    (re.compile(rf"\d.* ?[–—-] ?.*\d.*{_MONTHS}", re.IGNORECASE), "period range dates interval"),
    (re.compile(r"\b\d{1,2}:\d{2}\b"), "time hour when"),
    (re.compile(r"[$€£¥]\s?\d|\d\s?(?:[$€£¥]|EUR|USD|CHF|GBP)\b|\d\s?€"), "price amount money cost"),
    (re.compile(r"\d\s?%"), "percent share rate"),
    (re.compile(r"[\w.+-]+@[\w-]+\.\w+"), "email address mail contact write"),
    (re.compile(r"^\+?[\d ()/-]{7,}$"), "phone number call"),
    (re.compile(r"^(?:https?://|www\.)\S+$"), "website link address"),
)


def shape_words(text: str) -> Iterator[str]:
    """Words for what the text looks like."""
    if len(text) > LONGEST:
        return
    for pattern, words in _SHAPES:
        if pattern.search(text):
            yield words


def all_shape_words() -> str:
    return " ".join(words for _, words in _SHAPES)

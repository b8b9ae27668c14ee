"""Words made comparable one by one: without case and accents, and stemmed. Pure.

Stems are English; words of other languages go through the same rules, which at least treats them alike everywhere.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path

import snowballstemmer

WORDS_KEPT = 50_000
"""Words whose stem is remembered: those of a large page."""

SHORTEST_STEMMED = 4

IRREGULAR = Path(__file__).parent / "vocabulary" / "irregular.txt"

_SPELLINGS = (
    (re.compile(r"is(?=(?:e|es|ed|ing|er|ers|ation|ations)$)"), "iz"),
    (re.compile(r"(?<=[a-z]{3})our(?=(?:s|ed|ing|ite|ites|able|ful|hood)?$)"), "or"),
    (re.compile(r"(?<=[a-z]{3})tre(?=s?$)"), "ter"),
    (re.compile(r"(?<=[a-z]{3})ogue(?=s?$)"), "og"),
)
"""British spellings, turned into American ones."""

_ACCENTS = re.compile(r"(?<=[a-z])[\u0300-\u036f]+")

_english = snowballstemmer.stemmer("english")


def folded(text: str) -> str:
    """In lower case, without accents on Latin letters."""
    text = text.casefold()
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFKD", text)))


@cache
def _irregular() -> Mapping[str, str]:
    found: dict[str, str] = {}
    for row in IRREGULAR.read_text(encoding="utf-8").splitlines():
        forms, equals, word = row.partition(" = ")
        if equals and not row.startswith("#"):
            found |= dict.fromkeys(forms.split(), word)
    return found


@lru_cache(maxsize=WORDS_KEPT)
def stem(word: str) -> str:
    """Of a folded word. Words that are not in Latin letters are their own stems."""
    word = _irregular().get(word, word)
    if len(word) < SHORTEST_STEMMED or not word.isascii() or not word.isalpha():
        return word
    for spelling, instead in _SPELLINGS:
        word = spelling.sub(instead, word)
    stemmed: str = _english.stemWord(word)
    return stemmed

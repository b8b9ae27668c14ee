"""What people call things in pages: words that mean the same, in seven languages; phrases, pictures, opposites.

Reads the tables of `vocabulary/`, each of which says what its rows are. Knows nothing of pages or descriptions.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import product
from pathlib import Path

from gui_environments.browser.finding.stemming import folded, stem

TABLES = Path(__file__).parent / "vocabulary"

SYNONYM, TRANSLATION, REMOTE, RELATED = 0.77, 0.85, 0.5, 0.4
"""How much a word counts in place of another one: said for the same thing, the same in another language, a translation
of a synonym, something close to it."""


SIGNS_KEPT = 10_000
"""Names whose signs are remembered."""


class Phrases:
    """Phrases that count as one word. Words of a phrase may be written together or with a hyphen."""

    def __init__(self, table: Mapping[str, str]) -> None:
        self._words = {phrase.replace(" ", ""): word for phrase, word in table.items()}
        longest_first = sorted(table, key=len, reverse=True)
        self._pattern = re.compile(
            r"\b(?:" + "|".join(re.escape(phrase).replace(r"\ ", "[ -]?") for phrase in longest_first) + r")\b"
        )

    def sub(self, text: str) -> str:
        return self._pattern.sub(lambda match: self._words[re.sub("[ -]", "", match[0])], text)


def _rows(name: str) -> Iterator[str]:
    for row in (TABLES / name).read_text(encoding="utf-8").splitlines():
        if row and not row.startswith("#"):
            yield row


def _pairs(name: str) -> Iterator[tuple[str, str]]:
    for row in _rows(name):
        left, _, right = row.partition(" = ")
        yield left, right


def _stems(words: str) -> list[str]:
    return [stem(word) for word in folded(words).split()]


@cache
def phrase_words() -> Mapping[str, str]:
    """Phrases, with the word that each counts as."""
    return {phrase.strip(): word for listed, word in _pairs("phrases.txt") for phrase in listed.split(",")}


@cache
def phrases() -> Phrases:
    return Phrases(phrase_words())


@cache
def split_verbs() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Verbs with up to four words in their middle, and the verb to put in their place."""
    found = []
    for listed, verb in _pairs("split_verbs.txt"):
        for phrase in listed.split(","):
            begin, _, end = phrase.strip().partition(" … ")
            middle = r"\s+((?:[\w'-]+\s+){0,4}?)" if end else "()"
            found.append((re.compile(rf"\b{begin}{middle}{end}\b"), verb))
    return tuple(found)


@cache
def _glyphs() -> Mapping[str, str]:
    return {sign: words for signs, words in _pairs("glyphs.txt") for sign in signs.split()}


@lru_cache(maxsize=SIGNS_KEPT)
def sign_words(name: str) -> str:
    """What the signs of a name stand for. Those of a keyboard count only when the name is nothing else."""
    table = _glyphs()
    name = name.replace(IN_COLOUR, "").strip()
    if name in table:
        return table[name]
    signs = [sign for sign in name if unicodedata.category(sign) in ("So", "Sm") and not sign.isascii()]
    return " ".join(table.get(sign) or unicodedata.name(sign, "").lower() for sign in signs)


IN_COLOUR = "\ufe0f"
"""Follows a sign that is meant as a picture."""


@cache
def opposites() -> Mapping[str, frozenset[str]]:
    """For stems that turn something on or off, those that turn it the other way."""
    found: dict[str, frozenset[str]] = {}
    for left, right in _pairs("opposites.txt"):
        one, other = frozenset(_stems(left)), frozenset(_stems(right))
        for words, against in ((one, other), (other, one)):
            found |= {word: found.get(word, frozenset()) | against for word in words}
    return found


def _linked(links: Iterable[tuple[Iterable[str], Iterable[str]]]) -> Mapping[str, frozenset[str]]:
    """Each of the one with each of the other, both ways."""
    found: dict[str, set[str]] = {}
    for ones, others in links:
        for one, other in product(ones, others):
            found.setdefault(one, set()).add(other)
            found.setdefault(other, set()).add(one)
    return {word: frozenset(others) for word, others in found.items()}


@cache
def _translations() -> Mapping[str, frozenset[str]]:
    groups = [_stems(row) for row in _rows("languages.tsv")]
    return _linked((group, group) for group in groups)


def translations(word: str) -> frozenset[str]:
    """Stems of other languages for a stem, and of English ones for it."""
    return _translations().get(word, frozenset())


@cache
def _synonyms() -> Mapping[str, frozenset[str]]:
    return _linked((same[:1], same[1:]) for same, _ in _synonym_rows())


@cache
def _related() -> Mapping[str, frozenset[str]]:
    return _linked((same, same[1:] + close) for same, close in _synonym_rows())


def _synonym_rows() -> Iterator[tuple[list[str], list[str]]]:
    for row in _rows("synonyms.txt"):
        same, _, close = row.partition("~")
        yield _stems(same), _stems(close)


@cache
def english_stems() -> frozenset[str]:
    return frozenset(_related())


@cache
def known_stems() -> frozenset[str]:
    return frozenset(_synonyms()) | frozenset(_translations())


def equivalents(word: str) -> dict[str, float]:
    """Stems that may stand in the place of a stem, with how much they count; not itself."""
    found: dict[str, float] = {}
    synonyms = _synonyms().get(word, frozenset())
    for other in synonyms:
        found |= dict.fromkeys(_translations().get(other, ()), REMOTE)
    for other in _related().get(word, ()):
        found[other] = RELATED
    for translation in _translations().get(word, ()):
        found |= dict.fromkeys(_synonyms().get(translation, ()), REMOTE)
    found |= dict.fromkeys(_translations().get(word, ()), TRANSLATION)
    found |= dict.fromkeys(synonyms, SYNONYM)
    found.pop(word, None)
    return found

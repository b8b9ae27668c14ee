"""Which words of a description a text has, in whatever form: another ending, misspelt, cut short, a synonym. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from rapidfuzz import process
from rapidfuzz.distance import OSA

from gui_environments.browser.finding.stemming import stem
from gui_environments.browser.finding.vocabulary import english_stems, equivalents, known_stems, sign_words
from gui_environments.browser.finding.words import words_by_text, words_of

Hits = Mapping[int, float]
"""Places of the description's words that were found, each with how surely: from 0 to 1, the word itself."""

NONE: Hits = {}

PREFIX, SHORT_PREFIX, SUFFIX, ABBREVIATION, FUZZY = 0.8, 0.4, 0.5, 0.7, 0.75
"""How much a word counts that is found as the begin of another or begins with it, as much less than half of it, as the
end of a compound, without its vowels, misspelt."""

PREFIX_LENGTH = 4
SUFFIX_LENGTH = 5
FUZZY_LENGTH = 5
"""Shorter words are too alike to be guessed."""

FUZZY_FROM = 0.8
"""Likeness from which a longer word may be another one misspelt."""

MISSPELT_FROM = 0.85
"""The same where all that is known is that it is none of the words in the tables: most words are not."""

ABBREVIATION_LENGTH = 5
GLYPH_NAME_LENGTH = 3
"""Names in ASCII up to this long may be signs rather than words."""


class Recognizer:
    """The words of one description, asked of many texts."""

    def __init__(self, asked: Sequence[str]) -> None:
        self.stems = [stem(word) for word in asked]
        self._forms = [self._forms_of(word) for word in self.stems]
        self._of_word: dict[str, Hits] = {}
        self._of_text: dict[str, Hits] = {}
        self._joined = self._compounds(asked)
        self._whole = {word: place for place, word in enumerate(asked)}

    @staticmethod
    def _forms_of(word: str) -> dict[str, float]:
        forms = equivalents(word)
        if not forms and len(word) >= FUZZY_LENGTH:
            meant = _spelt_right(word)
            if meant:
                forms = {meant: FUZZY} | {form: FUZZY * surely for form, surely in equivalents(meant).items()}
        forms[word] = 1.0
        return forms

    @staticmethod
    def _compounds(asked: Sequence[str]) -> dict[str, int]:
        """Neighbours written as one word, with the place of the first."""
        return {stem(one + other): at for at, (one, other) in enumerate(pairwise(asked))}

    def learn(self, texts: Iterable[str]) -> None:
        """Read many texts at once, which is faster."""
        for text, words in words_by_text(text for text in texts if text not in self._of_text).items():
            self._of_text[text] = self._hits_of(words)

    def hits(self, text: str) -> Hits:
        if not text:
            return NONE
        found = self._of_text.get(text)
        if found is None:
            found = self._of_text[text] = self._hits_of(words_of(text))
        return found

    def _hits_of(self, words: Sequence[str]) -> Hits:
        found: Hits = NONE
        for word in words:
            hits = self._of_word.get(word)
            if hits is None:
                hits = self._of_word[word] = self._word_hits(word)
            if hits:
                found = merged(found, hits)
        for one, other in pairwise(words):
            place = self._whole.get(one + other)
            if place is not None:
                found = merged(found, {place: 1.0})
        return found

    def _word_hits(self, word: str) -> Hits:
        found_stem = stem(word)
        found = {}
        for place, forms in enumerate(self._forms):
            surely = likeness(self.stems[place], forms, found_stem)
            if surely:
                found[place] = surely
        first = self._joined.get(found_stem)
        if first is not None:
            found |= {first: 1.0, first + 1: 1.0}
        return found

    def glyph_hits(self, name: str) -> Hits:
        """What the signs of a name stand for."""
        if name.isascii() and len(name) > GLYPH_NAME_LENGTH:
            return NONE
        return self.hits(sign_words(name))


def _spelt_right(word: str) -> str | None:
    """The English word of the tables that a word may be, misspelt behind its first letter."""
    alike = [known for known in english_stems() if known[0] == word[0]]
    meant = process.extractOne(word, alike, scorer=OSA.normalized_similarity, score_cutoff=MISSPELT_FROM)
    return meant[0] if meant is not None else None


def merged(one: Hits, other: Hits, share: float = 1.0) -> Hits:
    """Both, with the better of what both have; the other's counting `share`."""
    if not other:
        return one
    both = dict(one)
    for place, surely in other.items():
        if surely * share > both.get(place, 0.0):
            both[place] = surely * share
    return both


def likeness(asked: str, forms: Mapping[str, float], found: str) -> float:
    """From 0 to 1: how far a stem that was found means the one asked for, whose forms are given."""
    surely = forms.get(found, 0.0)
    if surely or not found:
        return surely
    if asked.isdigit() or found.isdigit():
        return _number_likeness(asked, found)
    if not asked.isascii() and not found.isascii():
        return PREFIX if asked in found or found in asked else 0.0
    best = _written_alike(asked, found)
    for form, counts in forms.items():
        if counts > best and form != asked:
            best = max(best, counts * _parts_alike(form, found))
    return best


def _number_likeness(asked: str, found: str) -> float:
    if not (asked.isdigit() and found.isdigit()):
        return 0.0
    if asked.lstrip("0") == found.lstrip("0"):
        return PREFIX
    return SHORT_PREFIX if len(asked) > 2 and found.startswith(asked) else 0.0


def _written_alike(asked: str, found: str) -> float:
    best = _parts_alike(asked, found)
    if best:
        return best
    if is_abbreviation(found, asked):
        return ABBREVIATION
    if min(len(asked), len(found)) < FUZZY_LENGTH or {asked, found} <= known_stems():
        return 0.0
    return FUZZY if OSA.normalized_similarity(asked, found, score_cutoff=FUZZY_FROM) else 0.0


def _parts_alike(one: str, other: str) -> float:
    shorter, longer = (one, other) if len(one) <= len(other) else (other, one)
    if len(shorter) < PREFIX_LENGTH:
        return 0.0
    if longer.startswith(shorter):
        return PREFIX if 2 * len(shorter) > len(longer) else SHORT_PREFIX
    if len(shorter) >= SUFFIX_LENGTH and longer.endswith(shorter):
        return SUFFIX
    return 0.0


def is_abbreviation(short: str, word: str) -> bool:
    """Whether it is the word's begin, or its consonants: `ctr` for `center`."""
    if not 2 <= len(short) <= ABBREVIATION_LENGTH or len(word) <= len(short) or short[0] != word[0]:
        return False
    if word.startswith(short):
        return len(short) >= 3
    if any(letter in "aeiou" for letter in short[1:]):
        return False
    rest = iter(word)
    return all(letter in rest for letter in short)

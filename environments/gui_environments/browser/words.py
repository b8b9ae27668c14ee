"""Words of descriptions and of elements, made comparable: cut, cased and stemmed alike, with what means the same.

Pure. Knows English; words of other languages are compared as they are.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from pathlib import Path

from rapidfuzz import fuzz

WORDS_KEPT = 50_000
"""Texts, words and pairs of words whose comparison is remembered: those of a large page."""

FUZZY_FROM = 84.0
"""Likeness in percent from which a longer word may be another one misspelt or in another form."""

FUZZY_LENGTH = 5
"""Shorter words are too alike to be guessed."""

SYNONYM = 0.85
PREFIX = 0.8
FUZZY = 0.75
"""How much a word counts that is found in another form, 1 being the word itself."""

_STOP_WORDS = """
a an the of to in on at for from by with and or is are be my your our me i we it its this that these which who what
where when how do does can please go goes one s t as into up was want wants use using used
"""

_PHRASES = {
    r"\b(keep|stay)( me| us)? (logg|sign)ed ?-?in\b": "remember",
    r"\b(log|sign)(ged)? ?-?(in|on)\b": "signin",
    r"\b(log|sign)(ged)? ?-?(out|off)\b": "signout",
    r"\bsign ?-?up\b": "register",
    r"\be-mail": "email",
    r"\b(wish|watch) ?list\b": "favourite",
    r"\bsave for later\b": "favourite save",
    r"\b(home ?page|web ?site|web ?page)\b": "website",
    r"\b(time ?zone)\b": "timezone",
    r"\b(drop ?-?down|pull ?-?down)\b": "dropdown",
    r"\bcheck ?-?box(es)?\b": "checkbox",
    r"\btext ?-?(box|field|area|input)\b": "textbox",
    r"\b(first|given) name\b": "firstname",
    r"\b(last|family) name\b|\bsurname\b": "lastname",
    r"\b(date of birth|birth ?-?(day|date)|dob)\b": "birthdate",
    r"\bcheck ?-?out\b": "checkout",
    r"\bpass ?-?word\b": "password",
    r"\bbread ?-?crumbs?\b": "breadcrumb",
    r"\bup ?-?vote": "upvote",
}

SYNONYMS = Path(__file__).parent / "synonyms.txt"
"""A line is words that people use for the same thing in pages."""


_GLYPHS = {
    "×✕✖✗": "close",
    "+＋➕": "add",
    "›»→❯▶>": "next",
    "‹«←❮◀<": "previous",
    "☰≡": "menu",
    "♡♥❤🤍": "favourite",
    "★☆⭐": "star",
    "▲": "upvote up",
    "▼▾": "expand down",
    "⋮⋯…": "more options",
    "☺😀🙂": "emoji",
    "🗑": "delete",
    "✎✏🖉": "edit",
    "⚙": "settings",
    "🔍🔎": "search",
    "−–": "decrease",
}
_GLYPH_WORDS = {glyph: words for glyphs, words in _GLYPHS.items() for glyph in glyphs}
GLYPH_NAME_LENGTH = 3
"""Names up to this long may be a picture rather than words."""

_ENDINGS = (("ies", "y"), ("sses", "ss"), ("ing", ""), ("edly", ""), ("ed", ""), ("es", ""), ("s", ""), ("e", ""))
STEM_LENGTH = 3


@lru_cache(maxsize=WORDS_KEPT)
def stem(word: str) -> str:
    """The word without its ending, for words written in Latin letters."""
    if not word.isascii() or not word.isalpha():
        return word
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= STEM_LENGTH and not word.endswith("ss"):
            cut = word[: -len(ending)] + instead
            # running, stopped
            return cut[:-1] if len(cut) > STEM_LENGTH and cut[-1] == cut[-2] and cut[-1] not in "lsz" else cut
    return word


@cache
def _synonyms() -> dict[str, frozenset[str]]:
    same: dict[str, set[str]] = {}
    for group in SYNONYMS.read_text(encoding="utf-8").splitlines():
        stems = {stem(word) for word in group.split()}
        for word in stems:
            same.setdefault(word, set()).update(stems)
    return {word: frozenset(others) for word, others in same.items()}


_PARTS_OF_PHRASES = re.compile(
    "logg?|sign|mail|list|save|page|site|zone|down|box|text|field|name|birth|dob|check|pass|bread|vote"
)
"""One of them is in every phrase: most names have none, and are spared the search for each."""


def plain(text: str) -> str:
    """In lower case, without accents on Latin letters, with phrases as one word."""
    text = text.casefold()
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text)
        text = unicodedata.normalize("NFC", re.sub(r"(?<=[a-z])[\u0300-\u036f]", "", text))
    if _PARTS_OF_PHRASES.search(text):
        for phrase, word in _PHRASES.items():
            text = re.sub(phrase, word, text)
    return text


@lru_cache(maxsize=WORDS_KEPT)
def words_of(text: str) -> tuple[str, ...]:
    """Stems, in order, stop words included. `camelCase` and `snake_case` are cut into their words."""
    text = re.sub(r"([a-z])([A-Z])", r"\1 \2", text)
    return tuple(stem(word) for word in re.findall(r"[^\W\d_]+|\d+", plain(re.sub(r"['’]s\b", "", text))))


@lru_cache(maxsize=WORDS_KEPT)
def telling_words(text: str) -> frozenset[str]:
    """Its stems without stop words."""
    return frozenset(words_of(text)) - STOP_STEMS


@lru_cache(maxsize=WORDS_KEPT)
def glyph_words(name: str) -> list[str]:
    """What a name that is a picture of one or two characters stands for."""
    if len(name.strip()) > GLYPH_NAME_LENGTH and not any(glyph in name for glyph in "♡♥☰▲★🗑"):
        return []
    return [stem(word) for character in name for word in _GLYPH_WORDS.get(character, "").split()]


STOP_STEMS = frozenset(stem(word) for word in _STOP_WORDS.split()) | frozenset(_STOP_WORDS.split())


@lru_cache(maxsize=WORDS_KEPT)
def likeness(asked: str, found: str) -> float:
    """From 0 to 1: how far a stem that was found means the one asked for."""
    if asked == found:
        return 1.0
    if found in _synonyms().get(asked, ()):
        return SYNONYM
    shorter, longer = sorted((asked, found), key=len)
    if shorter.isdigit() and longer.isdigit():
        return PREFIX if len(shorter) > 1 and longer.startswith(shorter) else 0.0
    if not shorter.isascii():
        return PREFIX if shorter in longer else 0.0
    if len(shorter) >= 4 and longer.startswith(shorter):
        return PREFIX
    if len(shorter) >= FUZZY_LENGTH and fuzz.ratio(asked, found, score_cutoff=FUZZY_FROM):
        return FUZZY
    return 0.0

"""How well each element of a page fits a description: by its name, role, value, surroundings and attributes. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from gui_environments.browser.descriptions import (
    ACTED_ON,
    ACTIONS,
    FIELD_ROLES,
    ROLES_BY_WORD,
    VAGUE_STEMS,
    Description,
    described,
)
from gui_environments.browser.surroundings import TEXT_ROLES, Candidate, Surroundings, Words, surroundings_of
from gui_environments.browser.words import STOP_STEMS, glyph_words, likeness, words_of

NAME, GLYPH, LABEL, STATE, HINT, ROW, NEAR, ABOVE, BESIDE, HEADING = (
    1.0,
    0.9,
    0.95,
    0.75,
    0.6,
    0.55,
    0.5,
    0.4,
    0.3,
    0.25,
)
"""How much a word counts by where it stands: the name; what a picture of a name means; the text beside what has no
name; values and options; attributes; the same row or item; the text beside; names of what is around; names of what is
beside; the heading before."""

VAGUE = 0.5
"""How much a word weighs that asks for hardly anything in particular."""

SMALL = 0.4
"""What a name of nothing but small words (From, To) counts that are in the description."""

ACTION = 1.3
"""How much the verb weighs that a description begins with."""

ROLE_WORD = 0.5
"""How much a word for a kind of element weighs beside a word for what it is about."""

COVERED = 0.24
"""The share of a description that must be found for an element to fit."""

NEARBY = 0.1
"""The share from which an element is offered all the same when none fits."""

NEAR_BEST = 0.4
"""Elements are offered down to this share of the best one's score."""

_GROUPING_ROLES = """
main navigation banner contentinfo complementary search region form list menu menubar toolbar table grid tree tablist
group radiogroup heading dialog alertdialog image iframe figure log listbox
"""
_GROUPING = frozenset(_GROUPING_ROLES.split())


@dataclass(frozen=True, slots=True)
class Match:
    """The place of a candidate. `fits`: enough of the description was found."""

    place: int
    score: float
    fits: bool


def rank(query: str, candidates: Sequence[Candidate]) -> list[Match]:
    """The candidates that fit, the best first; when none does, those that come nearest."""
    description = described(query)
    if not description.about:  # signs only
        sign = query.strip().casefold()
        return [
            Match(place, 1.0, fits=True)
            for place, candidate in enumerate(candidates)
            if sign in candidate.name.casefold()
        ]
    matches = []
    weights = _weights(description, candidates)
    for place, (candidate, around) in enumerate(zip(candidates, surroundings_of(candidates), strict=True)):
        covered, score = _score(description, weights, candidate, around)
        if covered >= NEARBY or (description.kinds and candidate.role in description.roles):
            matches.append(Match(place, score, fits=covered >= COVERED))
    matches.sort(key=lambda match: (match.fits, match.score), reverse=True)
    return [match for match in matches if match.fits == matches[0].fits]


def _weights(description: Description, candidates: Sequence[Candidate]) -> dict[str, float]:
    """Words that stand on few elements tell more than words that stand on many."""
    counts = Counter(word for candidate in candidates for word in set(words_of(candidate.name)))
    weights = {word: 1.0 / (1.0 + 0.15 * min(counts[word], 10)) + 0.4 for word in description.about}
    for word in VAGUE_STEMS & weights.keys():
        weights[word] *= VAGUE
    first = description.about[0]
    if first in ACTIONS and len(weights) > 1:
        weights[first] *= ACTION
    return weights


def _score(
    description: Description, weights: dict[str, float], candidate: Candidate, around: Surroundings
) -> tuple[float, float]:
    """The share of the description that was found, and the score that ranks."""
    name = words_of(candidate.name)
    places: tuple[tuple[float, Words], ...] = (
        (NAME, name),
        (GLYPH, glyph_words(candidate.name)),
        (STATE, words_of(_shown_states(candidate.states))),
        (HINT, words_of(candidate.hints)),
        (ROW, around.row),
        *((LABEL if not name and candidate.role in FIELD_ROLES else NEAR, words) for words in around.near),
        *((BESIDE, words) for words in around.beside),
        *((ABOVE, words) for words in around.above),
        (HEADING, around.heading),
    )
    found = total = 0.0
    for word in description.about:
        best = max(weight * _best(word, words) for weight, words in places if words or weight == NAME)
        if candidate.role in ROLES_BY_WORD.get(word, ()):
            best = max(best, ROLE_WORD)
        found += weights[word] * best
        total += weights[word]
    covered = found / total
    if name and description.small.intersection(name) and STOP_STEMS.issuperset(name):
        covered += SMALL
    if covered < NEARBY and not description.kinds:
        return covered, 0.0
    return covered, covered + _fit(description, candidate, name)


def _fit(description: Description, candidate: Candidate, name: Sequence[str]) -> float:
    """What speaks for an element beside the words found: its kind, and that its name says nothing else."""
    fit = 0.0
    asked = (*description.about, *description.kinds)
    telling = [word for word in name if word not in STOP_STEMS and not word.isdigit()]
    if telling:
        fit += 0.2 * sum(max(likeness(word, one) for word in asked) for one in telling) / len(telling)
    if " ".join(name) == description.whole:
        fit += 0.15
    if description.kinds:
        fit += 0.3 if candidate.role in description.roles else -0.05
    elif candidate.role in description.roles:
        fit += 0.12
    if description.about[0] in ACTIONS and not description.kinds:
        fit += 0.12 if candidate.role in ACTED_ON else -0.05
    if candidate.role == "text":
        fit -= 0.4
    elif candidate.role in TEXT_ROLES:
        fit -= 0.12
    elif candidate.role in _GROUPING:
        fit -= 0.25
    if " disabled" in candidate.states:
        fit -= 0.02
    return fit


def _best(word: str, words: Words) -> float:
    best = 0.0
    for one in words:
        best = max(best, likeness(word, one))
    return best


def _shown_states(states: str) -> str:
    """Values, placeholders and options, without the words that name them."""
    if '"' not in states:
        return ""
    return " ".join(re.findall(r'"((?:[^"\\]|\\.)*)"', states))

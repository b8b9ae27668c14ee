"""How well each element of a page fits a description: by its name, role, value, surroundings and attributes. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from gui_environments.browser.words import STOP_STEMS, glyph_words, likeness, stem, telling_words, words_of

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

_FIELDS = "textbox searchbox combobox spinbutton date time month week datetime listbox"
_FIELD_ROLES = frozenset((*_FIELDS.split(), "slider", "color", "file", "checkbox", "radio", "switch"))
_ROLE_WORDS = {
    "button": "button clickable switch summary file menuitem",
    "icon": "button image clickable link",
    "link": "link",
    "field input box textbox entry form": _FIELDS,
    "search": "searchbox search",
    "area editor": "textbox",
    "dropdown selector select combobox": "combobox listbox",
    "picker": "date time datetime month week color combobox textbox button",
    "checkbox tick": "checkbox switch",
    "toggle switch": "switch checkbox button",
    "radio": "radio",
    "option": "option radio menuitem menuitemradio",
    "tab": "tab",
    "slider": "slider",
    "heading": "heading",
    "image picture photo": "image",
    "menu": "menuitem menu button summary combobox",
    "row": "row listitem",
    "table grid": "table grid",
    "dialog popup": "dialog alertdialog",
    "upload attach file receipt": "file",
    "date birthdate birthday born": "date datetime",
    "time": "time datetime",
    "color colour": "color",
    "number quantity many": "spinbutton slider",
    "story article": "link heading article",
    "turn disable enable": "switch checkbox",
    "type enter fill": _FIELDS,
}
_ROLES_BY_WORD: dict[str, frozenset[str]] = {
    stem(word): frozenset(roles.split()) for words, roles in _ROLE_WORDS.items() for word in words.split()
}
_KIND_WORDS = """
button link field input box textbox dropdown selector select combobox picker checkbox tick toggle radio icon slider
heading area type enter fill turn click press
"""
_ONLY_ROLE = frozenset(stem(word) for word in _KIND_WORDS.split())
"""Words that say what kind of element is meant and, mostly, nothing else."""

_VAGUE_WORDS = """
show open choose change see put turn set take jump move switch pick get view look make start bring let give page item
"""
_VAGUE = frozenset(stem(word) for word in _VAGUE_WORDS.split())
_ACTION_WORDS = """
send submit post play pause stop add delete remove edit apply pay buy order download print save share subscribe follow
report write compose close dismiss accept reject decline cancel reset clear copy reply create rename upload attach mute
archive hide sign signin signout register redeem vote upvote star like undo continue print refresh reload check
"""
_ACTIONS = frozenset(stem(word) for word in _ACTION_WORDS.split())
_ACTED_ON = _ROLES_BY_WORD["button"] | {"link", "menuitem", "tab", "radio", "checkbox", "option"}

_TEXT_ROLES = frozenset(
    {"text", "cell", "gridcell", "row", "listitem", "term", "definition", "rowheader", "columnheader"}
)
_GROUPING_ROLES = """
main navigation banner contentinfo complementary search region form list menu menubar toolbar table grid tree tablist
group radiogroup heading dialog alertdialog image iframe figure log listbox
"""
_GROUPING = frozenset(_GROUPING_ROLES.split())
_ITEMS = frozenset({"row", "listitem", "treeitem", "article", "clickable"})


@dataclass(frozen=True, slots=True)
class Candidate:
    """One line of a whole reading. `hints` are attributes that nobody sees."""

    depth: int
    role: str
    name: str
    states: str
    hints: str


Words = Collection[str]


@dataclass(frozen=True, slots=True)
class _Surroundings:
    """Words around a candidate, by place."""

    above: tuple[Words, ...]
    near: tuple[Words, ...]
    beside: tuple[Words, ...]
    row: Words
    heading: Words


@dataclass(frozen=True, slots=True)
class Description:
    """A query: the stems that say what an element is about, those that say what kind it is, and the roles meant;
    `small` are its stop words."""

    about: tuple[str, ...]
    kinds: tuple[str, ...]
    roles: frozenset[str]
    small: frozenset[str]
    whole: str


def described(query: str) -> Description:
    """Words for kinds are what an element is about when nothing else is left."""
    stems = [word for word in dict.fromkeys(words_of(query)) if word not in STOP_STEMS]
    kinds = tuple(word for word in stems if word in _ONLY_ROLE)
    about = tuple(word for word in stems if word not in _ONLY_ROLE)
    if not about:
        about = kinds or tuple(words_of(query))
    roles = frozenset(role for word in stems for role in _ROLES_BY_WORD.get(word, ()))
    strict = [_ROLES_BY_WORD[word] for word in kinds if word in _ROLES_BY_WORD]
    words = words_of(query)
    return Description(
        about,
        kinds,
        frozenset().union(*strict) if strict else roles,
        frozenset(words) & STOP_STEMS,
        " ".join(words),
    )


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
    for place, (candidate, around) in enumerate(zip(candidates, _surroundings(candidates), strict=True)):
        covered, score = _score(description, weights, candidate, around)
        if covered >= NEARBY or (description.kinds and candidate.role in description.roles):
            matches.append(Match(place, score, fits=covered >= COVERED))
    matches.sort(key=lambda match: (match.fits, match.score), reverse=True)
    return [match for match in matches if match.fits == matches[0].fits]


def _weights(description: Description, candidates: Sequence[Candidate]) -> dict[str, float]:
    """Words that stand on few elements tell more than words that stand on many."""
    counts = Counter(word for candidate in candidates for word in set(words_of(candidate.name)))
    weights = {word: 1.0 / (1.0 + 0.15 * min(counts[word], 10)) + 0.4 for word in description.about}
    for word in _VAGUE & weights.keys():
        weights[word] *= VAGUE
    first = description.about[0]
    if first in _ACTIONS and len(weights) > 1:
        weights[first] *= ACTION
    return weights


def _score(
    description: Description, weights: dict[str, float], candidate: Candidate, around: _Surroundings
) -> tuple[float, float]:
    """The share of the description that was found, and the score that ranks."""
    name = words_of(candidate.name)
    places: tuple[tuple[float, Words], ...] = (
        (NAME, name),
        (GLYPH, glyph_words(candidate.name)),
        (STATE, words_of(_shown_states(candidate.states))),
        (HINT, words_of(candidate.hints)),
        (ROW, around.row),
        *((LABEL if not name and candidate.role in _FIELD_ROLES else NEAR, words) for words in around.near),
        *((BESIDE, words) for words in around.beside),
        *((ABOVE, words) for words in around.above),
        (HEADING, around.heading),
    )
    found = total = 0.0
    for word in description.about:
        best = max(weight * _best(word, words) for weight, words in places if words or weight == NAME)
        if candidate.role in _ROLES_BY_WORD.get(word, ()):
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
    if description.about[0] in _ACTIONS and not description.kinds:
        fit += 0.12 if candidate.role in _ACTED_ON else -0.05
    if candidate.role == "text":
        fit -= 0.4
    elif candidate.role in _TEXT_ROLES:
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


def _surroundings(candidates: Sequence[Candidate]) -> Iterator[_Surroundings]:
    stack: list[tuple[int, Words]] = []
    heading: Words = ()
    rows = _rows(candidates)
    for place, candidate in enumerate(candidates):
        while stack and stack[-1][0] >= candidate.depth:
            stack.pop()
        near, beside = ((), ()) if candidate.role in ("text", "heading") else _beside(candidates, place)
        yield _Surroundings(tuple(words for _, words in stack), near, beside, rows[place], heading)
        words = telling_words(candidate.name)
        if words:
            stack.append((candidate.depth, words))
            if candidate.role == "heading":
                heading = words


def _beside(candidates: Sequence[Candidate], place: int) -> tuple[tuple[Words, ...], tuple[Words, ...]]:
    """Words of the text before and after, which is often the label of what has none; and of what else is there."""
    text: list[Words] = []
    other: list[Words] = []
    for at in (place - 1, place + 1):
        if 0 <= at < len(candidates):
            (text if candidates[at].role in _TEXT_ROLES else other).append(telling_words(candidates[at].name))
    return tuple(text), tuple(other)


def _rows(candidates: Sequence[Candidate]) -> list[Words]:
    """For each candidate the words of the innermost row or item that it is inside of."""
    rows: list[Words] = [()] * len(candidates)
    open_items: list[tuple[int, set[str]]] = []
    for place, candidate in enumerate(candidates):
        while open_items and open_items[-1][0] >= candidate.depth:
            open_items.pop()
        if open_items:
            rows[place] = open_items[-1][1]
            open_items[-1][1].update(telling_words(candidate.name))
        if candidate.role in _ITEMS:
            open_items.append((candidate.depth, set(telling_words(candidate.name))))
    return rows

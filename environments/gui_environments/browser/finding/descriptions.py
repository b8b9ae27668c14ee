"""What a description of an element asks for: an action, what it is about, the kind of element, which of several. Pure.

Knows the grammar of English requests, hardly more than: verb first, and what a preposition begins is said to tell the
element from others.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from gui_environments.browser.finding.request_words import (
    ACTIONS,
    DETERMINERS,
    DONE_TO_THINGS,
    NOUNS_TOO,
    ONLY_KINDS,
    OPENERS,
    ORDINALS,
    ROLES_BY_WORD,
    SIDE_WORDS,
    STEPS,
    VAGUE,
    Side,
)
from gui_environments.browser.finding.stemming import stem
from gui_environments.browser.finding.vocabulary import split_verbs, translations
from gui_environments.browser.finding.words import STOP_WORDS, words_of


class Part(Enum):
    """VERB: what to do. HEAD: what the element is. REST: said to tell it from others."""

    VERB = "verb"
    HEAD = "head"
    REST = "rest"


@dataclass(frozen=True, slots=True)
class AskedWord:
    word: str
    part: Part
    weight: float

    @property
    def stem(self) -> str:
        return stem(self.word)


@dataclass(frozen=True, slots=True)
class Description:
    """A query.

    `about`: the words that count; `kinds`: those that say what kind of element it is, with the `roles` meant; `small`:
    its stop words; `whole`: all of it, stemmed; `action`: it begins with what to do; `ordinal`: which of several alike,
    -1 for the last, or 0; `sides`: where on the page.
    """

    about: tuple[AskedWord, ...]
    kinds: tuple[str, ...]
    roles: frozenset[str]
    small: frozenset[str]
    whole: str
    action: bool
    ordinal: int
    sides: frozenset[Side]


def described(query: str) -> Description:
    """Words for kinds are what an element is about when nothing else is left."""
    text = query.casefold()
    for pattern, verb in split_verbs():
        text = pattern.sub(rf"{verb} \1 ", text, count=1)
    words = words_of(text)
    objects = _objects(words)
    counting = [(at, word) for at, word in enumerate(words) if word not in STOP_WORDS]
    # A verb where a description begins, `select` is no kind of field.
    kinds = [
        word
        for number, (at, word) in enumerate(counting)
        if _is_kind(word) and (number or word != "select") and at not in objects
    ]
    about = [
        (at, word)
        for number, (at, word) in enumerate(counting)
        if at in objects or not (_is_kind(word) and (number or word != "select"))
    ]
    if not about:
        about = [(at, word) for at, word in enumerate(words) if word in kinds] or list(enumerate(words))
    action = _begins_with_verb(words, about)
    asked = _asked_words(words, about, action)
    strict = [ROLES_BY_WORD[stem(word)] for word in kinds if stem(word) in ROLES_BY_WORD]
    loose = [ROLES_BY_WORD.get(stem(word), frozenset()) for word in words]
    ordinals = [ORDINALS[word] for word in words if word in ORDINALS]
    return Description(
        asked,
        tuple(kinds),
        frozenset().union(*strict) if strict else frozenset().union(*loose),
        frozenset(words) & STOP_WORDS,
        " ".join(stem(word) for word in words),
        action,
        ordinals[0] if ordinals else 0,
        frozenset(side for side in Side if not set(side.value.split()).isdisjoint(words)),
    )


ACTION_WEIGHT, HEAD_WEIGHT, VAGUE_WEIGHT = 1.2, 1.5, 0.5
"""How much a verb weighs that a description begins with; what an element is, when more is said to tell it from others;
a word that asks for hardly anything in particular."""


def _objects(words: tuple[str, ...]) -> range:
    """Places of what a verb is done to that makes, moves or removes something: the field in `add a field` is none yet,
    and the link in `share the link` is not what is pressed."""
    if len(words) < 3 or stem(words[0]) not in DONE_TO_THINGS or words[1] not in DETERMINERS:
        return range(0)
    return range(2, next((at for at, word in enumerate(words) if at > 2 and word in OPENERS | {"to"}), len(words)))


def _is_kind(word: str) -> bool:
    return stem(word) in ONLY_KINDS


def _begins_with_verb(words: tuple[str, ...], about: list[tuple[int, str]]) -> bool:
    if len(about) < 2:
        return False
    at, verb = about[0]
    if words[at + 1] in DETERMINERS:
        return True
    if stem(verb) in ACTIONS:
        return stem(verb) not in NOUNS_TOO or words[at + 1] in STOP_WORDS
    return not ACTIONS.isdisjoint(translations(stem(verb))) and words[at + 1] not in OPENERS


def _asked_words(words: tuple[str, ...], about: list[tuple[int, str]], action: bool) -> tuple[AskedWord, ...]:
    openers = (at for at, word in enumerate(words) if word in OPENERS)
    opened = next((at for at in openers if about and at > about[0][0]), len(words))
    asked: dict[str, AskedWord] = {}
    for number, (at, word) in enumerate(about):
        root = stem(word)
        part = Part.REST if action or at > opened else Part.HEAD
        if action and number == 0:
            part = Part.VERB
        if root in VAGUE or word in ORDINALS or word in SIDE_WORDS:
            weight = VAGUE_WEIGHT
        elif part is Part.VERB or root in STEPS:
            weight = ACTION_WEIGHT
        else:
            weight = HEAD_WEIGHT if part is Part.HEAD and opened < len(words) else 1.0
        asked.setdefault(root, AskedWord(word, part, weight))
    return tuple(asked.values())

"""Which words of a large page may be meant by a description, so that only the parts around them are read. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from gui_environments.browser.finding.descriptions import Description
from gui_environments.browser.finding.recognizing import NONE, Hits, Recognizer, merged
from gui_environments.browser.finding.request_words import ROLES_BY_WORD
from gui_environments.browser.finding.stemming import stem
from gui_environments.browser.finding.vocabulary import opposites, phrase_words
from gui_environments.browser.finding.words import STOP_WORDS, words_of

ROLE_WEIGHT = 0.5
"""What an element of the kind that is asked for weighs, beside a word of the description."""


def meant_words(query: str, description: Description, words: Sequence[str]) -> dict[str, Any]:
    """For the page's `partsWorth`: by the number of each word that may be meant, the places in the description that it
    may stand for, each with how surely; the weights of those places; roles that are asked for."""
    if not description.about:
        sign = query.strip().casefold()
        found = {number: [0, 1.0] for number, word in enumerate(words) if sign in word.casefold()}
        return {"found": found, "weights": [1.0, 0.0], "roles": []}
    hits = _hits(description, words)
    roles = description.roles.union(*(ROLES_BY_WORD.get(asked.stem, frozenset()) for asked in description.about))
    return {
        "found": {number: [value for pair in one.items() for value in pair] for number, one in hits},
        "weights": [*(asked.weight for asked in description.about), ROLE_WEIGHT],
        "roles": sorted(roles),
    }


def _hits(description: Description, words: Sequence[str]) -> Iterator[tuple[int, Hits]]:
    recognizer = Recognizer([asked.word for asked in description.about])
    recognizer.learn(words)
    parts = _in_other_words(description, recognizer)
    for number, word in enumerate(words):
        found = recognizer.hits(word)
        if not word.isdigit():
            found = merged(found, recognizer.glyph_hits(word))
            for one in words_of(word) if parts else ():
                found = merged(found, parts.get(stem(one), NONE))
        if found:
            yield number, found


def _in_other_words(description: Description, recognizer: Recognizer) -> dict[str, Hits]:
    """Stems that mean what is asked for when others stand beside them: words of phrases, and the contrary."""
    parts: dict[str, Hits] = {}
    for phrase, word in phrase_words().items():
        hits = recognizer.hits(word)
        for one in phrase.split() if hits else ():
            if one not in STOP_WORDS:
                parts[stem(one)] = merged(parts.get(stem(one), NONE), hits)
    for place, asked in enumerate(description.about):
        for other in opposites().get(asked.stem, ()):
            parts[other] = merged(parts.get(other, NONE), {place: 1.0})
    return parts

"""The elements of a page as lines, and what stands around each. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from gui_environments.browser.words import telling_words

TEXT_ROLES = frozenset(
    {"text", "cell", "gridcell", "row", "listitem", "term", "definition", "rowheader", "columnheader"}
)
_ITEMS = frozenset({"row", "listitem", "treeitem", "article", "clickable"})


@dataclass(frozen=True, slots=True)
class Candidate:
    """One line of a whole reading.

    `parting` is how deep in the document the innermost element is that holds this line and the one before; `column` what
    stands at the head of its column; `said` what is shown of it when it is pointed at; `hints` what only authors see.
    """

    depth: int
    role: str
    name: str
    states: str
    parting: int = 0
    column: str = ""
    said: str = ""
    hints: str = ""


Words = Collection[str]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Words around a candidate, by place."""

    above: tuple[Words, ...]
    near: tuple[Words, ...]
    beside: tuple[Words, ...]
    row: Words
    heading: Words


def surroundings_of(candidates: Sequence[Candidate]) -> Iterator[Surroundings]:
    stack: list[tuple[int, Words]] = []
    heading: Words = ()
    rows = _rows(candidates)
    for place, candidate in enumerate(candidates):
        while stack and stack[-1][0] >= candidate.depth:
            stack.pop()
        near, beside = ((), ()) if candidate.role in ("text", "heading") else _beside(candidates, place)
        yield Surroundings(tuple(words for _, words in stack), near, beside, rows[place], heading)
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
            (text if candidates[at].role in TEXT_ROLES else other).append(telling_words(candidates[at].name))
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

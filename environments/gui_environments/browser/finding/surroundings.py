"""The elements of a page as lines, and what around each one tells what it is. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gui_environments.browser.finding.grouping import Group, grouped
from gui_environments.browser.finding.recognizing import NONE, Hits, Recognizer, merged
from gui_environments.browser.finding.request_words import FIELD_ROLES

TEXT_ROLES = frozenset(
    {"text", "cell", "gridcell", "row", "listitem", "term", "definition", "rowheader", "columnheader"}
)
_ITEMS = frozenset({"row", "listitem", "treeitem", "article"})
_TICKED = frozenset({"checkbox", "radio", "switch"})

_LANDMARKS = {
    "banner": "header top",
    "contentinfo": "footer bottom",
    "complementary": "sidebar side aside",
    "navigation": "navigation menu nav",
    "search": "search",
    "dialog": "dialog popup window modal",
    "alertdialog": "dialog popup window modal",
    "toolbar": "toolbar",
    "menu": "menu",
}
"""What people call the parts of a page."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One line of a whole reading.

    `parting` is how deep in the document the innermost element is that holds this line and the one before; `column`
    what stands at the head of its column; `said` what is shown of it when it is pointed at; `hints` what only authors
    see.
    """

    depth: int
    role: str
    name: str
    states: str
    parting: int = 0
    column: str = ""
    said: str = ""
    hints: str = ""

    @property
    def is_unlabelled_field(self) -> bool:
        """A field whose name is none: nothing, or the example that stands in it."""
        return self.role in FIELD_ROLES and (not self.name or self.name == self.said)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What stands around a candidate, as words found there.

    `label`: the text that is one to the eye; `row_head`: what its row or item begins with; `inside`: names of what it
    is in; `heading`: those of its section and, counting less, of what that is a part of.
    """

    label: str
    near: Hits
    row_head: Hits
    inside: Hits
    heading: Hits
    group: Group


def surroundings_of(
    candidates: Sequence[Candidate], names: Sequence[Hits], words: Recognizer
) -> Iterator[Surroundings]:
    """`names`: the words found in each candidate's name."""
    groups = grouped([candidate.parting for candidate in candidates], names)
    landmarks = {role: words.hits(called) for role, called in _LANDMARKS.items()}
    inside: list[tuple[int, Hits]] = [(-1, NONE)]
    heads: list[tuple[int, Hits]] = []
    headings: list[tuple[int, Hits]] = [(0, NONE)]
    for place, candidate in enumerate(candidates):
        while inside[-1][0] >= candidate.depth:
            inside.pop()
        while heads and heads[-1][0] >= candidate.depth:
            heads.pop()
        row_head = heads[-1][1] if heads else _since_last_alike(candidates, names, groups, place)
        yield Surroundings(
            _label(candidates, place) if candidate.is_unlabelled_field else "",
            _near(candidates, names, place),
            row_head,
            inside[-1][1],
            headings[-1][1],
            groups[place],
        )
        own = merged(names[place], landmarks.get(candidate.role, NONE))
        if own:
            inside.append((candidate.depth, merged(inside[-1][1], own)))
        if candidate.role in _ITEMS and place + 1 < len(candidates) and candidates[place + 1].depth > candidate.depth:
            heads.append((candidate.depth, merged(names[place], names[place + 1])))
        if candidate.role == "heading":
            level = _level(candidate)
            while headings[-1][0] >= level:
                headings.pop()
            headings.append((level, merged(names[place], headings[-1][1], OUTER)))


OUTER = 0.6
"""How much less a heading counts for what stands under a heading below it."""


def _level(heading: Candidate) -> int:
    _, _, level = heading.states.partition("level=")
    return int(level[:1]) if level[:1].isdigit() else 2


LINES_TO_LABEL = 9
"""How far before a field its label may stand, most of what is between being signs."""

SIGN_LENGTH = 2


def _label(candidates: Sequence[Candidate], place: int) -> str:
    """The text after a box to tick, unless that is nearer to something else; the text before any other field."""
    here = candidates[place]
    if here.role in _TICKED and place + 1 < len(candidates):
        after = candidates[place + 1]
        if after.role == "text" and after.parting >= here.parting:
            return after.name
    signs = 0
    for before in range(place - 1, max(place - 1 - LINES_TO_LABEL, -1), -1):
        role = candidates[before].role
        if _is_sign(candidates[before]):
            signs += 1
        elif role in TEXT_ROLES or role == "heading":
            return _lead(candidates, before) + candidates[before].name
        elif place - before - signs >= 2 or (role in FIELD_ROLES and not signs):
            break
    return ""


def _is_sign(candidate: Candidate) -> bool:
    """A unit, the slash between the two fields of one label, a button in the toolbar of an editor."""
    if candidate.role == "text":
        return not any(letter.isalnum() for letter in candidate.name)
    return candidate.role == "button" and len(candidate.name) <= SIGN_LENGTH


def _lead(candidates: Sequence[Candidate], label: int) -> str:
    """Of `Open: from … to …` what stands before the colon, for the label that comes later."""
    if label >= 2 and candidates[label - 1].role in FIELD_ROLES and candidates[label - 2].role == "text":
        lead, colon, _ = candidates[label - 2].name.partition(":")
        if colon and min(candidates[label - 1].parting, candidates[label].parting) >= candidates[label - 2].parting:
            return lead + " "
    return ""


def _since_last_alike(
    candidates: Sequence[Candidate], names: Sequence[Hits], groups: Sequence[Group], place: int
) -> Hits:
    """Words of the lines after the last one of the same name, when all stand in one group: items that nothing holds,
    each ending with its button."""
    here = candidates[place]
    found: Hits = NONE
    for at in range(place - 1, max(place - 1 - LINES_OF_ITEM, -1), -1):
        if groups[at] is not groups[place]:
            break
        if candidates[at].role == here.role and candidates[at].name == here.name:
            return found
        found = merged(found, names[at])
    return NONE


LINES_OF_ITEM = 6


def _near(candidates: Sequence[Candidate], names: Sequence[Hits], place: int) -> Hits:
    if candidates[place].role in ("text", "heading"):
        return NONE
    found: Hits = NONE
    for at, share in ((place - 1, 1.0), (place + 1, AFTER)):
        if 0 <= at < len(candidates):
            found = merged(found, names[at], share if candidates[at].role in TEXT_ROLES else share * BESIDE)
    return found


AFTER, BESIDE = 0.6, 0.8
"""How much less what comes after counts than what comes before, and the name of something to act on than text."""

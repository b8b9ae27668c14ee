"""What stands together in a page: its lines as a tree, from where each parts from the one before. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from gui_environments.browser.finding.recognizing import NONE, Hits, merged

CLOSE, FARTHER = 0.8, 0.16
"""How much a word counts that stands together with one other line, and how much less each time the group doubles."""


@dataclass(slots=True, eq=False)
class Group:
    """Lines that one element holds. `hits` are those of all of them, `context` how much they count for each."""

    level: int
    above: Group | None = None
    size: int = 0
    hits: Hits = field(default_factory=dict)
    _context: Hits | None = None

    def take(self, size: int, hits: Hits) -> None:
        self.size += size
        self.hits = merged(self.hits, hits)

    @property
    def context(self) -> Hits:
        if self._context is None:
            outer = self.above.context if self.above is not None else NONE
            share = CLOSE - FARTHER * math.log2(max(self.size, 2) / 2)
            self._context = merged(outer, self.hits, share) if share > 0 else outer
        return self._context


def grouped(partings: Sequence[int], hits: Sequence[Hits]) -> list[Group]:
    """For each line the innermost group that holds it and another line."""
    root = Group(-1)
    open_groups = [root]
    innermost: list[Group] = []
    for place in range(len(partings)):
        level = partings[place + 1] if place + 1 < len(partings) else -1
        if level > open_groups[-1].level:
            open_groups.append(Group(level))
        innermost.append(open_groups[-1])
        open_groups[-1].take(1, hits[place])
        while open_groups[-1].level > level:
            closed = open_groups.pop()
            if open_groups[-1].level < level:
                open_groups.append(Group(level))
            closed.above = open_groups[-1]
            open_groups[-1].take(closed.size, closed.hits)
    return innermost

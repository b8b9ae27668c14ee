"""Which of several like matches is meant: by `second` and `last`, by `top` and `left`; what is in view first. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gui_environments.browser.finding.descriptions import Description
from gui_environments.browser.finding.ranking import Match
from gui_environments.browser.finding.request_words import Side

AS_GOOD = 0.03
"""Scores that differ by no more are as good as each other."""

SIDE = 0.15
"""What the farthest match to the side that is asked for gains over the farthest on the other side."""


@dataclass(frozen=True, slots=True)
class Position:
    """The number of an element in its document, and its middle in pixels of its document's viewport."""

    number: int
    x_px: int
    y_px: int
    in_view: bool


def placed(
    description: Description, matches: Sequence[Match], roles: Mapping[int, str], positions: Mapping[int, Position]
) -> list[Match]:
    """The matches that have a position, in the order that is asked for. `roles` and `positions` are by place."""
    located = [match for match in matches if match.place in positions]
    if not located:
        return []
    gains = {match.place: _gain(description.sides, match.place, located, positions) for match in located}
    located.sort(
        key=lambda match: (round(match.score + gains[match.place], 3), positions[match.place].in_view), reverse=True
    )
    if description.ordinal and not located[0].has_ordinal:
        _bring_forward(description.ordinal, located, roles)
    return located


def _gain(sides: frozenset[Side], place: int, matches: Sequence[Match], positions: Mapping[int, Position]) -> float:
    gain = 0.0
    for side in sides:
        along = {match.place: side.along(positions[match.place].x_px, positions[match.place].y_px) for match in matches}
        nearest, farthest = min(along.values()), max(along.values())
        if farthest > nearest:
            gain += SIDE * (along[place] - nearest) / (farthest - nearest)
    return gain


def _bring_forward(ordinal: int, matches: list[Match], roles: Mapping[int, str]) -> None:
    """The one of that number, in the order of the page, among those as good as the best one and of its kind."""
    best = matches[0]
    alike = sorted(
        (match for match in matches if match.score >= best.score - AS_GOOD and roles[match.place] == roles[best.place]),
        key=lambda match: match.place,
    )
    number = ordinal if ordinal < 0 else ordinal - 1
    if -len(alike) <= number < len(alike):
        meant = alike[number]
        matches.remove(meant)
        matches.insert(0, meant)

"""What a browser says about itself, as frozen values free of Playwright: a remote browser says the same."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PagePoint:
    """A point of a tab's viewport in CSS pixels, origin top left. The device scale factor is 1."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Quad:
    """Four corners in the viewport of a tab, clockwise from the element's own top left; transforms make them any
    quadrilateral."""

    corners: tuple[PagePoint, PagePoint, PagePoint, PagePoint]

    @property
    def center(self) -> PagePoint:
        return PagePoint(sum(c.x for c in self.corners) / 4, sum(c.y for c in self.corners) / 4)


@dataclass(frozen=True, slots=True)
class TabState:
    """One open tab. Exactly one is active when any is open."""

    tab_id: str
    title: str
    url: str
    active: bool
    crashed: bool


@dataclass(frozen=True, slots=True)
class PageReading:
    """A page as text: one line an element, indented by depth, at most `reading.CHARACTER_LIMIT` characters.

    `complete` is False when something was left out because of a limit; then the last lines say what.
    """

    text: str
    complete: bool

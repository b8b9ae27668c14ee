"""What a browser says about itself, as frozen values free of Playwright: a remote browser says the same."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class PagePoint:
    """A point of a tab's viewport in CSS pixels, origin top left. The device scale factor is 1."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class PageRegion:
    """A rectangle of a tab's viewport in CSS pixels: `left` and `top` are inside, `right` and `bottom` just outside."""

    left: float
    top: float
    right: float
    bottom: float

    def __post_init__(self) -> None:
        if self.left >= self.right or self.top >= self.bottom:
            raise ValueError(f"an empty region: {self}")


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


CHARACTER_LIMIT = 50_000
DEPTH = 15

Filter = Literal["visible", "interactive", "all"]
"""`visible`: what shows in the viewport; `interactive`: what of that can be acted on; `all`: the whole page."""


@dataclass(frozen=True, slots=True)
class ReadRequest:
    """What to read. `reference` is the element to begin at, None for the page."""

    elements: Filter = "visible"
    depth: int = DEPTH
    reference: str | None = None
    character_limit: int = CHARACTER_LIMIT


@dataclass(frozen=True, slots=True)
class ElementLine:
    """One line of a reading. `role` is `text` for text, `name` its words; `states` begins with a space unless empty."""

    depth: int
    role: str
    name: str
    reference: str | None
    states: str

    def __str__(self) -> str:
        name = f" {quoted(self.name)}" if self.name else ""
        reference = f" [{self.reference}]" if self.reference else ""
        return "  " * self.depth + self.role + name + reference + self.states


@dataclass(frozen=True, slots=True)
class PageReading:
    """A page, or a part of it: one line an element, indented by depth, then what was left out and how to get at it.

    `complete` is False when a limit cut it.
    """

    lines: tuple[ElementLine, ...]
    notices: tuple[str, ...]
    complete: bool

    @property
    def text(self) -> str:
        return "\n".join([*map(str, self.lines), *self.notices])


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an action did beyond the obvious, in sentences, often none: a value that the page changed, nothing that
    showed. What the page did beyond that is in the browser's events. `at` is where the mouse went to; None
    where it stayed."""

    notes: tuple[str, ...] = ()
    at: PagePoint | None = None


@dataclass(frozen=True, slots=True)
class Navigated:
    """Where a navigation ended. `status` is the HTTP status of the document, None where there was none (a page from
    history); `notes` are sentences on what is worth knowing, such as redirects."""

    url: str
    title: str
    status: int | None = None
    notes: tuple[str, ...] = ()


def quoted(text: str) -> str:
    """In quotes, on one line: nothing a page writes can look like another line or a reference."""
    text = (
        text.replace("\\", "\\\\").replace('"', '\\"').replace("\r\n", "\\n").replace("\r", "\\n").replace("\n", "\\n")
    )
    return f'"{_UNPRINTABLE.sub(" ", text)}"'


_UNPRINTABLE = re.compile("[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters, marks that turn the direction of text around, halves of characters."""

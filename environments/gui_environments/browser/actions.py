"""What can be asked of a page, as data: one frozen value an action. A target is a reference (`ref_2`) or a point.

An action that travels to a remote browser is the same value that a local one performs. Chords and modifiers stay the
text the caller wrote; the browser parses them before it acts, and refuses the whole action when a name is unknown.
`TypeText`, `TypeFilled` and `HoldKeys` are the desktop's own.
"""

from __future__ import annotations

from dataclasses import dataclass

from gui_environments.actions import Button, Direction, HoldKeys, TypeFilled, TypeText
from gui_environments.browser.values import PagePoint
from gui_environments.secrets.values import Pieces

Target = PagePoint | str
"""A point of the viewport, or a reference to an element."""

__all__ = [
    "ClickTarget",
    "DragPage",
    "FieldValue",
    "GiveFiles",
    "HoldKeys",
    "HoverTarget",
    "MoveMouse",
    "PageAction",
    "PressKeySequence",
    "PressMouse",
    "ReleaseMouse",
    "ScrollPage",
    "ScrollToElement",
    "SetField",
    "Target",
    "TypeFilled",
    "TypeText",
]


@dataclass(frozen=True, slots=True)
class ClickTarget:
    """`count` clicks of `button`. `modifiers` is a `+`-joined chord held throughout, or None."""

    target: Target
    button: Button = "left"
    count: int = 1
    modifiers: str | None = None


@dataclass(frozen=True, slots=True)
class HoverTarget:
    target: Target


@dataclass(frozen=True, slots=True)
class DragPage:
    """Left button down at `start`, motion through intermediate points, up at `end`."""

    start: PagePoint
    end: PagePoint


@dataclass(frozen=True, slots=True)
class PressMouse:
    """Left button down at a point, and left down."""

    at: PagePoint


@dataclass(frozen=True, slots=True)
class ReleaseMouse:
    """Left button up at a point."""

    at: PagePoint


@dataclass(frozen=True, slots=True)
class MoveMouse:
    to: PagePoint


@dataclass(frozen=True, slots=True)
class ScrollPage:
    """`notches` of the wheel over a point."""

    at: PagePoint
    direction: Direction
    notches: int = 3


@dataclass(frozen=True, slots=True)
class ScrollToElement:
    """Bring an element into view."""

    reference: str


@dataclass(frozen=True, slots=True)
class PressKeySequence:
    """Chords (`ctrl+a`) with spaces between them, one after the other; all of it `repeat` times."""

    keys: str
    repeat: int = 1


FieldValue = str | float | bool


@dataclass(frozen=True, slots=True)
class SetField:
    """Give a form field its value: text, a number, an option's value or text, a boolean for a checkbox or radio; text
    with secrets in it, each of which goes only into a page that it is bound to."""

    reference: str
    value: FieldValue | Pieces


@dataclass(frozen=True, slots=True)
class GiveFiles:
    """Give files to the file field that `reference` is or stands for, or else to what the page asked for files with
    last: by their paths below an upload root, and by the ids of documents that were put ready."""

    reference: str
    paths: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()


PageAction = (
    ClickTarget
    | HoverTarget
    | DragPage
    | PressMouse
    | ReleaseMouse
    | MoveMouse
    | ScrollPage
    | ScrollToElement
    | TypeText
    | TypeFilled
    | PressKeySequence
    | HoldKeys
    | SetField
)

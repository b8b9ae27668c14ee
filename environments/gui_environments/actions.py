"""What can be asked of a desktop, as data: one frozen value an action.

An action that travels to a remote desktop is the same value that a local one performs. Key chords and modifiers stay
the text the caller wrote (`ctrl+shift`, `Page_Up`); the desktop parses them before it acts, and refuses the whole
action (`ActionRefused`) when a name is unknown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gui_environments.geometry import ScreenPoint
from gui_environments.secrets.values import Pieces

Button = Literal["left", "middle", "right"]
Direction = Literal["up", "down", "left", "right"]


@dataclass(frozen=True, slots=True)
class Click:
    """`count` clicks of `button`; at the pointer when `at` is None. `modifiers` is a `+`-joined chord held throughout,
    or None."""

    button: Button = "left"
    count: int = 1
    at: ScreenPoint | None = None
    modifiers: str | None = None


@dataclass(frozen=True, slots=True)
class Drag:
    """Left button down at `start`, motion through intermediate points, up at `end`; `modifiers` held throughout."""

    start: ScreenPoint
    end: ScreenPoint
    modifiers: str | None = None


@dataclass(frozen=True, slots=True)
class MovePointer:
    to: ScreenPoint


@dataclass(frozen=True, slots=True)
class PressButton:
    """Left button down at the pointer, and left down."""


@dataclass(frozen=True, slots=True)
class ReleaseButton:
    """Left button up at the pointer."""


@dataclass(frozen=True, slots=True)
class Scroll:
    """`clicks` notches of the wheel; at the pointer when `at` is None."""

    direction: Direction
    clicks: int
    at: ScreenPoint | None = None
    modifiers: str | None = None


@dataclass(frozen=True, slots=True)
class TypeText:
    """Literal text for whatever has the keyboard focus: newlines press Return, tabs press Tab, nothing is syntax."""

    text: str


@dataclass(frozen=True, slots=True)
class PressKeys:
    """One chord, `repeat` times: keys go down in order and up in reverse."""

    chord: str
    repeat: int = 1


@dataclass(frozen=True, slots=True)
class HoldKeys:
    """One chord, held down for `seconds`."""

    chord: str
    seconds: float


@dataclass(frozen=True, slots=True)
class TypeFilled:
    """Like `TypeText`, with secrets in the text, each typed only while what it is bound to has the focus."""

    pieces: Pieces


Action = (
    Click | Drag | MovePointer | PressButton | ReleaseButton | Scroll | TypeText | TypeFilled | PressKeys | HoldKeys
)

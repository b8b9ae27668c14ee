"""Points, regions and sizes in screen pixels: the pixels of the display itself, origin top left.

Pixels of a picture that was sent to a model are a different space with types of its own
(`gui_operator.toolsets.scaling`); nothing here converts between the two.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Size:
    """Width and height in pixels, both at least 1."""

    width_px: int
    height_px: int

    def __post_init__(self) -> None:
        if self.width_px < 1 or self.height_px < 1:
            raise ValueError(f"a size has at least one pixel a side, not {self.width_px}x{self.height_px}")

    def __str__(self) -> str:
        return f"{self.width_px}x{self.height_px}"


@dataclass(frozen=True, slots=True)
class ScreenPoint:
    """A pixel of the display. `x == width` is outside."""

    x: int
    y: int


@dataclass(frozen=True, slots=True)
class ScreenRegion:
    """A rectangle of the display: `left` and `top` are inside, `right` and `bottom` are just outside."""

    left: int
    top: int
    right: int
    bottom: int

    def __post_init__(self) -> None:
        if self.left >= self.right or self.top >= self.bottom:
            raise ValueError(f"an empty region: {self}")

    @property
    def size(self) -> Size:
        return Size(self.right - self.left, self.bottom - self.top)

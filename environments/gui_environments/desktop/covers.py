"""Painting over places of a raw frame before it is encoded; which places, others know."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Protocol, TypeVar

from gui_environments.desktop.frames import Frame
from gui_environments.geometry import ScreenRegion

T = TypeVar("T")


class Covers(Protocol):
    """Who knows what is to be covered on a screen."""

    async def while_taken(self, take: Callable[[], Awaitable[T]]) -> tuple[T, Sequence[ScreenRegion]]:
        """What `take` gives, and what is to be covered in it, whenever within that time it was taken."""
        ...


def paint_over(frame: Frame, shown: ScreenRegion, covered: Iterable[ScreenRegion]) -> None:
    """Black, in place. `frame` is the part `shown` of the screen."""
    width_px = frame.size.width_px
    for region in covered:
        left, right = max(region.left, shown.left) - shown.left, min(region.right, shown.right) - shown.left
        if left >= right:
            continue
        black = b"\0" * (4 * (right - left))
        for row in range(max(region.top, shown.top) - shown.top, min(region.bottom, shown.bottom) - shown.top):
            start = 4 * (row * width_px + left)
            frame.pixels[start : start + len(black)] = black

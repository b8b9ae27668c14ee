"""A sight of the screen for a person: the words and the parts of the screen that are shown for an expectation. Pure,
but for the size of the window with the focus."""

from __future__ import annotations

from typing import Any

import Xlib.error

from gui_environments.desktop.scene import area_around
from gui_environments.desktop.session import XSession
from gui_environments.geometry import ScreenPoint, ScreenRegion, Size
from gui_environments.pictures import Picture
from gui_environments.sights import ExpectedWindow, ScreenExpectation, Spot

SHOWN_AREA = Size(240, 120)
"""What is shown around a point."""

LARGEST = Size(480, 300)
"""A window is shown scaled to fit in this."""

Facts = tuple[tuple[str, str], ...]
Regions = tuple[tuple[ScreenPoint | None, ScreenRegion], ...]


def facts_of(expected: ScreenExpectation) -> Facts:
    facts: list[tuple[str, str]] = []
    for area in expected.areas:
        facts += [*_words(area.window), ("at", f"({area.x}, {area.y}) of the screen")]
    if expected.focus is not None:
        facts += _words(expected.focus)
    return tuple(facts)


def _words(window: ExpectedWindow) -> list[tuple[str, str]]:
    if not window.number:
        return [("window", "(none)")]
    return [("window", window.title or "(without a title)"), ("application", window.application or "(not said)")]


def regions_of(session: XSession, expected: ScreenExpectation) -> Regions:
    """The parts of the screen to show, with the point of each that is hit."""
    points = [ScreenPoint(area.x, area.y) for area in expected.areas]
    if points:
        return tuple((point, area_around(point, session.screen, SHOWN_AREA)) for point in points)
    region = _window_region(session, expected.focus.number if expected.focus else 0)
    return () if region is None else ((None, region),)


def _window_region(session: XSession, number: int) -> ScreenRegion | None:
    """What of a window is on the screen."""
    if not number:
        return None
    try:
        window: Any = session.display.create_resource_object("window", number)
        shape = window.get_geometry()
        corner = session.root.translate_coords(window, 0, 0)
    except (Xlib.error.BadWindow, Xlib.error.BadDrawable):
        return None
    left, top = max(0, corner.x), max(0, corner.y)
    right = min(session.screen.width_px, corner.x + shape.width)
    bottom = min(session.screen.height_px, corner.y + shape.height)
    return ScreenRegion(left, top, right, bottom) if left < right and top < bottom else None


def fitted(size: Size, largest: Size = LARGEST) -> Size:
    """The size, made smaller where it does not fit."""
    scale = min(1.0, largest.width_px / size.width_px, largest.height_px / size.height_px)
    return Size(max(1, round(size.width_px * scale)), max(1, round(size.height_px * scale)))


def spot_in(picture: Picture, point: ScreenPoint | None, region: ScreenRegion) -> Spot:
    """Without a point nothing in particular is hit."""
    if point is None:
        return Spot(picture, None, None)
    scale = picture.size.width_px / region.size.width_px
    return Spot(picture, round((point.x - region.left) * scale), round((point.y - region.top) * scale))

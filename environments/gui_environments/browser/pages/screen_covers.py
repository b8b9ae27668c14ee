"""What of a screen shows secrets because a browser's windows are on it: places in pages, and the top of a window whose
title or address holds one. A page that does not answer has its whole window covered. Changes nothing."""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from gui_environments.browser.cdp import CdpError, SessionGone
from gui_environments.browser.pages.covering import MARGIN_PX, Moment, Place, Sighting, all_places, sighting
from gui_environments.browser.pages.world import DocumentGone
from gui_environments.browser.tabs.tab import Tab
from gui_environments.errors import ActionFailed, ActionRefused
from gui_environments.geometry import ScreenRegion, Size

if TYPE_CHECKING:
    from gui_environments.browser.browser import Browser

T = TypeVar("T")

WINDOW_S = 2.0
"""How long the browser may take to say where a window is."""

DECORATION_PX = 60
"""What a window manager may put above a window, the title in it."""

OWN_PX = 120
"""What the browser has above a page at most: tabs, the address, a bar."""

_UNSEEN = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class OnScreen:
    """A tab's page at one moment: its window, where its viewport begins and how large it is shown, and what it shows;
    None where it does not say. Of a tab behind another only the title shows."""

    window: Place
    told_above: bool
    origin: tuple[float, float] = (0.0, 0.0)
    scale: float = 1.0
    seen: Sighting | None = None


class ScreenCovers:
    """Of all windows of a browser on a screen of that size. `expressions` are asked for each picture."""

    def __init__(self, browser: Browser, screen: Size, expressions: Callable[[], Sequence[str]]) -> None:
        self._browser = browser
        self._screen = screen
        self._expressions = expressions

    async def while_taken(self, take: Callable[[], Awaitable[T]]) -> tuple[T, Sequence[ScreenRegion]]:
        """What `take` gives, and what is to be covered in it."""
        expressions = self._expressions()
        tabs = [tab for tab in self._browser.tabs.all if not tab.closed and not tab.crashed]
        before = await asyncio.gather(*(_on_screen(tab, expressions, "beginCovering") for tab in tabs))
        taken = await take()
        after = await asyncio.gather(*(_on_screen(tab, expressions, "endCovering") for tab in tabs))
        places = [place for pair in zip(before, after, strict=True) for place in _covered(*pair)]
        return taken, [region for place in places if (region := self._region(place)) is not None]

    def _region(self, place: Place) -> ScreenRegion | None:
        left, top = max(0, math.floor(place.left)), max(0, math.floor(place.top))
        right = min(self._screen.width_px, math.ceil(place.right))
        bottom = min(self._screen.height_px, math.ceil(place.bottom))
        return ScreenRegion(left, top, right, bottom) if left < right and top < bottom else None


async def _on_screen(tab: Tab, expressions: Sequence[str], moment: Moment) -> OnScreen | None:
    """None for a tab that has no window any more."""
    try:
        async with asyncio.timeout(WINDOW_S):
            session = await tab.frames.page_session()
            bounds = (await session.send("Browser.getWindowForTarget"))["bounds"]
            target = (await session.send("Target.getTargetInfo"))["targetInfo"]
    except (CdpError, SessionGone, TimeoutError):
        return None  # it has closed, with its window
    left, top = float(bounds["left"]), float(bounds["top"])
    window = Place(left, top, left + bounds["width"], top + bounds["height"])
    told = any(_holds(text, expressions) for text in (target["title"], target["url"]))
    try:
        async with asyncio.timeout(WINDOW_S):
            world = (await tab.frames.main()).world
            if not await world.call("isShown"):
                return OnScreen(window, told, (left, top + OWN_PX), seen={})
            inner, ratio = await world.call("viewport"), await world.call("pixelRatio")
        seen = await sighting(tab, expressions, moment)
    except (ActionFailed, ActionRefused, DocumentGone, SessionGone, CdpError, TimeoutError):
        return OnScreen(window, told)
    width, height = (side * ratio for side in inner)
    edge = (bounds["width"] - width) / 2
    return OnScreen(window, told, (left + edge, top + bounds["height"] - height - edge), ratio, seen)


def _holds(text: str, expressions: Sequence[str]) -> bool:
    return any(re.search(expression, _UNSEEN.sub("", text)) for expression in expressions)


def _covered(before: OnScreen | None, after: OnScreen | None) -> list[Place]:
    moments = [moment for moment in (before, after) if moment is not None]
    places = [_top_of(moment) for moment in moments if moment.told_above]
    for moment in moments:
        if moment.seen is None:
            places.append(moment.window)
        else:
            first = before.seen if before is not None and before.seen is not None else moment.seen
            places += [_on_the_screen(place, moment) for place in all_places(first, moment.seen)]
    return places


def _top_of(moment: OnScreen) -> Place:
    """Above the page: tabs, the address, and the title that a window manager shows."""
    window = moment.window
    below = window.bottom if moment.seen is None else moment.origin[1]
    return Place(window.left, window.top - DECORATION_PX, window.right, below)


def _on_the_screen(place: Place, moment: OnScreen) -> Place:
    grown = place.grown(max(MARGIN_PX, 0.15 * (place.bottom - place.top))).scaled(moment.scale)
    x, y = moment.origin
    return Place(grown.left + x, grown.top + y, grown.right + x, grown.bottom + y)

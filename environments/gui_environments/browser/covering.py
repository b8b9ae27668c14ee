"""Where secrets show in a tab, and painting over those places of a picture, before it is encoded. What cannot be known
is covered: a frame that does not answer, whole. Changes nothing in a page."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from PIL import Image, ImageDraw

from gui_environments.browser.cdp import CdpError, SessionGone
from gui_environments.browser.frames import Frame
from gui_environments.browser.mapping import projection_to_tab
from gui_environments.browser.projection import Projection
from gui_environments.browser.reading import frame_id_of
from gui_environments.browser.shadow_roots import learn_closed_roots
from gui_environments.browser.tabs import Tab
from gui_environments.browser.values import PagePoint
from gui_environments.browser.world import DocumentGone
from gui_environments.errors import ActionFailed
from gui_environments.geometry import Size

FRAME_S = 2.0
"""How long a frame may take to say where secrets are; then all of it is covered."""

ATTEMPTS = 3
"""How often a picture is taken again where what is to be covered came or went meanwhile."""

MARGIN_PX = 3.0
"""Letters reach beyond their boxes."""

COLOUR = (0, 0, 0)


@dataclass(frozen=True, slots=True)
class Place:
    """A rectangle of a tab's viewport in CSS pixels."""

    left: float
    top: float
    right: float
    bottom: float

    def around(self, other: Place) -> Place:
        return Place(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )

    def grown(self, by_px: float) -> Place:
        return Place(self.left - by_px, self.top - by_px, self.right + by_px, self.bottom + by_px)


async def secret_places(tab: Tab, expressions: Sequence[str], viewport: Size) -> list[Place]:
    """In the tab's viewport, in document order. Raises `ActionFailed` when the page itself does not say."""
    try:
        async with asyncio.timeout(FRAME_S):
            main = await tab.frames.main()
            answer = await _ask(main, expressions)
    except (DocumentGone, TimeoutError, CdpError) as error:
        tab.require_usable()
        raise ActionFailed(
            "The page does not say where it shows secrets, so no picture of it can be given: it navigates, or a script "
            "keeps it busy. Try again, reload it, or close the tab."
        ) from error
    # What a person enlarges with ctrl and + has fewer pixels of its own than the viewport.
    enlarged = viewport.width_px / max(1.0, answer["viewport"][0])
    places = await _places(tab, main, answer, expressions)
    return [Place(*(side * enlarged for side in (one.left, one.top, one.right, one.bottom))) for one in places]


async def _ask(frame: Frame, expressions: Sequence[str]) -> dict[str, Any]:
    answer: dict[str, Any] = await frame.world.call("secretBoxes", list(expressions))
    if answer["hosts"] and await learn_closed_roots(frame.world):
        answer = await frame.world.call("secretBoxes", list(expressions))
    return answer


async def _places(tab: Tab, frame: Frame, answer: dict[str, Any], expressions: Sequence[str]) -> list[Place]:
    to_tab = await projection_to_tab(frame)
    places = [_projected(to_tab, box) for box in answer["boxes"]]
    inner = await asyncio.gather(
        *(_places_in(tab, frame, to_tab, described, expressions) for described in answer["frames"])
    )
    return [*places, *itertools.chain.from_iterable(inner)]


async def _places_in(
    tab: Tab, parent: Frame, to_tab: Projection, described: dict[str, Any], expressions: Sequence[str]
) -> list[Place]:
    """Of a frame inside `parent`; its whole box where they cannot be had."""
    whole = [_projected(to_tab, described["box"])]
    try:
        async with asyncio.timeout(FRAME_S):
            frame_id = await frame_id_of(parent, described["number"])
            if frame_id is None:
                return []  # a picture, or nothing yet
            frame = await tab.frames.child(parent, frame_id)
            if frame is None:
                return whole
            return await _places(tab, frame, await _ask(frame, expressions), expressions)
    except (DocumentGone, SessionGone, CdpError, TimeoutError):
        return whole


def _projected(to_tab: Projection, box: Sequence[float]) -> Place:
    """The upright rectangle around what a box is in the tab."""
    left, top, right, bottom = box
    corners = [to_tab.apply(PagePoint(x, y)) for x in (left, right) for y in (top, bottom)]
    xs, ys = [corner.x for corner in corners], [corner.y for corner in corners]
    return Place(min(xs), min(ys), max(xs), max(ys))


async def taken_with_places(
    find: Callable[[], Awaitable[list[Place]]], take: Callable[[], Awaitable[bytes]]
) -> tuple[bytes, list[Place]]:
    """A picture, and what is to be covered in it. It is of a moment between two looks: what moved meanwhile is covered
    all the way, and a bit further; what came or went has the picture taken again."""
    before = await find()
    for attempt in itertools.count(1):
        picture = await take()
        after = await find()
        if len(before) == len(after):
            return picture, [_way(*pair) for pair in zip(before, after, strict=True)]
        if attempt == ATTEMPTS:
            return picture, _everything_around([*before, *after])
        before = after
    raise AssertionError


def _way(before: Place, after: Place) -> Place:
    moved_px = max(abs(before.left - after.left), abs(before.top - after.top), abs(before.right - after.right))
    return before.around(after).grown(moved_px)


def _everything_around(places: Iterable[Place]) -> list[Place]:
    first, *rest = places
    for place in rest:
        first = first.around(place)
    return [first]


def paint_over(image: Image.Image, places: Iterable[Place], origin: PagePoint, scale: tuple[float, float]) -> None:
    """In place. `image` shows the viewport from `origin` on, at `scale` pixels a CSS pixel."""
    draw = ImageDraw.Draw(image)
    for place in places:
        grown = place.grown(max(MARGIN_PX, 0.15 * (place.bottom - place.top)))
        left, right = ((side - origin.x) * scale[0] for side in (grown.left, grown.right))
        top, bottom = ((side - origin.y) * scale[1] for side in (grown.top, grown.bottom))
        if right > 0 and bottom > 0 and left < image.width and top < image.height:
            draw.rectangle((int(left // 1), int(top // 1), int(-(-right // 1)), int(-(-bottom // 1))), fill=COLOUR)

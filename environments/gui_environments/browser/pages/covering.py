"""Where secrets show in a tab, and painting over those places of a picture, before it is encoded. What cannot be known
is covered: a frame that does not answer, whole. Changes nothing in a page."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from PIL import Image, ImageDraw

from gui_environments.browser.cdp import CdpError, SessionGone
from gui_environments.browser.pages.frames import Frame
from gui_environments.browser.pages.mapping import projection_to_tab
from gui_environments.browser.pages.projection import Projection
from gui_environments.browser.pages.reading import frame_id_of
from gui_environments.browser.pages.shadow_roots import learn_closed_roots
from gui_environments.browser.pages.world import DocumentGone
from gui_environments.browser.tabs.tab import Tab
from gui_environments.browser.values import PagePoint
from gui_environments.errors import ActionFailed
from gui_environments.geometry import Size

FRAME_S = 2.0
"""How long a frame may take to say where secrets are; then all of it is covered."""

STILL_PX = 1.0
"""A frame that was moved by more while the picture was taken is covered whole, if there is something in it."""

MARGIN_PX = 3.0
"""Letters reach beyond their boxes."""

COLOUR = (0, 0, 0)

Moment = Literal["beginCovering", "endCovering"]


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

    def distance(self, other: Place) -> float:
        """By how much a side is elsewhere, at most."""
        return max(
            abs(self.left - other.left),
            abs(self.top - other.top),
            abs(self.right - other.right),
            abs(self.bottom - other.bottom),
        )

    def scaled(self, by: float) -> Place:
        return Place(self.left * by, self.top * by, self.right * by, self.bottom * by)

    def grown(self, by_px: float) -> Place:
        return Place(self.left - by_px, self.top - by_px, self.right + by_px, self.bottom + by_px)


@dataclass(frozen=True, slots=True)
class Seen:
    """A frame at one moment: all of it, and what is to be covered in it."""

    whole: Place
    places: tuple[Place, ...]


Sighting = Mapping[str, Seen]
"""Of all frames of a tab, by their ids."""


async def taken_with_places(
    tab: Tab, expressions: Sequence[str], viewport: Size, take: Callable[[], Awaitable[bytes]]
) -> tuple[bytes, list[Place]]:
    """A picture, and what is to be covered in it, in CSS pixels of the viewport: whatever showed a secret in any of the
    frames that were drawn while it was taken. Raises `ActionFailed` when the page itself does not say."""
    before = await sighting(tab, expressions, "beginCovering")
    picture = await take()
    after = await sighting(tab, expressions, "endCovering")
    enlarged = await _enlargement(tab, viewport)
    return picture, [place.scaled(enlarged) for place in all_places(before, after)]


def all_places(before: Sighting, after: Sighting) -> Iterator[Place]:
    for sighting in (before, after):
        for seen in sighting.values():
            yield from seen.places
    for frame_id in before.keys() & after.keys():
        was, now = before[frame_id], after[frame_id]
        if (was.places or now.places) and was.whole.distance(now.whole) > STILL_PX:
            yield was.whole.around(now.whole).grown(was.whole.distance(now.whole))


async def sighting(tab: Tab, expressions: Sequence[str], moment: Moment) -> Sighting:
    try:
        async with asyncio.timeout(FRAME_S):
            main = await tab.frames.main()
            answer = await _ask(main, expressions, moment, shown=True)
    except (DocumentGone, TimeoutError, CdpError) as error:
        tab.require_usable()
        raise ActionFailed(
            "The page does not say where it shows secrets, so no picture of it can be given: it navigates, or a script "
            "keeps it busy. Try again, reload it, or close the tab."
        ) from error
    return dict(await _seen_in(tab, main, answer, expressions, moment))


async def _enlargement(tab: Tab, viewport: Size) -> float:
    """What a person enlarges with ctrl and + has fewer pixels of its own than the viewport."""
    try:
        width, _ = await (await tab.frames.main()).world.call("viewport")
    except DocumentGone:
        return 1.0  # another page by now; the picture is of the one before
    return float(viewport.width_px / max(1.0, width))


async def _ask(frame: Frame, expressions: Sequence[str], moment: Moment, *, shown: bool) -> dict[str, Any]:
    answer: dict[str, Any] = await frame.world.call(moment, list(expressions), shown)
    if moment == "beginCovering" and answer["hosts"] and await learn_closed_roots(frame.world):
        answer = await frame.world.call(moment, list(expressions), shown)
    return answer


async def _seen_in(
    tab: Tab, frame: Frame, answer: dict[str, Any], expressions: Sequence[str], moment: Moment
) -> list[tuple[str, Seen]]:
    """The frame and those in it."""
    to_tab = await projection_to_tab(frame)
    whole = _projected(to_tab, [0, 0, *answer["viewport"]])
    seen = Seen(whole, tuple(_projected(to_tab, box) for box in answer["boxes"]))
    asked = [_seen_inside(tab, frame, to_tab, described, expressions, moment) for described in answer["frames"]]
    inner = await asyncio.gather(*asked)
    return [(frame.frame_id, seen), *itertools.chain.from_iterable(inner)]


async def _seen_inside(
    tab: Tab,
    parent: Frame,
    to_tab: Projection,
    described: dict[str, Any],
    expressions: Sequence[str],
    moment: Moment,
) -> list[tuple[str, Seen]]:
    """A frame inside `parent`; to be covered whole where it does not answer."""
    whole = _projected(to_tab, described["box"])
    unknown = [(f"{parent.frame_id} {described['number']}", Seen(whole, (whole,)))]
    try:
        async with asyncio.timeout(FRAME_S):
            frame_id = await frame_id_of(parent, described["number"])
            if frame_id is None:
                return []  # a picture, or nothing yet
            frame = await tab.frames.child(parent, frame_id)
            if frame is None:
                return unknown
            answer = await _ask(frame, expressions, moment, shown=described["shown"])
            return await _seen_in(tab, frame, answer, expressions, moment)
    except (DocumentGone, SessionGone, CdpError, TimeoutError):
        return unknown


def _projected(to_tab: Projection, box: Sequence[float]) -> Place:
    """The upright rectangle around what a box is in the tab."""
    left, top, right, bottom = box
    corners = [to_tab.apply(PagePoint(x, y)) for x in (left, right) for y in (top, bottom)]
    xs, ys = [corner.x for corner in corners], [corner.y for corner in corners]
    return Place(min(xs), min(ys), max(xs), max(ys))


def paint_over(image: Image.Image, places: Iterable[Place], origin: PagePoint, scale: tuple[float, float]) -> None:
    """In place. `image` shows the viewport from `origin` on, at `scale` pixels a CSS pixel."""
    draw = ImageDraw.Draw(image)
    for place in places:
        grown = place.grown(max(MARGIN_PX, 0.15 * (place.bottom - place.top)))
        left, right = ((side - origin.x) * scale[0] for side in (grown.left, grown.right))
        top, bottom = ((side - origin.y) * scale[1] for side in (grown.top, grown.bottom))
        if right > 0 and bottom > 0 and left < image.width and top < image.height:
            draw.rectangle((int(left // 1), int(top // 1), int(-(-right // 1)), int(-(-bottom // 1))), fill=COLOUR)

"""From a reference to a point of the tab's viewport at which a press really reaches its element.

The element is scrolled into view, again from another side when something sticks over it, and given time to stand still;
then several of its points are tested through every frame around it. What cannot be reached is refused within
`AIM_S`, and what is in the way is named. Never presses anything.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

from gui_environments.browser.cdp import CdpError, SessionGone
from gui_environments.browser.pages.frames import Frame
from gui_environments.browser.pages.mapping import projection_to_tab
from gui_environments.browser.pages.references import READ_AGAIN, Reference, ReferenceBook, words_for_gone
from gui_environments.browser.pages.world import DocumentGone
from gui_environments.browser.tabs.tab import Tab
from gui_environments.browser.values import PagePoint, quoted
from gui_environments.errors import ActionRefused

AIM_S = 1.9
"""How long all of it may take."""

STILL_S = 0.4
"""How long an element may move before it is pressed where it is at that moment."""

COVERED_S = 0.7
"""How long something may be in the way: what fades out takes a third of a second or so."""

ALIGNMENTS = (None, "center", "end", "start")
"""As it lies first; then out from under what sticks to an edge, or floats over the middle."""


@dataclass(frozen=True, slots=True)
class Aim:
    """A point of the viewport that reached the element a moment ago. `moving`: the element did not stand still.
    `is_frame`: it shows a document of its own."""

    point: PagePoint
    reference: Reference
    moving: bool
    is_frame: bool


async def aim_at(tab: Tab, book: ReferenceBook, text: str, *, enabled: bool = True) -> Aim:
    """Where to press to reach the element of a reference. `enabled` refuses disabled elements, as a press needs.

    Raises `ActionRefused`.
    """
    tab.require_usable()
    reference = book.find(tab, text)
    try:
        async with asyncio.timeout(AIM_S):
            return await _Aiming(tab, book, reference, enabled).aim()
    except TimeoutError:
        tab.require_usable()
        raise ActionRefused(
            f"The page does not answer, so {text} cannot be found in it: a script keeps it busy, or a dialog is open."
        ) from None
    except DocumentGone as error:
        book.forget_dead()
        raise ActionRefused(words_for_gone(reference, error)) from None
    except SessionGone as error:
        tab.require_usable()
        raise ActionRefused(f"{tab.tab_id} is closing. List the tabs and use an open one.") from error


async def scroll_into_view(tab: Tab, book: ReferenceBook, text: str) -> None:
    """Bring the element to the middle of what is shown, in every frame around it. Raises `ActionRefused`."""
    tab.require_usable()
    reference = book.find(tab, text)
    try:
        async with asyncio.timeout(AIM_S):
            await _Aiming(tab, book, reference, enabled=False).show()
    except TimeoutError:
        tab.require_usable()
        raise ActionRefused(f"The page does not answer, so it was not scrolled to {text}.") from None
    except DocumentGone as error:
        book.forget_dead()
        raise ActionRefused(words_for_gone(reference, error)) from None
    except SessionGone as error:
        tab.require_usable()
        raise ActionRefused(f"{tab.tab_id} is closing. List the tabs and use an open one.") from error


async def owner_number(frame: Frame) -> int:
    """The number of the element that shows `frame`, in the document around it. Raises `DocumentGone`."""
    assert frame.parent is not None
    world = frame.parent.world
    try:
        owner = await world.send("DOM.getFrameOwner", frameId=frame.frame_id)
        handle = await world.resolve_node(owner["backendNodeId"])
    except CdpError as error:
        raise DocumentGone from error
    number: int = await world.call_with_objects("numbered", handle)
    return number


def became_another(text: str, became: dict[str, Any]) -> str:
    """The sentences that refuse what was another thing when it was read."""
    now = f"{became['role']} {quoted(became['name'])}"
    if became["problem"] == "moved":
        what = f"What is around {text}, {now}, is not what was around it when it was read: its row may be another now."
    elif became["was"] == became["name"]:
        what = f"{text}, {now}, does not lead where it led when it was read."
    else:
        what = f"{text} is {now} now; when it was read it was {quoted(became['was'])}."
    return f"{what} Nothing was done. Read the page again, or use {text} once more if that is what is wanted."


def named(tab: Tab, book: ReferenceBook, frame: Frame, described: dict[str, Any]) -> str:
    """What the page model described, with its reference: `dialog "Cookies" [ref_9]`."""
    name = f" {quoted(described['name'])}" if described["name"] else ""
    return f"{described['role']}{name} [{book.refer(tab, frame, described['number'])}]"


@dataclass(frozen=True, slots=True)
class _Aiming:
    """One search for a point."""

    tab: Tab
    book: ReferenceBook
    reference: Reference
    enabled: bool

    async def aim(self) -> Aim:
        loop = asyncio.get_running_loop()
        end = loop.time() + COVERED_S
        patience_s = STILL_S
        while True:
            for align in ALIGNMENTS:
                answer = await self._look(align, patience_s)
                if answer["moving"]:
                    patience_s = 0.0
                point = await self._reached(answer)
                if isinstance(point, PagePoint):
                    return Aim(point, self.reference, answer["moving"], answer["frame"])
            if loop.time() >= end:
                raise ActionRefused(self._missed(answer, point))

    async def show(self) -> None:
        answer = await self._look("center", STILL_S)
        if answer["outside"]:
            raise ActionRefused(self._missed(answer, None))

    async def _look(self, align: str | None, patience_s: float) -> dict[str, Any]:
        """What the element's own document says."""
        options = {"align": align, "enabled": self.enabled, "patience": patience_s * 1000}
        answer: dict[str, Any] = await self.reference.frame.world.call("aim", self.reference.element, options)
        if "problem" in answer:
            raise ActionRefused(self._refusal(answer))
        return answer

    async def _reached(self, answer: dict[str, Any]) -> PagePoint | str | None:
        """The first point that is reached through all frames, or what covers the frames."""
        points = [PagePoint(*point) for point in answer["points"]]
        frame = self.reference.frame
        if not points or frame.parent is None:
            return points[0] if points else None
        projection = await projection_to_tab(frame)
        left = [projection.apply(point) for point in points]
        cover = None
        while frame.parent is not None and left:
            left, cover = await self._through(frame, frame.parent, left)
            frame = frame.parent
        return left[0] if left else cover

    async def _through(
        self, frame: Frame, parent: Frame, points: list[PagePoint]
    ) -> tuple[list[PagePoint], str | None]:
        """Those of `points`, of the tab's viewport, where `parent` shows `frame`; and what covers the others."""
        into_parent = (await projection_to_tab(parent)).inverse()
        there = [into_parent.apply(point) for point in points]
        number = await owner_number(frame)
        answer = await parent.world.call("reaches", number, [[point.x, point.y] for point in there])
        if answer is None:
            raise DocumentGone
        cover = self._named(parent, answer["cover"]) if answer["cover"] else None
        return [point for point, reached in zip(points, answer["reached"], strict=True) if reached], cover

    def _named(self, frame: Frame, described: dict[str, Any]) -> str:
        return named(self.tab, self.book, frame, described)

    def _missed(self, answer: dict[str, Any], cover: str | PagePoint | None) -> str:
        if answer["outside"]:
            return f"{self.reference} lies outside of what the page can be scrolled to. Nothing was pressed."
        if answer["deaf"]:
            return (
                f"{self.reference} takes no clicks now (pointer-events: none); the page makes it so while it cannot be "
                "used. Nothing was pressed."
            )
        if answer["cover"] and not isinstance(cover, str):
            cover = self._named(self.reference.frame, answer["cover"])
        if not isinstance(cover, str):
            return f"{self.reference} is not shown: it is clipped, or another part of the page is shown in its place."
        return f"{self.reference} is covered by {cover}. Close that or scroll first. Nothing was pressed."

    def _refusal(self, answer: dict[str, Any]) -> str:
        frame, text = self.reference.frame, str(self.reference)
        by_form = " To set its value, use form_input." if answer.get("form") else ""
        match answer["problem"]:
            case "removed":
                return f"The element of {text} has been removed from the page. {READ_AGAIN}"
            case "disabled":
                return f"{text} is disabled. Something else on the page may have to be filled or chosen first."
            case "renamed" | "moved":
                return became_another(text, answer)
            case "inert":
                return f"{text} is inert: the page has switched off the part it is in."
            case "modal":
                return f"{text} is behind an open dialog, {self._named(frame, answer)}. Use or close that first."
            case "option":
                select = self.book.refer(self.tab, frame, answer["number"])
                return (
                    f"{text} is an option of a drop-down list, which shows no options to click. Use form_input on "
                    f"{select} with the value {quoted(answer['name'])}."
                )
            case "hidden":
                return f"{text} is hidden.{by_form or ' Something may have to be opened or pointed at first.'}"
            case _:
                return f"{text} has no size: there is nothing of it to point at.{by_form}"

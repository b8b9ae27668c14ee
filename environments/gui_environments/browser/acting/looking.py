"""What an action would hit in a tab's page, for whoever judges it: the page, the elements, a picture of the spot.

It may scroll a referenced element into view, as the action itself would, and changes nothing else. Sends no press and
no key.
"""

from __future__ import annotations

import asyncio
from typing import Any

from gui_environments.browser.acting.aiming import aim_at
from gui_environments.browser.acting.mouse import require_inside
from gui_environments.browser.actions import (
    ClickTarget,
    DragPage,
    GiveFiles,
    HoldKeys,
    HoverTarget,
    MoveMouse,
    PageAction,
    PressKeySequence,
    PressMouse,
    ReleaseMouse,
    ScrollPage,
    ScrollToElement,
    SetField,
    TypeFilled,
    TypeText,
)
from gui_environments.browser.cdp import SessionGone
from gui_environments.browser.pages.capture import PageCamera
from gui_environments.browser.pages.frames import Frame
from gui_environments.browser.pages.mapping import projection_to_tab
from gui_environments.browser.pages.reading import frame_id_of
from gui_environments.browser.pages.references import READ_AGAIN, ReferenceBook
from gui_environments.browser.pages.world import DocumentGone
from gui_environments.browser.tabs.tab import Tab
from gui_environments.browser.values import PagePoint, PageRegion, quoted
from gui_environments.desktop.scene import area_around
from gui_environments.desktop.showing import SHOWN_AREA, fitted, spot_in
from gui_environments.errors import ActionFailed, ActionRefused
from gui_environments.geometry import ScreenPoint, ScreenRegion, Size
from gui_environments.sights import ExpectedElement, PageExpectation, Sight, Spot

LOOK_S = 8.0
"""How long the page may take to say what is where. Aiming alone is bounded by a quarter of it."""

DEEPEST = 20
"""Frames inside frames that are looked into."""

Subject = PageAction | GiveFiles | str | None
"""An action; files for an element; the reference of an element that something else is done with; None for what concerns
the page alone."""

Seen = tuple[ExpectedElement, PagePoint | None]
"""An element, and where it is to be hit."""


async def look(
    tab: Tab, book: ReferenceBook, camera: PageCamera, viewport: Size, subject: Subject, title: str
) -> Sight:
    """Raises `ActionRefused` for what the action would be refused for: nobody need be asked about that."""
    tab.require_usable()
    try:
        async with asyncio.timeout(LOOK_S):
            expected, seen = await expect(tab, book, viewport, subject)
    except TimeoutError:
        raise ActionRefused(f"The page in {tab.tab_id} does not answer: a script keeps it busy.") from None
    except (DocumentGone, SessionGone):
        tab.require_usable()
        raise ActionRefused("The page navigated at that moment. Look at what it shows now.") from None
    points: list[PagePoint | None] = [point for _, point in seen if point is not None and _is_inside(point, viewport)]
    spots = [await _spot(tab, camera, viewport, point) for point in points or [None]]
    return Sight(facts_of(expected, title), expected, tuple(spot for spot in spots if spot is not None))


async def _spot(tab: Tab, camera: PageCamera, viewport: Size, point: PagePoint | None) -> Spot | None:
    """None where no picture is to be had."""
    at = None if point is None else ScreenPoint(int(point.x), int(point.y))
    whole = ScreenRegion(0, 0, viewport.width_px, viewport.height_px)
    region = whole if at is None else area_around(at, viewport, SHOWN_AREA)
    shown = PageRegion(region.left, region.top, region.right, region.bottom)
    try:
        picture = await camera.capture(tab, shown, fitted(region.size), "png")
    except (ActionRefused, ActionFailed):
        return None
    return spot_in(picture, at, region)


def _is_inside(point: PagePoint, viewport: Size) -> bool:
    return 0 <= point.x < viewport.width_px and 0 <= point.y < viewport.height_px


async def expect(tab: Tab, book: ReferenceBook, viewport: Size, subject: Subject) -> tuple[PageExpectation, list[Seen]]:
    """What `subject` would hit. Raises `ActionRefused`, `DocumentGone`, `SessionGone`."""
    main = await tab.frames.main()
    seen = await _seen(tab, book, viewport, subject)
    document = str(book.refer(tab, main, await main.world.call("rootNumber")))
    elements = tuple(element for element, _ in seen)
    return PageExpectation(tab.tab_id, tab.page.url, document, elements), seen


async def _seen(tab: Tab, book: ReferenceBook, viewport: Size, subject: Subject) -> list[Seen]:
    match subject:
        case None:
            return []
        case ClickTarget(PagePoint() as at) | HoverTarget(PagePoint() as at) | ScrollPage(at):
            return [await _at_point(tab, book, viewport, at)]
        case PressMouse(at) | ReleaseMouse(at) | MoveMouse(at):
            return [await _at_point(tab, book, viewport, at)]
        case DragPage(start, end):
            return [await _at_point(tab, book, viewport, start), await _at_point(tab, book, viewport, end)]
        case ClickTarget(str(reference)):
            return [await _referred(tab, book, reference, enabled=True)]
        case HoverTarget(str(reference)) | ScrollToElement(reference) | SetField(reference) | str(reference):
            return [await _referred(tab, book, reference, enabled=False)]
        case GiveFiles(reference):
            return [await _referred(tab, book, reference, enabled=False)]
        case TypeText() | TypeFilled() | PressKeySequence() | HoldKeys():
            return [await focused_element(tab, book)]
    raise AssertionError(subject)


async def _at_point(tab: Tab, book: ReferenceBook, viewport: Size, at: PagePoint) -> Seen:
    require_inside(at, viewport)
    return await element_at(tab, book, at), at


async def element_at(tab: Tab, book: ReferenceBook, at: PagePoint) -> ExpectedElement:
    """What a press there acts on, through any number of frames."""
    frame = await tab.frames.main()
    for _ in range(DEEPEST):
        inside = (await projection_to_tab(frame)).inverse().apply(at)
        hit = await frame.world.call("hitAt", inside.x, inside.y)
        if hit is None:
            raise ActionRefused(f"Nothing of the page is at ({at.x:g}, {at.y:g}).")
        child = await _child(tab, frame, hit["frame"])
        if child is None:
            return _element(tab, book, frame, hit, at)
        frame = child
    raise ActionRefused("The page has too many frames inside each other to tell what is there.")


async def focused_element(tab: Tab, book: ReferenceBook) -> Seen:
    """What keys go to, and its middle where that is in the viewport."""
    frame = await tab.frames.main()
    for _ in range(DEEPEST):
        focus = await frame.world.call("keysGoTo")
        child = await _child(tab, frame, focus["frame"])
        if child is None:
            left, top, right, bottom = focus["box"]
            middle = (await projection_to_tab(frame)).apply(PagePoint((left + right) / 2, (top + bottom) / 2))
            return _element(tab, book, frame, focus, None), middle
        frame = child
    raise ActionRefused("The page has too many frames inside each other to tell where the keys go.")


async def _referred(tab: Tab, book: ReferenceBook, text: str, *, enabled: bool) -> Seen:
    point = None
    try:
        point = (await aim_at(tab, book, text, enabled=enabled)).point
    except ActionRefused:
        # Hidden fields can be set all the same; what must be hit is refused here already.
        if enabled:
            raise
    return await element_of(tab, book, text), point


async def element_of(tab: Tab, book: ReferenceBook, text: str) -> ExpectedElement:
    """The element of a reference. Raises `ActionRefused` when it is gone."""
    reference = book.find(tab, text)
    identity = await reference.frame.world.call("identity", reference.element)
    if identity is None:
        raise ActionRefused(f"The element of {text} has been removed from the page. {READ_AGAIN}")
    return _element(tab, book, reference.frame, {"number": reference.element, **identity}, None)


async def _child(tab: Tab, frame: Frame, number: int) -> Frame | None:
    """The frame that an element shows; None for 0, and for a frame that shows nothing that can be reached."""
    frame_id = await frame_id_of(frame, number) if number else None
    return None if frame_id is None else await tab.frames.child(frame, frame_id)


def _element(
    tab: Tab, book: ReferenceBook, frame: Frame, found: dict[str, Any], at: PagePoint | None
) -> ExpectedElement:
    return ExpectedElement(
        reference=str(book.refer(tab, frame, found["number"])),
        role=found["role"],
        name=found["name"],
        text=found["text"],
        leads_to=found["leads"],
        page=found["page"],
        at=None if at is None else (at.x, at.y),
    )


def facts_of(expected: PageExpectation, title: str) -> tuple[tuple[str, str], ...]:
    facts = [("page", expected.address), ("title", title), ("tab", expected.tab_id)]
    for number, element in enumerate(expected.elements):
        label = "element" if len(expected.elements) == 1 else ("from", "to")[number]
        facts.append((label, f"{element.role} {quoted(element.name)}" if element.name else element.role))
        if element.text and element.text != element.name:
            facts.append(("shows", quoted(element.text)))
        if element.leads_to:
            facts.append(("leads to", element.leads_to))
        if element.page != expected.address:
            facts.append(("in a frame of", element.page))
    return tuple(facts)

"""Holds an action to what somebody was shown: looked at again right before it, and, for presses and keys, as they
arrive (`holding`)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from gui_environments.browser.acting.holding import LOOK_AGAIN, Hold, Kind, called
from gui_environments.browser.acting.looking import element_at, element_of, focused_element
from gui_environments.browser.actions import (
    ClickTarget,
    DragPage,
    HoldKeys,
    PageAction,
    PressKeySequence,
    PressMouse,
    ReleaseMouse,
    SetField,
    TypeFilled,
    TypeText,
)
from gui_environments.browser.cdp import SessionGone
from gui_environments.browser.chromium.ending import finish
from gui_environments.browser.pages.references import ReferenceBook
from gui_environments.browser.pages.world import DocumentGone
from gui_environments.browser.tabs.tab import Tab
from gui_environments.browser.values import PagePoint
from gui_environments.errors import ActionRefused
from gui_environments.sights import ExpectedElement, PageExpectation

ANSWER_S = 5.0
"""How long the documents may take to be looked at and held."""


def kind_of(action: PageAction) -> Kind | None:
    """What of an action is held to its target as it arrives; None for what presses nothing."""
    match action:
        case ClickTarget() | DragPage() | PressMouse() | ReleaseMouse():
            return "press"
        case TypeText() | TypeFilled() | PressKeySequence() | HoldKeys() | SetField():
            return "keys"
    return None


async def require_unchanged(tab: Tab, book: ReferenceBook, expected: PageExpectation) -> None:
    """Raises `ActionRefused` when the tab, its page or one of the elements is not what was seen."""
    async with _answering():
        await _require_unchanged(tab, book, expected)


@asynccontextmanager
async def _answering() -> AsyncIterator[None]:
    """Bounded."""
    try:
        async with asyncio.timeout(ANSWER_S):
            yield
    except TimeoutError:
        raise ActionRefused(f"The page does not answer: a script keeps it busy. {LOOK_AGAIN}") from None


async def _require_unchanged(tab: Tab, book: ReferenceBook, expected: PageExpectation) -> None:
    if tab.tab_id != expected.tab_id:
        raise ActionRefused(f"This was approved for {expected.tab_id}, and the tab is {tab.tab_id} now. {LOOK_AGAIN}")
    try:
        main = await tab.frames.main()
        document = str(book.refer(tab, main, await main.world.call("rootNumber")))
        if tab.page.url != expected.address or document != expected.document:
            raise ActionRefused(f"The page is another than when this was approved. {LOOK_AGAIN}")
        for element in expected.elements:
            _require_same(element, await _now(tab, book, element))
    except (DocumentGone, SessionGone) as error:
        raise ActionRefused(f"The page has been left since this was approved. {LOOK_AGAIN}") from error


async def _require_focus(tab: Tab, book: ReferenceBook, expected: PageExpectation) -> None:
    """Raises `ActionRefused` when keys would go to another element."""
    now, _ = await focused_element(tab, book)
    _require_same(expected.elements[0], now)


async def _now(tab: Tab, book: ReferenceBook, element: ExpectedElement) -> ExpectedElement:
    if element.at is not None:
        return await element_at(tab, book, PagePoint(*element.at))
    return await element_of(tab, book, element.reference)


def _require_same(before: ExpectedElement, now: ExpectedElement) -> None:
    if now != before:
        where = "" if before.at is None else f" at ({before.at[0]:g}, {before.at[1]:g})"
        raise ActionRefused(f"This was approved for {called(before)}{where}, which is {called(now)} now. {LOOK_AGAIN}")


@asynccontextmanager
async def held_to(
    tab: Tab, book: ReferenceBook, action: PageAction, expected: PageExpectation | None
) -> AsyncIterator[None]:
    """Around the input of an action. Raises `ActionRefused` when something else would be hit, `ActionFailed` when it
    cannot be told what was."""
    if expected is None:
        yield
        return
    kind = kind_of(action)
    hold = Hold(tab, book, expected, kind or "press")
    tab.hand.keys_kept_from = False if kind == "keys" else None
    try:
        async with _answering():
            await _require_unchanged(tab, book, expected)
            if isinstance(action, TypeText | TypeFilled | PressKeySequence | HoldKeys):
                await _require_focus(tab, book, expected)
            if kind is not None:
                await hold.begin()
        yield
    except BaseException:
        await finish(hold.drop())
        raise
    finally:
        tab.hand.keys_kept_from = None
    if kind is not None:
        await hold.end(needs_input=not isinstance(action, SetField))

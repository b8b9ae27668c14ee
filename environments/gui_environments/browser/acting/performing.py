"""One action of a page carried out by whatever it takes: a target becomes a point that is really hit, then input goes
there, then the page is waited for."""

from __future__ import annotations

from gui_environments.browser.acting.aiming import aim_at, scroll_into_view
from gui_environments.browser.acting.dragging import drag
from gui_environments.browser.acting.drifting import drifted
from gui_environments.browser.acting.expecting import held_to
from gui_environments.browser.acting.forms import set_field
from gui_environments.browser.acting.keyboard import hold_keys, press_sequence, type_text
from gui_environments.browser.acting.mouse import (
    click,
    move_mouse,
    press_left,
    release_left,
    require_inside,
    turn_wheel,
)
from gui_environments.browser.acting.pressing import click_element
from gui_environments.browser.acting.secret_entry import type_filled
from gui_environments.browser.acting.settling import watching
from gui_environments.browser.acting.submitting import kept_back_note
from gui_environments.browser.actions import (
    ClickTarget,
    DragPage,
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
    Target,
    TypeFilled,
    TypeText,
)
from gui_environments.browser.events import EventLog
from gui_environments.browser.pages.references import ReferenceBook
from gui_environments.browser.tabs.tab import Tab
from gui_environments.browser.values import Outcome, PagePoint
from gui_environments.geometry import Size
from gui_environments.sights import PageExpectation

UNSEEN = "No change was seen in the page."
UNHEARD = "A page makes requests faster than they can be followed: it is slowed down, and some may still be under way."


async def perform(
    tab: Tab,
    book: ReferenceBook,
    events: EventLog,
    viewport: Size,
    action: PageAction,
    settle_s: float,
    expected: PageExpectation | None = None,
) -> Outcome:
    """Carry out `action`, held to what is `expected`, and wait until the tab is quiet, for at most `settle_s` (0: do
    not wait). Raises `ActionRefused` when nothing was hit, `ActionFailed`."""
    tab.require_usable()
    if not settle_s:
        async with held_to(tab, book, action, expected):
            return await carry_out(tab, book, viewport, action)
    noted = events.noted
    async with watching(tab) as watch:
        async with held_to(tab, book, action, expected):
            outcome = await carry_out(tab, book, viewport, action)
        await tab.clock.running()
        if isinstance(action, SetField) and watch.undisturbed:
            return outcome  # reading the field back has waited for the page already
        settled = await watch.settle(settle_s)
        while tab.clock.is_stopped:
            await tab.clock.running()
            settled = await watch.settle(settle_s)
    notes = list(outcome.notes)
    if settled.kept_back is not None:
        notes.append(kept_back_note(tab, book, settled.kept_back))
    acts = isinstance(action, ClickTarget | TypeText | TypeFilled | PressKeySequence)
    if acts and not settled.changed and events.noted == noted:
        notes.append(UNSEEN)
    if not tab.closed and tab.activity.journey == "none":
        typed = isinstance(action, TypeText | TypeFilled | PressKeySequence | HoldKeys)
        notes += await drifted(tab, book, typed=typed)
    if not settled.quiet and not tab.closed and not tab.crashed:
        notes.append("The page is still busy.")
    if settled.unheard:
        notes.append(UNHEARD)
    return Outcome(tuple(notes))


async def carry_out(tab: Tab, book: ReferenceBook, viewport: Size, action: PageAction) -> Outcome:
    """Raises `ActionRefused` before any input was sent, `ActionFailed`."""
    match action:
        case ClickTarget(PagePoint() as at, button, count, modifiers):
            await click(tab, _inside(at, viewport), button, count, modifiers)
        case ClickTarget(str(reference), button, count, modifiers):
            return Outcome(await click_element(tab, book, reference, button, count, modifiers))
        case HoverTarget(target):
            await move_mouse(tab, await _point(tab, book, viewport, target))
        case DragPage(start, end):
            await drag(tab, _inside(start, viewport), _inside(end, viewport))
        case PressMouse(at):
            await press_left(tab, _inside(at, viewport))
        case ReleaseMouse(at):
            await release_left(tab, _inside(at, viewport))
        case MoveMouse(to):
            await move_mouse(tab, _inside(to, viewport))
        case ScrollPage(at, direction, notches):
            await turn_wheel(tab, _inside(at, viewport), direction, notches)
        case ScrollToElement(reference):
            await scroll_into_view(tab, book, reference)
        case TypeText(text):
            await type_text(tab, text)
        case TypeFilled(pieces):
            return await type_filled(tab, book, pieces)
        case PressKeySequence(keys, repeat):
            await press_sequence(tab, keys, repeat)
        case HoldKeys(chord, seconds):
            await hold_keys(tab, chord, seconds)
        case SetField():
            return await set_field(tab, book, action)
    return Outcome()


async def _point(tab: Tab, book: ReferenceBook, viewport: Size, target: Target) -> PagePoint:
    """Where to point: also at what is disabled, which may say why."""
    if isinstance(target, PagePoint):
        return _inside(target, viewport)
    return (await aim_at(tab, book, target, enabled=False)).point


def _inside(point: PagePoint, viewport: Size) -> PagePoint:
    require_inside(point, viewport)
    return point

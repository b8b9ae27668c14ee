"""Giving a form field its value, and saying what the page made of it.

Text is entered with real keys into the focused, selected field, so that masks and key handlers see it; what has a
control of the browser's own (dates, colours, lists, boxes to check) gets its value as that control gives it. Values of
password fields never come back.
"""

from __future__ import annotations

import asyncio
import re
from typing import Any

from gui_environments.browser.acting.aiming import became_another
from gui_environments.browser.acting.drifting import drifted
from gui_environments.browser.acting.fields import (
    Field,
    field_of,
    require_in_range,
    require_settable,
    state_for,
    text_for,
    written,
)
from gui_environments.browser.acting.keyboard import press_sequence, type_text
from gui_environments.browser.acting.options import chosen_options, require_option
from gui_environments.browser.acting.secret_entry import enter_filled
from gui_environments.browser.actions import SetField
from gui_environments.browser.pages.frames import Frame
from gui_environments.browser.pages.references import READ_AGAIN, ReferenceBook
from gui_environments.browser.pages.world import DocumentGone
from gui_environments.browser.tabs.tab import Tab
from gui_environments.browser.values import Outcome, quoted
from gui_environments.errors import ActionFailed, ActionRefused
from gui_environments.secrets.values import Pieces, text_of

SET_S = 10.0
"""How long a page may take over one field. It takes two frames."""

TYPED_LIMIT = 1000
"""Characters entered key by key; longer texts go in as if pasted."""

LEFT = Outcome(("The page was left while the field was set.",))
FOCUS_LEFT = "The focus went elsewhere while it was entered: what came after that may stand there."
REPLACED = Outcome(("The page replaced the field after it was set. Read the page again to see what it holds.",))


async def set_field(tab: Tab, book: ReferenceBook, action: SetField) -> Outcome:
    """Set one field. Raises `ActionRefused` before anything changed, `ActionFailed` when the page stopped answering."""
    element = await book.resolve(tab, action.reference)
    frame, number = element.frame, element.reference.element
    answer = await _ask(frame, action.reference, "field", number)
    field = field_of(answer)
    require_settable(field, action.reference)
    if answer["became"] is not None:
        raise ActionRefused(became_another(action.reference, answer["became"]))
    try:
        async with tab.clock.timeout(SET_S):
            outcome = await _set(tab, frame, number, field, action)
    except DocumentGone:
        return LEFT
    except TimeoutError:
        raise ActionFailed(
            f"The page does not answer: a script keeps it busy, or a dialog is open. What {action.reference} holds is "
            "not known."
        ) from None
    return await _with_drifted(tab, book, frame, number, outcome)


async def _with_drifted(tab: Tab, book: ReferenceBook, frame: Frame, number: int, outcome: Outcome) -> Outcome:
    """And what became of those set before: leaving one makes many a page look at its value."""
    drift = await drifted(tab, book, besides=number)
    tab.frames_set.add(frame)
    return Outcome((*outcome.notes, *drift))


async def _ask(frame: Frame, reference: str, member: str, number: int) -> Any:
    try:
        async with asyncio.timeout(SET_S):
            answer = await frame.world.call(member, number)
    except DocumentGone:
        raise ActionRefused(f"The page that {reference} belonged to has been left or reloaded. {READ_AGAIN}") from None
    except TimeoutError:
        raise ActionRefused("The page does not answer: a script keeps it busy, or a dialog is open.") from None
    if answer is None:
        raise ActionRefused(f"The element of {reference} has been removed from the page. {READ_AGAIN}")
    return answer


async def _set(tab: Tab, frame: Frame, number: int, field: Field, action: SetField) -> Outcome:
    value = action.value
    if isinstance(value, tuple):
        return await _fill(tab, frame, number, field, value)
    match field.kind:
        case "checkbox" | "radio":
            return await _toggle(frame, number, state_for(value, field.kind))
        case "select":
            places = chosen_options(field.options, written(value), multiple=field.multiple)
            return await _choose(frame, number, places, field)
        case "option":
            state_for(value, field.kind)
            return await _choose_option(frame, number)
        case "picked":
            return await _pick(frame, number, field, written(value))
    if field.kind == "number":
        text = written(value).strip()
        require_in_range(field, text, await frame.world.call("tryValue", number, text))
    else:
        text = text_for(field, value)
    return await _enter(tab, frame, number, field, text)


async def _toggle(frame: Frame, number: int, state: bool) -> Outcome:
    outcome = await frame.world.call("outcome", number, state)
    if outcome is not None and not outcome["same"]:
        await frame.world.call("toggle", number)
        outcome = await frame.world.call("outcome", number, state)
    if outcome is None:
        return REPLACED
    if outcome["same"]:
        return Outcome()
    is_state = "checked" if outcome["held"] else "not checked"
    return Outcome((f"The page did not keep it: it is {is_state} still.",))


async def _choose(frame: Frame, number: int, places: list[int], field: Field) -> Outcome:
    await frame.world.call("choose", number, places)
    outcome = await frame.world.call("outcome", number, places)
    if outcome is None:
        return REPLACED
    if outcome["same"]:
        return Outcome()
    texts = [field.options[place].text for place in outcome["held"] if place < len(field.options)]
    holds = ", ".join(map(quoted, texts)) or "nothing"
    return Outcome((f"The page changed the choice: selected is {holds}.",))


async def _choose_option(frame: Frame, number: int) -> Outcome:
    place = await frame.world.call("optionPlace", number)
    if place is None:
        raise ActionRefused("This option belongs to no select. Click it.")
    select, index = place
    field = field_of(await frame.world.call("field", select))
    require_settable(field, "The select of the option")
    require_option(field.options, index)
    selected = [at for at, option in enumerate(field.options) if option.selected] if field.multiple else []
    return await _choose(frame, select, sorted({*selected, index}), field)


async def _pick(frame: Frame, number: int, field: Field, text: str) -> Outcome:
    wanted = text.strip()
    if wanted or field.type in ("range", "color"):
        tried = await frame.world.call("tryValue", number, wanted)
        require_in_range(field, wanted, tried)
        wanted = tried["value"]
    await frame.world.call("setPicked", number, wanted)
    return _told(await frame.world.call("outcome", number, wanted))


async def _enter(tab: Tab, frame: Frame, number: int, field: Field, text: str) -> Outcome:
    if not await frame.world.call("beginEntering", number):
        raise ActionRefused("The field does not take the focus: the page keeps it elsewhere. Click it, and use type.")
    await _replace_selection(tab, text, field)
    stayed = await frame.world.call("endEntering", number)
    outcome = await frame.world.call("outcome", number, text)
    told = _told(outcome)
    return told if stayed or not told.notes else Outcome((*told.notes, FOCUS_LEFT))


async def _fill(tab: Tab, frame: Frame, number: int, field: Field, pieces: Pieces) -> Outcome:
    """With secrets. What the field holds then is never told."""
    stayed = await enter_filled(tab, frame, number, field, pieces)
    told = _told(await frame.world.call("outcome", number, text_of(pieces)))
    return told if stayed or not told.notes else Outcome((*told.notes, FOCUS_LEFT))


async def _replace_selection(tab: Tab, text: str, field: Field) -> None:
    if not text:
        if not field.empty:
            await press_sequence(tab, "Delete")
        return
    if len(text) > TYPED_LIMIT:
        await _insert(tab, text)
        return
    # Enter alone would send a form or a message, Tab would move the focus.
    for piece in re.split(r"([\n\t])", text):
        if piece == "\n" and field.kind == "editable":
            await press_sequence(tab, "shift+Return")
        elif piece in ("\n", "\t"):
            await _insert(tab, piece)
        elif piece:
            await type_text(tab, piece)


async def _insert(tab: Tab, text: str) -> None:
    session = await tab.frames.page_session()
    await session.send("Input.insertText", text=text)


def _told(outcome: dict[str, Any] | None) -> Outcome:
    if outcome is None:
        return REPLACED
    if outcome["same"]:
        return Outcome()
    if outcome["held"] is None:
        return Outcome(("The page changed what was entered.",))
    holds = quoted(outcome["held"]) if outcome["held"] else "nothing"
    if outcome["unchanged"]:
        return Outcome((f"The page did not take the value: the field still holds {holds}.",))
    return Outcome((f"The page changed the value: the field now holds {holds}.",))

"""Filling in secrets: judged by the document that has the field, at the moment of entering, and entered in that
document alone. No key of a secret is sent to wherever the focus may be by then. No value is in a word of this."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gui_environments.browser.acting.fields import Field
from gui_environments.browser.acting.keyboard import type_text
from gui_environments.browser.acting.looking import focused_element
from gui_environments.browser.cdp import SessionGone
from gui_environments.browser.pages.frames import Frame
from gui_environments.browser.pages.references import ReferenceBook
from gui_environments.browser.pages.world import DocumentGone
from gui_environments.browser.tabs.tab import Tab
from gui_environments.browser.values import Outcome, quoted
from gui_environments.errors import ActionFailed, ActionRefused
from gui_environments.secrets.values import Pieces, SecretText, secrets_in

ENTER_S = 30.0
"""How long a page may take over one secret: where it answers each character, two frames for each."""

ENTERABLE = ("text", "number", "editable")
"""Kinds of fields."""

NOT_KEPT = "The field does not hold all of {}: the page changed what was entered, or the field takes fewer characters."

PROBLEMS = {
    "gone": "the page was left or the field removed",
    "focus": "the focus is not on the field any more",
    "field": "what has the focus takes no text",
    "document": "the page is no HTML document, and into others no secret is filled in",
    "held": "the field is not what this was approved for any more",
}


async def type_filled(tab: Tab, book: ReferenceBook, pieces: Pieces) -> Outcome:
    """What stands around secrets is typed as keys. Raises `ActionRefused` before anything was typed, `ActionFailed`."""
    notes: list[str] = []
    leading = "".join(piece for piece in pieces[: pieces.index(secrets_in(pieces)[0])] if isinstance(piece, str))
    if leading and not set(leading) & {"\n", "\t"}:
        await _judge_focus(tab, book, secrets_in(pieces)[0])
    for place, piece in enumerate(pieces):
        try:
            if isinstance(piece, str):
                await type_text(tab, piece)
            else:
                frame, element, origin = await _judge_focus(tab, book, piece)
                if not await _enter(tab, frame, element, piece.value, origin, (piece,)):
                    notes.append(NOT_KEPT.format(_names((piece,))))
        except ActionRefused as error:
            if place == 0:
                raise
            raise ActionFailed(f"{error} What stands before it was typed.") from None
    return Outcome(tuple(notes))


async def enter_filled(tab: Tab, frame: Frame, number: int, field: Field, pieces: Pieces) -> bool:
    """Into a field that is named. Whether the focus stayed there. Raises `ActionRefused` before anything was entered,
    `ActionFailed`."""
    secrets = secrets_in(pieces)
    origin = await _judged_origin(frame, secrets, "the field")
    text = "".join(piece if isinstance(piece, str) else piece.value for piece in pieces)
    _require_fitting(field, text, secrets)
    if not await frame.world.call("beginEntering", number):
        raise ActionRefused("The field does not take the focus: the page keeps it elsewhere. Click it, and use type.")
    await _enter(tab, frame, number, text, origin, secrets)
    stayed: bool = await frame.world.call("endEntering", number)
    return stayed


def _require_fitting(field: Field, text: str, secrets: Sequence[SecretText]) -> None:
    """Without a word on how long it is."""
    if field.kind not in ENTERABLE:
        raise ActionRefused(f"{_names(secrets)} goes into a field for text only. Nothing was entered.")
    if "\n" in text and not field.lines:
        raise ActionRefused(f"{_names(secrets)} has several lines, and the field takes one. Nothing was entered.")
    if field.max_length is not None and len(text.encode("utf-16-le", "surrogatepass")) // 2 > field.max_length:
        raise ActionRefused(f"{_names(secrets)} is longer than the field takes. Nothing was entered.")


async def _judge_focus(tab: Tab, book: ReferenceBook, secret: SecretText) -> tuple[Frame, int, str]:
    """The element with the focus and the origin of its document. Raises `ActionRefused`."""
    try:
        element, _ = await focused_element(tab, book)
        reference = book.find(tab, element.reference)
        origin = await _judged_origin(reference.frame, (secret,), "the field with the focus")
    except (DocumentGone, SessionGone):
        raise ActionRefused("The page navigated at that moment. Look at what it shows now.") from None
    return reference.frame, reference.element, origin


async def _judged_origin(frame: Frame, secrets: Sequence[SecretText], place: str) -> str:
    origin: str = await frame.world.call("origin")
    for secret in secrets:
        if not secret.may_go_to_origin(origin):
            host = "of no host" if origin == "null" else f"of {quoted(origin)}"
            bound_to = f"bound to {secret.bound_to}" if secret.bound_to else "bound to no host"
            raise ActionRefused(
                f"{_names((secret,))} is {bound_to}, and {place} is in a page {host}. It was not filled in."
            )
    return origin


async def _enter(tab: Tab, frame: Frame, element: int, text: str, origin: str, secrets: Sequence[SecretText]) -> bool:
    """Whether the field has it then, as far as can be told."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    try:
        async with tab.clock.timeout(ENTER_S):
            answer: dict[str, Any] = await frame.world.call("enterSecret", element, lines, origin)
    except TimeoutError:
        raise ActionFailed(
            f"The page does not answer: a script keeps it busy, or a dialog is open. {_names(secrets)} may stand there "
            "in part."
        ) from None
    except (DocumentGone, SessionGone):
        raise ActionFailed(f"The page was left while {_names(secrets)} was filled in.") from None
    if not answer["problem"]:
        return bool(answer["kept"])
    because = PROBLEMS[answer["problem"]]
    if answer["entered"]:
        raise ActionFailed(f"Only a part of {_names(secrets)} was filled in: {because}. Look at the page again.")
    raise ActionRefused(f"{_names(secrets)} was not filled in: {because}. Look at the page again.")


def _names(secrets: Sequence[SecretText]) -> str:
    return " and ".join(f"{{{{{secret.name}}}}}" for secret in secrets)

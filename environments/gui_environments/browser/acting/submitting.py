"""Forms that the browser did not send because fields are not right. It says so in a bubble of its own, which
no reading shows: these are the words for it; what is seen of it is for `page_model/submitting.js`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gui_environments.browser.pages.references import ReferenceBook
from gui_environments.browser.pages.world import World
from gui_environments.browser.tabs.tab import Tab
from gui_environments.browser.values import quoted


@dataclass(frozen=True, slots=True)
class KeptBack:
    """The first field that kept a form in the document of `world` back, its `message`, which may be empty or the page's
    own words, and how many `more` there are."""

    world: World
    element: int
    role: str
    name: str
    message: str
    more: int


def kept_back(world: World, told: dict[str, Any] | None) -> KeptBack | None:
    """What the page model tells, as a value."""
    if told is None:
        return None
    return KeptBack(world, told["number"], told["role"], told["name"], told["message"], told["more"])


def kept_back_note(tab: Tab, book: ReferenceBook, kept: KeptBack) -> str:
    """A sentence."""
    frame = next((known.frame for known in book.all if known.frame.world is kept.world), None)
    reference = "" if frame is None else f" [{book.refer(tab, frame, kept.element)}]"
    name = f" {quoted(kept.name)}" if kept.name else ""
    message = f": {quoted(kept.message)}" if kept.message else ""
    others = {0: "", 1: " One more field does."}.get(kept.more, f" {kept.more} more fields do.")
    return f"The form was not sent: {kept.role or 'a field'}{name}{reference} keeps it back{message}.{others}"

"""Fields that were set and hold something else by now. Pages put a value back a while later, or when the focus leaves
it; whatever is done next tells it, once. Changes nothing."""

from __future__ import annotations

from typing import Any

from gui_environments.browser.cdp import SessionGone
from gui_environments.browser.pages.references import ReferenceBook
from gui_environments.browser.pages.world import DocumentGone
from gui_environments.browser.tabs.tab import Tab
from gui_environments.browser.values import quoted

ANSWER_S = 0.5
"""How long a document may take to answer; one that does not is asked the next time."""


async def drifted(tab: Tab, book: ReferenceBook, besides: int = 0, *, typed: bool = False) -> tuple[str, ...]:
    """A sentence for each field of the tab but the one numbered `besides` and, after keys were `typed`, the focused
    one: those were meant to change."""
    notes: list[str] = []
    for frame in tuple(tab.frames_set):
        if not frame.world.alive:
            tab.frames_set.discard(frame)
            continue
        try:
            async with tab.clock.timeout(ANSWER_S):
                told = await frame.world.call("drifted", besides, typed)
        except (DocumentGone, SessionGone):
            tab.frames_set.discard(frame)
            continue
        except TimeoutError:
            continue
        for field in told:
            reference = book.refer(tab, frame, field["number"])
            notes.append(f"{reference}, which was set before, {_holds(field)}.")
    return tuple(notes)


def _holds(field: dict[str, Any]) -> str:
    held = field["held"]
    match held:
        case None:
            return "holds something else now"
        case bool():
            return "is checked now" if held else "is not checked now"
        case list():
            return f"has {', '.join(map(quoted, held)) or 'nothing'} selected now"
    return f"holds {quoted(held) if held else 'nothing'} now"

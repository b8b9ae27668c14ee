"""The text that a tab shows, the main content first, frames in their places. Gives no references."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from gui_environments.browser.cdp import SessionGone
from gui_environments.browser.pages.frames import Frame
from gui_environments.browser.pages.patience import FrameUnread, Patience, answering
from gui_environments.browser.pages.reading import ATTEMPTS, FRAME_CRASHED, READ_S, frame_id_of
from gui_environments.browser.pages.shadow_roots import learn_closed_roots
from gui_environments.browser.pages.world import DocumentGone, FrameGone
from gui_environments.browser.tabs.tab import Tab
from gui_environments.errors import ActionRefused

CHARACTER_LIMIT = 50_000
NOTICE_ROOM = 300
"""Characters kept free for the lines that say what was left out."""

FRAME_DEPTH = 10

PLACE = re.compile("\u0000(\\d+)\u0000")
"""Where a frame is in the text that the page model gives."""

AROUND = "(around the main content)"


@dataclass(slots=True)
class _Text:
    """What was found while the text is gathered."""

    full: bool = False
    behind_dialog: bool = False
    patience: Patience = field(default_factory=Patience)


async def page_text(tab: Tab) -> str:
    """All of the page, not only what is in view. Raises `ActionRefused`. Ends the life of object ids given before."""
    async with answering(tab, READ_S):
        return await _page_text(tab)


async def _page_text(tab: Tab) -> str:
    for _ in range(ATTEMPTS):
        found = _Text()
        try:
            main = await tab.frames.main()
            text = await _text_of(tab, main, CHARACTER_LIMIT - NOTICE_ROOM, found, 0)
        except DocumentGone:
            continue
        except SessionGone as error:
            tab.require_usable()
            raise ActionRefused(f"{tab.tab_id} is closing. List the tabs and use an open one.") from error
        return _announced(text, found)
    raise ActionRefused("The page keeps navigating and cannot be read. Wait a moment and read it again.")


async def _text_of(tab: Tab, frame: Frame, budget: int, found: _Text, depth: int) -> str:
    """At most `budget` characters."""
    await frame.world.release()
    answer: dict[str, Any] = await frame.world.call("pageText", budget)
    if answer["hosts"] and await learn_closed_roots(frame.world):
        answer = await frame.world.call("pageText", budget)
    found.full |= answer["full"]
    found.behind_dialog |= answer["inert"]
    main, rest = answer["main"].strip(), answer["rest"].strip()
    text = f"{main}\n\n{AROUND}\n\n{rest}" if main and rest and depth == 0 else "\n\n".join(filter(None, (main, rest)))
    return await _with_frames(tab, frame, text, answer["frames"], budget, found, depth)


async def _with_frames(
    tab: Tab, parent: Frame, text: str, frames: list[int], budget: int, found: _Text, depth: int
) -> str:
    pieces = []
    left = budget
    at = 0
    for match in PLACE.finditer(text):
        pieces.append(text[at : match.start()][:left])
        left -= len(pieces[-1])
        at = match.end()
        if left > 0 and depth < FRAME_DEPTH:
            pieces.append(await _frame_text(tab, parent, frames[int(match[1])], left, found, depth + 1))
            left -= len(pieces[-1])
    pieces.append(text[at:][: max(left, 0)])
    found.full |= len(text) - at > left
    return re.sub(r"\n{3,}", "\n\n", "".join(pieces)).strip()


async def _frame_text(tab: Tab, parent: Frame, number: int, budget: int, found: _Text, depth: int) -> str:
    try:
        async with found.patience.for_frame():
            frame_id = await frame_id_of(parent, number)
            child = None if frame_id is None else await tab.frames.child(parent, frame_id)
            return "" if child is None else await _text_of(tab, child, budget, found, depth)
    except FrameUnread:
        return ""
    except FrameGone:
        return FRAME_CRASHED
    except DocumentGone:
        return "(this frame was loading; read the page again)"


def _announced(text: str, found: _Text) -> str:
    notices = [*found.patience.notice] if text else ["(the page shows no text)", *found.patience.notice]
    if found.behind_dialog:
        notices.append("(what is behind an open dialog is left out)")
    if found.full:
        notices.append(f"(cut at {CHARACTER_LIMIT:,} characters; there is more: use read_page or find for the rest)")
    return "\n\n".join([*filter(None, [text]), *notices])

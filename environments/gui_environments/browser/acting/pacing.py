"""How fast a page can be typed into. Most fields take a text as fast as it can be sent; some answer each character a
moment later (a code whose boxes hand the focus on, a value that is put back and set again) and lose what comes too
soon. The first character tells. Types nothing."""

from __future__ import annotations

import asyncio
from typing import Any

from gui_environments.browser.cdp import SessionGone
from gui_environments.browser.pages.world import DocumentGone, World
from gui_environments.browser.tabs.tab import Tab

ANSWER_S = 1.0
"""How long the documents of a tab have to answer."""

CAREFUL_FRAMES = 2
"""Between two characters, where the page answers each."""


async def expect_character(tab: Tab) -> None:
    """Before the first character."""
    await _ask_all(tab, "expectCharacter")


async def took_character(tab: Tab) -> bool:
    """After it: whether the field took it at once. True also where that cannot be known."""
    return False not in await _ask_all(tab, "tookCharacter")


async def await_answer(tab: Tab) -> None:
    """Between two characters of a page that answers each."""
    await _ask_all(tab, "drawnFrames", CAREFUL_FRAMES)


async def _ask_all(tab: Tab, member: str, *parameters: Any) -> list[Any]:
    """The main document, and those of frames that are known: one of them has the focus."""

    async def ask(world: World) -> Any:
        try:
            return await world.call(member, *parameters)
        except (DocumentGone, SessionGone):
            return None

    if tab.activity.journey != "none":
        return []  # a tab on its way to another page does not answer
    try:
        async with asyncio.timeout(ANSWER_S):
            await tab.frames.main()
            return await asyncio.gather(*(ask(world) for world in tab.frames.known_worlds))
    except (DocumentGone, SessionGone, TimeoutError):
        return []

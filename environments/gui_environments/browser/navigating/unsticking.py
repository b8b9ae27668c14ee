"""Freeing a tab from a script that does not end, so that its page can be left: Chromium waits for it for ever, and
hears nothing more once it waits. Does nothing to a page that answers, or is on its way to another."""

from __future__ import annotations

import asyncio

from gui_environments.browser.cdp import CdpError, SessionGone
from gui_environments.browser.tabs.tab import Tab

ANSWER_S = 2.0
"""How long a page may take to answer before its script counts as endless."""


async def break_off_endless_script(tab: Tab) -> None:
    if tab.activity.journey != "none":
        return
    try:
        session = await tab.frames.page_session()
        try:
            async with asyncio.timeout(ANSWER_S):
                await session.send("Runtime.evaluate", expression="0")
        except TimeoutError:
            async with asyncio.timeout(ANSWER_S):
                await session.send("Runtime.terminateExecution")
    except (CdpError, SessionGone, TimeoutError):
        return  # then leaving it says what is the matter

"""Closing a page, whatever it does: one that loads again and again is not closed before it is stopped."""

from __future__ import annotations

import asyncio

from playwright.async_api import Page

from gui_environments.browser.cdp import CdpError, SessionGone
from gui_environments.browser.pages.frames import Frames
from gui_environments.errors import ActionFailed

CLOSED_S = 3.0
"""How long a page may take to close, and then again when it has been stopped."""


async def close_page(page: Page, frames: Frames) -> None:
    """Without asking it. Raises `ActionFailed`."""
    closing = asyncio.ensure_future(page.close())
    try:
        await asyncio.wait({closing}, timeout=CLOSED_S)
        if not closing.done():
            await _stop_and_close(frames)
            await asyncio.wait({closing}, timeout=CLOSED_S)
        if not closing.done():
            raise ActionFailed("The page does not close. Try again, or go on in another tab.")
        await closing
    finally:
        closing.cancel()


async def _stop_and_close(frames: Frames) -> None:
    try:
        async with asyncio.timeout(CLOSED_S):
            session = await frames.page_session()
            await session.send("Page.stopLoading")
            await session.send("Page.close")
    except (CdpError, SessionGone, TimeoutError):
        return

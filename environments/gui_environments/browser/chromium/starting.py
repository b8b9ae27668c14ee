"""Having a tab begin to navigate, and waiting until the new document is there. Playwright does that, but in a tab whose
page it takes for crashed because a frame in it has: there the browser is asked directly. Judges nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Literal

from playwright.async_api import Error, Response
from playwright.async_api import Frame as PlaywrightFrame

from gui_environments.browser.cdp import CdpError, CdpSession, SessionGone
from gui_environments.browser.tabs.tab import Tab

Move = Literal["back", "forward", "reload"]

MOVES: Mapping[str, Move] = {"back": "back", "forward": "forward", "reload": "reload"}


async def go_to(tab: Tab, address: str, limit_s: float) -> Response | None:
    """Raises Playwright's `Error`, with the browser's own words in it."""
    if not tab.is_given_up:
        return await tab.page.goto(address, wait_until="commit", timeout=limit_s * 1000)

    async def start(session: CdpSession) -> None:
        answer = await session.send("Page.navigate", url=address)
        if answer.get("errorText"):
            raise Error(f"{answer['errorText']} at {address}")
        if answer.get("isDownload"):
            raise Error("Download is starting")

    await _arrive(tab, start, limit_s)
    return None


async def go(tab: Tab, move: Move, limit_s: float) -> Response | None:
    """Like `go_to`."""
    if not tab.is_given_up:
        page = tab.page
        moves = {"back": page.go_back, "forward": page.go_forward, "reload": page.reload}
        return await moves[move](wait_until="commit", timeout=limit_s * 1000)

    async def start(session: CdpSession) -> None:
        if move == "reload":
            await session.send("Page.reload")
            return
        history = await session.send("Page.getNavigationHistory")
        at = history["currentIndex"] + (-1 if move == "back" else 1)
        await session.send("Page.navigateToHistoryEntry", entryId=history["entries"][at]["id"])

    await _arrive(tab, start, limit_s)
    return None


async def _arrive(tab: Tab, start: Callable[[CdpSession], Awaitable[None]], limit_s: float) -> None:
    """Until the tab shows another document, or another place in its own."""
    arrived = asyncio.Event()

    def note(frame: Any) -> None:
        if isinstance(frame, PlaywrightFrame) and frame is tab.page.main_frame:
            arrived.set()

    tab.page.on("framenavigated", note)
    try:
        async with asyncio.timeout(limit_s):
            await start(await tab.frames.page_session())
            await arrived.wait()
    except TimeoutError:
        raise Error(f"Timeout {limit_s * 1000:.0f}ms exceeded.") from None
    except (CdpError, SessionGone) as error:
        raise Error(str(error)) from error
    finally:
        tab.page.remove_listener("framenavigated", note)

"""Clicks by reference, settling apart and with it, on quiet pages and on one that polls."""

from __future__ import annotations

import asyncio
from functools import partial

from benchmarks.browser.site import POLL_MS, BenchSite
from benchmarks.measuring import Row, Work, interleaved_ms
from gui_environments.browser import Browser, PagePoint, ReadRequest
from gui_environments.browser.actions import ClickTarget
from gui_environments.browser.cdp import CdpSession

CLICK_LIMIT_MS = 30.0
POLLING_LIMIT_FACTOR = 1.5

ROWS = 2_000
FEW_ROWS = 20
WARM_S = 1.0
"""How long a page has polled before it is clicked on."""


async def measure_clicks(browser: Browser, site: BenchSite, runs: int) -> list[Row]:
    await browser.navigate(site.rows(ROWS))
    button = await _button(browser)
    session = await browser.tabs.tab(None).frames.page_session()
    works: list[Work] = [
        partial(_click_bare, session, await _middle_of(browser, button)),
        partial(browser.perform, ClickTarget(button), settle_s=0),
        partial(browser.perform, ClickTarget(button)),
    ]
    bare_ms, click_ms, settled_ms = await interleaved_ms(works, runs)
    return [
        Row(
            f"left_click by reference on {ROWS:,} rows, settling apart",
            click_ms,
            floor=bare_ms,
            limit=CLICK_LIMIT_MS,
            goal=f"{CLICK_LIMIT_MS:g} ms",
        ),
        Row("the same, settling included", settled_ms),
    ]


async def measure_polling(browser: Browser, site: BenchSite, runs: int) -> list[Row]:
    """Two tabs, in turns."""
    await browser.navigate(site.rows(FEW_ROWS))
    quiet_tab = browser.tabs.tab(None).tab_id
    quiet_button = await _button(browser)
    polling_tab = (await browser.open_tab()).tab_id
    await browser.navigate(site.polling(FEW_ROWS))
    polling_button = await _button(browser)
    await browser.tabs.tab(polling_tab).page.wait_for_timeout(WARM_S * 1000)

    works: list[Work] = [
        partial(browser.perform, ClickTarget(quiet_button), quiet_tab),
        partial(browser.perform, ClickTarget(polling_button), polling_tab),
    ]
    shows: list[Work] = [partial(browser.switch_tab, quiet_tab), partial(browser.switch_tab, polling_tab)]
    quiet_ms, polling_ms = await interleaved_ms(works, runs, shows)
    await browser.close_tab(polling_tab)
    return [
        Row(
            f"left_click on a page that polls every {POLL_MS} ms, settling included (floor: on a quiet one)",
            polling_ms,
            floor=quiet_ms,
            limit=POLLING_LIMIT_FACTOR * quiet_ms,
            goal=f"{POLLING_LIMIT_FACTOR:g} x floor",
        )
    ]


async def _button(browser: Browser) -> str:
    reading = await browser.read_page(ReadRequest("interactive"))
    return next(line.reference for line in reading.lines if line.role == "button" and line.reference is not None)


async def _middle_of(browser: Browser, reference: str) -> PagePoint:
    element = await browser.resolve(reference)
    box = await element.frame.session.send("DOM.getBoxModel", objectId=element.object_id)
    left, top, _, _, right, bottom, *_ = box["model"]["content"]
    return PagePoint((left + right) / 2, (top + bottom) / 2)


async def _click_bare(session: CdpSession, at: PagePoint) -> None:
    """The three events on their way at once, as quick as the protocol takes them."""
    place = {"x": at.x, "y": at.y}
    pressed = {**place, "button": "left", "clickCount": 1}
    await asyncio.gather(
        session.send("Input.dispatchMouseEvent", type="mouseMoved", **place),
        session.send("Input.dispatchMouseEvent", type="mousePressed", **pressed),
        session.send("Input.dispatchMouseEvent", type="mouseReleased", **pressed),
    )

"""One real Chromium for all tests of a run that do not end it, a fresh tab for each, and a site on loopback."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

import pytest
import pytest_asyncio
from playwright.async_api import Frame

from environments.browser.site import Site
from gui_environments.browser import Browser, ReadRequest, read_page
from gui_environments.browser.acting.mouse import move_mouse
from gui_environments.browser.tabs.tab import Tab
from gui_environments.browser.values import PagePoint
from loopback import LOOPBACK_RULES

POLL_S = 0.01
PATIENCE_S = 20.0
"""How long a test waits for what must happen."""


async def wait_until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not condition():  # noqa: ASYNC110 - what is waited for has no event
            await asyncio.sleep(POLL_S)


async def wait_for_script(tab: Tab, condition: str) -> None:
    """Until a script of the page's says so."""
    await tab.page.wait_for_function(condition, polling=POLL_S * 1000, timeout=PATIENCE_S * 1000)


async def reaches(tab: Tab, frame: Frame, at: PagePoint) -> None:
    """Until the mouse, moved to a point of the viewport, arrives in `frame`. Into frames of other sites Chromium finds
    its way by the last picture that each process has drawn, which may be none yet when the frame has loaded."""
    await frame.evaluate("addEventListener('mousemove', () => globalThis.reached = true, {once: true})")
    async with asyncio.timeout(PATIENCE_S):
        while not await frame.evaluate("globalThis.reached === true"):
            await move_mouse(tab, PagePoint(at.x + 1, at.y))
            await move_mouse(tab, at)


Read = Callable[..., Awaitable[str]]


@pytest.fixture(scope="session")
def site() -> Iterator[Site]:
    site = Site()
    yield site
    site.close()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    async with Browser.open(rules=LOOPBACK_RULES) as browser:
        yield browser


@pytest_asyncio.fixture(loop_scope="session")
async def tab(browser: Browser) -> AsyncIterator[Tab]:
    tab = await browser.tabs.open()
    yield tab
    for open_tab in browser.tabs.all[1:]:
        await browser.tabs.close(open_tab)


@pytest.fixture
def read(browser: Browser, tab: Tab, site: Site) -> Read:
    """Show a page and read it: `await read("<p>text")`; without a page, read what is shown."""

    async def read(body: str | None = None, elements: str = "visible", **request: object) -> str:
        if body is not None:
            await tab.page.goto(site.put("/page", body))
        reading = await read_page(tab, browser.references, ReadRequest(elements, **request))
        return reading.text

    return read

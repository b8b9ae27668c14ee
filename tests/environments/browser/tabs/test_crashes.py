"""What ends under a call: a page's process, the one that draws, the browser. Each is told, and what is left goes on."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
import pytest_asyncio

from environments.browser.conftest import PATIENCE_S, wait_until
from environments.browser.site import Site
from gui_environments.browser import Browser, ReadRequest
from gui_environments.browser.actions import ClickTarget, PageAction
from gui_environments.browser.cdp import CdpSession
from gui_environments.browser.events import TabCrashed
from gui_environments.browser.tabs.tab import Tab
from gui_environments.errors import ActionFailed, ActionRefused, EnvironmentDied
from loopback import LOOPBACK_RULES

pytestmark = pytest.mark.asyncio(loop_scope="session")


BUSY = """<title>Busy</title><button>work</button><script>document.querySelector('button').onclick = () => {
const asks = new XMLHttpRequest(); asks.open('GET', '/begun', false); asks.send(); for (;;) ; }</script>"""


@pytest_asyncio.fixture(loop_scope="session")
async def own() -> AsyncIterator[Browser]:
    """A browser that the test may end."""
    async with Browser.open(rules=LOOPBACK_RULES) as browser:
        yield browser


async def processes(browser: Browser, kind: str) -> list[int]:
    assert browser.context.browser is not None
    session = CdpSession(await browser.context.browser.new_browser_cdp_session())
    told = await session.send("SystemInfo.getProcessInfo")
    return [process["id"] for process in told["processInfo"] if process["type"] == kind]


async def press_busy_button(browser: Browser, site: Site, tab: Tab) -> asyncio.Task[object]:
    """A click that is under way: the page handles it without end."""
    site.requests.clear()
    await browser.navigate(site.put("/busy", BUSY), tab.tab_id)
    reference = (await browser.read_page(ReadRequest(), tab.tab_id)).text.partition("[")[2].partition("]")[0]
    task: asyncio.Task[object] = asyncio.ensure_future(browser.perform(ClickTarget(reference), tab.tab_id))
    await wait_until(lambda: "/begun" in site.requests)
    return task


async def test_a_page_that_crashes_under_a_click_is_told_and_the_session_goes_on(own: Browser, site: Site) -> None:
    tab = own.tabs.tab(None)
    task = await press_busy_button(own, site, tab)
    for pid in await processes(own, "renderer"):
        os.kill(pid, signal.SIGKILL)
    with pytest.raises((ActionFailed, ActionRefused), match="crashed"):
        await asyncio.wait_for(task, PATIENCE_S)
    assert TabCrashed(tab.tab_id) in own.take_events()
    with pytest.raises(ActionRefused, match="has crashed"):
        await own.read_page(ReadRequest(), tab.tab_id)
    assert [state.crashed for state in await own.tab_states()] == [True]
    await own.open_tab()
    assert (await own.navigate(site.put("/fine", "<title>Fine</title>"))).title == "Fine"
    await own.close_tab(tab.tab_id)


async def test_when_the_process_that_draws_is_killed_another_one_draws(own: Browser, site: Site) -> None:
    await own.navigate(site.put("/fine", "<body style='background: #0a0'><button>press</button>"))
    await own.capture()
    before = await processes(own, "GPU")
    assert before
    for pid in before:
        os.kill(pid, signal.SIGKILL)
    async with asyncio.timeout(PATIENCE_S):
        while set(await processes(own, "GPU")) & set(before):  # noqa: ASYNC110 - has no event
            await asyncio.sleep(0.01)
    assert (await own.capture()).size == own.viewport
    assert "press" in (await own.read_page(ReadRequest())).text
    assert not own.died


async def test_a_call_that_is_under_way_when_the_browser_is_killed_ends_with_that(own: Browser, site: Site) -> None:
    tab = own.tabs.tab(None)
    task = await press_busy_button(own, site, tab)
    (browser_pid,) = await processes(own, "browser")
    os.kill(browser_pid, signal.SIGKILL)
    with pytest.raises(EnvironmentDied):
        await asyncio.wait_for(task, PATIENCE_S)


async def test_after_the_browser_has_ended_each_call_says_so_at_once(own: Browser) -> None:
    (browser_pid,) = await processes(own, "browser")
    os.kill(browser_pid, signal.SIGKILL)
    await wait_until(lambda: own.died)
    calls: tuple[Callable[[], Awaitable[object]], ...] = (
        lambda: own.navigate("http://127.0.0.1:9/"),
        lambda: own.capture(),
        lambda: own.read_page(ReadRequest()),
        lambda: own.find("a button"),
        lambda: own.page_text(),
        lambda: own.run_script("1"),
        lambda: own.read_console(),
        lambda: own.read_network(),
        lambda: own.perform(a_click()),
        lambda: own.open_tab(),
        lambda: own.tab_states(),
    )
    for call in calls:
        with pytest.raises(EnvironmentDied, match="The browser has ended"):
            await asyncio.wait_for(call(), PATIENCE_S)


def a_click() -> PageAction:
    return ClickTarget("ref_1")

"""A frame of another site whose process ends takes nothing else with it: that it has crashed is told and stands in its
place, the rest of the page goes on, and the tab can be used and navigated as before."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Frame

from environments.browser.acting.test_aiming import reference
from environments.browser.conftest import PATIENCE_S, wait_until
from environments.browser.site import Site
from environments.browser.tabs.test_crashes import processes
from gui_environments.browser import Browser, ReadRequest
from gui_environments.browser.actions import ClickTarget, SetField
from gui_environments.browser.events import FrameCrashed, TabCrashed
from gui_environments.browser.pages.reading import FRAME_CRASHED
from gui_environments.browser.tabs.tab import Tab
from gui_environments.errors import ActionFailed, ActionRefused

pytestmark = pytest.mark.asyncio(loop_scope="session")

# By its thread the process of the frame is knbrowser.
INNER = """<button>inner</button><input aria-label=Within>
<script>new Worker(URL.createObjectURL(new Blob(['setInterval(() => 0, 1000)'])))</script>"""
OUTER = """<title>Outer</title><button onclick="title = this.textContent = 'pressed'">outer</button>
<iframe src='{b}/inner' width=300 height=100></iframe><p>after"""
WORKER_THREAD = "DedicatedWorker"


async def show(browser: Browser, site: Site, frame: str = INNER) -> str:
    """The page with its frame, read."""
    site.put("/inner", frame)
    await browser.navigate(site.put("/outer", OUTER))
    return await read_with_frame(browser)


async def read_with_frame(browser: Browser) -> str:
    text = ""
    async with asyncio.timeout(PATIENCE_S):
        while '"inner"' not in text:
            text = (await browser.read_page(ReadRequest())).text
    return text


def inner(tab: Tab, site: Site) -> Frame:
    return next(frame for frame in tab.page.frames if urlsplit(frame.url).path == "/inner")


async def crash(browser: Browser, of: Frame | None = None) -> None:
    """By a fault of its own process: of a frame's, or the page's."""
    session = await browser.context.new_cdp_session(of or browser.tabs.tab(None).page)
    # Not always answered.
    asking = asyncio.ensure_future(session.send("Page.crash"))
    asking.add_done_callback(lambda asked: None if asked.cancelled() else asked.exception())


async def has_crashed(browser: Browser, tab: Tab) -> bool:
    (crashed,) = (state.crashed for state in await browser.tab_states() if state.tab_id == tab.tab_id)
    return crashed


async def kill(browser: Browser) -> None:
    """The process that has a worker."""
    for pid in await processes(browser, "renderer"):
        threads = [(task / "comm").read_text() for task in Path(f"/proc/{pid}/task").iterdir()]
        if any(name.startswith(WORKER_THREAD) for name in threads):
            os.kill(pid, signal.SIGKILL)


async def crash_frame(browser: Browser, site: Site, *, by_kill: bool = False) -> str:
    """What was read before, when the crash has been told."""
    text = await show(browser, site)
    browser.take_events()
    tab = browser.tabs.tab(None)
    await (kill(browser) if by_kill else crash(browser, inner(tab, site)))
    told = FrameCrashed(tab.tab_id, f"127.0.0.2:{site.port}")
    await wait_until(lambda: told in browser.take_events())
    return text


@pytest.mark.parametrize("by_kill", [False, True])
async def test_a_frame_whose_process_ends_is_told_and_the_rest_goes_on(
    browser: Browser, tab: Tab, site: Site, by_kill: bool
) -> None:
    before = await crash_frame(browser, site, by_kill=by_kill)
    assert not await has_crashed(browser, tab)
    text = (await browser.read_page(ReadRequest())).text
    assert FRAME_CRASHED in text
    assert '"after"' in text
    assert "inner" not in text
    assert FRAME_CRASHED in await browser.page_text()
    assert reference(before, "outer") in (await browser.find("outer button")).text
    await browser.perform(ClickTarget(reference(before, "outer")))
    assert '"pressed"' in (await browser.read_page(ReadRequest())).text
    assert (await browser.capture()).size == browser.viewport
    for action in (ClickTarget(reference(before, "inner")), SetField(reference(before, "Within"), "x")):
        with pytest.raises(ActionRefused, match=r"The frame that ref_\d+ is in has crashed\. Reload the page"):
            await browser.perform(action)


async def test_a_crashed_frame_comes_back_with_the_page_and_old_references_stay_refused(
    browser: Browser, tab: Tab, site: Site
) -> None:
    before = await crash_frame(browser, site)
    reloaded = await browser.navigate("reload")
    assert (reloaded.title, reloaded.status, reloaded.notes) == ("Outer", 200, ())
    text = await show(browser, site)
    await browser.perform(ClickTarget(reference(text, "inner")))
    with pytest.raises(ActionRefused, match=r"left or reloaded|is gone"):
        await browser.perform(ClickTarget(reference(before, "inner")))


async def test_a_crashed_frame_that_is_given_another_address_is_read_again(
    browser: Browser, tab: Tab, site: Site
) -> None:
    before = await crash_frame(browser, site)
    await browser.run_script("document.querySelector('iframe').src += '?again'; 0")
    text = ""
    async with asyncio.timeout(PATIENCE_S):
        while '"inner"' not in text:
            text = (await browser.read_page(ReadRequest())).text
    with pytest.raises(ActionRefused, match=r"left or reloaded|is gone"):
        await browser.perform(ClickTarget(reference(before, "inner")))


async def test_a_tab_with_a_crashed_frame_is_navigated_like_any_other(browser: Browser, tab: Tab, site: Site) -> None:
    await crash_frame(browser, site)
    site.put("/next", "<title>Next</title><a href='#below'>below</a>")
    assert (await browser.navigate(site.url("/next"))).title == "Next"
    assert FRAME_CRASHED not in (await browser.read_page(ReadRequest())).text
    missing = await browser.navigate(site.url("/missing"))
    assert missing.status == 404
    assert (await browser.navigate("back")).title == "Next"
    assert (await browser.navigate("back")).title == "Outer"
    assert (await browser.navigate("forward")).title == "Next"
    assert (await browser.navigate(site.url("/next#below"))).url.endswith("#below")
    with pytest.raises(ActionRefused, match="not allowed"):
        await browser.navigate("http://127.0.0.3:9/")
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.2", 0))
        with pytest.raises(ActionFailed, match="refused"):
            await browser.navigate(f"http://127.0.0.2:{deaf.getsockname()[1]}/")


async def test_a_tab_whose_page_crashes_has_crashed_also_when_a_frame_did_before(
    browser: Browser, tab: Tab, site: Site
) -> None:
    await crash_frame(browser, site)
    await crash(browser)
    await wait_until(lambda: tab.crashed)
    assert TabCrashed(tab.tab_id) in browser.take_events()
    assert await has_crashed(browser, tab)
    with pytest.raises(ActionRefused, match=f"The page in {tab.tab_id} has crashed"):
        await browser.read_page(ReadRequest())
    await browser.open_tab()
    assert "inner" in await show(browser, site)


async def test_what_is_asked_of_a_frame_as_it_crashes_ends_with_that(browser: Browser, tab: Tab, site: Site) -> None:
    text = await show(browser, site, "<button onclick='for (;;);'>inner</button>")
    frame = inner(browser.tabs.tab(None), site)
    pressing = asyncio.ensure_future(browser.perform(ClickTarget(reference(text, "inner"))))
    await crash(browser, frame)
    outcome = await asyncio.wait_for(asyncio.gather(pressing, return_exceptions=True), 3 * PATIENCE_S)
    assert not isinstance(outcome[0], BaseException) or isinstance(outcome[0], ActionRefused | ActionFailed)
    assert '"outer"' in (await browser.read_page(ReadRequest())).text

"""Pages that do not answer, and pages with frames that do not: nothing hangs, and what can be read is read."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from environments.browser.acting.test_aiming import reference
from environments.browser.conftest import wait_for_script
from environments.browser.site import Site
from gui_environments.browser import Browser, ReadRequest
from gui_environments.browser.actions import SetField
from gui_environments.browser.rules import BrowserRules
from gui_environments.browser.tabs.tab import Tab
from gui_environments.errors import ActionFailed, ActionRefused
from loopback import LOOPBACK

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.long]

BOUND_S = 60.0
"""For a machine that is busy with other things; what is tested is bounded at a fraction of it."""

ENDLESS = "setTimeout(() => { for (;;); })"
PAGE = "<button>press</button><input aria-label=Name><input type=file aria-label=Files>"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def giving(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[tuple[Browser, Path]]:
    root = tmp_path_factory.mktemp("given")
    (root / "a.txt").write_text("a")
    async with Browser.open(rules=BrowserRules(hosts=LOOPBACK, upload_roots=(root,))) as browser:
        yield browser, root / "a.txt"


async def test_a_field_of_a_page_that_does_not_answer_is_refused(browser: Browser, tab: Tab, site: Site) -> None:
    await tab.page.goto(site.put("/p", PAGE))
    name = reference((await browser.read_page(ReadRequest())).text, "Name")
    await tab.page.evaluate(ENDLESS)
    async with asyncio.timeout(BOUND_S):
        with pytest.raises(ActionRefused, match="does not answer"):
            await browser.perform(SetField(name, "x"))


async def test_files_for_a_page_that_does_not_answer_are_refused(giving: tuple[Browser, Path], site: Site) -> None:
    browser, path = giving
    await browser.navigate(site.put("/p", PAGE))
    files = reference((await browser.read_page(ReadRequest())).text, "Files")
    await browser.tabs.tab(None).page.evaluate(ENDLESS)
    async with asyncio.timeout(BOUND_S):
        with pytest.raises(ActionRefused, match="does not answer"):
            await browser.upload_files(files, [path])


@pytest.mark.parametrize("address", ["reload", "/other"])
async def test_a_page_that_does_not_answer_is_left(browser: Browser, tab: Tab, site: Site, address: str) -> None:
    site.put("/other", "<p>other")
    await browser.navigate(site.put("/p", PAGE))
    await tab.page.evaluate(ENDLESS)
    async with asyncio.timeout(BOUND_S):
        await browser.navigate(address if address == "reload" else site.url(address))
        text = (await browser.read_page(ReadRequest())).text
    assert ("press" if address == "reload" else "other") in text


@pytest.mark.parametrize("host", ["b", "c"])
async def test_a_frame_that_does_not_answer_leaves_the_page_readable(
    browser: Browser, tab: Tab, site: Site, host: str
) -> None:
    site.put("/stuck", f"<p>stuck</p><script>onmessage = () => {{ parent.postMessage(1, '*'); {ENDLESS} }}</script>")
    frame = f"<iframe id=f src='{site.url('/stuck', host)}'></iframe><script>onmessage = () => {{ told = 1 }}</script>"
    await tab.page.goto(site.put("/p", PAGE + frame + "<p>below the frame</p>"))
    await tab.page.evaluate("f.contentWindow.postMessage(1, '*')")
    await wait_for_script(tab, "window.told")
    async with asyncio.timeout(BOUND_S):
        reading = await browser.read_page(ReadRequest())
        found = await browser.find("press")
        text = await browser.page_text()
    assert "below the frame" in reading.text
    assert "1 frame was left out" in reading.text
    assert not reading.complete
    assert 'button "press"' in found.text
    assert "below the frame" in text
    assert "1 frame was left out" in text


async def test_hundreds_of_frames_leave_the_page_readable(browser: Browser, tab: Tab, site: Site) -> None:
    script = "for (let n = 0; n < 400; n++) document.body.append(document.createElement('iframe'))"
    await tab.page.goto(site.put("/p", f"<body>{PAGE}<script>{script}</script>"))
    async with asyncio.timeout(BOUND_S):
        reading = await browser.read_page(ReadRequest("all"))
    assert 'button "press"' in reading.text


async def test_an_emptied_document_shows_nothing(browser: Browser, tab: Tab, site: Site) -> None:
    await tab.page.goto(site.put("/p", PAGE))
    await tab.page.evaluate("document.documentElement.remove()")
    assert "nothing is shown" in (await browser.read_page(ReadRequest())).text
    assert "no text" in await browser.page_text()
    assert "nothing on the page fits" in (await browser.find("press")).text


async def test_a_page_that_changes_its_address_without_end_is_held_up(browser: Browser, tab: Tab, site: Site) -> None:
    script = "for (let n = 0; n < 20000; n++) history.pushState(0, '', '?' + n)"
    await tab.page.goto(site.put("/p", PAGE))
    await tab.page.evaluate(script)
    async with asyncio.timeout(BOUND_S):
        assert 'button "press"' in (await browser.read_page(ReadRequest())).text
    assert await tab.page.evaluate("Number(location.search.slice(1))") < 5000


async def test_a_page_that_loads_again_and_again_is_closed(browser: Browser, tab: Tab, site: Site) -> None:
    looping = await browser.open_tab()
    await browser.navigate(site.put("/again", "<p>again</p><script>setTimeout(() => location.reload(), 30)</script>"))
    for _ in range(3):
        with contextlib.suppress(ActionRefused, ActionFailed):
            await browser.read_page(ReadRequest())
        with contextlib.suppress(ActionRefused, ActionFailed):
            await browser.capture()
    await browser.open_tab()
    async with asyncio.timeout(BOUND_S):
        await browser.close_tab(looping.tab_id)
    assert looping.tab_id not in [one.tab_id for one in browser.tabs.all]

"""A press meant for an element never lands on what comes over it at the last moment, in whatever document that is."""

from __future__ import annotations

import re

import pytest

from environments.browser.acting.test_aiming import press, reference
from environments.browser.conftest import Read
from environments.browser.site import Site
from gui_environments.browser import Browser
from gui_environments.browser.acting.pressing import click_element
from gui_environments.browser.tabs.tab import Tab
from gui_environments.errors import ActionFailed, ActionRefused

pytestmark = pytest.mark.asyncio(loop_scope="session")

SAYING = "<script>globalThis.said = []; onmessage = event => said.push(event.data)</script>"
WANTED = "<button id=b style='width:200px;height:60px' onclick='said.push(\"wanted\")'>wanted</button>"
LURE = """<script>
const lure = document.createElement('button');
lure.style.cssText = 'position:fixed;inset:0';
lure.textContent = 'lure';
for (const type of ['pointerdown', 'mousedown', 'click']) lure.addEventListener(type, () => said.push('lure ' + type));
</script>"""


async def said(tab: Tab) -> list[str]:
    heard: list[str] = await tab.page.evaluate("said")
    return heard


async def test_the_second_press_of_a_double_click_is_not_made_on_something_else(
    browser: Browser, tab: Tab, read: Read
) -> None:
    swap = "<script>b.addEventListener('click', () => b.replaceWith(lure))</script>"
    text = await read(SAYING + LURE + WANTED + swap)
    with pytest.raises(ActionFailed, match='pressed once only: by then button "lure"'):
        await click_element(tab, browser.references, reference(text, "wanted"), count=2)
    assert await said(tab) == ["wanted"]


async def test_a_page_that_is_busy_while_something_comes_over_an_element_is_guarded_all_the_same(
    browser: Browser, tab: Tab, read: Read
) -> None:
    busy = """<script>b.onpointermove = () => {
      if (lure.isConnected) return;
      for (const end = performance.now() + 1500; performance.now() < end; );
      document.body.append(lure);
    }</script>"""
    text = await read(SAYING + WANTED + LURE + busy)
    with pytest.raises(ActionRefused, match='button "lure"'):
        await press(browser, tab, text, "wanted")
    assert await said(tab) == []


async def test_what_comes_over_a_frame_when_it_is_pointed_at_is_not_pressed(
    browser: Browser, tab: Tab, site: Site, read: Read
) -> None:
    site.put("/inner", "<button style='width:200px;height:60px'>wanted</button>")
    frame = f"<iframe id=f src='{site.url('/inner')}' width=300 height=100></iframe>"
    text = await read(SAYING + LURE + frame + "<script>f.onmouseenter = () => document.body.append(lure)</script>")
    with pytest.raises(ActionRefused, match='button "lure"'):
        await press(browser, tab, text, "wanted")
    assert await said(tab) == []


@pytest.mark.parametrize("host", ["a", "b"])
async def test_a_frame_that_comes_over_an_element_when_it_is_pointed_at_is_not_pressed(
    browser: Browser, tab: Tab, site: Site, read: Read, host: str
) -> None:
    site.put("/over", "<body onpointerdown='parent.postMessage(\"lure\", \"*\")' style='height:900px'>over")
    style = "position:fixed;left:0;top:0;width:900px;height:500px;display:none"
    frame = f"<iframe id=f src='{site.url('/over', host)}' style='{style}' title=over></iframe>"
    text = await read(SAYING + WANTED + frame + "<script>b.onmouseenter = () => { f.style.display = 'block' }</script>")
    with pytest.raises(ActionRefused, match='covered by iframe "over"'):
        await press(browser, tab, text, "wanted")
    assert await said(tab) == []


async def test_an_element_that_is_covered_while_the_button_is_down_is_told(
    browser: Browser, tab: Tab, read: Read
) -> None:
    text = await read(SAYING + WANTED + LURE + "<script>b.onpointerdown = () => document.body.append(lure)</script>")
    notes = await click_element(tab, browser.references, reference(text, "wanted"))
    assert re.fullmatch(
        r'When the button came up, button "lure" \[ref_\d+\] was over ref_\d+: it may not count as a click\.', notes[0]
    )
    assert await said(tab) == []


async def test_a_plain_click_has_nothing_to_tell(browser: Browser, tab: Tab, site: Site, read: Read) -> None:
    site.put("/inner", '<button onclick=\'parent.postMessage("deep", "*")\'>deep</button>')
    text = await read(SAYING + WANTED + f"<iframe src='{site.url('/inner', 'b')}'></iframe>")
    for name in ("wanted", "deep"):
        assert await click_element(tab, browser.references, reference(text, name)) == ()
    await tab.page.wait_for_function("said.includes('deep')")
    assert await said(tab) == ["wanted", "deep"]

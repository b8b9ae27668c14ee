"""Actions from one end to the other: aimed, carried out, waited for, and what came of it said."""

from __future__ import annotations

import asyncio
import re

import pytest

from environments.browser.conftest import PATIENCE_S, Read, wait_until
from environments.browser.site import Site
from gui_environments.browser import Browser
from gui_environments.browser.acting.performing import UNSEEN
from gui_environments.browser.actions import ClickTarget, DragPage, HoverTarget, PressKeySequence, TypeText
from gui_environments.browser.events import DialogAnswered, PageNavigated, TabOpened
from gui_environments.browser.tabs.tab import Tab
from gui_environments.browser.values import PagePoint
from gui_environments.errors import ActionFailed, ActionRefused

pytestmark = pytest.mark.asyncio(loop_scope="session")


def reference(text: str, name: str) -> str:
    match = re.search(rf'"{re.escape(name)}" \[(ref_\d+)\]', text)
    assert match, text
    return match[1]


async def press(browser: Browser, text: str, name: str) -> tuple[str, ...]:
    return (await browser.perform(ClickTarget(reference(text, name)), settle_s=PATIENCE_S)).notes


async def test_a_link_is_followed_before_the_call_returns(browser: Browser, tab: Tab, site: Site, read: Read) -> None:
    site.put("/next", "<h1>Next</h1>")
    text = await read("<a href=/next>go on</a>")
    browser.take_events()
    assert await press(browser, text, "go on") == ()
    assert '"Next"' in await read()
    assert browser.take_events() == (PageNavigated(tab.tab_id, site.url("/next")),)


@pytest.mark.parametrize("kind", ["alert", "confirm", "prompt"])
async def test_a_dialog_that_a_press_opens_is_answered_and_the_press_returns(
    browser: Browser, tab: Tab, read: Read, kind: str
) -> None:
    text = await read(f"<button onclick='document.title = `answered ${{{kind}(`Sure?`)}}`'>ask</button>")
    browser.take_events()
    await press(browser, text, "ask")
    (answered,) = browser.take_events()
    assert isinstance(answered, DialogAnswered)
    assert (answered.kind, answered.message, answered.accepted) == (kind, "Sure?", False)
    assert (await tab.page.title()).startswith("answered")


async def test_a_press_that_opens_a_tab_says_so(browser: Browser, tab: Tab, site: Site, read: Read) -> None:
    site.put("/next", "next")
    text = await read("<a href=/next target=_blank>new tab</a>")
    browser.take_events()
    await press(browser, text, "new tab")
    await wait_until(lambda: len(browser.tabs.all) == 3)
    assert any(isinstance(event, TabOpened) for event in browser.take_events())


async def test_a_press_without_any_effect_is_told_apart(browser: Browser, tab: Tab, read: Read) -> None:
    text = await read("<button style='outline:0'>dead</button><button onclick='title = 1'>alive</button>")
    await press(browser, text, "dead")  # it takes the focus
    assert await press(browser, text, "dead") == (UNSEEN,)


@pytest.mark.parametrize("host", ["a", "b"])
async def test_a_change_in_a_frame_is_a_change(browser: Browser, tab: Tab, site: Site, read: Read, host: str) -> None:
    inner = site.put("/inner", "<button onclick='p.textContent += 1'>inside</button><p id=p>", host)
    text = await read(f"<iframe src='{inner}'></iframe>")
    for _ in range(2):
        assert await press(browser, text, "inside") == ()


async def test_typing_and_keys_go_where_the_press_put_the_focus(browser: Browser, tab: Tab, read: Read) -> None:
    text = await read("<input aria-label=field id=f>")
    await press(browser, text, "field")
    await browser.perform(TypeText("wards"))
    await browser.perform(PressKeySequence("Home shift+a ctrl+a End"))
    await browser.perform(TypeText("!"))
    assert await tab.page.evaluate("f.value") == "Awards!"


async def test_pointing_at_a_menu_shows_its_items(browser: Browser, tab: Tab, read: Read) -> None:
    style = "<style>nav b{display:none} nav:hover b{display:block}</style>"
    item = "<b><a href=# onclick='document.title = `pressed`'>item</a></b>"
    text = await read(f"{style}<nav tabindex=0 aria-label=menu><a href=#>top</a>{item}</nav>")
    await browser.perform(HoverTarget(reference(text, "top")))
    await press(browser, await read(), "item")
    assert await tab.page.title() == "pressed"


async def test_a_drag_through_the_browser_sorts_a_list(browser: Browser, tab: Tab, read: Read) -> None:
    await read("""<body style='margin:0'><div id=list><p draggable=true id=one>one<p draggable=true id=two>two</div>
    <style>p{margin:0;height:40px}</style><script>let dragged;
    list.ondragstart = e => { dragged = e.target }; list.ondragover = e => e.preventDefault();
    list.ondrop = e => { e.target.after(dragged) };</script>""")
    await browser.perform(DragPage(PagePoint(10, 10), PagePoint(10, 60)))
    assert await tab.page.evaluate("list.innerText.split(/\\s+/)") == ["two", "one"]


async def test_a_page_that_crashes_while_it_is_pressed_is_told(browser: Browser, tab: Tab, read: Read) -> None:
    await read("<body style='height:500px'>")
    session = await tab.frames.page_session()
    crash = asyncio.create_task(session.send("Page.crash"))

    async def press_on() -> None:
        while True:
            await browser.perform(ClickTarget(PagePoint(50, 50)), settle_s=0)

    # Refused when the crash fell between two presses.
    with pytest.raises((ActionFailed, ActionRefused), match="crashed"):
        await press_on()
    crash.cancel()
    await asyncio.gather(crash, return_exceptions=True)

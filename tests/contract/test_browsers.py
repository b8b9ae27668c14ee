"""What every browser owes: each action arrives at the page as asked, or nothing of it does, and what is told is so."""

from __future__ import annotations

import asyncio
import io
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from PIL import Image

from contract.browsers import BROWSERS, REPORT, VIEWPORT, BrowserUnderTest
from gui_environments.actions import HoldKeys, TypeText
from gui_environments.browser.actions import (
    ClickTarget,
    DragPage,
    HoverTarget,
    MoveMouse,
    PageAction,
    PressKeySequence,
    PressMouse,
    ReleaseMouse,
    ScrollPage,
    ScrollToElement,
    SetField,
)
from gui_environments.browser.events import (
    DialogAnswered,
    DownloadCompleted,
    DownloadStarted,
    PageNavigated,
    TabClosed,
    TabOpened,
)
from gui_environments.browser.values import PagePoint, PageRegion, ReadRequest, TabState
from gui_environments.errors import ActionFailed, ActionRefused
from gui_environments.geometry import Size

WIDTH, HEIGHT = VIEWPORT
RED = (255, 0, 0)
IN_RED = PagePoint(120, 220)
PATIENCE_S = 20.0

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(
    params=[pytest.param(name, marks=() if name == "headless" else pytest.mark.long) for name in BROWSERS],
    scope="module",
    loop_scope="module",
)
async def opened(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[BrowserUnderTest]:
    """One for the whole suite."""
    async with BROWSERS[request.param](tmp_path_factory.mktemp("browser")) as browser:
        yield browser


@pytest_asyncio.fixture(loop_scope="module")
async def browser(opened: BrowserUnderTest) -> BrowserUnderTest:
    """On its page, in the only tab there is, with no event left to be taken."""
    fresh = await opened.environment.open_tab()
    for state in await opened.environment.tab_states():
        if state.tab_id != fresh.tab_id:
            await opened.environment.close_tab(state.tab_id)
    await opened.environment.navigate(opened.page)
    opened.environment.take_events()
    return opened


async def reference(browser: BrowserUnderTest, name: str) -> str:
    text = (await browser.environment.read_page(ReadRequest("all"))).text
    match = re.search(rf'"{name}[^"\n]*" \[(ref_\d+)\]', text)
    assert match, text
    return match[1]


async def seen(browser: BrowserUnderTest, *actions: PageAction) -> list[str]:
    """What the page saw of the actions."""
    await browser.environment.run_script("seen.length = 0")
    for action in actions:
        await browser.environment.perform(action)
    return (await browser.environment.run_script("seen.join(';')")).split(";")


async def value(browser: BrowserUnderTest, script: str) -> str:
    return await browser.environment.run_script(script)


async def refused(browser: BrowserUnderTest, action: PageAction) -> str:
    """Why nothing was done, and that nothing was."""
    await browser.environment.run_script("seen.length = 0; scroll(0, 0)")
    with pytest.raises(ActionRefused) as refusal:
        await browser.environment.perform(action)
    assert await value(browser, "seen.length") == "0"
    return str(refusal.value)


async def test_a_browser_knows_its_viewport(browser: BrowserUnderTest) -> None:
    assert browser.environment.viewport == Size(*VIEWPORT)
    assert await value(browser, "[innerWidth, innerHeight, devicePixelRatio].join()") == f"{WIDTH},{HEIGHT},1"


@pytest.mark.parametrize("at", [(0, 0), (WIDTH - 1, 0), (0, HEIGHT - 1), (WIDTH - 1, HEIGHT - 1), (120, 220)])
async def test_a_click_lands_on_its_pixel(browser: BrowserUnderTest, at: tuple[int, int]) -> None:
    where = f"0,{at[0]},{at[1]}"
    await browser.environment.run_script("document.querySelector('select').style.display = 'none'")
    assert await seen(browser, ClickTarget(PagePoint(*at))) == [f"mousedown {where}", f"mouseup {where}"]


async def test_buttons_counts_and_modifiers_arrive_as_asked(browser: BrowserUnderTest) -> None:
    twice = await seen(browser, ClickTarget(IN_RED, "left", 2))
    assert twice == ["mousedown 0,120,220", "mouseup 0,120,220"] * 2 + ["dblclick 0,120,220"]
    other = await seen(browser, ClickTarget(IN_RED, "middle"))
    assert other[:2] == ["mousedown 1,120,220", "mouseup 1,120,220"]
    held = await seen(browser, ClickTarget(IN_RED, modifiers="shift"))
    assert held == ["keydown Shift", "mousedown 0,120,220", "mouseup 0,120,220", "keyup Shift"]


async def test_a_reference_is_clicked_wherever_it_is(browser: BrowserUnderTest) -> None:
    await browser.environment.perform(ClickTarget(await reference(browser, "Save")))
    assert await value(browser, "document.querySelector('#name').value") == "saved"
    await browser.environment.perform(ClickTarget(await reference(browser, "Far below")))
    assert int(await value(browser, "Math.round(scrollY)")) > HEIGHT
    await browser.environment.perform(ClickTarget(await reference(browser, "Inside")))
    assert "Pressed" in (await browser.environment.read_page(ReadRequest("all"))).text


async def test_the_mouse_moves_drags_and_holds_and_lets_go(browser: BrowserUnderTest) -> None:
    await browser.environment.perform(MoveMouse(PagePoint(300, 500)))
    assert await value(browser, "last") == "300,500,0"
    await browser.environment.perform(HoverTarget(await reference(browser, "Red")))
    assert await value(browser, "document.querySelector('#first').matches(':hover')") == "true"
    dragged = await seen(browser, DragPage(PagePoint(300, 500), PagePoint(350, 510)))
    assert dragged == ["mousedown 0,300,500", "mouseup 0,350,510"]
    assert await seen(browser, PressMouse(PagePoint(300, 500))) == ["mousedown 0,300,500"]
    await browser.environment.perform(MoveMouse(PagePoint(310, 505)))
    assert await value(browser, "last") == "310,505,1"
    assert await seen(browser, ReleaseMouse(PagePoint(320, 506))) == ["mouseup 0,320,506"]
    assert "not down" in await refused(browser, ReleaseMouse(PagePoint(1, 1)))


async def test_the_wheel_and_a_reference_scroll(browser: BrowserUnderTest) -> None:
    assert set(await seen(browser, ScrollPage(PagePoint(300, 550), "down", 3))) == {"wheel 0,300,550"}
    assert await value(browser, "Math.round(scrollY)") == "300"
    await browser.environment.perform(ScrollToElement(await reference(browser, "Far below")))
    assert int(await value(browser, "Math.round(scrollY)")) > HEIGHT


async def test_text_and_keys_arrive_where_the_focus_is(browser: BrowserUnderTest) -> None:
    await browser.environment.perform(ClickTarget(await reference(browser, "Name")))
    await browser.environment.perform(TypeText("Grüße, 漢字 {+}"))
    assert await value(browser, "document.querySelector('#name').value") == "Grüße, 漢字 {+}"
    await browser.environment.perform(PressKeySequence("ctrl+a BackSpace x", 2))
    assert await value(browser, "document.querySelector('#name').value") == "x"
    held = await seen(browser, HoldKeys("shift", 0.02))
    assert (held[0], held[-1]) == ("keydown Shift", "keyup Shift")


async def test_fields_are_given_values(browser: BrowserUnderTest) -> None:
    for name, given in (("Name", "Ada"), ("Colour", "blue"), ("Agreed", True), ("Note", "in a frame")):
        await browser.environment.perform(SetField(await reference(browser, name), given))
    answer = await value(browser, "[...document.querySelectorAll('#name, select, [type=checkbox]')].map((field) => "
                                  "field.type === 'checkbox' ? field.checked : field.value).join()")  # fmt: skip
    assert answer == "Ada,blue,true"
    assert 'textbox "Note"' in (await browser.environment.read_page(ReadRequest("all"))).text
    with pytest.raises(ActionRefused, match=r"red.*blue"):
        await browser.environment.perform(SetField(await reference(browser, "Colour"), "green"))


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (ClickTarget(PagePoint(WIDTH, 1)), "outside"),
        (ClickTarget(PagePoint(1, HEIGHT)), "outside"),
        (ClickTarget(PagePoint(-1, 1)), "outside"),
        (MoveMouse(PagePoint(1, HEIGHT)), "outside"),
        (ScrollPage(PagePoint(WIDTH, 0), "down"), "outside"),
        (DragPage(PagePoint(1, 1), PagePoint(WIDTH, 1)), "outside"),
        (ClickTarget("ref_999999999"), "Read the page again"),
        (SetField("ref_999999999", "x"), "Read the page again"),
        (ScrollToElement("ref_0"), "Read the page again"),
        (ClickTarget(IN_RED, modifiers="ctrl+a"), "modifier"),
        (PressKeySequence("Retrun"), "Return"),
        (PressKeySequence("a nosuchkey"), "nosuchkey"),
        (HoldKeys("nosuchkey", 0.1), "nosuchkey"),
    ],
)
async def test_what_cannot_be_meant_is_refused_before_anything_is_done(
    browser: BrowserUnderTest, action: PageAction, words: str
) -> None:
    assert re.search(words, await refused(browser, action))


async def test_what_cannot_be_pressed_is_refused_with_its_reason(browser: BrowserUnderTest) -> None:
    never, red = await reference(browser, "Never"), await reference(browser, "Red")
    assert "disabled" in await refused(browser, ClickTarget(never))
    cover = "document.body.insertAdjacentHTML('beforeend', '<div role=dialog aria-label=Cover style=\"position:fixed;"
    await value(browser, cover + "inset:0;background:#fff\"><button>Close</button></div>')")
    assert re.search(r'"Cover" \[ref_\d+\]', await refused(browser, ClickTarget(red)))


async def test_a_reference_is_good_for_its_own_document_and_tab_alone(browser: BrowserUnderTest) -> None:
    red = await reference(browser, "Red")
    await browser.environment.navigate("reload")
    assert "Read the page again" in await refused(browser, ClickTarget(red))
    red = await reference(browser, "Red")
    other = await browser.environment.open_tab()
    await browser.environment.navigate(browser.page)
    assert "Read the page again" in await refused(browser, ClickTarget(red))
    await browser.environment.close_tab(other.tab_id)
    await browser.environment.perform(ClickTarget(red))
    await browser.environment.run_script("document.querySelector('#first').remove()")
    assert "Read the page again" in await refused(browser, ClickTarget(red))


async def test_navigation_goes_there_back_forward_and_again(browser: BrowserUnderTest) -> None:
    there = await browser.environment.navigate(browser.site.url("/next"))
    assert (there.url, there.title, there.status) == (browser.site.url("/next"), "Next", 200)
    assert (await browser.environment.navigate("back")).url == browser.page
    assert (await browser.environment.navigate("forward")).title == "Next"
    assert (await browser.environment.navigate("reload")).status == 200
    assert browser.environment.take_events().count(PageNavigated((await only(browser)).tab_id, there.url)) == 3
    missing = await browser.environment.navigate(browser.site.url("/missing"))
    assert missing.status == 404
    assert any("404" in note for note in missing.notes)


@pytest.mark.parametrize("address", ["file:///etc/passwd", "javascript:alert(1)", "chrome://version", "", "data:,x"])
async def test_an_address_of_another_kind_is_refused_and_the_page_stays(
    browser: BrowserUnderTest, address: str
) -> None:
    with pytest.raises(ActionRefused):
        await browser.environment.navigate(address)
    assert (await only(browser)).url == browser.page


async def test_a_server_that_is_not_there_is_said_to_be_so(browser: BrowserUnderTest) -> None:
    with pytest.raises(ActionFailed, match=r"127\.0\.0\.1"):
        await browser.environment.navigate("http://127.0.0.1:1/")
    await browser.environment.navigate(browser.page)


async def only(browser: BrowserUnderTest) -> TabState:
    (state,) = await browser.environment.tab_states()
    return state


async def test_tabs_are_opened_switched_to_and_closed(browser: BrowserUnderTest) -> None:
    first = await only(browser)
    second = await browser.environment.open_tab()
    assert (second.active, second.url) == (True, "about:blank")
    assert [state.active for state in await browser.environment.tab_states()] == [False, True]
    assert (await browser.environment.switch_tab(first.tab_id)).active
    await browser.environment.navigate(browser.site.url("/next"), second.tab_id)
    states = {state.tab_id: state for state in await browser.environment.tab_states()}
    assert states[second.tab_id].title == "Next"
    assert states[first.tab_id].active
    await browser.environment.close_tab(second.tab_id)
    events = browser.environment.take_events()
    assert [one for one in events if isinstance(one, TabOpened | TabClosed)] == [
        TabOpened(second.tab_id),
        TabClosed(second.tab_id),
    ]
    for act in (browser.environment.switch_tab, browser.environment.close_tab):
        with pytest.raises(ActionRefused, match=f"no tab {second.tab_id}"):
            await act(second.tab_id)
    with pytest.raises(ActionRefused, match=f"no tab {second.tab_id}"):
        await browser.environment.read_page(ReadRequest(), second.tab_id)


async def test_a_tab_that_a_page_opens_is_told_once_and_active(browser: BrowserUnderTest) -> None:
    first = await only(browser)
    await browser.environment.perform(ClickTarget(await reference(browser, "Beside")))
    before, opened = await browser.environment.tab_states()
    assert (before.tab_id, before.active, opened.active) == (first.tab_id, False, True)
    assert browser.environment.take_events().count(TabOpened(opened.tab_id)) == 1
    assert (await browser.environment.page_text()).strip().endswith("The next page")
    assert await value(browser, "[innerWidth, innerHeight].join()") == f"{WIDTH},{HEIGHT}"


async def test_pages_are_read_found_in_and_told_as_text(browser: BrowserUnderTest) -> None:
    reading = await browser.environment.read_page(ReadRequest())
    assert {line.role for line in reading.lines} >= {"textbox", "combobox", "checkbox", "button", "link", "iframe"}
    assert "Far below" not in reading.text
    everything = await browser.environment.read_page(ReadRequest("all"))
    assert '"Far below"' in everything.text
    assert everything.complete
    small = await browser.environment.read_page(ReadRequest("all", character_limit=700))
    assert not small.complete
    assert len(small.text) <= 700
    (best, *_) = (await browser.environment.find("button to save")).lines
    assert best.name == "Save"
    assert "Greet" in await browser.environment.page_text()


async def test_pictures_show_the_viewport_and_parts_of_it(browser: BrowserUnderTest) -> None:
    whole = picture((await browser.environment.capture()).data)
    assert whole.size == VIEWPORT
    assert [whole.getpixel(at) for at in ((100, 200), (139, 239))] == [RED, RED]
    assert whole.getpixel((99, 200)) != RED
    part = await browser.environment.capture(PageRegion(100, 200, 140, 240), fit=Size(400, 400))
    assert part.media_type == "image/png"
    assert picture(part.data).getcolors() == [(400 * 400, RED)]
    assert picture(part.data).size == (400, 400)
    small = await browser.environment.capture(fit=Size(400, 300), picture_format="jpeg")
    assert (picture(small.data).size, small.media_type) == ((400, 300), "image/jpeg")


def picture(data: bytes) -> Image.Image:
    with Image.open(io.BytesIO(data)) as image:
        return image.convert("RGB")


async def test_a_dialog_is_answered_and_told(browser: BrowserUnderTest) -> None:
    await browser.environment.perform(ClickTarget(await reference(browser, "Greet")))
    (told,) = [event for event in browser.environment.take_events() if isinstance(event, DialogAnswered)]
    assert (told.tab_id, told.kind, told.message) == ((await only(browser)).tab_id, "alert", "Hello there")
    assert await value(browser, "6 * 7") == "42"


async def test_files_are_given_and_come_down(browser: BrowserUnderTest) -> None:
    await browser.environment.upload_files(await reference(browser, "Files"), [browser.uploads / "photo.txt"])
    assert await value(browser, "document.querySelector('#files').files[0].text()") == "a photo"
    for path in (Path("/etc/hostname"), browser.uploads / "missing.txt"):
        with pytest.raises(ActionRefused):
            await browser.environment.upload_files(await reference(browser, "Files"), [path])
    await browser.environment.perform(ClickTarget(await reference(browser, "Report")))
    events = list(browser.environment.take_events())
    async with asyncio.timeout(PATIENCE_S):
        while not any(isinstance(event, DownloadCompleted) for event in events):
            await asyncio.sleep(0.01)
            events += browser.environment.take_events()
    (begun,) = [event for event in events if isinstance(event, DownloadStarted)]
    (done,) = [event for event in events if isinstance(event, DownloadCompleted)]
    assert begun.download_id == done.download_id
    assert REPORT in done.path.read_text()
    assert (done.path.parent, done.size_bytes) == (browser.downloads, done.path.stat().st_size)


async def test_scripts_give_their_value_or_say_why_not(browser: BrowserUnderTest) -> None:
    assert await value(browser, "Promise.resolve(6 * 7)") == "42"
    assert await value(browser, "document.title") == "Contract"
    with pytest.raises(ActionFailed, match="broken"):
        await browser.environment.run_script("throw new Error('broken')")


async def test_console_and_network_are_told_once(browser: BrowserUnderTest) -> None:
    await browser.environment.read_network()
    await browser.environment.read_console()
    await browser.environment.run_script("console.log('written down'); fetch('/next').then((one) => one.text())")
    written = ""
    async with asyncio.timeout(PATIENCE_S):
        while "written down" not in written:
            written += await browser.environment.read_console()
    assert written.count("written down") == 1
    assert "written down" not in await browser.environment.read_console()
    told = ""
    async with asyncio.timeout(PATIENCE_S):
        while "/next -> 200" not in told:
            told += await browser.environment.read_network()
    assert "/next" not in await browser.environment.read_network()


async def test_a_page_that_hangs_holds_nothing_up_for_ever(browser: BrowserUnderTest) -> None:
    await browser.environment.run_script("void setTimeout(() => { for (;;) ; })")
    with pytest.raises((ActionRefused, ActionFailed)):
        await browser.environment.perform(ClickTarget("ref_1"))
    with pytest.raises((ActionRefused, ActionFailed)):
        await browser.environment.page_text()
    hanging = await only(browser)
    assert (await browser.environment.open_tab()).active
    await browser.environment.close_tab(hanging.tab_id)
    await browser.environment.navigate(browser.page)
    assert await value(browser, "1 + 1") == "2"


async def test_a_cancelled_hold_lets_go_of_its_keys(browser: BrowserUnderTest) -> None:
    await browser.environment.run_script("seen.length = 0")
    holding = asyncio.ensure_future(browser.environment.perform(HoldKeys("ctrl+x", 30)))
    await wait_until_seen(browser, "keydown x")
    holding.cancel()
    await asyncio.gather(holding, return_exceptions=True)
    await wait_until_seen(browser, "keyup Control")


async def wait_until_seen(browser: BrowserUnderTest, event: str) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while event not in await value(browser, "seen.join(';')"):  # noqa: ASYNC110 - the page is another process
            await asyncio.sleep(0.01)

"""An action that is held to what somebody was shown hits that, as it was called, or nothing; also on pages that change
between the question and the press, at the press itself, and in frames."""

from __future__ import annotations

import re
from typing import Any

import pytest

from environments.browser.conftest import Read, reaches, wait_for_script
from environments.browser.site import Site
from gui_environments.browser import Browser, PagePoint
from gui_environments.browser.actions import (
    ClickTarget,
    DragPage,
    HoldKeys,
    HoverTarget,
    MoveMouse,
    PageAction,
    PressKeySequence,
    PressMouse,
    ReleaseMouse,
    ScrollPage,
    SetField,
    TypeText,
)
from gui_environments.browser.tabs.tab import Tab
from gui_environments.errors import ActionFailed, ActionRefused
from gui_environments.sights import PageExpectation, Sight

pytestmark = pytest.mark.asyncio(loop_scope="session")

PAGE = """<title>Till</title><style>body { margin: 0 } button, a, input, select { position: absolute; width: 120px;
height: 40px; box-sizing: border-box }</style>
<button id=pay style="left:20px;top:20px" onclick="did.push('pay')">Pay 5</button>
<button id=other style="left:200px;top:20px" onclick="did.push('other')">Pay 5</button>
<a id=link style="left:20px;top:100px" href="#there">Go on</a>
<input id=name style="left:20px;top:160px" aria-label=Name oninput="did.push('typed')">
<input id=box type=checkbox style="left:200px;top:160px" aria-label=Agree onchange="did.push('ticked')">
<select id=colour style="left:20px;top:220px" aria-label=Colour onchange="did.push('chosen')">
<option>red<option>blue</select>
<script>did = []</script>"""
PAY, LINK = PagePoint(60, 40), PagePoint(60, 120)


def reference_of(reading: str, name: str) -> str:
    match = re.search(rf'"{name}" \[(ref_\d+)\]', reading)
    assert match, reading
    return match[1]


async def see(browser: Browser, tab: Tab, subject: PageAction | str) -> Sight:
    return await browser.look(subject, tab.tab_id)


def expectation(sight: Sight) -> PageExpectation:
    assert isinstance(sight.expected, PageExpectation)
    return sight.expected


async def act(browser: Browser, tab: Tab, action: PageAction, sight: Sight) -> None:
    await browser.perform(action, tab.tab_id, settle_s=0, expected=expectation(sight))


async def done(tab: Tab) -> Any:
    return await tab.page.evaluate("did")


async def test_what_is_as_it_was_is_hit_by_point_and_by_reference(browser: Browser, tab: Tab, read: Read) -> None:
    reference = reference_of(await read(PAGE), "Pay 5")
    for action in (ClickTarget(PAY), ClickTarget(reference)):
        await act(browser, tab, action, await see(browser, tab, action))
    assert await done(tab) == ["pay", "pay"]


async def test_a_sight_says_the_page_and_what_is_pressed(browser: Browser, tab: Tab, read: Read) -> None:
    await read(PAGE)
    sight = await see(browser, tab, ClickTarget(LINK))
    facts = dict(sight.facts)
    assert facts["page"] == tab.page.url
    assert facts["title"] == "Till"
    assert facts["element"] == 'link "Go on"'
    assert facts["leads to"].endswith("#there")
    (spot,) = sight.spots
    assert spot.picture.data
    assert (spot.x, spot.y) != (None, None)
    (before,) = (await see(browser, tab, ClickTarget(PAY))).spots
    assert before.picture.data != spot.picture.data


CHANGES = {
    "its words": "pay.textContent = 'Pay 5000'",
    "its name": "pay.setAttribute('aria-label', 'Pay 5000')",
    "its kind": "pay.setAttribute('role', 'checkbox')",
    "its place": "pay.style.left = '400px'; other.style.left = '20px'",
    "the very element": "pay.replaceWith(pay.cloneNode(true))",
    "what is over it": "other.style.left = '20px'; other.style.zIndex = 9",
    "the address of the page": "history.pushState(0, '', '?elsewhere')",
}


@pytest.mark.parametrize(
    ("by", "change"),
    [*(("point", change) for change in CHANGES), ("reference", "its words"), ("reference", "its place")],
)
async def test_nothing_is_pressed_when_something_changed_since_it_was_shown(
    browser: Browser, tab: Tab, read: Read, change: str, by: str
) -> None:
    reference = reference_of(await read(PAGE), "Pay 5")
    action = ClickTarget(PAY if by == "point" else reference)
    sight = await see(browser, tab, action)
    await tab.page.evaluate(CHANGES[change])
    if change == "its place" and by == "reference":
        await act(browser, tab, action, sight)  # that element, wherever it is
        assert await done(tab) == ["pay"]
        return
    with pytest.raises(ActionRefused):
        await act(browser, tab, action, sight)
    assert await done(tab) == []


async def test_a_link_that_leads_elsewhere_by_now_is_not_followed(browser: Browser, tab: Tab, read: Read) -> None:
    await read(PAGE)
    sight = await see(browser, tab, ClickTarget(LINK))
    await tab.page.evaluate("link.href = '#elsewhere'")
    with pytest.raises(ActionRefused, match="Go on"):
        await act(browser, tab, ClickTarget(LINK), sight)
    assert "#" not in tab.page.url


AT_THE_PRESS = {
    "renames": "pay.textContent = 'Pay 5000'",
    "swaps": "pay.style.left = '400px'; other.style.left = '20px'",
    "covers": "document.body.append(Object.assign(document.createElement('div'), {style: 'position:fixed;inset:0'}))",
    "puts a frame over it": "const frame = document.createElement('iframe'); frame.style = OVER;"
    "document.body.append(frame); frame.contentWindow.onmousedown = () => did.push('framed')",
    "shows a frame that was there": "hidden.style.display = 'block'",
    "shows a frame of another site": "foreign.style.display = 'block'",
}
FRAME = "<body onmousedown=\"top.postMessage('framed', '*')\" style='width:100%;height:100vh'>"


@pytest.mark.parametrize(
    ("by", "change"),
    [*(("point", change) for change in AT_THE_PRESS), ("reference", "renames"), ("reference", "covers")],
)
async def test_a_page_that_changes_when_the_mouse_arrives_gets_no_press(
    browser: Browser, tab: Tab, site: Site, read: Read, change: str, by: str
) -> None:
    site.put("/framed", FRAME)
    over = "position:fixed;inset:0;width:100%;height:100%;display:none"
    page = PAGE + (
        f"<iframe id=hidden src='/framed' style='{over}'></iframe>"
        f"<iframe id=foreign src='{{b}}/framed' style='{over}'></iframe>"
        f"<script>OVER = {over.removesuffix(';display:none')!r}; onmessage = (event) => did.push(event.data);"
        f"addEventListener('pointermove', () => {{ {AT_THE_PRESS[change]} }}, {{ once: true }})"
        "</script>"
    )
    reference = reference_of(await read(page), "Pay 5")
    action = ClickTarget(PAY if by == "point" else reference)
    sight = await see(browser, tab, action)
    with pytest.raises(ActionRefused):
        await act(browser, tab, action, sight)
    assert await done(tab) == []
    if change == "puts a frame over it":  # then it has come, and is not held to anything any more
        await browser.perform(ClickTarget(PAY), tab.tab_id, settle_s=0)
        assert await tab.page.evaluate("did.splice(0)") == ["framed"]
    await tab.page.evaluate("document.querySelectorAll('iframe, div').forEach((each) => each.remove())")
    # What stopped it is gone: the next press, which nobody was asked about, arrives.
    await browser.perform(ClickTarget(PagePoint(260 if change != "swaps" else 460, 40)), tab.tab_id, settle_s=0)
    assert len(await done(tab)) == 1


async def test_of_a_double_click_the_second_press_too_goes_to_what_was_shown(
    browser: Browser, tab: Tab, read: Read
) -> None:
    await read(PAGE)
    action = ClickTarget(PAY, count=2)
    await act(browser, tab, action, await see(browser, tab, action))
    assert await done(tab) == ["pay", "pay"]
    await read(PAGE + "<script>pay.onmouseup = () => { pay.style.left = '400px'; other.style.left = '20px' }</script>")
    sight = await see(browser, tab, action)
    with pytest.raises(ActionFailed, match="The first press arrived"):
        await act(browser, tab, action, sight)
    assert "other" not in await done(tab)


async def test_a_page_that_flickers_gets_a_press_only_while_it_is_as_it_was(
    browser: Browser, tab: Tab, read: Read
) -> None:
    flicker = (
        "<script>said = []; pay.onclick = () => said.push(pay.textContent);"
        "setInterval(() => pay.textContent = pay.textContent === 'Pay 5' ? 'Pay 5000' : 'Pay 5', 1)</script>"
    )
    await read(PAGE + flicker)
    for _ in range(6):
        sight = await see(browser, tab, ClickTarget(PAY))
        shown = expectation(sight).elements[0].text
        await tab.page.evaluate("said.length = 0")
        try:
            await act(browser, tab, ClickTarget(PAY), sight)
        except ActionRefused:
            assert await tab.page.evaluate("said") == []
        else:
            # Named at the press; the click comes with the release.
            assert len(await tab.page.evaluate("said")) == 1, shown


async def test_another_page_by_then_gets_no_press(browser: Browser, tab: Tab, site: Site, read: Read) -> None:
    await read(PAGE)
    sight = await see(browser, tab, ClickTarget(PAY))
    await tab.page.reload()
    with pytest.raises(ActionRefused, match="another than when this was approved"):
        await act(browser, tab, ClickTarget(PAY), sight)
    assert await done(tab) == []


async def test_a_link_that_leaves_the_page_is_followed_when_it_is_what_was_shown(
    browser: Browser, tab: Tab, site: Site, read: Read
) -> None:
    there = site.put("/there", "<script>did = []; onclick = () => did.push('next')</script><p>there")
    await read(PAGE + "<script>link.href = '/there'</script>")
    sight = await see(browser, tab, ClickTarget(LINK))
    await browser.perform(ClickTarget(LINK), tab.tab_id, expected=expectation(sight))
    assert tab.page.url == there
    # The new page is not held to anything.
    await browser.perform(ClickTarget(PagePoint(10, 10)), tab.tab_id, settle_s=0)
    assert await done(tab) == ["next"]


@pytest.mark.parametrize("host", ["a", "b"])
async def test_elements_of_frames_are_hit_and_held_to(
    browser: Browser, tab: Tab, site: Site, read: Read, host: str
) -> None:
    site.put("/till", PAGE + "<script>onclick = () => top.postMessage(did.join(), '*')</script>")
    outer = (
        "<body style='margin:0'><script>did = []; onmessage = (event) => did.push(event.data)</script>"
        "<style>iframe { border: 0; position: absolute; left: 100px; top: 50px; width: 600px; height: 300px }</style>"
        f"<iframe src='{{{host}}}/till'></iframe>"
    )
    await read(outer)
    point = PagePoint(160, 90)
    await reaches(tab, tab.page.frames[1], point)
    sight = await see(browser, tab, ClickTarget(point))
    assert dict(sight.facts)["element"] == 'button "Pay 5"'
    assert dict(sight.facts)["in a frame of"] == site.url("/till", host)
    await act(browser, tab, ClickTarget(point), sight)
    await wait_for_script(tab, "did.length")
    assert await done(tab) == ["pay"]
    sight = await see(browser, tab, ClickTarget(point))
    await tab.page.frames[1].evaluate("pay.textContent = 'Pay 5000'")
    with pytest.raises(ActionRefused):
        await act(browser, tab, ClickTarget(point), sight)
    assert await tab.page.frames[1].evaluate("did") == ["pay"]


@pytest.mark.parametrize(
    "action", [TypeText("ab"), TypeText("世界"), PressKeySequence("a b"), HoldKeys("a", 0.01)], ids=repr
)
async def test_keys_go_to_the_field_that_was_shown_and_to_no_other(
    browser: Browser, tab: Tab, read: Read, action: PageAction
) -> None:
    await read(PAGE + "<input id=second aria-label=Second style='left:20px;top:300px'>")
    await tab.page.focus("#name")
    sight = await see(browser, tab, action)
    assert dict(sight.facts)["element"] == 'textbox "Name"'
    await act(browser, tab, action, sight)
    assert "typed" in await done(tab)
    await tab.page.focus("#second")
    with pytest.raises(ActionRefused, match="Second"):
        await act(browser, tab, action, sight)
    assert await tab.page.evaluate("second.value") == ""


async def test_a_page_that_moves_the_focus_to_another_frame_does_not_get_the_rest(
    browser: Browser, tab: Tab, site: Site, read: Read
) -> None:
    site.put("/bank", "<input id=pin autofocus aria-label=Pin oninput=\"top.postMessage('digit', '*')\">")
    await read(
        "<input id=trap oninput=\"did.push(this.value)\"><iframe src='{b}/bank'></iframe><script>did = [];"
        "heard = []; addEventListener('keydown', (event) => heard.push(event.key), true);"
        "onmessage = () => trap.focus()</script>"
    )
    await tab.page.frames[1].focus("#pin")
    sight = await see(browser, tab, TypeText("4711"))
    assert dict(sight.facts)["element"] == 'textbox "Pin"'
    with pytest.raises(ActionFailed, match="another frame"):
        await act(browser, tab, TypeText("4711"), sight)
    assert await done(tab) == []
    assert len(await tab.page.evaluate("heard")) <= 1


@pytest.mark.parametrize(
    ("name", "value", "what"), [("Name", "Ada", "typed"), ("Agree", True, "ticked"), ("Colour", "blue", "chosen")]
)
async def test_a_field_is_set_while_it_is_what_was_shown(
    browser: Browser, tab: Tab, read: Read, name: str, value: str | bool, what: str
) -> None:
    reference = reference_of(await read(PAGE), name)
    action = SetField(reference, value)
    sight = await see(browser, tab, action)
    await act(browser, tab, action, sight)
    assert what in await done(tab)
    await act(browser, tab, action, sight)  # it holds the value already: there is nothing to be done
    await tab.page.evaluate(f"did.length = 0; document.querySelector('[aria-label={name}]').ariaLabel = 'Else'")
    with pytest.raises(ActionRefused, match="Else"):
        await act(browser, tab, action, sight)
    assert await done(tab) == []


@pytest.mark.parametrize(
    "action",
    [
        HoverTarget(PAY), MoveMouse(PAY), ScrollPage(PAY, "down", 1), PressMouse(PAY),
        DragPage(PAY, PagePoint(260, 40)),
    ],
    ids=lambda action: type(action).__name__,
)  # fmt: skip
async def test_every_way_of_pointing_is_held_to_what_is_there(
    browser: Browser, tab: Tab, read: Read, action: PageAction
) -> None:
    heard = (
        "<script>for (const type of ['mousedown', 'mousemove', 'wheel']) addEventListener(type, () => did.push(type))"
        "</script>"
    )
    await read(PAGE + heard)
    sight = await see(browser, tab, action)
    await act(browser, tab, action, sight)
    assert await done(tab) != []
    if isinstance(action, PressMouse):
        await act(browser, tab, ReleaseMouse(PAY), await see(browser, tab, ReleaseMouse(PAY)))
        assert "pay" in await done(tab)
    await read(PAGE + heard)  # anew: nothing of the first can arrive late
    sight = await see(browser, tab, action)
    await tab.page.evaluate("pay.textContent = 'Something else'")
    with pytest.raises(ActionRefused, match="Something else"):
        await act(browser, tab, action, sight)
    assert await done(tab) == []


async def test_a_covered_or_vanished_element_needs_no_question(browser: Browser, tab: Tab, read: Read) -> None:
    reference = reference_of(await read(PAGE), "Pay 5")
    await tab.page.evaluate("pay.disabled = true")
    with pytest.raises(ActionRefused, match="disabled"):
        await see(browser, tab, ClickTarget(reference))
    await tab.page.evaluate("pay.remove()")
    with pytest.raises(ActionRefused, match="removed"):
        await see(browser, tab, ClickTarget(reference))
    with pytest.raises(ActionRefused, match="outside"):
        await see(browser, tab, ClickTarget(PagePoint(5000, 1)))


async def test_a_script_and_an_upload_are_held_to_the_page(browser: Browser, tab: Tab, read: Read) -> None:
    await read(PAGE)
    sight = await browser.look(None, tab.tab_id)
    assert await browser.run_script("1 + 1", tab.tab_id, expected=expectation(sight)) == "2"
    await tab.page.reload()
    with pytest.raises(ActionRefused, match="another than"):
        await browser.run_script("1 + 1", tab.tab_id, expected=expectation(sight))
    with pytest.raises(ActionRefused, match="another than"):
        await browser.require_unchanged(expectation(sight), tab.tab_id)

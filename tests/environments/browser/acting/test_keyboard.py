"""Keys in a page: real events of a US keyboard, text that arrives whole, nothing left down."""

from __future__ import annotations

import asyncio
import string

import pytest

from environments.browser.conftest import PATIENCE_S, wait_for_script
from environments.browser.site import Site
from gui_environments.browser import Browser, ReadRequest, read_page
from gui_environments.browser.acting.keyboard import hold_keys, press_sequence, type_text
from gui_environments.browser.tabs.tab import Tab
from gui_environments.errors import ActionRefused

pytestmark = pytest.mark.asyncio(loop_scope="session")

LOGGING = """<textarea id=t rows=9 cols=60></textarea><script>
globalThis.log = [];
for (const type of ['keydown', 'keypress', 'keyup', 'input'])
  addEventListener(type, e => log.push([type, e.key ?? e.data, e.code ?? '', e.which, e.location ?? 0,
    ['ctrl', 'shift', 'alt', 'meta'].filter(name => e[name + 'Key']).join()]), true);
t.focus();
</script>"""

EVERYTHING = string.ascii_letters + string.digits + string.punctuation + " "


async def show(tab: Tab, site: Site, body: str = LOGGING) -> None:
    await tab.page.goto(site.put("/keys", body))


async def log(tab: Tab) -> list[list[str]]:
    return await tab.page.evaluate("log")


async def value(tab: Tab) -> str:
    return await tab.page.evaluate("t.value")


async def down_codes(tab: Tab) -> set[str]:
    """Keys that went down and have not come up."""
    down: set[str] = set()
    for kind, _, code, *_ in await log(tab):
        if kind == "keydown":
            down.add(code)
        elif kind == "keyup":
            down.discard(code)
    return down


async def test_all_of_ascii_arrives_by_key_events(tab: Tab, site: Site) -> None:
    await show(tab, site)
    await type_text(tab, EVERYTHING)
    assert await value(tab) == EVERYTHING
    events = await log(tab)
    assert [event[1] for event in events if event[0] == "keydown"] == list(EVERYTHING)
    assert [chr(event[3]) for event in events if event[0] == "keypress"] == list(EVERYTHING)
    assert not await down_codes(tab)


async def test_a_key_is_the_one_a_us_keyboard_has(tab: Tab, site: Site) -> None:
    await show(tab, site)
    await type_text(tab, "aA1!")
    downs = [event[1:] for event in await log(tab) if event[0] == "keydown"]
    assert downs == [
        ["a", "KeyA", 65, 0, ""],
        ["A", "KeyA", 65, 0, "shift"],
        ["1", "Digit1", 49, 0, ""],
        ["!", "Digit1", 49, 0, "shift"],
    ]


@pytest.mark.parametrize(
    "text",
    ["Č Ř ß é ñ “quoted” €", "漢字かな交じり文", "שלום عالم", "👩‍👩‍👧 🇨🇭 é e\u0301", "a漢b字c", "{(%~+$(x)\\}"],
)
async def test_text_of_every_script_arrives_whole_and_in_order(tab: Tab, site: Site, text: str) -> None:
    await show(tab, site)
    long = (text + " ") * (500 // len(text))
    await type_text(tab, long)
    assert await value(tab) == long


async def test_newlines_press_enter_and_tabs_press_tab(tab: Tab, site: Site) -> None:
    await show(tab, site)
    await type_text(tab, "one\r\ntwo\n\t")
    assert await value(tab) == "one\ntwo\n"
    assert [event[1] for event in await log(tab) if event[0] == "keydown"][-2:] == ["Enter", "Tab"]
    assert await tab.page.evaluate("document.activeElement.id") != "t"


async def test_enter_sends_a_form(tab: Tab, site: Site) -> None:
    site.put("/sent", "sent")
    await show(
        tab, site, "<form action=/sent><input name=q autofocus></form><script>document.forms[0].q.focus()</script>"
    )
    await type_text(tab, "words\n")
    await tab.page.wait_for_url("**/sent?q=words")


@pytest.mark.parametrize("text", ["", "a\x07b", "a\x1b", "half \ud800 of one"])
async def test_what_cannot_be_typed_is_refused_before_the_first_key(tab: Tab, site: Site, text: str) -> None:
    await show(tab, site)
    with pytest.raises(ActionRefused):
        await type_text(tab, text)
    assert await log(tab) == []


async def test_typing_reaches_the_field_of_a_frame_of_another_site(tab: Tab, site: Site) -> None:
    site.put("/inner", LOGGING)
    await show(tab, site, "<iframe src='{b}/inner' width=500 height=300></iframe>")
    frame = tab.page.frames[1]
    await frame.evaluate("t.focus()")
    await type_text(tab, "in the frame")
    assert await frame.evaluate("t.value") == "in the frame"


async def test_a_mask_that_listens_for_keys_is_fed(tab: Tab, site: Site) -> None:
    mask = (
        "<input id=t><script>t.onkeydown = e => { e.preventDefault(); if (/\\d/.test(e.key)) t.value += e.key + '-' };"
    )
    await show(tab, site, mask + "t.focus()</script>")
    await type_text(tab, "1a2b3")
    assert await value(tab) == "1-2-3-"


CHORDS = {
    "Return": ["Enter", "Enter", 13, 0, ""],
    "enter": ["Enter", "Enter", 13, 0, ""],
    "Page_Up": ["PageUp", "PageUp", 33, 0, ""],
    "esc": ["Escape", "Escape", 27, 0, ""],
    "KP_5": ["5", "Numpad5", 101, 3, ""],
    "F12": ["F12", "F12", 123, 0, ""],
    "Left": ["ArrowLeft", "ArrowLeft", 37, 0, ""],
    "ctrl+A": ["a", "KeyA", 65, 0, "ctrl"],
    "ctrl++": ["+", "Equal", 187, 0, "ctrl,shift"],
    "ctrl+-": ["-", "Minus", 189, 0, "ctrl"],
    "ctrl+/": ["/", "Slash", 191, 0, "ctrl"],
    "shift+a": ["A", "KeyA", 65, 0, "shift"],
    "shift+1": ["!", "Digit1", 49, 0, "shift"],
    "shift+Tab": ["Tab", "Tab", 9, 0, "shift"],
    "cmd+k": ["k", "KeyK", 75, 0, "meta"],
    "?": ["?", "Slash", 191, 0, "shift"],
    "space": [" ", "Space", 32, 0, ""],
    "A": ["A", "KeyA", 65, 0, "shift"],
}


@pytest.mark.parametrize("chord", CHORDS)
async def test_a_chord_is_the_keys_it_names(tab: Tab, site: Site, chord: str) -> None:
    await show(tab, site)
    await press_sequence(tab, chord)
    assert [event[1:] for event in await log(tab) if event[0] == "keydown"][-1] == CHORDS[chord]
    assert not await down_codes(tab)


async def test_modifiers_go_down_first_and_come_up_last(tab: Tab, site: Site) -> None:
    await show(tab, site)
    await press_sequence(tab, "ctrl+shift+x")
    assert [event[:2] + event[5:] for event in await log(tab)] == [
        ["keydown", "Control", "ctrl"],
        ["keydown", "Shift", "ctrl,shift"],
        ["keydown", "X", "ctrl,shift"],
        ["keyup", "X", "ctrl,shift"],
        ["keyup", "Shift", "ctrl"],
        ["keyup", "Control", ""],
    ]


async def test_a_sequence_is_pressed_in_order_and_repeated_whole(tab: Tab, site: Site) -> None:
    await show(tab, site)
    await press_sequence(tab, "a shift+b Return", repeat=3)
    assert await value(tab) == "aB\n" * 3


async def test_editing_keys_edit(tab: Tab, site: Site) -> None:
    await show(tab, site)
    await type_text(tab, "one two three")
    await press_sequence(tab, "ctrl+a ctrl+c End ctrl+v ctrl+BackSpace BackSpace Home Delete")
    assert await value(tab) == "ne two threeone two"
    await press_sequence(tab, "shift+End")
    await type_text(tab, "x")
    assert await value(tab) == "x"


@pytest.mark.parametrize("keys", ["", "  ", "ctrl+nosuch", "a b nosuch", "é", "ctrl+", "a+b+c+d+e+f+g+h+i"])
async def test_what_is_no_key_is_refused_before_anything_is_pressed(tab: Tab, site: Site, keys: str) -> None:
    await show(tab, site)
    with pytest.raises(ActionRefused):
        await press_sequence(tab, keys)
    assert await log(tab) == []


async def test_a_held_key_repeats_and_comes_up(tab: Tab, site: Site) -> None:
    await show(tab, site)
    await hold_keys(tab, "a", 0.7)
    events = [event[0] for event in await log(tab) if event[0] in ("keydown", "keyup")]
    assert events.count("keydown") > 2
    assert events[-1] == "keyup"
    assert events.count("keyup") == 1


async def test_a_cancelled_hold_leaves_no_key_down(tab: Tab, site: Site) -> None:
    await show(tab, site)
    holding = asyncio.create_task(hold_keys(tab, "ctrl+shift+a", 30))
    await wait_for_script(tab, "log.length >= 3")
    holding.cancel()
    with pytest.raises(asyncio.CancelledError):
        await holding
    assert not await down_codes(tab)


async def test_cancelled_typing_leaves_no_key_down(tab: Tab, site: Site) -> None:
    await show(tab, site)
    typing = asyncio.create_task(type_text(tab, "abc" * 2000))
    await wait_for_script(tab, "log.length > 100")
    typing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await typing
    await press_sequence(tab, "F9")  # comes after everything that was sent
    assert not await down_codes(tab)
    assert 0 < len(await value(tab)) < 6000


ANSWERS = {
    "at once": "go()",
    "in a microtask": "Promise.resolve().then(go)",
    "in a task": "setTimeout(go)",
    "in a frame": "requestAnimationFrame(go)",
}


@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize("where", ["page", "frame"])
async def test_a_code_goes_into_boxes_that_hand_the_focus_on(
    tab: Tab, site: Site, browser: Browser, answer: str, where: str
) -> None:
    boxes = "<input maxlength=1>" * 6 + "<script>const b = [...document.querySelectorAll('input')]; b.forEach((x, i) =>"
    body = (
        boxes + f"x.oninput = () => {{ const go = () => b[i + 1]?.focus(); {ANSWERS[answer]} }}); b[0].focus()</script>"
    )
    site.put("/boxes", body)
    await show(tab, site, body if where == "page" else "<iframe src='{b}/boxes'></iframe>")
    await read_page(tab, browser.references, ReadRequest())
    frame = tab.page.frames[-1]
    await frame.evaluate("b[0].focus()")
    await type_text(tab, "123456")
    await frame.wait_for_function("b.map(box => box.value).join('') === '123456'", timeout=PATIENCE_S * 1000)


async def test_a_field_that_puts_its_value_back_and_sets_it_later_gets_all_of_it(tab: Tab, site: Site) -> None:
    script = "let kept = ''; t.oninput = () => { const next = t.value; t.value = kept;"
    script += "setTimeout(() => { kept = next; t.value = next }) }; t.focus()"
    await show(tab, site, f"<input id=t><script>{script}</script>")
    await type_text(tab, "all of it")
    await wait_for_script(tab, "t.value === 'all of it'")

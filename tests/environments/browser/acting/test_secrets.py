"""A secret goes into a field of a page that it is bound to, whole, and no part of it goes anywhere else: whatever
frames there are, and whatever a page does with the focus."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.async_api import Frame

from environments.browser.conftest import Read, wait_for_script
from environments.browser.site import Site
from gui_environments.browser import Browser
from gui_environments.browser.actions import SetField, TypeFilled, TypeText
from gui_environments.browser.tabs.tab import Tab
from gui_environments.egress.entries import parse_entry
from gui_environments.errors import ActionFailed, ActionRefused
from gui_environments.secrets import SecretText
from gui_environments.sights import PageExpectation

pytestmark = pytest.mark.asyncio(loop_scope="session")

VALUE = "h9Q!canary é"

LISTENS = """<script>heard = []; for (const type of ['keydown', 'keypress', 'keyup', 'beforeinput', 'input', 'paste'])
addEventListener(type, (event) => heard.push(event.key ?? event.data ?? event.type), true)</script>"""


def secret_for(*hosts: str, value: str = VALUE) -> SecretText:
    return SecretText("PASSWORD", value, tuple(map(parse_entry, hosts)))


async def enter(browser: Browser, tab: Tab, *pieces: str | SecretText) -> tuple[str, ...]:
    outcome = await browser.perform(TypeFilled(pieces), tab.tab_id, settle_s=0)
    return outcome.notes


async def fill(browser: Browser, tab: Tab, reading: str, value: str | SecretText, name: str = "f") -> str:
    found = re.search(rf'"{name}" \[(ref_\d+)\]', reading)
    assert found, reading
    pieces = value if isinstance(value, tuple) else (value,)
    outcome = await browser.perform(SetField(found[1], pieces), tab.tab_id, settle_s=0)
    return " ".join(outcome.notes)


async def held(place: Tab | Frame, selector: str = "[aria-label=f]") -> Any:
    frame = place.page if isinstance(place, Tab) else place
    return await frame.eval_on_selector(selector, "e => e.value ?? e.innerText")


async def focus(place: Tab | Frame, selector: str = "[aria-label=f]") -> None:
    frame = place.page if isinstance(place, Tab) else place
    await frame.focus(selector)


def frame_of(tab: Tab, url: str) -> Frame:
    return next(frame for frame in tab.page.frames if frame.url.startswith(url))


FIELDS = (
    "<input type=password aria-label=f>",
    "<input aria-label=f>",
    "<textarea aria-label=f></textarea>",
    "<div contenteditable role=textbox aria-label=f></div>",
)


@pytest.mark.parametrize("field", FIELDS)
async def test_it_is_typed_into_the_field_with_the_focus_on_a_host_it_is_bound_to(
    browser: Browser, tab: Tab, read: Read, field: str
) -> None:
    await read(LISTENS + field)
    await focus(tab)
    assert await enter(browser, tab, secret_for("127.0.0.1")) == ()
    assert await held(tab) == VALUE
    # Handlers for keys hear of it, and real input comes with it.
    heard = await tab.page.evaluate("heard")
    assert heard[:5] == [VALUE[0]] * 5
    assert len(heard) == 5 * len(VALUE)


@pytest.mark.parametrize("field", FIELDS)
async def test_it_is_set_in_the_field_of_a_reference_and_what_that_held_is_gone(
    browser: Browser, tab: Tab, read: Read, field: str
) -> None:
    reading = await read(LISTENS + field.replace("></", ">old</").replace("<input", "<input value=old"), "all")
    assert await fill(browser, tab, reading, secret_for("127.0.0.1")) == ""
    assert await held(tab) == VALUE
    assert await fill(browser, tab, reading, ("pin ", secret_for("127.0.0.1"), "!")) == ""
    assert await held(tab) == f"pin {VALUE}!"


async def test_what_stands_around_it_is_typed_as_keys(browser: Browser, tab: Tab, read: Read) -> None:
    fields = "<input id=u><input id=p type=password><button>Go</button>"
    await read(f"<form onsubmit='sent = [u.value, p.value]; return false'>{fields}</form>")
    await focus(tab, "#u")
    await enter(browser, tab, "Ada\t", secret_for("127.0.0.1"), "\n")
    await wait_for_script(tab, "window.sent")
    assert await tab.page.evaluate("sent") == ["Ada", VALUE]


@pytest.mark.parametrize(
    "hosts", [("localhost",), ("127.0.0.1:1",), ("https://127.0.0.1",), ("*.example.com", "localhost"), ()]
)
async def test_on_any_other_host_it_is_refused_and_nothing_is_entered(
    browser: Browser, tab: Tab, read: Read, site: Site, hosts: tuple[str, ...]
) -> None:
    reading = await read(LISTENS + "<input aria-label=f>", "all")
    await focus(tab)
    secret = secret_for(*hosts)
    for pieces in ((secret,), ("Ada ", secret)):
        with pytest.raises(ActionRefused) as refused:
            await enter(browser, tab, *pieces)
        assert f'"{site.url("")}"' in str(refused.value)
        assert secret.bound_to in str(refused.value)
        assert VALUE not in str(refused.value)
    with pytest.raises(ActionRefused, match="It was not filled in") as refused:
        await fill(browser, tab, reading, secret)
    assert VALUE not in str(refused.value)
    assert (await held(tab), await tab.page.evaluate("heard")) == ("", [])


async def test_the_page_that_has_the_field_counts_and_not_the_page_around_it(
    browser: Browser, tab: Tab, read: Read, site: Site
) -> None:
    site.put("/inner", LISTENS + "<input aria-label=f>")
    reading = await read("<p>around</p><iframe src='{c}/inner'></iframe><iframe src='{b}/inner'></iframe>", "all")
    c, b = frame_of(tab, site.url("/inner", "c")), frame_of(tab, site.url("/inner", "b"))
    references = re.findall(r'"f" \[(ref_\d+)\]', reading)
    assert len(references) == 2
    await focus(c)
    await enter(browser, tab, secret_for("localhost"))
    assert await held(c) == VALUE
    with pytest.raises(ActionRefused, match="It was not filled in"):
        await enter(browser, tab, secret_for("127.0.0.1"))
    await focus(b)
    with pytest.raises(ActionRefused, match="It was not filled in"):
        await enter(browser, tab, secret_for("127.0.0.1", "localhost"))
    await browser.perform(SetField(references[1], (secret_for("127.0.0.2"),)), tab.tab_id, settle_s=0)
    assert (await held(c), await held(b)) == (VALUE, VALUE)
    with pytest.raises(ActionRefused, match="It was not filled in"):
        await browser.perform(SetField(references[0], (secret_for("127.0.0.2"),)), tab.tab_id, settle_s=0)


BLOB = "i.src = URL.createObjectURL(new Blob(['<input aria-label=f>'], {type: 'text/html'}))"
FRAMES_WITHOUT_AN_ADDRESS = {
    "srcdoc": ("<iframe srcdoc='<input aria-label=f>'></iframe>", True),
    "about:blank": (
        "<iframe id=i></iframe><script>i.contentDocument.body.innerHTML = '<input aria-label=f>'</script>",
        True,
    ),
    "a blob": (f"<iframe id=i></iframe><script>{BLOB}</script>", True),
    "a sandbox": ("<iframe sandbox='allow-scripts' srcdoc='<input aria-label=f>'></iframe>", False),
    "data": ("<iframe src='data:text/html,<input aria-label=f>'></iframe>", False),
}


@pytest.mark.parametrize(("body", "inherits"), FRAMES_WITHOUT_AN_ADDRESS.values(), ids=FRAMES_WITHOUT_AN_ADDRESS.keys())
async def test_a_frame_without_an_address_is_of_the_host_that_the_browser_says(
    browser: Browser, tab: Tab, read: Read, body: str, *, inherits: bool
) -> None:
    await read(body)
    inner = next(frame for frame in tab.page.frames if frame is not tab.page.main_frame)
    await inner.wait_for_selector("[aria-label=f]")
    await focus(inner)
    if inherits:
        await enter(browser, tab, secret_for("127.0.0.1"))
        assert await held(inner) == VALUE
    else:
        with pytest.raises(ActionRefused, match="in a page of no host"):
            await enter(browser, tab, secret_for("127.0.0.1"))
        assert await held(inner) == ""


THIEF = (
    LISTENS
    + """<input><script>
addEventListener('message', () => { const take = () => { focus(); document.querySelector('input').focus() };
take(); setInterval(take, 1) })</script>"""
)


@pytest.mark.parametrize("when", ["keydown", "input"])
@pytest.mark.parametrize("how", ["thief.focus()", "thief.contentWindow.postMessage(1, '*')"], ids=["gives", "taken"])
async def test_no_part_of_it_goes_to_a_frame_that_gets_the_focus_meanwhile(
    browser: Browser, tab: Tab, read: Read, site: Site, when: str, how: str
) -> None:
    site.put("/thief", THIEF)
    await read(
        "<input aria-label=f><iframe id=thief src='{b}/thief'></iframe><script>"
        f"addEventListener('{when}', () => {{ {how} }}, true)</script>"
    )
    await focus(tab)
    said, whole = "", True
    try:
        await enter(browser, tab, secret_for("127.0.0.1"))
    except (ActionRefused, ActionFailed) as error:
        said, whole = str(error), False
    assert VALUE not in said
    thief = frame_of(tab, site.url("/thief", "b"))
    assert await thief.evaluate("[heard.length, document.querySelector('input').value]") == [0, ""]
    entered = await held(tab)
    assert entered == VALUE if whole else VALUE.startswith(entered)


async def test_a_field_that_lost_the_focus_before_the_first_character_gets_nothing(
    browser: Browser, tab: Tab, read: Read
) -> None:
    await read("<input aria-label=f><button id=b>away</button><script>"
               "addEventListener('keydown', () => b.focus(), true)</script>")  # fmt: skip
    await focus(tab)
    with pytest.raises(ActionRefused, match="the focus is not on the field"):
        await enter(browser, tab, secret_for("127.0.0.1"))
    assert await held(tab) == ""


@pytest.mark.parametrize("body", ["<p>nothing</p>", "<button aria-label=f>b</button>", "<input readonly aria-label=f>"])
async def test_where_nothing_takes_text_it_is_refused(browser: Browser, tab: Tab, read: Read, body: str) -> None:
    await read(LISTENS + body)
    if "aria-label" in body:
        await focus(tab)
    with pytest.raises(ActionRefused, match=r"takes no text|not on the field"):
        await enter(browser, tab, secret_for("127.0.0.1"))
    assert await tab.page.evaluate("heard") == []


BOXES = "".join(f"<input maxlength=1 class=box aria-label=b{at}>" for at in range(6))
MOVES_ON = {
    "at once": "addEventListener('input', (e) => e.target.nextElementSibling?.focus())",
    "at the key's end": "addEventListener('keyup', (e) => e.target.nextElementSibling?.focus?.())",
    "a moment later": "addEventListener('input', (e) => setTimeout(() => e.target.nextElementSibling?.focus?.(), 5))",
    "by taking the key": "addEventListener('keydown', (e) => { e.preventDefault(); e.target.value = e.key; "
    "e.target.nextElementSibling?.focus?.() })",
}


@pytest.mark.parametrize("script", MOVES_ON.values(), ids=MOVES_ON.keys())
async def test_a_code_goes_into_boxes_of_a_page_that_moves_on_from_one_to_the_next(
    browser: Browser, tab: Tab, read: Read, script: str
) -> None:
    await read(f"<div>{BOXES}</div><script>{script}</script>")
    await focus(tab, ".box")
    await enter(browser, tab, secret_for("127.0.0.1", value="493812"))
    assert await tab.page.eval_on_selector_all(".box", "all => all.map((box) => box.value).join('')") == "493812"


async def test_what_the_page_makes_of_it_is_not_told_nor_read(browser: Browser, tab: Tab, read: Read) -> None:
    spaced = "addEventListener('input', (e) => e.target.value = [...e.target.value.replaceAll('-', '')].join('-'))"
    reading = await read(f"<input aria-label=f><textarea aria-label=g></textarea><script>{spaced}</script>", "all")
    notes = await fill(browser, tab, reading, secret_for("127.0.0.1"))
    assert notes == "The page changed what was entered."
    assert "h-9-Q" in await held(tab)
    notes = await fill(browser, tab, reading, secret_for("127.0.0.1"), "g")
    assert notes == "The page changed what was entered."
    again = await read(None, "all")
    assert "h-9" not in again + await browser.page_text(tab.tab_id)
    await tab.page.eval_on_selector("[aria-label=f]", "e => e.value = 'h-9-Q-!'")
    assert not any("h-9" in note for note in (await browser.perform(TypeText("x"), tab.tab_id, settle_s=0)).notes)


async def test_a_field_that_does_not_take_all_of_it_is_told_of(browser: Browser, tab: Tab, read: Read) -> None:
    await read("<input aria-label=f maxlength=5>")
    await focus(tab)
    (note,) = await enter(browser, tab, secret_for("127.0.0.1"))
    assert "The field does not hold all of {{PASSWORD}}" in note
    assert await held(tab) == VALUE[:5]


async def test_what_does_not_fit_a_field_is_refused_without_a_word_on_its_length(
    browser: Browser, tab: Tab, read: Read
) -> None:
    reading = await read(
        "<input aria-label=short maxlength=5><input aria-label=line><input type=date aria-label=date>"
        "<select aria-label=list><option>a</select><input type=checkbox aria-label=box>",
        "all",
    )
    several = secret_for("127.0.0.1", value="several\nlines")
    for name, secret in (("short", None), ("line", several), ("date", None), ("list", None), ("box", None)):
        with pytest.raises(ActionRefused, match="Nothing was entered") as refused:
            await fill(browser, tab, reading, secret or secret_for("127.0.0.1"), name)
        assert str(len(VALUE)) not in re.sub(r"ref_\d+", "", str(refused.value))
    assert await held(tab, "[aria-label=short]") == ""


async def test_several_lines_go_into_a_field_of_several_lines(browser: Browser, tab: Tab, read: Read) -> None:
    key = "-----BEGIN-----\nabcd\n-----END-----\n"
    reading = await read("<textarea aria-label=f></textarea>", "all")
    assert await fill(browser, tab, reading, secret_for("127.0.0.1", value=key)) == ""
    assert await held(tab) == key


async def test_what_somebody_was_asked_about_is_held_to(browser: Browser, tab: Tab, read: Read) -> None:
    await read("<label>Password <input aria-label=f></label><input aria-label=g>")
    await focus(tab)
    sight = await browser.look(TypeText("{{PASSWORD}}"), tab.tab_id)
    assert isinstance(sight.expected, PageExpectation)
    action = TypeFilled((secret_for("127.0.0.1"),))
    await browser.perform(action, tab.tab_id, settle_s=0, expected=sight.expected)
    assert await held(tab) == VALUE
    await focus(tab, "[aria-label=g]")
    with pytest.raises(ActionRefused, match="This was approved for"):
        await browser.perform(action, tab.tab_id, settle_s=0, expected=sight.expected)
    assert await held(tab, "[aria-label=g]") == ""

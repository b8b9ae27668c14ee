"""A field that holds something else some time after it was set is told by whatever is done next."""

from __future__ import annotations

import pytest

from environments.browser.acting.test_aiming import reference
from environments.browser.conftest import Read, wait_for_script
from gui_environments.browser import Browser
from gui_environments.browser.actions import ClickTarget, PageAction, PressKeySequence, SetField, TypeText
from gui_environments.browser.tabs.tab import Tab

pytestmark = pytest.mark.asyncio(loop_scope="session")

OTHER = "<input aria-label=Other><button>Idle</button>"


async def notes_of(browser: Browser, action: PageAction) -> str:
    return " ".join((await browser.perform(action)).notes)


LATER = {
    "a text": ("<input id=f aria-label=Field>", "abc", "f.value = 'zz'", 'holds "zz" now'),
    "a choice": (
        "<select id=f aria-label=Field><option>one</option><option>two</option></select>",
        "two",
        "f.selectedIndex = 0",
        'has "one" selected now',
    ),
    "a tick": ("<input type=checkbox id=f aria-label=Field>", True, "f.checked = false", "is not checked now"),
    "a password": (
        "<input type=password id=f aria-label=Field>",
        "hunter2",
        "f.value = 'hunter3'",
        "holds something else now",
    ),
}


@pytest.mark.parametrize("kind", LATER)
async def test_what_a_page_puts_back_later_is_told_once_by_the_next_action(
    browser: Browser, tab: Tab, read: Read, kind: str
) -> None:
    field, value, change, words = LATER[kind]
    text = await read(field + OTHER)
    set_before = reference(text, "Field")
    assert await notes_of(browser, SetField(set_before, value)) == ""
    await tab.page.evaluate(change)
    told = await notes_of(browser, ClickTarget(reference(text, "Idle")))
    assert f"{set_before}, which was set before, {words}." in told
    assert "hunter" not in told
    assert "was set before" not in await notes_of(browser, ClickTarget(reference(text, "Idle")))


async def test_what_a_page_puts_back_when_the_focus_leaves_is_told_with_the_next_field(
    browser: Browser, tab: Tab, read: Read
) -> None:
    text = await read("<input id=f aria-label=Field onblur=\"this.value = 'zz'\">" + OTHER)
    await browser.perform(SetField(reference(text, "Field"), "abc"))
    told = await notes_of(browser, SetField(reference(text, "Other"), "x"))
    assert 'which was set before, holds "zz" now.' in told


async def test_what_is_typed_into_a_field_that_was_set_is_no_change_of_the_pages(
    browser: Browser, tab: Tab, read: Read
) -> None:
    text = await read("<input id=f aria-label=Field>" + OTHER)
    await browser.perform(SetField(reference(text, "Field"), "abc"))
    assert "was set before" not in await notes_of(browser, TypeText("def"))
    assert "was set before" not in await notes_of(browser, PressKeySequence("BackSpace"))
    assert await tab.page.evaluate("f.value") == "abcde"


async def test_keys_that_went_elsewhere_because_the_focus_did_are_told(browser: Browser, tab: Tab, read: Read) -> None:
    text = await read("<input id=f aria-label=Field oninput='if (value.length === 2) g.focus()'><input id=g>")
    told = await notes_of(browser, SetField(reference(text, "Field"), "abcdef"))
    assert "The focus went elsewhere while it was entered" in told
    await wait_for_script(tab, "f.value + g.value === 'abcdef'")

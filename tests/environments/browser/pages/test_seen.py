"""A reference is to what was read: a node that a page has used again for another thing is not acted on unasked."""

from __future__ import annotations

import re

import pytest

from environments.browser.acting.test_aiming import press, reference
from environments.browser.conftest import Read
from gui_environments.browser import Browser
from gui_environments.browser.acting.forms import set_field
from gui_environments.browser.actions import SetField
from gui_environments.browser.tabs.tab import Tab
from gui_environments.errors import ActionRefused

pytestmark = pytest.mark.asyncio(loop_scope="session")

SAYING = "<script>globalThis.said = []</script>"
ROW = (
    "<%s class=row><span>%s</span><span><button>Edit</button>"
    "<button onclick='said.push(%d)'>Delete</button></span></%s>"
)
PEOPLE = ("Alice Adams", "Bob Brown", "Carol Clark", "Dora Drew")


def rows(tag: str, around: str) -> str:
    return around % "".join(ROW % (tag, name, at, tag) for at, name in enumerate(PEOPLE))


LISTS = {
    "a list": rows("li", "<ul>%s</ul>"),
    "boxes": rows("div", "<div>%s</div>"),
    "boxes that share a word": rows("div", "<div>%s</div>").replace("class=row><span>", "class=row><span>Person "),
    "a table": rows("tr", "<table>%s</table>").replace("<span>", "<td>").replace("</span>", "</td>"),
}
SHIFT = """() => {
  const names = [...document.querySelectorAll('.row > :first-child')];
  names.forEach((name, at) => { name.textContent = names[at + 1]?.textContent ?? 'Person Emil Eder' });
}"""


def deletes(text: str) -> list[str]:
    return re.findall(r'button "Delete" \[(ref_\d+)\]', text)


@pytest.mark.parametrize("kind", LISTS)
async def test_a_row_that_shows_another_entry_by_now_is_not_acted_on(
    browser: Browser, tab: Tab, read: Read, kind: str
) -> None:
    second = deletes(await read(SAYING + LISTS[kind]))[1]
    await tab.page.evaluate(SHIFT)
    with pytest.raises(ActionRefused, match="is not what was around it when it was read"):
        await press(browser, tab, f'"x" [{second}]', "x")
    assert await tab.page.evaluate("said") == []


NUMBERED = {
    "rows": "<div class=row><span>Item %d</span><button>Delete</button></div>",
    "their names": "<div><button>Delete item %d</button></div>",
    "neighbours": "<button>Delete %d</button>",
}


@pytest.mark.parametrize("kind", NUMBERED)
async def test_where_only_numbers_differ_they_tell_what_it_is(
    browser: Browser, tab: Tab, read: Read, kind: str
) -> None:
    text = await read("<div>" + "".join(NUMBERED[kind] % number for number in range(1, 9)) + "</div>")
    third = re.findall(r'button "Delete[^"]*" \[(ref_\d+)\]', text)[2]
    script = """() => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        walker.currentNode.data = walker.currentNode.data.replace(/\\d+/, (number) => Number(number) + 40);
      }
    }"""
    await tab.page.evaluate(script)
    with pytest.raises(ActionRefused, match="is not what was around it"):
        await press(browser, tab, f'"x" [{third}]', "x")


async def test_what_was_refused_for_that_is_done_when_it_is_asked_for_again(
    browser: Browser, tab: Tab, read: Read
) -> None:
    second = deletes(await read(SAYING + LISTS["a list"]))[1]
    await tab.page.evaluate(SHIFT)
    with pytest.raises(ActionRefused, match="once more"):
        await press(browser, tab, f'"x" [{second}]', "x")
    await press(browser, tab, f'"x" [{second}]', "x")
    assert await tab.page.evaluate("said") == [1]


async def test_after_a_new_reading_the_row_is_acted_on(browser: Browser, tab: Tab, read: Read) -> None:
    await read(SAYING + LISTS["a list"])
    await tab.page.evaluate(SHIFT)
    second = deletes(await read())[1]
    await press(browser, tab, f'"x" [{second}]', "x")
    assert await tab.page.evaluate("said") == [1]


async def test_a_button_that_is_another_by_now_is_not_pressed(browser: Browser, tab: Tab, read: Read) -> None:
    text = await read(SAYING + "<button id=b onclick='said.push(1)'>Save draft</button>")
    await tab.page.evaluate("b.textContent = 'Delete account'")
    with pytest.raises(ActionRefused, match='is button "Delete account" now; when it was read it was "Save draft"'):
        await press(browser, tab, text, "Save draft")
    assert await tab.page.evaluate("said") == []


async def test_a_link_that_leads_elsewhere_by_now_is_not_followed(browser: Browser, tab: Tab, read: Read) -> None:
    text = await read("<a id=a href='#one'>Open</a>")
    await tab.page.evaluate("a.href = '#two'")
    with pytest.raises(ActionRefused, match="does not lead where it led"):
        await press(browser, tab, text, "Open")


async def test_a_field_of_another_row_by_now_is_not_filled(browser: Browser, tab: Tab, read: Read) -> None:
    row = "<li><b>%s</b> <input aria-label=Amount></li>"
    text = await read("<ul>" + "".join(row % name for name in PEOPLE) + "</ul>")
    await tab.page.evaluate("document.querySelector('b').textContent = 'Zoe Zorn'")
    with pytest.raises(ActionRefused, match="is not what was around it"):
        await set_field(tab, browser.references, SetField(reference(text, "Amount"), "5"))
    assert await tab.page.evaluate("document.querySelector('input').value") == ""


CHANGES = {
    "numbers that count": "b.textContent = 'Basket (3)'",
    "words that come beside others": "b.textContent = 'Basket is open'",
    "a mark in the row": "r.append(' saved just now')",
    "a price in the row": "p.textContent = '$24.00'",
    "a message beside it": "b.insertAdjacentHTML('afterend', '<em>Please wait</em>')",
    "a style": "b.style.color = 'red'",
}


@pytest.mark.parametrize("change", CHANGES)
async def test_what_changes_beside_does_not_make_it_another(
    browser: Browser, tab: Tab, read: Read, change: str
) -> None:
    row = "<li id=r>Blue shirt <i id=p>$12.00</i> <button id=b onclick='said.push(1)'>Basket (1)</button></li>"
    text = await read(SAYING + f"<ul>{row}<li>Red shirt <button>Look</button></li></ul>")
    await tab.page.evaluate(CHANGES[change])
    await press(browser, tab, text, "Basket (1)")
    assert await tab.page.evaluate("said") == [1]


async def test_what_it_becomes_by_being_pressed_is_expected(browser: Browser, tab: Tab, read: Read) -> None:
    script = "said.push(this.textContent); this.textContent = this.textContent === 'Play' ? 'Pause' : 'Play'"
    text = await read(SAYING + f'<button onclick="{script}">Play</button>')
    await press(browser, tab, text, "Play")
    await press(browser, tab, text, "Play")
    assert await tab.page.evaluate("said") == ["Play", "Pause"]


async def test_the_next_part_is_gone_to_again_and_again(browser: Browser, tab: Tab, read: Read) -> None:
    script = "said.push(q.textContent); q.textContent = 'Which ' + said.length + ' of the planets is nearest?'"
    text = await read(
        SAYING + f'<div><div id=q>What is your name</div><div><button onclick="{script}">Next</button></div></div>'
    )
    for _ in range(3):
        await press(browser, tab, text, "Next")
    assert len(await tab.page.evaluate("said")) == 3

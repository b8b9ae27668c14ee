"""All that is done to a page, done in frames of every kind: of its site, of another, inside each other, that listen."""

from __future__ import annotations

import re

import pytest

from environments.browser.site import Site
from gui_environments.actions import TypeText
from gui_environments.browser import Browser, ReadRequest
from gui_environments.browser.actions import (
    ClickTarget,
    HoverTarget,
    PressKeySequence,
    ScrollToElement,
    SetField,
)
from gui_environments.browser.tabs.tab import Tab
from gui_environments.errors import ActionRefused

pytestmark = pytest.mark.asyncio(loop_scope="session")

FIELDS = """<body onclick="0"><button onclick="said.textContent += ' pressed'">Press</button>
<label for=text>Text</label><input id=text onkeydown="said.textContent += ' key'">
<label>Choice <select onchange="said.textContent += ' ' + this.value"><option>one</option><option>two</option></select>
</label><label>Box <input type=checkbox onchange="said.textContent += ' ' + this.checked"></label>
<label>Day <input type=date onchange="said.textContent += ' ' + this.value"></label>
<label>Place <textarea oninput="said.textContent += ' area'"></textarea></label>
<div contenteditable aria-label=Edit role=textbox style="height: 30px"></div>
<p id=said></p><div style="height: 900px"></div><button onmouseover="said.textContent += ' over'">Deep</button>"""

HOSTS = ["aa", "ab", "aaa", "aab", "aba", "abb", "abc"]


def frame(address: str) -> str:
    return f"<iframe src='{address}' title=F style='width: 700px; height: 400px'></iframe>"


async def show(tab: Tab, site: Site, hosts: str) -> None:
    """A page on the first host with a frame on the next, and so on; FIELDS in the innermost. All listen for clicks."""
    depth = len(hosts) - 1
    site.put(f"/in-{hosts}{depth}", FIELDS)
    for level in range(depth - 1, -1, -1):
        inner = "{" + hosts[level + 1] + f"}}/in-{hosts}{level + 1}"
        site.put(f"/in-{hosts}{level}", f"<p onclick='0'>level {level}</p>{frame(inner)}")
    await tab.page.goto(site.url(f"/in-{hosts}0", hosts[0]))


async def text_of(browser: Browser, tab: Tab) -> str:
    return (await browser.read_page(ReadRequest("all"), tab.tab_id)).text


def reference(reading: str, name: str) -> str:
    match = re.search(rf'"{name}[^"\n]*" \[(ref_\d+)\]', reading)
    assert match, reading
    return match[1]


@pytest.mark.parametrize("hosts", HOSTS)
async def test_fields_are_set_pressed_typed_into_and_scrolled_to(
    browser: Browser, tab: Tab, site: Site, hosts: str
) -> None:
    await show(tab, site, hosts)
    reading = await text_of(browser, tab)
    assert reading == await text_of(browser, tab)

    async def do(action: ClickTarget | SetField | HoverTarget | ScrollToElement | TypeText | PressKeySequence) -> None:
        outcome = await browser.perform(action, tab.tab_id)
        assert not [note for note in outcome.notes if "No change" in note], (action, outcome)

    for name, value in (("Choice", "two"), ("Box", True), ("Day", "2026-05-31"), ("Place", "here"), ("Edit", "edited")):
        await do(SetField(reference(reading, name), value))
    await do(ClickTarget(reference(reading, "Press")))
    await do(ClickTarget(reference(reading, "Text")))
    await do(TypeText("ab"))
    await do(PressKeySequence("BackSpace"))
    await do(ScrollToElement(reference(reading, "Deep")))
    await do(HoverTarget(reference(reading, "Deep")))
    innermost = tab.page.frames[-1]
    said = await innermost.evaluate("said.textContent")
    assert said.split() == "two true 2026-05-31 area pressed key key key over".replace("area", "area " * 4).split()
    held = await innermost.evaluate(
        "[document.querySelector('#text').value, document.querySelector('[role]').innerText]"
    )
    assert held == ["a", "edited"]
    found = await browser.find("the field for text", tab.tab_id)
    assert reference(found.text, "Text") == reference(reading, "Text")
    assert "level 0" in await browser.page_text(tab.tab_id)


@pytest.mark.parametrize("hosts", ["aa", "ab", "aba"])
async def test_an_element_that_moves_into_another_document_is_refused(
    browser: Browser, tab: Tab, site: Site, hosts: str
) -> None:
    site.put("/empty", "<body></body>")
    inner = "{" + hosts[1] + "}/empty"
    await tab.page.goto(site.put("/outer", f"<button id=b onclick='done = 1'>Moving</button>{frame(inner)}", hosts[0]))
    moving = reference(await text_of(browser, tab), "Moving")
    await tab.page.evaluate("""() => {
        const frame = document.createElement('iframe');
        frame.style = 'width: 300px; height: 100px';
        document.body.append(frame);
        frame.contentDocument.body.append(document.querySelector('#b'));
    }""")
    for action in (ClickTarget(moving), SetField(moving, "x"), ScrollToElement(moving), HoverTarget(moving)):
        with pytest.raises(ActionRefused, match="Read the page again"):
            await browser.perform(action, tab.tab_id)
    again = reference(await text_of(browser, tab), "Moving")
    assert again != moving
    await browser.perform(ClickTarget(again), tab.tab_id)


async def test_what_a_page_writes_over_itself_has_new_references(browser: Browser, tab: Tab, site: Site) -> None:
    await tab.page.goto(site.put("/writing", "<button>Before</button>"))
    before = reference(await text_of(browser, tab), "Before")
    await tab.page.evaluate("document.open(); document.write('<button>Before</button>'); document.close()")
    with pytest.raises(ActionRefused, match="Read the page again"):
        await browser.perform(ClickTarget(before), tab.tab_id)
    assert reference(await text_of(browser, tab), "Before") != before

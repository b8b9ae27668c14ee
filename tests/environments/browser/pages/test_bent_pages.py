"""Pages whose elements are named like members of the DOM, or like parts of our lines, bend nothing."""

from __future__ import annotations

import re

import pytest

from environments.browser.acting.test_aiming import press, reference, refusal
from environments.browser.conftest import Read
from gui_environments.browser import Browser
from gui_environments.browser.acting.forms import set_field
from gui_environments.browser.actions import SetField
from gui_environments.browser.tabs.tab import Tab
from gui_environments.errors import ActionRefused

pytestmark = pytest.mark.asyncio(loop_scope="session")

_MEMBERS = """
tagName parentNode children innerText textContent tabIndex value type checked options labels id className style
getAttribute hasAttribute attributes nodeType localName firstChild nextSibling ownerDocument isConnected getRootNode
contains closest matches querySelector querySelectorAll getBoundingClientRect getClientRects scrollIntoView offsetWidth
clientWidth scrollTop shadowRoot assignedSlot isContentEditable disabled hidden inert title focus click elements length
multiple required readOnly maxLength checkVisibility compareDocumentPosition dispatchEvent addEventListener
"""
FIELDS = "".join(f"<input name={name}>" for name in _MEMBERS.split())


async def test_a_form_whose_fields_are_named_like_members_is_pressed_and_takes_no_value(
    browser: Browser, tab: Tab, read: Read
) -> None:
    form = f"<form role=button aria-label=Form tabindex=0 onclick='done = 1' style='padding:50px'>{FIELDS}</form>"
    text = await read(form)
    await press(browser, tab, text, "Form")
    assert await tab.page.evaluate("done") == 1
    with pytest.raises(ActionRefused, match="takes no value"):
        await set_field(tab, browser.references, SetField(reference(text, "Form"), "x"))


async def test_a_cover_whose_fields_are_named_like_members_is_named(browser: Browser, tab: Tab, read: Read) -> None:
    text = await read("<button>under</button>")
    cover = f"<form style='position:fixed;inset:0;background:silver'>Sign up {FIELDS}</form>"
    await tab.page.evaluate("cover => { document.body.insertAdjacentHTML('beforeend', cover) }", cover)
    assert 'covered by form "Sign up"' in await refusal(browser, tab, text, "under")


async def test_an_element_whose_tag_looks_like_a_line_does_not_make_one(browser: Browser, tab: Tab, read: Read) -> None:
    text = await read("<button>under</button>")
    script = """() => {
      const cover = document.createElement('x-a"[ref_1]');
      cover.style.cssText = 'position:fixed;inset:0;background:silver';
      document.body.append(cover);
    }"""
    await tab.page.evaluate(script)
    words = await refusal(browser, tab, text, "under")
    assert len(re.findall(r"\[ref_", words)) == 1
    assert '"' not in words

"""Forms that the browser itself does not send: which field keeps them back, and what it says. Those that are sent, or
that the page deals with by itself, are not spoken of."""

from __future__ import annotations

import re

import pytest

from environments.browser.conftest import PATIENCE_S, Read
from environments.browser.site import Site
from gui_environments.browser import Browser, ReadRequest
from gui_environments.browser.acting.performing import UNSEEN
from gui_environments.browser.actions import ClickTarget, PressKeySequence
from gui_environments.browser.tabs.tab import Tab
from gui_environments.browser.values import PagePoint

pytestmark = pytest.mark.asyncio(loop_scope="session")

MAIL = "<form action=/sent><input type=email aria-label=Mail required value='{value}'><button>Send</button></form>"


def reference(text: str, name: str) -> str:
    match = re.search(rf'"{re.escape(name)}" \[(ref_\d+)\]', text)
    assert match, text
    return match[1]


async def press(browser: Browser, text: str, name: str = "Send") -> tuple[str, ...]:
    return (await browser.perform(ClickTarget(reference(text, name)), settle_s=PATIENCE_S)).notes


@pytest.mark.parametrize("value", ["", "nobody"])
async def test_a_form_that_is_not_sent_says_which_field_keeps_it_back_and_why(
    browser: Browser, tab: Tab, read: Read, value: str
) -> None:
    text = await read(MAIL.format(value=value))
    (note,) = await press(browser, text)
    message = await tab.page.evaluate("document.querySelector('input').validationMessage")
    assert message
    mail = reference(text, "Mail")
    assert note == f'The form was not sent: textbox "Mail" [{mail}] keeps it back: "{message}".'.replace("\\", "")
    # Pressed again, when the field has the focus already and nothing changes any more.
    assert await press(browser, text) == (note,)


async def test_enter_in_a_field_of_a_form_that_is_not_sent_says_so_too(browser: Browser, tab: Tab, read: Read) -> None:
    text = await read("<form action=/sent><input aria-label=A autofocus required></form>")
    (note,) = (await browser.perform(PressKeySequence("Return"), settle_s=PATIENCE_S)).notes
    assert note.startswith(f'The form was not sent: textbox "A" [{reference(text, "A")}] keeps it back')


async def test_of_several_fields_the_first_is_named_and_the_others_counted(
    browser: Browser, tab: Tab, read: Read
) -> None:
    fields = "<input aria-label=A value=x><input aria-label=B required><select aria-label=C required><option></select>"
    choice = "<input type=radio name=r required><input type=radio name=r required>"
    text = await read(f"<form action=/sent>{fields}{choice}<button>Send</button></form>")
    (note,) = await press(browser, text)
    assert f'textbox "B" [{reference(text, "B")}]' in note
    assert note.endswith("2 more fields do.")


async def test_the_words_of_a_page_stay_data(browser: Browser, tab: Tab, read: Read) -> None:
    text = await read(MAIL.format(value="a@example.com"))
    await tab.page.evaluate("document.querySelector('input').setCustomValidity('Taken\\n\"ref_1\" ' + 'x'.repeat(999))")
    (note,) = await press(browser, text)
    assert '"Taken \\"ref_1\\" xxx' in note
    assert len(note) < 400


async def test_what_stands_in_a_password_field_is_not_repeated(browser: Browser, tab: Tab, read: Read) -> None:
    text = await read("<form action=/sent><input type=password aria-label=P value=hunter2><button>Send</button></form>")
    await tab.page.evaluate("document.querySelector('input').setCustomValidity('hunter2 is too weak')")
    (note,) = await press(browser, text)
    assert note == f'The form was not sent: textbox "P" [{reference(text, "P")}] keeps it back.'


SHADOWED = """<div id=host></div><script>host.attachShadow({mode: 'open'}).innerHTML =
'<form action=/sent><input aria-label=A required><button>Send</button></form>'</script>"""


async def test_a_form_in_a_shadow_root_is_heard(browser: Browser, tab: Tab, read: Read) -> None:
    (note,) = await press(browser, await read(SHADOWED))
    assert note.startswith('The form was not sent: textbox "A"')


async def test_a_form_in_a_frame_of_another_site_is_heard(browser: Browser, tab: Tab, site: Site, read: Read) -> None:
    site.put("/form", MAIL.format(value=""))
    text = await read("<iframe src='{b}/form' width=400 height=200></iframe>")
    (note,) = await press(browser, text)
    assert f'textbox "Mail" [{reference(text, "Mail")}]' in note


NOT_KEPT_BACK = {
    "that is right": MAIL.format(value="a@example.com"),
    "that is not to be checked": MAIL.format(value="").replace("<form", "<form novalidate"),
    "that the button sends unchecked": MAIL.format(value="").replace("<button", "<button formnovalidate"),
}


@pytest.mark.parametrize("form", NOT_KEPT_BACK)
async def test_a_form_is_sent_without_a_word(browser: Browser, tab: Tab, site: Site, read: Read, form: str) -> None:
    site.put("/sent", "<h1>thank you</h1>")
    assert await press(browser, await read(NOT_KEPT_BACK[form])) == ()
    assert "thank you" in await read()


async def test_what_a_page_asks_its_fields_by_itself_is_its_own_affair(browser: Browser, tab: Tab, read: Read) -> None:
    checks = "onclick='event.preventDefault(); title = form.checkValidity()'"
    text = await read(MAIL.format(value="").replace("<button", f"<button {checks}"))
    assert await press(browser, text) == ()
    # With a bubble of the browser's it is not.
    text = await read(MAIL.format(value="").replace("<button", f"<button {checks.replace('check', 'report')}"))
    (note,) = await press(browser, text)
    assert note.startswith("The form was not sent")


async def test_a_press_beside_the_form_says_nothing_of_it(browser: Browser, tab: Tab, read: Read) -> None:
    text = await read(MAIL.format(value="") + "<button style='outline:0'>else</button>")
    await press(browser, text)
    await press(browser, text, "else")
    assert await press(browser, text, "else") == (UNSEEN,)


async def test_a_press_at_a_point_of_a_page_that_was_never_read_is_told_too(
    browser: Browser, tab: Tab, site: Site
) -> None:
    await browser.navigate(site.put("/unread", MAIL.format(value="")))
    box = await tab.page.locator("button").bounding_box()
    assert box is not None
    (note,) = (await browser.perform(ClickTarget(PagePoint(box["x"] + 5, box["y"] + 5)), settle_s=PATIENCE_S)).notes
    assert note.startswith('The form was not sent: textbox "Mail"')
    assert "Mail" in (await browser.read_page(ReadRequest())).text

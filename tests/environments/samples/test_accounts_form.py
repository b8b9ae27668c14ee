"""The form's own scripts, in a real browser: what a person does arrives, and what only a script does is not taken."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from gui_environments.browser import Browser, ReadRequest
from gui_environments.browser.actions import ClickTarget, FieldValue, PressKeySequence, SetField, TypeText
from gui_environments.browser.rules import BrowserRules
from gui_environments.samples.accounts.site import AccountsSite
from loopback import LOOPBACK

pytestmark = pytest.mark.asyncio(loop_scope="module")

ACCOUNT: dict[str, FieldValue] = {'textbox "Account holder"': "Ada", 'textbox "IBAN"': "DE89370400440532013000"}
FORM: dict[str, FieldValue] = {
    'textbox "Company name"': "Ada & Co",
    'combobox "Legal form"': "AG",
    'textbox "Tax number"': "12/345/67890",
    'combobox "Country"': "austria",
    'month "Founded"': "1987-04",
    'spinbutton "Employees"': 3,
    'textbox "Contact person"': "Ada  Lovelace",
    'textbox "E-mail"': "ada@example.com",
    'textbox "Portal password"': "long enough!",
    'radio "English"': True,
    'listbox "Catalogues (optional)"': "Filing",
    'textbox "Delivery address"': "One street\nTown",
    'date "First delivery"': "2026-04-01",
    'time "Goods taken in from"': "06:30",
    'datetime "Visit of our representative"': "2026-03-24T14:15",
    'slider "Credit limit in thousands"': 25,
    'color "Colour of your labels"': "#22a06b",
    'textbox "Note to the driver (optional)"': "Ring twice\nthen wait",
    'checkbox "We accept the terms of trade"': True,
}


@dataclass
class Form:
    browser: Browser
    site: AccountsSite
    reading: str = ""

    @property
    def page(self) -> Any:
        return self.browser.tabs.tab(None).page

    async def open(self) -> None:
        await self.browser.navigate(self.site.url)
        await self.read()

    async def read(self) -> str:
        self.reading = (await self.browser.read_page(ReadRequest("all"))).text
        return self.reading

    def reference(self, element: str) -> str:
        match = re.search(re.escape(element) + r" \[(ref_\d+)\]", self.reading)
        assert match, f"there is no {element} in:\n{self.reading}"
        return match[1]

    async def click(self, element: str, count: int = 1) -> None:
        await self.browser.perform(ClickTarget(self.reference(element), count=count))

    async def type(self, text: str) -> None:
        await self.browser.perform(TypeText(text))

    async def press(self, keys: str) -> None:
        await self.browser.perform(PressKeySequence(keys))

    async def fill(self, values: dict[str, FieldValue]) -> None:
        for element, value in values.items():
            await self.browser.perform(SetField(self.reference(element), value))

    async def give(self, licence: Path) -> None:
        await self.browser.upload_files(self.reference('file "Trade licence"'), [licence])

    async def holds(self, selector: str) -> str:
        value: str = await self.page.eval_on_selector(selector, "e => e.value")
        return value

    async def received(self) -> dict[str, Any]:
        """What the shop keeps, once the page that says so is shown."""
        await self.page.wait_for_url("**/applications/K-*")
        number = self.page.url.rpartition("/")[2]
        found = self.site.book.find(number)
        assert found is not None
        kept: dict[str, Any] = json.loads((self.folder / number / "application.json").read_text(encoding="utf-8"))
        return kept

    @property
    def folder(self) -> Path:
        return self.site.book.folder


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def opened(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Form]:
    root = tmp_path_factory.mktemp("shop")
    (root / "up").mkdir()
    (root / "up/licence.txt").write_text("licence")
    rules = BrowserRules(hosts=LOOPBACK, upload_roots=(root / "up",))
    with AccountsSite(root / "received") as site:
        serving = threading.Thread(target=site.serve)
        serving.start()
        async with Browser.open(rules=rules) as browser:
            yield Form(browser, site)
        site.stop()
        serving.join()


@pytest_asyncio.fixture(loop_scope="module")
async def form(opened: Form) -> Form:
    await opened.open()
    return opened


@pytest.fixture
def licence(opened: Form) -> Path:
    return opened.folder.parent / "up/licence.txt"


async def test_every_field_arrives_as_it_was_filled_in(form: Form, licence: Path) -> None:
    await form.fill(FORM | ACCOUNT)
    await form.give(licence)
    await form.click('button "Send application"')
    received = await form.received()
    assert received.pop("number")
    assert received == {
        "company": "Ada & Co",
        "legal_form": "ag",
        "tax_number": "12/345/67890",
        "country": "AT",
        "founded": "1987-04",
        "employees": 3,
        "contact": "Ada Lovelace",
        "email": "ada@example.com",
        "telephone": "",
        "password_length": 12,
        "language": "en",
        "catalogues": ["filing"],
        "address": "One street\nTown",
        "first_delivery": "2026-04-01",
        "dock_opens": "06:30",
        "visit": "2026-03-24T14:15",
        "credit": 25,
        "label_colour": "#22a06b",
        "driver_note": "Ring twice\nthen wait",
        "terms": True,
        "account": {"holder": "Ada", "iban": "DE89370400440532013000", "mandate": False},
        "licence": {"name": "licence.txt", "bytes": 7},
    }


async def test_what_a_script_assigns_is_not_taken_by_the_masked_and_the_controlled_field(form: Form) -> None:
    assign = "(e) => { e.focus(); e.value = '11/222/33333'; e.dispatchEvent(new Event('input', { bubbles: true })); }"
    for selector in ("#tax-number", "#contact-name input"):
        await form.page.eval_on_selector(selector, assign)
        assert await form.holds(selector) == ""


async def test_the_tax_number_is_made_of_digit_keys_alone(form: Form) -> None:
    await form.click('textbox "Tax number"')
    await form.type("1x2-3")
    assert await form.holds("#tax-number") == "12/3__/_____"
    await form.press("BackSpace")
    await form.type("45678909")
    assert await form.holds("#tax-number") == "12/456/78909"
    await form.press("ctrl+a Delete")
    assert await form.holds("#tax-number") == ""


async def test_a_country_is_chosen_by_mouse_or_by_keys_and_what_is_none_is_cleared(form: Form) -> None:
    await form.click('combobox "Country"')
    await form.type("land")
    assert re.findall(r'option "(\w+)"', await form.read()) == ["Switzerland", "Ireland"]
    await form.click('option "Ireland"')
    assert await form.holds("#country") == "Ireland"
    await form.click('combobox "Country"', count=3)
    await form.type("land")
    await form.press("Down Return")
    assert await form.holds("#country") == "Switzerland"
    await form.click('combobox "Country"', count=3)
    await form.type("Atlantis")
    await form.press("Tab")
    assert await form.holds("#country") == ""


async def test_without_an_account_nothing_is_sent_and_the_frame_says_why(form: Form, licence: Path) -> None:
    await form.fill(FORM)
    await form.give(licence)
    await form.click('button "Send application"')
    await form.page.wait_for_function("document.querySelector('#problem').textContent !== ''")
    assert "Payment details: The account holder is missing." in await form.read()
    assert form.page.url == form.site.url
    await form.fill({**ACCOUNT, 'checkbox "Collect by direct debit"': True})
    await form.click('button "Send application"')
    assert (await form.received())["account"]["mandate"] is True


async def test_the_last_account_entered_is_the_one_that_counts(form: Form, licence: Path) -> None:
    await form.fill(FORM | ACCOUNT)
    await form.fill({'textbox "IBAN"': "IE29 AIBK 9311 5212 3456 78"})
    await form.give(licence)
    await form.click('button "Send application"')
    assert (await form.received())["account"]["iban"] == "IE29AIBK93115212345678"


async def test_starting_again_asks_first_and_a_no_keeps_everything(form: Form) -> None:
    await form.fill(FORM)
    await form.click('button "Start again"')
    assert await form.holds("#tax-number") == "12/345/67890"
    await form.page.evaluate("window.confirm = () => true")
    await form.click('button "Start again"')
    assert 'value="' not in re.sub(r'value="(Choose…|10|#000000)"', "", await form.read())

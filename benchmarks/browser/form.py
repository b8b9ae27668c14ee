"""A long form: its twenty fields filled in one turn through the toolset, and read; beside Playwright's own way to fill
the same fields, and its own snapshot of the page."""

from __future__ import annotations

import re
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from anthropic.types.beta import BetaToolUseBlock
from playwright.async_api import Page

from benchmarks.measuring import Row, interleaved_ms
from gui_environments.browser import Browser, ReadRequest
from gui_environments.samples.accounts.site import AccountsSite
from gui_operator.toolsets import BrowserToolset
from gui_operator.turn import Toolbox, run_turn

TURN_LIMIT_MS = 1_500.0
CHARACTERS_LIMIT_FACTOR = 0.45

Value = str | int | bool


@dataclass(frozen=True, slots=True)
class Field:
    """`line` begins the field's line in a reading. `selector` is for the plain way, `options` are chosen there."""

    line: str
    selector: str
    value: Value
    options: tuple[str, ...] = ()


FIELDS = (
    Field('textbox "Company name"', "[name=company]", "Müller & Söhne GmbH"),
    Field('combobox "Legal form"', "[name=legal_form]", "GmbH", ("GmbH",)),
    Field('textbox "Tax number"', "[name=tax_number]", "12/345/67890"),
    Field('combobox "Country"', "#country", "Germany"),
    Field('month "Founded"', "[name=founded]", "1987-04"),
    Field('spinbutton "Employees"', "[name=employees]", 42),
    Field('textbox "Contact person"', "#contact-name input, [name=contact]", "Zoë Çelik"),
    Field('textbox "E-mail"', "[name=email]", "zoe@mueller.example"),
    Field('textbox "Telephone (optional)"', "[name=telephone]", "+49 30 901820"),
    Field('textbox "Portal password"', "[name=password]", "Nur-für-uns-7"),
    Field('radio "German"', "[name=language][value=de]", True),
    Field('listbox "Catalogues (optional)"', "[name=catalogues]", "Pens and inks, Filing", ("Pens and inks", "Filing")),
    Field('textbox "Delivery address"', "[name=address]", "Lager 3\nAm Hafen 12\n10115 Berlin"),
    Field('date "First delivery"', "[name=first_delivery]", "2026-04-01"),
    Field('time "Goods taken in from"', "[name=dock_opens]", "06:30"),
    Field('datetime "Visit of our representative"', "[name=visit]", "2026-03-24T14:15"),
    Field('slider "Credit limit in thousands"', "[name=credit]", 25),
    Field('color "Colour of your labels"', "[name=label_colour]", "#22a06b"),
    Field('textbox "Note to the driver (optional)"', "#driver-note", "Ring twice"),
    Field('checkbox "We accept the terms of trade"', "[name=terms]", True),
)


async def measure_form(browser: Browser, runs: int) -> list[Row]:
    with _served() as url:
        await browser.navigate(url)
        page = browser.tabs.tab(None).page
        reading = len((await browser.read_page(ReadRequest("all"))).text)
        snapshot = len(await page.aria_snapshot(mode="ai"))
        turn = _Turn(browser)
        plain_ms, turn_ms = await interleaved_ms(
            [partial(_fill_plainly, page), turn.run],
            runs,
            [partial(browser.navigate, url), partial(turn.prepare, url)],
        )
    return [
        Row(
            f"a form of {len(FIELDS)} fields in one turn, settling included (floor: Playwright's own calls)",
            turn_ms,
            floor=plain_ms,
            limit=TURN_LIMIT_MS,
            goal=f"{TURN_LIMIT_MS:,.0f} ms",
        ),
        Row(
            "read_page of all of that form (floor: Playwright's snapshot with references)",
            reading,
            "characters",
            floor=snapshot,
            limit=CHARACTERS_LIMIT_FACTOR * snapshot,
            goal=f"{CHARACTERS_LIMIT_FACTOR:g} x floor",
        ),
    ]


@contextmanager
def _served() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder, AccountsSite(Path(folder)) as site:
        threading.Thread(target=site.serve, daemon=True).start()
        yield site.url
        site.stop()


class _Turn:
    """The form filled as a model would have it filled, once it has read the page."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._toolbox = Toolbox.of(BrowserToolset(browser, confirm=_allow))
        self._calls: list[BetaToolUseBlock] = []

    async def prepare(self, url: str) -> None:
        await self._browser.navigate(url)
        text = (await self._browser.read_page(ReadRequest("all"))).text
        self._calls = [
            BetaToolUseBlock(
                id=f"t{at}",
                type="tool_use",
                name="form_input",
                input={"target": {"type": "ref", "ref": _reference(text, field.line)}, "value": field.value},
                toolset_name="browser",
            )
            for at, field in enumerate(FIELDS)
        ]

    async def run(self) -> None:
        results = await run_turn(self._calls, self._toolbox)
        failed = [result for result in results if result.get("is_error")]
        assert not failed, failed


def _reference(text: str, line: str) -> str:
    found = re.search(rf"^\s*{re.escape(line)} \[(ref_\d+)\]", text, re.MULTILINE)
    assert found is not None, f"{line} is not in the reading"
    return found[1]


async def _fill_plainly(page: Page) -> None:
    for field in FIELDS:
        found = page.locator(field.selector)
        if field.options:
            await found.select_option(label=list(field.options))
        elif field.value is True:
            await found.check(force=True)
        else:
            await found.fill(str(field.value))


async def _allow(*_: object) -> bool:
    return True

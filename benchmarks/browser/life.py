"""Start, end and memory of a browser that shows one short page, beside the same Chromium started by Playwright with
nothing said but where it is."""

from __future__ import annotations

import statistics
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.async_api import Error, Page, async_playwright

from benchmarks.browser.site import long_page
from benchmarks.measuring import Row
from benchmarks.memory import descendants_pss_mib
from gui_environments.browser import Browser, ReadRequest
from gui_environments.browser.chromium.command import find_chromium
from gui_environments.browser.pages.capture import NOT_DRAWN

MEMORY_LIMIT_MIB = 365.0
"""What the smallest of comparable tools takes; they have no Node.js, or none was counted."""

VIEWPORT = (1280, 800)


@dataclass(slots=True)
class _Lives:
    """One list a figure, one entry a run."""

    start_ms: list[float] = field(default_factory=list)
    end_ms: list[float] = field(default_factory=list)
    all_mib: list[float] = field(default_factory=list)
    chromium_mib: list[float] = field(default_factory=list)

    def note_memory(self) -> None:
        everything, driver = descendants_pss_mib(), descendants_pss_mib("run-driver")
        self.all_mib.append(everything)
        self.chromium_mib.append(everything - driver)


async def measure_life(runs: int) -> list[Row]:
    plain, ours = _Lives(), _Lives()
    for _ in range(runs):
        await _live_plainly(plain)
        await _live(ours)
    middle = statistics.median
    return [
        Row("start to the first screenshot", middle(ours.start_ms), floor=middle(plain.start_ms)),
        Row("end", middle(ours.end_ms), floor=middle(plain.end_ms)),
        Row(
            "memory of a session (PSS) with one short page: Chromium and its launcher",
            middle(ours.chromium_mib),
            "MiB",
            floor=middle(plain.chromium_mib),
            limit=MEMORY_LIMIT_MIB,
            goal=f"{MEMORY_LIMIT_MIB:g} MiB",
        ),
        Row(
            "the same with Playwright's driver (Node.js)",
            middle(ours.all_mib),
            "MiB",
            floor=middle(plain.all_mib),
            limit=middle(plain.all_mib),
            goal="the floor",
        ),
    ]


async def _live(lives: _Lives) -> None:
    begun = time.perf_counter()
    async with Browser.open(VIEWPORT) as browser:
        await browser.capture()
        lives.start_ms.append((time.perf_counter() - begun) * 1000)
        await browser.tabs.tab(None).page.set_content(long_page(20))
        await browser.read_page(ReadRequest())
        lives.note_memory()
        begun = time.perf_counter()
    lives.end_ms.append((time.perf_counter() - begun) * 1000)


async def _live_plainly(lives: _Lives) -> None:
    begun = time.perf_counter()
    async with open_plainly() as page:
        await _picture(page)
        lives.start_ms.append((time.perf_counter() - begun) * 1000)
        await page.set_content(long_page(20))
        lives.note_memory()
        begun = time.perf_counter()
    lives.end_ms.append((time.perf_counter() - begun) * 1000)


async def _picture(page: Page) -> bytes:
    """On a busy machine a new page may have nothing drawn to copy yet, which Playwright tells as an error."""
    while True:
        try:
            return await page.screenshot()
        except Error as error:
            if NOT_DRAWN not in error.message:
                raise


@asynccontextmanager
async def open_plainly() -> AsyncIterator[Page]:
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(
            executable_path=find_chromium(None, Path(playwright.chromium.executable_path))
        )
        yield await chromium.new_page(viewport={"width": VIEWPORT[0], "height": VIEWPORT[1]})
        await chromium.close()

"""The browser: readings of long pages beside a bare walk over the same elements, start, end and memory."""

from __future__ import annotations

import statistics
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from benchmarks.measuring import Row
from benchmarks.memory import descendants_pss_mib
from gui_environments.browser import Browser, ReadRequest
from gui_environments.browser.tabs import Tab

ROWS = (2_000, 10_000)

READ_LIMIT_MS = 100.0
READ_LIMIT_FACTOR = 2.0

BARE_WALK = """(() => {
  const found = [];
  const walk = (element) => {
    const box = element.getBoundingClientRect();
    if (box.bottom <= 0 || box.top >= innerHeight || box.right <= 0 || box.left >= innerWidth) return;
    const style = getComputedStyle(element);
    if (style.display === 'none' || style.visibility !== 'visible') return;
    if (/^(A|BUTTON|INPUT|LABEL)$/.test(element.tagName)) found.push(`${element.tagName} ${element.textContent}`);
    for (const child of element.children) walk(child);
  };
  walk(document.body);
  return found.join('\\n');
})()"""
"""What shows of a page, with no names, roles, states, references, frames or hidden things worked out."""


def long_page(rows: int) -> str:
    body = "".join(
        f"<div><label for=i{n}>Name {n}</label><input id=i{n} value=v{n}><button>Save {n}</button>"
        f"<a href='#r{n}'>Open {n}</a></div>"
        for n in range(rows)
    )
    return f"<!doctype html><title>Rows</title>{body}"


async def measure_browser(runs: int) -> Sequence[Row]:
    rows: list[Row] = []
    start = time.perf_counter()
    async with Browser.open() as browser:
        tab = browser.tabs.tab(None)
        await tab.page.screenshot()
        opened_ms = (time.perf_counter() - start) * 1000
        await tab.page.set_content(long_page(20))
        await browser.read_page(ReadRequest())
        memory_mib = descendants_pss_mib()
        for count in ROWS:
            rows += await _measure_reading(browser, tab, count, runs)
        start = time.perf_counter()
    closed_ms = (time.perf_counter() - start) * 1000
    return [
        *rows,
        Row("memory of a browser with one short page", memory_mib, "MiB"),
        Row("start to the first screenshot", opened_ms),
        Row("end", closed_ms),
    ]


async def _measure_reading(browser: Browser, tab: Tab, count: int, runs: int) -> Sequence[Row]:
    await tab.page.set_content(long_page(count))
    frame = await tab.frames.main()
    walk = partial(
        frame.session.send,
        "Runtime.evaluate",
        expression=BARE_WALK,
        contextId=frame.world.context_id,
        returnByValue=True,
    )
    visible = partial(browser.read_page, ReadRequest())
    whole = partial(browser.read_page, ReadRequest("all"))
    floor_ms, visible_ms, whole_ms = await _medians_ms([walk, visible, whole], runs)
    limit_ms = min(READ_LIMIT_MS, READ_LIMIT_FACTOR * floor_ms)
    goal = f"{READ_LIMIT_FACTOR:g} x a bare walk, under {READ_LIMIT_MS:g} ms"
    return [
        Row(f"read what is visible of {count:,} rows", visible_ms, floor=floor_ms, limit=limit_ms, goal=goal),
        Row(f"read all of {count:,} rows, to the limit of characters", whole_ms),
    ]


async def _medians_ms(works: Sequence[Callable[[], Awaitable[object]]], runs: int) -> list[float]:
    """Of each work, taken in turns, so that what else the machine does falls on all of them."""
    times: list[list[float]] = [[] for _ in works]
    for _ in range(runs + 1):
        for work, taken in zip(works, times, strict=True):
            start = time.perf_counter()
            await work()
            taken.append((time.perf_counter() - start) * 1000)
    return [statistics.median(taken[1:]) for taken in times]

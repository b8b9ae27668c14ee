"""Pictures, readings and searches, beside the bare commands of the DevTools protocol."""

from __future__ import annotations

import base64
from functools import partial

from benchmarks.browser.site import BenchSite
from benchmarks.measuring import Row, Work, interleaved_ms
from gui_environments.browser import Browser, PageRegion, ReadRequest
from gui_environments.geometry import Size

ROWS = (2_000, 10_000)

READ_LIMIT_MS = 100.0
READ_LIMIT_FACTOR = 2.0
SCREENSHOT_LIMIT_FACTOR = 1.3

REGION = PageRegion(0, 0, 640, 400)

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


async def measure_pictures(browser: Browser, site: BenchSite, runs: int) -> list[Row]:
    await browser.navigate(site.rows(200))
    session = await browser.tabs.tab(None).frames.page_session()
    size = browser.viewport
    clip = {"x": REGION.left, "y": REGION.top, "width": 640, "height": 400, "scale": 2}

    async def raw(**options: object) -> bytes:
        return base64.b64decode((await session.send("Page.captureScreenshot", format="png", **options))["data"])

    works: list[Work] = [
        raw,
        partial(browser.capture, fit=size),
        partial(raw, clip=clip),
        partial(browser.capture, REGION, fit=Size(1280, 800)),
    ]
    raw_ms, screenshot_ms, raw_zoom_ms, zoom_ms = await interleaved_ms(works, runs)
    return [
        Row(
            f"screenshot, {size} PNG",
            screenshot_ms,
            floor=raw_ms,
            limit=SCREENSHOT_LIMIT_FACTOR * raw_ms,
            goal=f"{SCREENSHOT_LIMIT_FACTOR:g} x floor",
        ),
        Row("zoom of a quarter of it, rendered at twice the scale", zoom_ms, floor=raw_zoom_ms),
    ]


async def measure_reading(browser: Browser, site: BenchSite, runs: int) -> list[Row]:
    rows = []
    for count in ROWS:
        await browser.navigate(site.rows(count))
        frame = await browser.tabs.tab(None).frames.main()
        walk = partial(
            frame.session.send,
            "Runtime.evaluate",
            expression=BARE_WALK,
            contextId=frame.world.context_id,
            returnByValue=True,
        )
        visible = partial(browser.read_page, ReadRequest())
        whole = partial(browser.read_page, ReadRequest("all"))
        floor_ms, visible_ms, whole_ms = await interleaved_ms([walk, visible, whole], runs)
        goal = f"{READ_LIMIT_FACTOR:g} x a bare walk, under {READ_LIMIT_MS:g} ms"
        limit_ms = min(READ_LIMIT_MS, READ_LIMIT_FACTOR * floor_ms)
        rows.append(
            Row(f"read what is visible of {count:,} rows", visible_ms, floor=floor_ms, limit=limit_ms, goal=goal)
        )
        rows.append(Row(f"read all of {count:,} rows, to the limit of characters", whole_ms))
    return rows


async def measure_finding(browser: Browser, site: BenchSite, runs: int) -> list[Row]:
    """Of the longer page only where more than a trial is asked for: on a busy machine it comes near the bound of a
    search, which is then refused."""
    rows = []
    for count in ROWS if runs > 1 else ROWS[:1]:
        await browser.navigate(site.rows(count))
        (find_ms,) = await interleaved_ms([partial(browser.find, f"button that saves {count - 7}")], runs)
        rows.append(Row(f"find a button among {count:,} rows", find_ms))
    return rows

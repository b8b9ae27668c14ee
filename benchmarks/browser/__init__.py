"""The browser: start, memory, pictures, readings, finding, clicks, a form in one turn, pages that poll; each beside the
plain way to do the same in the same Chromium."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.browser.acting import measure_clicks, measure_polling
from benchmarks.browser.form import measure_form
from benchmarks.browser.life import measure_life
from benchmarks.browser.looking import measure_finding, measure_pictures, measure_reading
from benchmarks.browser.site import BenchSite
from benchmarks.measuring import Row
from gui_environments.browser import Browser
from gui_environments.browser.rules import BrowserRules
from gui_environments.egress.rules import HostRules

RULES = BrowserRules(hosts=HostRules.of(["127.0.0.1", "localhost"]))


async def measure_browser(runs: int) -> Sequence[Row]:
    rows = await measure_life(max(1, runs // 5))
    with BenchSite() as site:
        async with Browser.open(rules=RULES) as browser:
            rows += await measure_pictures(browser, site, runs)
            rows += await measure_reading(browser, site, runs)
            rows += await measure_finding(browser, site, max(1, runs // 5))
            rows += await measure_clicks(browser, site, runs)
            rows += await measure_polling(browser, site, runs)
            rows += await measure_form(browser, max(1, runs // 2))
    return rows

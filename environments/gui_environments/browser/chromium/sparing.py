"""What Chromium and Playwright's driver do without, so that a session takes less memory. Nothing here changes what a
page can do, takes a sandbox from a process or a process from a site. The figures are of a session that shows one page.
"""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import playwright
from playwright.async_api import Playwright, async_playwright

SPARING_SWITCHES = (
    # Suggestions of the address bar as pages of the browser's own, loaded at start into a renderer that nobody sees
    # (52 MiB, and a third of a second of processor time). On a screen the bar draws them itself instead.
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup",
    # The network service as a thread of the browser. On Linux Chromium gives it no sandbox in either place (22 MiB).
    "--enable-features=NetworkServiceInProcess2",
)

DRIVER = Path(__file__).with_name("driver.sh")
"""Starts the driver's Node.js for a small heap: 20 MiB less at first, 40 after a hundred pictures, and as fast."""

NODE = Path(playwright.__file__).parent / "driver" / "node"
"""What the script starts. Distributions of Playwright without it exist."""

NODE_VARIABLE = "PLAYWRIGHT_NODEJS_PATH"


def sparing_switches() -> tuple[str, ...]:
    """For Linux only: these are lists, of which Chromium takes the last, and our launcher joins them with
    Playwright's."""
    return SPARING_SWITCHES if sys.platform == "linux" else ()


@asynccontextmanager
async def small_driver() -> AsyncIterator[Playwright]:
    """Playwright, with a driver that is told to be small. A Node.js of the user's own choice is left alone."""
    with _script_in_environ():
        started = await async_playwright().start()
    try:
        yield started
    finally:
        await started.stop()


@contextmanager
def _script_in_environ() -> Iterator[None]:
    script = str(DRIVER)
    usable = sys.platform == "linux" and NODE.is_file() and os.access(DRIVER, os.X_OK)
    if not usable or os.environ.get(NODE_VARIABLE, script) != script:
        yield
        return
    os.environ[NODE_VARIABLE] = script
    try:
        yield
    finally:
        # Several may start at once: who is first takes it away, and the others' drivers are as large as they come.
        os.environ.pop(NODE_VARIABLE, None)

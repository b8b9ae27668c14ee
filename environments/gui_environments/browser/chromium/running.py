"""One Chromium while it runs: started with a fresh profile, ended with all that it started and wrote. Knows no tabs."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from playwright.async_api import BrowserContext, Error

from gui_environments.browser.cdp import CdpSession
from gui_environments.browser.chromium.ending import end_launcher, finish, tell_launcher_to_end
from gui_environments.browser.chromium.launching import Launch, launch_chromium
from gui_environments.browser.chromium.sparing import small_driver

log = logging.getLogger(__name__)

CLOSE_S = 5.0
"""How long Chromium may take to close in order before it is ended."""


@dataclass(frozen=True, slots=True)
class RunningChromium:
    """`session` is the browser's own."""

    context: BrowserContext
    session: CdpSession
    version: str


@asynccontextmanager
async def running_chromium(launch: Launch) -> AsyncIterator[RunningChromium]:
    """On leaving, every process and file of it is gone. Raises `EnvironmentUnavailable`."""
    try:
        async with small_driver() as playwright:
            context = await launch_chromium(playwright, launch)
            try:
                # Also when only the connection is lost: a browser that nobody watches is ended.
                context.on("close", lambda _: tell_launcher_to_end(launch.private))
                assert context.browser is not None
                session = CdpSession(await context.browser.new_browser_cdp_session())
                yield RunningChromium(context, session, context.browser.version)
            finally:
                await finish(_close(context))
    finally:
        await finish(end_launcher(launch.private))


async def _close(context: BrowserContext) -> None:
    try:
        await asyncio.wait_for(context.close(), CLOSE_S)
    except (Error, TimeoutError) as error:
        log.debug("Chromium did not close in order: %s", error)

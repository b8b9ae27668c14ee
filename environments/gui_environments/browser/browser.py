"""The life of one browser: Chromium started with a fresh profile, ended with everything it started and wrote."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.async_api import BrowserContext, Error, Playwright, async_playwright

from gui_environments.browser.cdp import CdpSession, SessionGone
from gui_environments.browser.chromium import (
    SWITCHES,
    browser_environment,
    find_chromium,
    resolver_rules,
    write_launcher,
    write_profile,
)
from gui_environments.browser.ending import end_launcher, finish, tell_launcher_to_end
from gui_environments.browser.references import ReferenceBook
from gui_environments.browser.tabs import Tabs
from gui_environments.browser.values import TabState
from gui_environments.browser.window import fit_window
from gui_environments.errors import EnvironmentDied, EnvironmentUnavailable
from gui_environments.geometry import Size

log = logging.getLogger(__name__)

PRIVATE_PREFIX = "gui-browser-"

PRIVATE_PATH_LIMIT = 108 - len("/org.chromium.Chromium.XXXXXX/SingletonSocket") - 1
"""Bytes: the path of a Unix socket has at most 108, its closing zero included."""

CLOSE_S = 5.0
"""How long Chromium may take to close in order before it is ended."""

NO_SANDBOX_MARKS = ("No usable sandbox", "zygote_host_impl_linux", "Running as root without --no-sandbox")


@dataclass(frozen=True, slots=True)
class Launch:
    """How a browser is to be started."""

    viewport: Size
    headless: bool
    chromium: Path | None
    reachable_names: Sequence[str]
    environment: Mapping[str, str]
    arguments: Sequence[str]
    private: Path


class Browser:
    """A running browser. Made by `Browser.open`."""

    def __init__(self, context: BrowserContext, session: CdpSession, viewport: Size, version: str) -> None:
        self.context = context
        self.viewport = viewport
        self.version = version
        self.tabs = Tabs(context)
        self.references = ReferenceBook()
        self._session = session
        self._died = asyncio.Event()
        context.on("close", lambda _: self._died.set())

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        viewport: tuple[int, int] | Size = (1280, 800),
        *,
        headless: bool = True,
        chromium: Path | None = None,
        reachable_names: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
        arguments: Sequence[str] = (),
    ) -> AsyncIterator[Browser]:
        """Start Chromium: `chromium` when given, else Playwright's own build, else the system's.

        Of host names it knows loopback's and `reachable_names` (`*.example.com` allowed) only. `environment` is added
        to the little that it gets: on a screen (not `headless`), its display. On leaving, every process and file of it
        is gone, and just so when this process is killed. Raises `EnvironmentUnavailable`.
        """
        size = viewport if isinstance(viewport, Size) else Size(*viewport)
        private = _make_private_directory()
        launch = Launch(size, headless, chromium, reachable_names, environment or {}, arguments, private)
        try:
            async with async_playwright() as playwright:
                context = await _launch(playwright, launch)
                try:
                    assert context.browser is not None
                    session = CdpSession(await context.browser.new_browser_cdp_session())
                    browser = cls(context, session, size, context.browser.version)
                    if not headless:
                        await fit_window(session, browser.tabs.tab(None), size)
                    # Also when only the connection is lost: a browser that nobody watches is ended.
                    context.on("close", lambda _: tell_launcher_to_end(private))
                    yield browser
                finally:
                    await finish(_close(context))
        finally:
            await finish(end_launcher(private))

    @property
    def died(self) -> bool:
        """Whether the browser, or the connection to it, is gone."""
        return self._died.is_set()

    async def tab_states(self) -> tuple[TabState, ...]:
        """Every open tab, without asking the pages themselves: it works on a page that hangs, has crashed or shows a
        dialog. Raises `EnvironmentDied`."""
        active = self.tabs.active
        states = []
        try:
            targets = await self._session.send("Target.getTargets")
            titles = {target["targetId"]: target["title"] for target in targets["targetInfos"]}
        except SessionGone as error:
            raise EnvironmentDied("The browser has ended.") from error
        for tab in self.tabs.all:
            try:
                title = titles.get(await tab.target_id(), "")
            except SessionGone:
                continue  # it closed while we asked
            states.append(TabState(tab.tab_id, title, tab.page.url, tab is active, tab.crashed))
        return tuple(states)


def _make_private_directory() -> Path:
    """Where temporary files go, or in /tmp when that makes the path too long for the socket Chromium puts there."""
    directory = Path(tempfile.mkdtemp(prefix=PRIVATE_PREFIX))
    if len(os.fsencode(directory)) <= PRIVATE_PATH_LIMIT:
        return directory
    directory.rmdir()
    return Path(tempfile.mkdtemp(prefix=PRIVATE_PREFIX, dir="/tmp"))


async def _launch(playwright: Playwright, launch: Launch) -> BrowserContext:
    """With Chromium's own sandbox where the system allows it."""
    if os.geteuid() == 0:
        log.warning("Chromium runs without its sandbox, because it is started as root")
        return await _start(playwright, launch, sandbox=False)
    try:
        return await _start(playwright, launch, sandbox=True)
    except EnvironmentUnavailable as error:
        if not any(mark in str(error) for mark in NO_SANDBOX_MARKS):
            raise
        log.warning("Chromium runs without its sandbox, because this system allows no user namespaces")
        return await _start(playwright, launch, sandbox=False)


async def _start(playwright: Playwright, launch: Launch, *, sandbox: bool) -> BrowserContext:
    program = find_chromium(launch.chromium, Path(playwright.chromium.executable_path))
    # A launcher that failed to start Chromium has removed what it was given.
    shutil.rmtree(launch.private, ignore_errors=True)
    launch.private.mkdir(mode=0o700)
    profile = launch.private / "profile"
    write_profile(profile)
    try:
        return await playwright.chromium.launch_persistent_context(
            profile,
            executable_path=write_launcher(launch.private, program),
            headless=launch.headless,
            chromium_sandbox=sandbox,
            # Emulated when headless. On a screen, page and window must agree, so that screen points can be mapped.
            viewport={"width": launch.viewport.width_px, "height": launch.viewport.height_px}
            if launch.headless
            else None,
            no_viewport=not launch.headless,
            args=[*SWITCHES, resolver_rules(launch.reachable_names), *launch.arguments],
            env=dict(browser_environment(launch.private, launch.environment)),
            downloads_path=launch.private / "downloads",
            service_workers="allow",
            # Signals are for whoever opened the browser to handle.
            handle_sigint=False,
            handle_sigterm=False,
            handle_sighup=False,
        )
    except Error as error:
        raise EnvironmentUnavailable(f"{program} did not start: {error.message[-2000:]}") from error


async def _close(context: BrowserContext) -> None:
    try:
        await asyncio.wait_for(context.close(), CLOSE_S)
    except (Error, TimeoutError) as error:
        log.debug("Chromium did not close in order: %s", error)

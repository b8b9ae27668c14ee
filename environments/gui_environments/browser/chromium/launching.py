"""Starting Chromium through Playwright: a private directory, a fresh profile, its own sandbox where that works."""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from playwright.async_api import BrowserContext, Error, Playwright

from gui_environments.browser.chromium.command import (
    SWITCHES,
    browser_environment,
    find_chromium,
    resolver_rules,
    write_launcher,
    write_profile,
)
from gui_environments.browser.chromium.on_screen import LOCAL_STATE as ON_SCREEN_LOCAL_STATE
from gui_environments.browser.chromium.on_screen import on_screen_preferences
from gui_environments.browser.chromium.sparing import sparing_switches
from gui_environments.egress.proxy import ProxyAddress
from gui_environments.egress.rules import NO_HOST, HostRules
from gui_environments.egress.switches import chromium_switches
from gui_environments.errors import EnvironmentUnavailable
from gui_environments.geometry import Size

log = logging.getLogger(__name__)

PRIVATE_PREFIX = "gui-browser-"

PRIVATE_PATH_LIMIT = 108 - len("/org.chromium.Chromium.XXXXXX/SingletonSocket") - 1
"""Bytes: the path of a Unix socket has at most 108, its closing zero included."""

NO_SANDBOX_MARKS = ("No usable sandbox", "zygote_host_impl_linux", "Running as root without --no-sandbox")


@dataclass(frozen=True, slots=True)
class Launch:
    """How a browser is to be started."""

    viewport: Size
    headless: bool
    chromium: Path | None
    environment: Mapping[str, str]
    arguments: Sequence[str]
    private: Path
    hosts: HostRules = NO_HOST
    """The names that it is to know, and where whoever types into its address bar may go."""
    proxy: ProxyAddress | None = None
    """Its only way out, when there is one."""

    @property
    def arriving(self) -> Path:
        """Where Chromium writes downloads while they come."""
        return self.private / "downloads"

    @property
    def switches(self) -> list[str]:
        """Of two of one name the last counts."""
        proxied = chromium_switches(self.proxy) if self.proxy is not None else ()
        return [*SWITCHES, *sparing_switches(), resolver_rules(self.hosts.names), *proxied, *self.arguments]


def make_private_directory() -> Path:
    """Where temporary files go, or in /tmp when that makes the path too long for the socket Chromium puts there."""
    directory = Path(tempfile.mkdtemp(prefix=PRIVATE_PREFIX))
    if len(os.fsencode(directory)) <= PRIVATE_PATH_LIMIT:
        return directory
    directory.rmdir()
    return Path(tempfile.mkdtemp(prefix=PRIVATE_PREFIX, dir="/tmp"))


async def launch_chromium(playwright: Playwright, launch: Launch) -> BrowserContext:
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
    if launch.headless:
        write_profile(profile, {}, {})
    else:
        write_profile(profile, on_screen_preferences(launch.hosts), ON_SCREEN_LOCAL_STATE)
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
            args=launch.switches,
            env=dict(browser_environment(launch.private, launch.environment)),
            downloads_path=launch.arriving,
            # As for a person, a click opens one window, and what nobody clicked opens none: pages open them in loops.
            # And pages that change their address without end are held up by Chromium.
            ignore_default_args=["--disable-popup-blocking", "--disable-ipc-flooding-protection"],
            # Kept off by interception. Playwright would patch the pages themselves, which pages can see and undo.
            service_workers="allow",
            # Signals are for whoever opened the browser to handle.
            handle_sigint=False,
            handle_sigterm=False,
            handle_sighup=False,
        )
    except Error as error:
        raise EnvironmentUnavailable(f"{program} did not start: {error.message[-2000:]}") from error

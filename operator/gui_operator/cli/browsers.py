"""The browser that `exec` was asked for, opened, and the toolset on it."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from anthropic.types.beta import BetaBrowserToolsetConfigsParam

from gui_environments.browser.watching.dialog_rules import AskAboutDialog
from gui_environments.desktop import Desktop
from gui_environments.errors import EnvironmentUnavailable
from gui_operator.cli.browser_options import BrowserOptions
from gui_operator.cli.desktops import OpenedDesktop
from gui_operator.cli.exec_options import ExecOptions
from gui_operator.cli.way_out import WayOut
from gui_operator.policy import FilePolicy, Gate, Secrets, host_policy
from gui_operator.recording import Recording
from gui_operator.toolsets import BrowserToolset

if TYPE_CHECKING:
    from gui_environments.browser import Browser

PAGE_SETTLE_S = 3.0


@asynccontextmanager
async def open_browser(
    options: BrowserOptions,
    way_out: WayOut,
    desktop: OpenedDesktop | None,
    downloads: Path,
    ask: AskAboutDialog,
) -> AsyncIterator[Browser]:
    """On the desktop, if there is one. `downloads` is where they go unless the options name a folder; `ask` is who the
    rules ask about dialogs. Raises `EnvironmentUnavailable`."""
    # Only now: a desktop alone needs no Playwright.
    from gui_environments.browser import Browser
    from gui_environments.browser.rules import BrowserRules

    rules = BrowserRules(
        hosts=way_out.hosts,
        dialogs=options.dialogs,
        upload_roots=options.files.upload_roots,
        document_dir=options.files.document_dir,
        download_dir=options.files.download_dir or downloads,
        upload_limits=options.files.upload_limits,
        download_limits=options.files.download_limits,
    )
    async with Browser.open(
        options.viewport,
        headless=not options.headed,
        chromium=options.chromium,
        rules=rules,
        storage_state=options.storage_state,
        proxy=way_out.proxy,
        environment=_screen_of(desktop) if options.headed else None,
        ask=ask,
    ) as browser:
        yield browser


def browser_toolset(
    options: ExecOptions,
    chosen: BrowserOptions,
    browser: Browser,
    gate: Gate,
    recording: Recording | None,
    secrets: Secrets,
) -> BrowserToolset:
    return BrowserToolset(
        browser,
        confirm=gate.confirm,
        url_policy=host_policy(browser.rules.hosts, recording.decided if recording is not None else None),
        configs=cast("BetaBrowserToolsetConfigsParam", dict(chosen.configs)) or None,
        file_policy=FilePolicy(browser.rules.download_dir),
        model=options.model,
        settle_s=PAGE_SETTLE_S if options.settle_s is None else options.settle_s,
        recording=recording,
        secrets=secrets,
    )


@contextmanager
def covered_on_screen(desktop: OpenedDesktop, browser: Browser, secrets: Secrets) -> Iterator[None]:
    """While inside, pictures of the desktop show nothing of secrets in the browser's windows."""
    from gui_environments.browser.pages.screen_covers import ScreenCovers

    assert isinstance(desktop.environment, Desktop), "only on such a one is there a browser"
    screen = desktop.environment.screen
    desktop.environment.cover_with(ScreenCovers(browser, screen, lambda: secrets.masking.expressions))
    try:
        yield
    finally:
        desktop.environment.cover_with(None)


def describe_browser(browser: Browser, toolset: BrowserToolset) -> Mapping[str, Any]:
    viewport, screenshot = browser.viewport, toolset.screenshot_size
    return {
        "viewport": [viewport.width_px, viewport.height_px],
        "screenshot": [screenshot.width_px, screenshot.height_px],
        "version": browser.version,
        "downloads": str(browser.rules.download_dir),
    }


def _screen_of(desktop: OpenedDesktop | None) -> dict[str, str]:
    """What Chromium needs to show a window."""
    variables = os.environ if desktop is None else desktop.variables
    if not variables.get("DISPLAY"):
        raise EnvironmentUnavailable(
            "There is no display to show the browser on: DISPLAY is not set. Leave out --headed, or use "
            "--environment both, which brings a desktop."
        )
    return {name: variables[name] for name in ("DISPLAY", "XAUTHORITY") if name in variables}

"""The pointer in Chromium, which sees through the X server what a person's pointer would do."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from tests.environments.desktop.browsers import chromium_program
from tests.environments.desktop.probing import PROBES, eventually

from gui_environments.actions import Click, Drag, Scroll
from gui_environments.desktop import Desktop
from gui_environments.desktop.connection import close_display, connect
from gui_environments.desktop.properties import read_property
from gui_environments.geometry import ScreenPoint


class Page:
    """The page `probe.html` in a window of Chromium."""

    def __init__(self, display: Any) -> None:
        self._display = display
        self._last: dict[str, Any] = {}

    def _window(self) -> Any:
        display = self._display
        root = display.screen().root
        clients = read_property(root, "_NET_CLIENT_LIST")
        for window_id in clients.value if clients else ():
            window = display.create_resource_object("window", window_id)
            title = read_property(window, "_NET_WM_NAME")
            if title and b"told {" in title.value:
                return window, title.value.decode()
        return None

    def told(self) -> dict[str, Any]:
        """What the title said when it could last be read whole."""
        found = self._window()
        if found:
            with contextlib.suppress(json.JSONDecodeError):
                self._last = json.loads(found[1].split("told ", 1)[1].rsplit("}", 1)[0] + "}")
        return self._last

    def point(self, x: int, y: int) -> ScreenPoint:
        """Of a point in the page."""
        window, _ = self._window()
        corner = window.translate_coords(self._display.screen().root, 0, 0)
        return ScreenPoint(x - corner.x, y - corner.y)


@pytest.fixture
async def chromium_page(desktop: Desktop, tmp_path: Path):
    command = [
        chromium_program(),
        "--no-sandbox",
        "--no-first-run",
        "--no-default-browser-check",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--test-type",
        "--allow-pre-commit-input",
        "--password-store=basic",
        f"--user-data-dir={tmp_path / 'profile'}",
        "--window-size=600,500",
        f"--app={(PROBES / 'probe.html').as_uri()}",
    ]
    await desktop.start_application(command, window_within_s=0)
    display = connect(desktop.display, desktop.xauthority)
    page = Page(display)
    await eventually(page.told, "the page is loaded")
    yield page
    close_display(display)


async def test_chromium_takes_clicks_drags_and_every_notch_of_the_wheel(desktop: Desktop, chromium_page: Page) -> None:
    page = chromium_page
    await desktop.perform(Click(at=page.point(150, 400)))
    await eventually(lambda: page.told()["clicks"] == 1, "a click")
    await desktop.perform(Click(at=page.point(150, 400)), settle_s=0)
    await eventually(lambda: page.told()["clicks"] == 2, "a second click")
    assert page.told()["doubles"] == 0

    await desktop.perform(Click(count=2, at=page.point(60, 310)))
    await eventually(lambda: page.told()["doubles"] == 1, "a double-click")
    assert page.told()["selected"] == "beta"
    await desktop.perform(Drag(page.point(1, 310), page.point(300, 312)))
    await eventually(lambda: page.told()["selected"] == "alpha beta gamma", "a selection by dragging")

    await desktop.perform(Scroll("down", 100, at=page.point(100, 100)))
    await eventually(lambda: page.told()["notches"] >= 100, "100 notches")
    assert page.told()["notches"] == 100

    await desktop.perform(Drag(page.point(50, 250), page.point(300, 250)))
    await eventually(lambda: page.told()["dropped"] == 1, "the card is dropped on the box")

"""The machine's own screen through pyautogui, on a real display: what it does arrives, what it cannot do is refused."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import string
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops
from tests.environments.desktop.probe_window import probe_window

from gui_environments.actions import (
    Click,
    Drag,
    HoldKeys,
    MovePointer,
    PressButton,
    PressKeys,
    ReleaseButton,
    Scroll,
    TypeText,
)
from gui_environments.desktop import Desktop
from gui_environments.geometry import ScreenPoint, ScreenRegion, Size

DRIVER = Path(__file__).with_name("native_driver.py")


class Driver:
    """The process that drives the screen."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def read(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        return json.loads(await self._process.stdout.readline())

    async def ask(self, line: object) -> dict[str, Any]:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n".encode())
        await self._process.stdin.drain()
        return await self.read()

    async def do(self, *actions: object) -> None:
        for action in actions:
            assert await self.ask(repr(action)) == {"done": True}


@asynccontextmanager
async def driver_on(display: str, xauthority: Path | None) -> AsyncIterator[Driver]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        str(DRIVER),
        env={**os.environ, "DISPLAY": display, "XAUTHORITY": str(xauthority)},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        yield Driver(process)
    finally:
        assert process.stdin is not None
        process.stdin.close()
        await process.wait()


@pytest.fixture
async def driver(desktop: Desktop) -> AsyncIterator[Driver]:
    async with driver_on(desktop.display, desktop.xauthority) as driver:
        opened = await driver.read()
        assert opened["screen"] == [desktop.screen.width_px, desktop.screen.height_px]
        yield driver


async def test_it_says_at_start_what_it_cannot_do(desktop: Desktop) -> None:
    async with driver_on(desktop.display, desktop.xauthority) as driver:
        limits = " ".join((await driver.read())["limits"])
        for word in ("ASCII", "fixed time", "pointer", "primary screen"):
            assert word in limits


async def test_pointer_actions_arrive_and_corners_are_points_like_any_other(desktop: Desktop, driver: Driver) -> None:
    async with probe_window(desktop) as probe:
        middle = probe.middle()
        await driver.do(Click(count=2, at=middle), Click(button="right", at=middle, modifiers="ctrl+shift"))
        await driver.do(Scroll("down", 3, middle), Scroll("left", 1, middle))
        await probe.until(lambda: len([one for one in probe.noted if one.kind == "release"]) == 7)
        pressed = [(one.what, one.state & 0xFF) for one in probe.noted if one.kind == "press"]
        assert pressed == [("1", 0), ("1", 0), ("3", 5), *[("5", 0)] * 3, ("6", 0)]
        probe.noted.clear()
        await driver.do(Drag(middle, ScreenPoint(middle.x + 60, middle.y + 30), "alt"))
        await probe.until(lambda: any(one.kind == "release" for one in probe.noted))
        assert len([one for one in probe.noted if one.kind == "motion" and one.state == 0x108]) >= 10
        corner = ScreenPoint(desktop.screen.width_px - 1, desktop.screen.height_px - 1)
        await driver.do(Click(at=ScreenPoint(0, 0)), Click(at=corner))
        assert await driver.ask("position") == {"x": corner.x, "y": corner.y}


async def test_points_off_the_screen_are_refused_and_the_pointer_stays(desktop: Desktop, driver: Driver) -> None:
    await driver.do(MovePointer(ScreenPoint(50, 60)))
    off = ScreenPoint(desktop.screen.width_px, 10)
    for action in (Click(at=off), MovePointer(off), Drag(ScreenPoint(1, 1), off), Scroll("up", 1, off)):
        answer = await driver.ask(repr(action))
        assert answer["error"] == "ActionRefused"
        assert "off the screen" in answer["message"]
    assert await driver.ask("position") == {"x": 50, "y": 60}


async def test_a_pressed_button_is_down_until_released_or_the_screen_is_closed(
    desktop: Desktop, driver: Driver
) -> None:
    async with probe_window(desktop) as probe:
        await driver.do(MovePointer(probe.middle()), PressButton())
        assert (await driver.ask(repr(PressButton())))["error"] == "ActionRefused"
        await driver.do(ReleaseButton())
        async with driver_on(desktop.display, desktop.xauthority) as other:
            await other.read()
            await other.do(PressButton())
        await probe.until(lambda: len([one for one in probe.noted if one.kind == "release"]) == 2)


async def test_chords_and_holds_arrive_and_unknown_keys_are_refused(desktop: Desktop, driver: Driver) -> None:
    async with probe_window(desktop) as probe:
        await driver.do(PressKeys("ctrl+shift+Page_Up"), PressKeys("F5", repeat=2), HoldKeys("super", 0))
        for chord in ("XF86AudioPlay", "ctrl+ä", "no_such_key"):
            assert (await driver.ask(repr(PressKeys(chord))))["error"] == "ActionRefused"
        await probe.until(lambda: len([one for one in probe.noted if one.kind == "up"]) == 6)
        downs = [one.what for one in probe.noted if one.kind == "down"]
        assert downs == ["Control_L", "Shift_L", "Page_Up", "F5", "F5", "Super_L"]


async def test_text_arrives_whole_or_is_refused_whole(desktop: Desktop, driver: Driver, tmp_path: Path) -> None:
    saved = tmp_path / "saved"
    await desktop.start_application(["xterm", "-e", "sh", "-c", 'cat > "$0"', str(saved)])
    for text in ("naïve", "a < b", "f(x)", "日本", "smile \N{GRINNING FACE}"):
        answer = await driver.ask(repr(TypeText(text)))
        assert answer["error"] == "ActionRefused"
        assert "Nothing was typed" in answer["message"]
    typed = string.ascii_letters + string.digits + "".join(sorted(set(string.punctuation) - set("<()")))
    async with asyncio.timeout(20):
        # A screen that is not ours tells nobody where its keys go.
        while ("application", "XTerm") not in (await desktop.look(TypeText("a"))).facts:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        while not saved.exists():  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    await driver.do(TypeText(typed + "\n"), PressKeys("ctrl+d"))
    async with asyncio.timeout(20):
        while not saved.exists() or not saved.read_text().endswith("\n"):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    assert saved.read_text() == typed + "\n"


async def test_its_pictures_are_those_of_the_display(desktop: Desktop, driver: Driver, tmp_path: Path) -> None:
    async with probe_window(desktop, Size(200, 100)):
        await driver.do(MovePointer(ScreenPoint(1200, 700)))
        whole, part = tmp_path / "whole.png", tmp_path / "part.png"
        region = ScreenRegion(50, 10, 350, 110)
        assert (await driver.ask(f"capture {str(whole)!r}, None, None"))["size"] == [1280, 800]
        assert (await driver.ask(f"capture {str(part)!r}, {region!r}, Size(600, 200)"))["size"] == [600, 200]
        (tmp_path / "ours.png").write_bytes((await desktop.capture(region, fit=Size(600, 200))).data)
        with Image.open(part) as theirs, Image.open(tmp_path / "ours.png") as ours:
            assert ImageChops.difference(theirs.convert("RGB"), ours.convert("RGB")).getbbox() is None
        refused = await driver.ask(f"capture {str(part)!r}, ScreenRegion(1200, 700, 1281, 800), None")
        assert refused["error"] == "ActionRefused"


async def test_a_screen_that_dies_is_said(desktop: Desktop, driver: Driver) -> None:
    os.kill(desktop.process_ids()[0], signal.SIGKILL)
    assert (await driver.ask("position"))["error"] == "EnvironmentDied"


async def test_without_a_screen_it_does_not_start() -> None:
    async with driver_on(":999", Path("/dev/null")) as driver:
        assert "screen cannot be reached" in (await driver.read())["unavailable"]

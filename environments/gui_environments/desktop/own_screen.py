"""Opens the machine's own screen as a desktop. pyautogui is imported only then, since it connects to a screen as it is
imported."""

from __future__ import annotations

import importlib
import logging
import os
import sys
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import mss

from gui_environments.desktop.connection import CONNECTION_LOST
from gui_environments.desktop.frames import BAND_WORKERS
from gui_environments.desktop.native import NativeDesktop, primary_screen
from gui_environments.desktop.native_input import NativeInput
from gui_environments.desktop.native_keys import NativeKeys
from gui_environments.desktop.work_thread import WorkThread
from gui_environments.errors import EnvironmentUnavailable
from gui_environments.geometry import Size

log = logging.getLogger(__name__)

_NO_PYAUTOGUI = "The machine's own screen needs pyautogui, which cannot be imported here. Try: pip install pyautogui"
_NO_PYAUTOGUI_ON_LINUX = (
    "The machine's own screen needs pyautogui and tkinter, one of which cannot be imported here. On Linux pyautogui is "
    "not installed with the worker, since what it brings overwrites python-xlib. Give the display's name instead (it "
    "is in DISPLAY), which can do more; or run scripts/bootstrap in a checkout, which installs both for the tests."
)


class _OwnScreen(NamedTuple):
    desktop: NativeDesktop
    hands: NativeInput
    grabber: mss.MSS


@asynccontextmanager
async def open_own_screen(*, us_keyboard: bool = False) -> AsyncIterator[NativeDesktop]:
    """The screen this process runs on (on X, the one DISPLAY and XAUTHORITY name now). Raises
    `EnvironmentUnavailable`. `us_keyboard`: the layout is US; asked for where it cannot be read."""
    thread = WorkThread("own screen")
    pool = ThreadPoolExecutor(max_workers=BAND_WORKERS, thread_name_prefix="encoding own screen")
    try:
        opened = await thread.run(lambda _: _open(thread, pool, us_keyboard=us_keyboard))
        for sentence in opened.desktop.limits:
            log.warning("own screen: %s", sentence)
        try:
            yield opened.desktop
        finally:
            await thread.run(lambda _: _close(opened))
    finally:
        thread.close()
        pool.shutdown(wait=False)


def _open(thread: WorkThread, pool: ThreadPoolExecutor, *, us_keyboard: bool) -> _OwnScreen:
    if sys.platform == "linux" and not os.environ.get("DISPLAY"):
        raise EnvironmentUnavailable("DISPLAY is not set, so there is no screen of X to be reached from here.")
    try:
        # Imported here, since it connects to the screen, and only to the one of that moment.
        pyautogui: Any = importlib.import_module("pyautogui")
        grabber = mss.MSS()
    except (ImportError, SystemExit) as error:  # it exits where tkinter is missing
        raise EnvironmentUnavailable(_NO_PYAUTOGUI_ON_LINUX if sys.platform == "linux" else _NO_PYAUTOGUI) from error
    except Exception as error:  # whatever the system's own libraries raise when there is no screen
        raise EnvironmentUnavailable(f"This machine's screen cannot be reached: {error}") from error
    # Its pauses are ours to make, and a corner of the screen is a point like any other.
    pyautogui.PAUSE = 0
    pyautogui.FAILSAFE = False
    shot = grabber.grab(primary_screen(grabber))
    screen = Size(shot.width, shot.height)
    keys = NativeKeys(pyautogui, us_keyboard=us_keyboard)
    hands = NativeInput(pyautogui, keys, screen=screen, points=Size(*pyautogui.size()))
    hands.require_effect()
    return _OwnScreen(NativeDesktop(hands, grabber, thread, pool, screen), hands, grabber)


def _close(opened: _OwnScreen) -> None:
    try:
        opened.hands.release_all()
        opened.grabber.close()
    except CONNECTION_LOST:
        log.debug("the screen was gone when it was closed")

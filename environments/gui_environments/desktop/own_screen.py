"""Opens the machine's own screen as a desktop. pyautogui is imported only then, since it connects to a screen as it is
imported."""

from __future__ import annotations

import importlib
import logging
import sys
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any

import mss

from gui_environments.desktop.connection import CONNECTION_LOST
from gui_environments.desktop.frames import BAND_WORKERS
from gui_environments.desktop.native import NativeDesktop
from gui_environments.desktop.native_keys import NativeKeys
from gui_environments.desktop.worker import Worker
from gui_environments.errors import EnvironmentUnavailable

log = logging.getLogger(__name__)


@asynccontextmanager
async def open_own_screen(*, us_keyboard: bool = False) -> AsyncIterator[NativeDesktop]:
    """The screen this process runs on (on X, the one DISPLAY and XAUTHORITY name now). Raises
    `EnvironmentUnavailable`. `us_keyboard`: the layout is US; asked for where it cannot be read."""
    worker = Worker("own screen")
    pool = ThreadPoolExecutor(max_workers=BAND_WORKERS, thread_name_prefix="encoding own screen")
    try:
        desktop, grabber = await worker.run(lambda _: _open(worker, pool, us_keyboard=us_keyboard))
        for sentence in desktop.limits:
            log.warning("%s", sentence)
        try:
            yield desktop
        finally:
            await worker.run(lambda _: _close(desktop, grabber))
    finally:
        worker.close()
        pool.shutdown(wait=False)


def _open(worker: Worker, pool: ThreadPoolExecutor, *, us_keyboard: bool) -> tuple[NativeDesktop, mss.MSS]:
    try:
        # Imported here, since it connects to the screen, and only to the one of that moment.
        pyautogui: Any = importlib.import_module("pyautogui")
        grabber = mss.MSS()
    except ImportError as error:
        advice = "use a display by its name instead" if sys.platform == "linux" else "pip install pyautogui"
        raise EnvironmentUnavailable(f"pyautogui cannot be used here ({error}): {advice}") from error
    except Exception as error:  # whatever the system's own libraries raise when there is no screen
        raise EnvironmentUnavailable(f"This machine's screen cannot be reached: {error}") from error
    # Its pauses are ours to make, and a corner of the screen is a point like any other.
    pyautogui.PAUSE = 0
    pyautogui.FAILSAFE = False
    desktop = NativeDesktop(pyautogui, grabber, worker, pool, NativeKeys(pyautogui, us_keyboard=us_keyboard))
    desktop.require_input()
    return desktop, grabber


def _close(desktop: NativeDesktop, grabber: mss.MSS) -> None:
    try:
        desktop.release_all()
        grabber.close()
    except CONNECTION_LOST:
        log.debug("the screen was gone when it was closed")

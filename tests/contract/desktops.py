"""The desktops that one suite holds to one contract."""

from __future__ import annotations

import importlib
import os
import sys
import warnings
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from contract.events import EventLog
from gui_environments.desktop import Desktop, open_own_screen
from gui_environments.protocols import DesktopEnvironment

SCREEN = (1024, 768)


@dataclass(frozen=True)
class DesktopUnderTest:
    """A desktop whose screen is covered by a window that logs its events. `limits` are what it says at start that it
    cannot do."""

    environment: DesktopEnvironment
    log: EventLog
    limits: tuple[str, ...] = ()


OpenDesktop = Callable[[Path], AbstractAsyncContextManager[DesktopUnderTest]]


@asynccontextmanager
async def own_display(folder: Path) -> AsyncIterator[DesktopUnderTest]:
    """A display of our own."""
    log = EventLog(folder / "events.jsonl")
    async with Desktop.open(SCREEN, apps=[log.command]) as desktop:
        await log.wait_until_ready()
        yield DesktopUnderTest(desktop, log)


@asynccontextmanager
async def attached_display(folder: Path) -> AsyncIterator[DesktopUnderTest]:
    """A display that was there before."""
    log = EventLog(folder / "events.jsonl")
    async with Desktop.open(SCREEN, apps=[log.command]) as owner:
        await log.wait_until_ready()
        async with Desktop.attach(owner.display, xauthority=owner.xauthority) as desktop:
            yield DesktopUnderTest(desktop, log)


@asynccontextmanager
async def own_screen(folder: Path) -> AsyncIterator[DesktopUnderTest]:
    """The screen this process runs on, which is made to be a display of ours."""
    log = EventLog(folder / "events.jsonl")
    async with Desktop.open(SCREEN, apps=[log.command]) as owner:
        await log.wait_until_ready()
        with _running_on(owner):
            async with open_own_screen() as desktop:
                yield DesktopUnderTest(desktop, log, desktop.limits)


@contextmanager
def _running_on(owner: Desktop) -> Iterator[None]:
    """As if this process had been started on the display. pyautogui is bound to the one it finds when it is imported,
    so it is thrown away afterwards, with the connections and pipes that it leaves open."""
    before = dict(os.environ)
    os.environ |= {"DISPLAY": owner.display, "XAUTHORITY": str(owner.xauthority)}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)
            importlib.import_module("pyautogui")
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
        sys.modules["pyautogui"].platformModule._display.close()
        sys.modules["mouseinfo"]._display.close()
        for name in ("mouseinfo", "pyscreeze"):
            for pipe in (sys.modules[name].whichProc.stdout, sys.modules[name].whichProc.stderr):
                pipe.close()
        for name in [name for name in sys.modules if name.partition(".")[0] in ("pyautogui", "mouseinfo", "pyscreeze")]:
            del sys.modules[name]


DESKTOPS: dict[str, OpenDesktop] = {
    "own display": own_display,
    "attached display": attached_display,
    "own screen": own_screen,
}

"""The desktops that one suite holds to one contract."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from contract.events import EventLog
from gui_environments.desktop import Desktop
from gui_environments.protocols import DesktopEnvironment

SCREEN = (1024, 768)


@dataclass(frozen=True)
class DesktopUnderTest:
    """A desktop whose screen is covered by a window that logs its events."""

    environment: DesktopEnvironment
    log: EventLog


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


DESKTOPS: dict[str, OpenDesktop] = {"own display": own_display, "attached display": attached_display}

"""The doctor's trial: a real desktop is started, asked what its X server can do, photographed and closed."""

from __future__ import annotations

import asyncio
from pathlib import Path

from gui_environments.desktop import Desktop
from gui_environments.desktop.connection import close_display, connect
from gui_operator.cli.doctor_checks import Finding

# What for, and whether a desktop is of use without it.
_EXTENSIONS = {
    "XTEST": ("input", True),
    "DAMAGE": ("knowing when the screen is quiet", True),
    "MIT-SHM": ("fast screenshots", False),
    "RECORD": ("seeing that clients have read a keymap", False),
}


async def try_desktop() -> list[Finding]:
    """Raises what starting or capturing raises."""
    async with Desktop.open(screen=(640, 480)) as desktop:
        picture = await desktop.capture()
        extensions = await asyncio.to_thread(_list_extensions, desktop.display, desktop.xauthority)
    findings = [Finding("a desktop", ok=True, found=f"started, and a picture of {picture.size} pixels taken")]
    for name, (purpose, required) in _EXTENSIONS.items():
        there = name in extensions
        found = "there" if there else f"missing: {purpose}"
        findings.append(Finding(f"X extension {name}", there, found, "apt-get install xvfb", required))
    return findings


def _list_extensions(name: str, xauthority: Path | None) -> frozenset[str]:
    display = connect(name, xauthority)
    try:
        return frozenset(display.list_extensions())
    finally:
        close_display(display)

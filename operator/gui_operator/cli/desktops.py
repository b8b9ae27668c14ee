"""The desktop that `exec` was asked for, opened: one of our own, a display that is there, or the machine's own screen.
The last is never chosen in place of another: whoever sits at it has to ask for it."""

from __future__ import annotations

import os
import secrets
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gui_environments.desktop import Desktop, open_own_screen
from gui_environments.errors import EnvironmentUnavailable
from gui_environments.processes.tree import ProcessTree
from gui_environments.protocols import DesktopEnvironment
from gui_operator.cli.exec_options import OWN_SCREEN, ExecOptions

HAS_SHELL = sys.platform == "linux"
"""Where bash and the text editor work."""

_NO_XVFB = (
    "Xvfb is not installed, so there can be no desktop of our own. On Debian and Ubuntu: sudo apt-get install xvfb. "
    f"`--display {OWN_SCREEN}` would drive this machine's own screen, with limits that it says at start."
)


@dataclass(frozen=True, slots=True)
class OpenedDesktop:
    """`description` is what the first line of `exec` says about it, sizes apart; `variables` are what bash is given, so
    that a window that it opens is like one that `--app` opens; `scratch` goes away with it, even when this process is
    killed."""

    environment: DesktopEnvironment
    description: Mapping[str, Any]
    variables: Mapping[str, str]
    scratch: Path


@asynccontextmanager
async def open_desktop(options: ExecOptions, given: Mapping[str, str]) -> AsyncIterator[OpenedDesktop]:
    """`given` are variables for all that is started on it. Raises `EnvironmentUnavailable`."""
    if options.display == OWN_SCREEN:
        async with scratch_folder() as scratch, open_own_screen(us_keyboard=options.us_keyboard) as screen:
            variables = {name: os.environ[name] for name in ("DISPLAY", "XAUTHORITY") if name in os.environ}
            yield OpenedDesktop(
                screen, {"limits": list(screen.limits)}, {**variables, "TMPDIR": str(scratch), **given}, scratch
            )
    else:
        async with _open_display(options, given) as desktop:
            description = {
                "display": desktop.display,
                "xauthority": str(desktop.xauthority) if desktop.xauthority is not None else None,
            }
            yield OpenedDesktop(desktop, description, desktop.environment, Path(desktop.environment["TMPDIR"]))


def _open_display(options: ExecOptions, given: Mapping[str, str]) -> AbstractAsyncContextManager[Desktop]:
    if options.display is not None:
        return Desktop.attach(options.display, apps=options.apps, environment=given)
    if shutil.which("Xvfb") is None:
        raise EnvironmentUnavailable(_NO_XVFB)
    return Desktop.open(options.screen, apps=options.apps, environment=given)


@asynccontextmanager
async def scratch_folder() -> AsyncIterator[Path]:
    """A folder for us only. Where nothing can watch over this process it stays when that is killed."""
    if not HAS_SHELL:
        with tempfile.TemporaryDirectory(prefix="gui-operator-") as name:
            yield Path(name)
        return
    async with ProcessTree.open() as tree:
        folder = Path(tempfile.gettempdir()) / f"gui-operator-{secrets.token_hex(8)}"
        # Said before it is made: killed in between, we leave nothing.
        await tree.remove_at_end(folder)
        folder.mkdir(mode=0o700)
        yield folder

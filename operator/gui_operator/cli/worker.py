"""What `exec` works with: the environment and the tools on it, opened together and closed in reverse. Runs no call."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gui_environments.desktop import Desktop
from gui_environments.shell import Bash, FileEditor
from gui_operator.cli.exec_options import ExecOptions
from gui_operator.policy import Gate, TerminalApprover
from gui_operator.recording import Recording
from gui_operator.toolsets import BashTool, ComputerToolset, EditorTool
from gui_operator.turn import Toolbox


@dataclass(frozen=True, slots=True)
class Worker:
    """`environment` is what the first line of `exec` says about it."""

    environment: Mapping[str, Any]
    toolbox: Toolbox


@asynccontextmanager
async def open_worker(options: ExecOptions, recording: Recording | None) -> AsyncIterator[Worker]:
    """Raises `EnvironmentUnavailable` when the environment cannot be started."""
    async with AsyncExitStack() as stack:
        desktop = await stack.enter_async_context(_open_desktop(options))
        # The desktop's own folder for temporary files goes away with it, even when this process is killed.
        scratch = Path(desktop.environment["TMPDIR"])
        workdir = options.workdir or Path(tempfile.mkdtemp(prefix="work-", dir=scratch))
        backups = _backups_folder(options) or Path(tempfile.mkdtemp(prefix="backups-", dir=scratch))
        bash = await stack.enter_async_context(Bash.open(workdir, _variables_of_bash(desktop)))
        editor = FileEditor(workdir, backups=backups)
        decided = recording.decided if recording is not None else None
        gate = Gate(options.rules, TerminalApprover(), on_decision=decided)
        computer = ComputerToolset(
            desktop, confirm=gate.confirm, model=options.model, settle_s=options.settle_s, recording=recording
        )
        toolbox = Toolbox.of(
            computer,
            BashTool(bash, gate=gate, recording=recording),
            EditorTool(editor, gate=gate, recording=recording),
            recording=recording,
        )
        yield Worker({"desktop": _describe_desktop(desktop, computer)}, toolbox)


def _open_desktop(options: ExecOptions) -> AbstractAsyncContextManager[Desktop]:
    if options.display is not None:
        return Desktop.attach(options.display, apps=options.apps)
    return Desktop.open(options.screen, apps=options.apps)


def _variables_of_bash(desktop: Desktop) -> Mapping[str, str]:
    """What a window that bash opens needs to appear on the desktop."""
    wanted = ("DISPLAY", "XAUTHORITY", "TMPDIR")
    return {name: desktop.environment[name] for name in wanted if name in desktop.environment}


def _describe_desktop(desktop: Desktop, computer: ComputerToolset) -> Mapping[str, Any]:
    screen, screenshot = desktop.screen, computer.screenshot_size
    return {
        "display": desktop.display,
        "xauthority": str(desktop.xauthority) if desktop.xauthority is not None else None,
        "screen": [screen.width_px, screen.height_px],
        "screenshot": [screenshot.width_px, screenshot.height_px],
    }


def _backups_folder(options: ExecOptions) -> Path | None:
    """Where the editor's backups outlast the session: beside the recording, else in the user's state folder when the
    edited files are the user's own. None when the files go away with the session, and the backups with them."""
    if options.record is not None:
        return options.record.absolute() / "backups"
    if options.workdir is None:
        return None
    state = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state")
    return state / "gui-operator/backups" / f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}"

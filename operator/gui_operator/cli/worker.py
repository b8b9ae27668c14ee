"""What `exec` works with: the environment and the tools on it, opened together and closed in reverse. Runs no call."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gui_operator.cli.backups import backups_folder
from gui_operator.cli.desktops import HAS_SHELL, OpenedDesktop, open_desktop
from gui_operator.cli.exec_options import ExecOptions
from gui_operator.policy import Gate, TerminalApprover
from gui_operator.recording import Recording
from gui_operator.toolsets import BashTool, ComputerToolset, EditorTool
from gui_operator.turn import Toolbox

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Worker:
    """`environment` is what the first line of `exec` says about it."""

    environment: Mapping[str, Any]
    toolbox: Toolbox


@asynccontextmanager
async def open_worker(options: ExecOptions, recording: Recording | None) -> AsyncIterator[Worker]:
    """Raises `EnvironmentUnavailable` when the environment cannot be started."""
    async with AsyncExitStack() as stack:
        opened = await stack.enter_async_context(open_desktop(options))
        decided = recording.decided if recording is not None else None
        gate = Gate(options.rules, TerminalApprover(), on_decision=decided)
        computer = ComputerToolset(
            opened.environment,
            confirm=gate.confirm,
            model=options.model,
            settle_s=options.settle_s,
            recording=recording,
        )
        tools: tuple[BashTool | EditorTool, ...] = ()
        if HAS_SHELL:
            tools = await stack.enter_async_context(_open_shell_tools(options, opened, gate, recording))
        else:
            log.warning("bash and the text editor need Linux, so they are left out here")
        toolbox = Toolbox.of(computer, *tools, recording=recording)
        yield Worker({"desktop": _describe(opened, computer)}, toolbox)


@asynccontextmanager
async def _open_shell_tools(
    options: ExecOptions, opened: OpenedDesktop, gate: Gate, recording: Recording | None
) -> AsyncIterator[tuple[BashTool, EditorTool]]:
    # Only now, since these cannot even be imported on other systems.
    from gui_environments.shell import Bash, FileEditor

    workdir = options.workdir or Path(tempfile.mkdtemp(prefix="work-", dir=opened.scratch))
    with backups_folder(options, workdir, opened.scratch) as backups:
        editor = FileEditor(workdir, backups=backups)
        async with Bash.open(workdir, opened.variables) as bash:
            yield (
                BashTool(bash, gate=gate, recording=recording),
                EditorTool(editor, gate=gate, recording=recording),
            )


def _describe(opened: OpenedDesktop, computer: ComputerToolset) -> Mapping[str, Any]:
    screen, screenshot = opened.environment.screen, computer.screenshot_size
    return {
        **opened.description,
        "screen": [screen.width_px, screen.height_px],
        "screenshot": [screenshot.width_px, screenshot.height_px],
    }

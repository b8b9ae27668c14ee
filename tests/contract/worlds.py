"""A worker's whole world, opened the same way each time: a desktop, a shell, files, and the tools on them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from anthropic import beta_async_tool
from anthropic.lib.tools import BetaAsyncBuiltinFunctionTool, BetaAsyncRunnableToolset

from contract.desktops import SCREEN
from contract.events import EventLog
from gui_environments.desktop import Desktop
from gui_environments.shell import Bash, FileEditor
from gui_operator.policy import Gate, Rules
from gui_operator.recording import Recording
from gui_operator.toolsets import BashTool, ComputerToolset, EditorTool, guarded
from gui_operator.turn import Toolbox

COMMAND_LIMIT_S = 1.0
"""Short, so that a command that never ends is soon stopped."""


@beta_async_tool(name="screenshot")
async def screenshot_of_mine(of: str) -> str:
    """A tool named like a member.

    Args:
        of: What to take a screenshot of.
    """
    return f"No picture of {of}, but words."


@beta_async_tool(name="divide")
async def divide(by: int) -> str:
    """A tool that can break.

    Args:
        by: What to divide 12 by.
    """
    return str(12 // by)


@beta_async_tool(name="launch")
async def launch() -> str:
    """A tool for a rule to deny."""
    return "Launched."


TOOLS_OF_MINE = (screenshot_of_mine, divide, launch)


@dataclass(frozen=True)
class World:
    """`folder` is where the shell and the editor work; `log` is what the window on the desktop saw."""

    folder: Path
    desktop: Desktop
    log: EventLog
    bash: Bash

    def tools(
        self,
        *,
        rules: Iterable[str] = (),
        recording: Recording | None = None,
        configs: Mapping[str, Any] | None = None,
        settle_s: float = 0.0,
    ) -> list[BetaAsyncRunnableToolset | BetaAsyncBuiltinFunctionTool]:
        """The toolset and tools anew, on the same desktop, shell and files."""
        decided = recording.decided if recording is not None else None
        gate = Gate(
            Rules.parse(rules, otherwise="allow", tools=[tool.name for tool in TOOLS_OF_MINE]), on_decision=decided
        )
        files = FileEditor(self.folder, backups=self.folder.with_name("backups"))
        return [
            ComputerToolset(
                self.desktop,
                confirm=gate.confirm,
                configs=configs,  # type: ignore[arg-type] # a mapping of that shape
                settle_s=settle_s,
                recording=recording,
            ),
            BashTool(self.bash, gate=gate, recording=recording),
            EditorTool(files, gate=gate, recording=recording),
            *(guarded(tool, gate=gate, recording=recording) for tool in TOOLS_OF_MINE),
        ]

    def toolbox(self, *, recording: Recording | None = None, **options: Any) -> Toolbox:
        return Toolbox.of(*self.tools(recording=recording, **options), recording=recording)


@asynccontextmanager
async def open_world(folder: Path) -> AsyncIterator[World]:
    work = folder / "work"
    work.mkdir()
    log = EventLog(folder / "events.jsonl")
    async with Desktop.open(SCREEN, apps=[log.command]) as desktop:
        await log.wait_until_ready()
        reach = {"DISPLAY": desktop.display, "XAUTHORITY": str(desktop.xauthority)}
        async with Bash.open(work, reach, time_limit_s=COMMAND_LIMIT_S) as bash:
            yield World(work, desktop, log, bash)

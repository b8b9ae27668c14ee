"""What `exec` works with: the environment and the tools on it, opened together and closed in reverse. Runs no call."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from anthropic.lib.tools import BetaAsyncRunnableToolset

from gui_operator.cli.backups import backups_folder
from gui_operator.cli.browsers import browser_toolset, covered_on_screen, describe_browser, open_browser
from gui_operator.cli.desktops import HAS_SHELL, OpenedDesktop, open_desktop, scratch_folder
from gui_operator.cli.exec_options import ExecOptions
from gui_operator.cli.file_options import require_placed_apart
from gui_operator.cli.services import open_services
from gui_operator.cli.way_out import open_way_out
from gui_operator.policy import Gate, RulesWithSecrets, Secrets, Terminal, TerminalApprover, TerminalDialogs
from gui_operator.recording import Recording
from gui_operator.toolsets import BashTool, ComputerToolset, EditorTool
from gui_operator.toolsets.function_tool import AsyncTool
from gui_operator.turn import Toolbox

log = logging.getLogger(__name__)

DESKTOP_SETTLE_S = 1.0


@dataclass(frozen=True, slots=True)
class Worker:
    """`environment` is what the first line of `exec` says about it; `values` are the texts that turns use by name;
    `terminal` is where a person is asked."""

    environment: Mapping[str, Any]
    values: Mapping[str, str]
    toolbox: Toolbox
    terminal: Terminal


@asynccontextmanager
async def open_worker(options: ExecOptions, recording: Recording | None, secrets: Secrets) -> AsyncIterator[Worker]:
    """Raises `EnvironmentUnavailable` when the environment cannot be started."""
    if options.browser is not None:
        require_placed_apart(options.browser.files, None if recording is None else recording.directory)
    async with AsyncExitStack() as stack:
        environment: dict[str, Mapping[str, Any]] = {}
        tools: list[BetaAsyncRunnableToolset | AsyncTool] = []
        addresses = await stack.enter_async_context(open_services(options.values.services))
        way_out = await stack.enter_async_context(open_way_out(options.hosts, recording))
        desktop = None
        if options.desktop:
            desktop = await stack.enter_async_context(open_desktop(options, way_out.variables))
        scratch = desktop.scratch if desktop is not None else await stack.enter_async_context(scratch_folder())
        terminal = Terminal(pictures=scratch / "questions")
        dialogs = TerminalDialogs(terminal, secrets.masking)
        gate = _gate(options, terminal, recording, secrets)
        if desktop is not None:
            computer = _computer_toolset(options, desktop, gate, recording, secrets)
            environment["desktop"] = _describe_desktop(desktop, computer)
            tools.append(computer)
            surroundings = Surroundings(desktop.variables, scratch)
        else:
            surroundings = Surroundings({"TMPDIR": str(scratch), **way_out.variables}, scratch)
        if options.browser is not None:
            browser = await stack.enter_async_context(
                open_browser(options.browser, way_out, desktop, scratch / "downloads", dialogs.ask)
            )
            if desktop is not None and secrets:
                stack.enter_context(covered_on_screen(desktop, browser, secrets))
            toolset = browser_toolset(options, options.browser, browser, gate, recording, secrets)
            environment["browser"] = describe_browser(browser, toolset)
            tools.append(toolset)
        if HAS_SHELL:
            shell_tools = _open_shell_tools(options, surroundings, gate, recording, secrets)
            tools += await stack.enter_async_context(shell_tools)
        else:
            log.warning("bash and the text editor need Linux, so they are left out here")
        toolbox = Toolbox.of(*tools, recording=recording)
        yield Worker(environment, {**options.values.given, **addresses}, toolbox, terminal)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What bash and the editor get of the environment: variables, and a folder that goes away with it."""

    variables: Mapping[str, str]
    scratch: Path


def _gate(options: ExecOptions, terminal: Terminal, recording: Recording | None, secrets: Secrets) -> Gate:
    approvals = options.approvals
    return Gate(
        RulesWithSecrets(approvals.rules, secrets),
        TerminalApprover(terminal),
        on_decision=recording.decided if recording is not None else None,
        answer_s=approvals.answer_s,
        masking=secrets.masking,
    )


def _computer_toolset(
    options: ExecOptions, desktop: OpenedDesktop, gate: Gate, recording: Recording | None, secrets: Secrets
) -> ComputerToolset:
    return ComputerToolset(
        desktop.environment,
        confirm=gate.confirm,
        model=options.model,
        settle_s=DESKTOP_SETTLE_S if options.settle_s is None else options.settle_s,
        recording=recording,
        secrets=secrets,
    )


@asynccontextmanager
async def _open_shell_tools(
    options: ExecOptions, surroundings: Surroundings, gate: Gate, recording: Recording | None, secrets: Secrets
) -> AsyncIterator[tuple[BashTool, EditorTool]]:
    # Only now, since these cannot even be imported on other systems.
    from gui_environments.shell import Bash, FileEditor

    workdir = options.workdir or Path(tempfile.mkdtemp(prefix="work-", dir=surroundings.scratch))
    with backups_folder(options, workdir, surroundings.scratch) as backups:
        editor = FileEditor(workdir, backups=backups)
        async with Bash.open(workdir, surroundings.variables) as bash:
            yield (
                BashTool(bash, gate=gate, recording=recording, secrets=secrets),
                EditorTool(editor, gate=gate, recording=recording, secrets=secrets),
            )


def _describe_desktop(opened: OpenedDesktop, computer: ComputerToolset) -> Mapping[str, Any]:
    screen, screenshot = opened.environment.screen, computer.screenshot_size
    return {
        **opened.description,
        "screen": [screen.width_px, screen.height_px],
        "screenshot": [screenshot.width_px, screenshot.height_px],
    }

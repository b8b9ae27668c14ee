"""What is done before the model is asked for the first time: the browser goes to the job's address. The job names it,
so nobody is asked; the rules for hosts hold all the same."""

from __future__ import annotations

import contextlib

from anthropic.tools import BetaToolsetCallContext, ToolError
from anthropic.types import beta

from gui_environments.errors import ActionFailed, ActionRefused, EnvironmentDied, EnvironmentUnavailable
from gui_operator.recording import Recording
from gui_operator.toolsets import BrowserToolset
from gui_operator.turn import Toolbox


async def go_to_start(address: str, toolbox: Toolbox) -> None:
    """Recorded as a turn of its own. Raises `EnvironmentUnavailable` when it is not reached."""
    toolset = toolbox.toolsets["browser"]
    assert isinstance(toolset, BrowserToolset)
    recording = toolbox.recording
    try:
        with recording.turn() if recording is not None else contextlib.nullcontext():
            await _navigate(address, toolset, recording)
    except (ActionRefused, ActionFailed, EnvironmentDied, ToolError) as error:
        raise EnvironmentUnavailable(f"the browser could not go to {address}: {error}") from error


async def _navigate(address: str, toolset: BrowserToolset, recording: Recording | None) -> None:
    wanted = beta.BetaBrowserNavigateInput(url=address)
    if recording is None:
        await toolset.navigate(BetaToolsetCallContext(), wanted)
        return
    with recording.call(toolset="browser", name="navigate", call_input={"url": address}, tool_use_id=None) as call:
        reached = await toolset.navigate(BetaToolsetCallContext(), wanted)
        call.answer(f"Navigated to {reached.url}")

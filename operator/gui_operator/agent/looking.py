"""A screenshot where the model would otherwise have to ask for one: on the last result of a turn that acted and did not
look, and after something that broke the conversation off. Never taken where the rules would ask or deny."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from anthropic.lib.tools import BetaAsyncRunnableToolset
from anthropic.tools import BetaScreenshotResult, BetaToolsetCallContext, ToolError
from anthropic.types import beta
from anthropic.types.beta import BetaToolResultBlockParam, BetaToolUseBlock

from gui_environments.errors import ActionFailed, ActionRefused, EnvironmentDied
from gui_operator.policy.effects import member_effect
from gui_operator.recording import Recording
from gui_operator.recording.run_events import SCREENSHOT_ADDED
from gui_operator.toolsets import BrowserToolset, ComputerToolset
from gui_operator.toolsets.masked import MaskedToolset
from gui_operator.toolsets.noticed import STATE_ONLY
from gui_operator.toolsets.single_computer import member_of

log = logging.getLogger(__name__)

NOW_TEXT = {"computer": "The screen now:", "browser": "The page now:"}

_LOOKS = frozenset({"screenshot", "zoom", "read_page", "find", "get_page_text"})
"""After these the model knows what is there."""

MayLook = Callable[[str], bool]
"""Whether a toolset's `screenshot` may run without anybody being asked."""


class Looks:
    """Takes the screenshots that nobody called for; each is recorded."""

    def __init__(
        self, toolsets: Iterable[BetaAsyncRunnableToolset], may_look: MayLook, recording: Recording | None
    ) -> None:
        self._toolsets: dict[str, BetaAsyncRunnableToolset] = {toolset.toolset_name: toolset for toolset in toolsets}
        self._may_look = may_look
        self._recording = recording

    async def add_to(self, calls: Sequence[BetaToolUseBlock], blocks: list[Any]) -> None:
        """`blocks` are the results of `calls`, with nothing else; each toolset that acted and did not look is seen on
        the last of its results, or, where that cannot hold a picture, behind them all."""
        by_id: dict[str, BetaToolResultBlockParam] = {block["tool_use_id"]: block for block in blocks}
        for name in self._toolsets:
            own = [call for call in calls if member_of(call)[0] == name]
            if not _acted_unseen(own, by_id):
                continue
            picture = await self._picture(name, own[-1].id)
            if picture is None:
                continue
            last = by_id[own[-1].id]
            if last.get("is_error") or own[-1].name in STATE_ONLY:
                blocks += [{"type": "text", "text": NOW_TEXT[name]}, picture]
            else:
                last["content"] = _with_picture(last.get("content"), picture)

    async def take_all(self) -> list[Any]:
        """What is there now, as blocks for a message."""
        blocks: list[Any] = []
        for name in self._toolsets:
            picture = await self._picture(name, None)
            if picture is not None:
                blocks += [{"type": "text", "text": NOW_TEXT[name]}, picture]
        return blocks

    async def _picture(self, name: str, tool_use_id: str | None) -> dict[str, Any] | None:
        toolset = self._toolsets[name]
        if not self._may_look(name) or not _serves_screenshots(toolset):
            return None
        try:
            shot = await _screenshot(toolset)
        except (ActionRefused, ActionFailed, EnvironmentDied, ToolError) as error:
            log.info("no screenshot of the %s: %s", name, error)
            return None
        source = {"type": "base64", "media_type": shot.media_type, "data": shot.data}
        picture = {"type": "image", "source": source}
        if self._recording is not None:
            self._recording.write_content(SCREENSHOT_ADDED, {"toolset": name, "id": tool_use_id}, [picture])
        return picture


async def _screenshot(toolset: BetaAsyncRunnableToolset) -> BetaScreenshotResult:
    context = BetaToolsetCallContext()
    if isinstance(toolset, MaskedToolset):
        toolset.keep_from_sight()
    if isinstance(toolset, ComputerToolset):
        return await toolset.screenshot(context, beta.BetaComputerScreenshotInput())
    if isinstance(toolset, BrowserToolset):
        return await toolset.screenshot(context, beta.BetaBrowserScreenshotInput())
    raise ToolError(f"{type(toolset).__name__} has no screenshot that can be taken here")


def _acted_unseen(calls: Sequence[BetaToolUseBlock], results: dict[str, BetaToolResultBlockParam]) -> bool:
    """Whether something was done, or waited for, after the last look."""
    unseen = False
    for call in calls:
        toolset, member = member_of(call)
        if results[call.id].get("is_error"):
            continue
        if member in _LOOKS:
            unseen = False
        elif member == "wait" or member_effect(str(toolset), member) != "read":
            unseen = True
    return unseen


def _serves_screenshots(toolset: BetaAsyncRunnableToolset) -> bool:
    declared: Any = toolset.to_dict()
    return (declared.get("configs") or {}).get("screenshot", {}).get("enabled", True) is not False


def _with_picture(content: Any, picture: dict[str, Any]) -> list[Any]:
    """Before the block of the browser's state, if there is one."""
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else list(content or ())
    at = next((at for at, block in enumerate(blocks) if block["type"] == "browser_state"), len(blocks))
    return [*blocks[:at], picture, *blocks[at:]]

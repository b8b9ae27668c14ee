"""Sentences beside a toolset's results: what the SDK's own shape of a result has no room for. Never changes what a
result says already."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from anthropic.lib.tools import BetaAsyncRunnableToolset
from anthropic.types.beta import BetaToolResultBlockParam, BetaToolUseBlock

STATE_ONLY = frozenset({"new_tab", "list_tabs", "switch_tab", "close_tab"})
"""Members whose result must be exactly one `browser_state` block: what there is to say waits for the next result."""

NOTICE_LIMIT = 20
"""Sentences in one result; a page can make more. The rest is counted."""


class NoticedToolset(BetaAsyncRunnableToolset):
    """Put before one of the SDK's abstract classes, and after `RecordedToolset`, so that notices are recorded too."""

    notices: list[str]
    """What the next result is to say."""

    async def tool_result(self, tool_use: BetaToolUseBlock) -> BetaToolResultBlockParam:
        result = await super().tool_result(tool_use)
        if not self.notices or (tool_use.name in STATE_ONLY and not result.get("is_error")):
            return result
        notices = bounded(self.notices)
        self.notices.clear()
        return {**result, "content": with_notices(result.get("content"), notices)}


def bounded(notices: Sequence[str]) -> list[str]:
    if len(notices) <= NOTICE_LIMIT:
        return list(notices)
    return [*notices[: NOTICE_LIMIT - 1], f"({len(notices) - NOTICE_LIMIT + 1} more such things happened.)"]


def with_notices(content: Any, notices: Sequence[str]) -> list[Any]:
    """The blocks of a result with one text block a notice, before the block of the browser's state, if there is one."""
    blocks: list[Any] = [{"type": "text", "text": content}] if isinstance(content, str) else list(content or ())
    at = next((at for at, block in enumerate(blocks) if block["type"] == "browser_state"), len(blocks))
    return [*blocks[:at], *({"type": "text", "text": notice} for notice in notices), *blocks[at:]]

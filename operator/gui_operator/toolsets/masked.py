"""Keeps secrets out of what a toolset answers: results, errors, the browser's state and what is said beside them, in
one place. Pictures are covered where they are taken. Never changes what a member does."""

from __future__ import annotations

from typing import Any, cast

from anthropic.lib.tools import BetaAsyncRunnableToolset
from anthropic.types.beta import BetaToolResultBlockParam, BetaToolUseBlock

from gui_operator.policy.secrets import Secrets


class MaskedToolset(BetaAsyncRunnableToolset):
    """Put before one of the SDK's abstract classes, after `RecordedToolset`, which is to see no secret either, and
    before whatever adds to a result."""

    secrets: Secrets | None = None

    def keep_from_sight(self) -> None:
        """Before a call: tell the environment what it has to cover. Without pictures there is nothing to do."""

    async def tool_result(self, tool_use: BetaToolUseBlock) -> BetaToolResultBlockParam:
        if not self.secrets:
            return await super().tool_result(tool_use)
        self.keep_from_sight()
        result = await super().tool_result(tool_use)
        return {**result, "content": cast("Any", self.secrets.masking.in_json(result.get("content")))}

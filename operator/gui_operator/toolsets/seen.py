"""Lets a gate see what a member's call would hit before it asks somebody, and holds the call to it afterwards. Decides
nothing."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from anthropic.lib.tools import BetaAsyncRunnableToolset
from anthropic.tools import BetaToolsetCallContext
from anthropic.types.beta import BetaToolResultBlockParam, BetaToolUseBlock

from gui_environments.errors import ActionFailed, EnvironmentDied
from gui_environments.sights import PageExpectation, ScreenExpectation, Sight
from gui_operator.policy.judging import judged_call, judging
from gui_operator.toolsets import limits
from gui_operator.toolsets.failures import ENDED


class SeenToolset(BetaAsyncRunnableToolset):
    """Put before one of the SDK's abstract classes, and after `CheckedToolset`, which puts what it raises in words."""

    environment_died: str | None

    @abstractmethod
    async def look_at(self, member: str, call_input: Any) -> Sight | None:
        """What the call would hit now; None where there is nothing to see. Raises `ActionRefused`, `ActionFailed`,
        `EnvironmentDied`."""

    async def require_seen(self, member: str, call_input: Any) -> None:
        """Right before a call that somebody allowed, and that is not held to its target any other way. Raises
        `ActionRefused`."""

    async def tool_result(self, tool_use: BetaToolUseBlock) -> BetaToolResultBlockParam:
        with judging(self._look):
            return await super().tool_result(tool_use)

    async def execute(self, context: BetaToolsetCallContext, name: Any, input: Any) -> Any:
        await self.require_seen(name, input)
        return await super().execute(context, name, input)  # type: ignore[misc] # each of the SDK's classes has it

    async def _look(self, member: str, call_input: Any) -> Sight | None:
        limits.nothing_more(call_input)
        try:
            return await self.look_at(member, call_input)
        except EnvironmentDied as error:
            self.environment_died = ENDED.format(error)
            raise ActionFailed(self.environment_died) from error


def seen_screen() -> ScreenExpectation | None:
    """What the call that runs is held to on a screen; None when nobody was asked about it."""
    call = judged_call()
    expected = None if call is None else call.expected
    return expected if isinstance(expected, ScreenExpectation) else None


def seen_page() -> PageExpectation | None:
    """The same in a page."""
    call = judged_call()
    expected = None if call is None else call.expected
    return expected if isinstance(expected, PageExpectation) else None

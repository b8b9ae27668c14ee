"""Around every member: fields that it does not have are refused before it runs, and what it raises becomes what the
model reads. Never changes a result."""

from __future__ import annotations

from typing import Any

from anthropic.lib.tools import BetaAsyncRunnableToolset
from anthropic.tools import BetaToolsetCallContext

from gui_operator.toolsets import limits
from gui_operator.toolsets.failures import EnvironmentEnded, error_for_model


class CheckedToolset(BetaAsyncRunnableToolset):
    """Put before one of the SDK's abstract classes."""

    environment_died: str | None = None
    """What the environment's end was told with, once it has ended."""

    async def execute(self, context: BetaToolsetCallContext, name: Any, input: Any) -> Any:
        """Of any family: the SDK's class behind this one has the types."""
        try:
            limits.nothing_more(input)
            return await super().execute(context, name, input)  # type: ignore[misc] # each of the SDK's classes has it
        except Exception as error:
            for_model = error_for_model(error, name)
            if isinstance(for_model, EnvironmentEnded):
                self.environment_died = str(for_model)
            raise for_model from error

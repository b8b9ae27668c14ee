"""A request as the stand-in took it in, for scripts that answer by it and tests that look at it afterwards."""

from __future__ import annotations

from dataclasses import dataclass

from standin.blocks import Json, content_blocks
from standin.threads import Conversation, ThreadMode


@dataclass(frozen=True)
class Request:
    """One request that broke no rule. `size_bytes` is the length of its body."""

    body: Json
    betas: frozenset[str]
    mode: ThreadMode
    conversation: Conversation
    size_bytes: int

    @property
    def results(self) -> list[Json]:
        """The `tool_result` blocks of the last message, as they came over the wire."""
        blocks = content_blocks(self.conversation.messages[-1])
        return [block for block in blocks if block["type"] == "tool_result"]

    @property
    def replays(self) -> bool:
        """Whether a new thread is started with a conversation that was already under way."""
        return self.mode == "create" and any(message["role"] == "assistant" for message in self.body["messages"])

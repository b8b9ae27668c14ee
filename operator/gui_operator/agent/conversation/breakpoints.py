"""Where the API is to keep its cache of what was sent: one breakpoint after tools and system prompt, and one that moves
on with the conversation. Never more than four in a request.

Where a request can ask for a breakpoint on its last block without naming the block, the moving one is that, and what
was sent once is sent again without a byte's change. Elsewhere it stands in the results of the last turns, and is taken
out again.
"""

from __future__ import annotations

from typing import Any

from anthropic.types.beta import BetaCacheControlEphemeralParam, BetaTextBlockParam

EPHEMERAL: BetaCacheControlEphemeralParam = {"type": "ephemeral"}

LOOKBACK_BLOCKS = 20
"""So many blocks before a breakpoint are searched for what the cache holds: a longer turn needs one before it too."""


def marked_system_prompt(text: str) -> list[BetaTextBlockParam]:
    """Tools come before the system prompt, so a breakpoint after it covers both."""
    return [{"type": "text", "text": text, "cache_control": EPHEMERAL}]


class Breakpoints:
    """The moving ones. `by_itself`: a request can ask for the last without naming its block."""

    def __init__(self, *, by_itself: bool) -> None:
        self._by_itself = by_itself
        self._marked: list[Any] = []
        self._last: Any = None

    @property
    def of_request(self) -> BetaCacheControlEphemeralParam | None:
        """The request's own `cache_control`."""
        return EPHEMERAL if self._by_itself else None

    def answered(self, results: list[Any], reply_blocks: int) -> None:
        """The results of a turn are about to be sent, after a reply of so many blocks. Marks them, or those before."""
        if not self._by_itself:
            self._mark(results[-1], keep=2)
        elif len(results) + reply_blocks > LOOKBACK_BLOCKS and self._last is not None:
            self._mark(self._last, keep=1)
        self._last = results[-1]

    def forget(self) -> None:
        """The history was written anew, without any."""
        self._marked.clear()
        self._last = None

    def _mark(self, block: Any, *, keep: int) -> None:
        if any(marked is block for marked in self._marked):
            return
        block["cache_control"] = EPHEMERAL
        self._marked.append(block)
        while len(self._marked) > keep:
            self._marked.pop(0).pop("cache_control", None)


def without_breakpoints(messages: list[Any]) -> list[Any]:
    """The same messages with no breakpoint on any block of a user's."""
    return [_unmarked(message) for message in messages]


def _unmarked(message: Any) -> Any:
    content = message["content"]
    if message["role"] != "user" or isinstance(content, str):
        return message
    if not any("cache_control" in block for block in content):
        return message
    blocks = [{key: value for key, value in block.items() if key != "cache_control"} for block in content]
    return {**message, "content": blocks}

"""The conversation with the model: one thread of the SDK's, which sends what is new, or the whole history where threads
are not to be had or not wanted. Runs no tool; the SDK's runner, which it makes, does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from anthropic import AsyncAnthropic
from anthropic.lib.threads._beta_threads import BetaAsyncMessageThread
from anthropic.lib.tools import BetaAsyncStreamingToolRunner
from anthropic.types.beta import BetaMessageParam

from gui_operator.agent.conversation.breakpoints import Breakpoints, without_breakpoints
from gui_operator.agent.conversation.pictures import count_pictures, without_old_pictures

# The SDK makes a thread that may also send whole histories in this one way only, which is private; a release that moves
# it fails the import, not a run.

KEEP_PICTURES = 6
PRUNE_AT_PICTURES = 24
"""Where whole histories are sent, pictures are left out in batches of the difference: each costs the cache once."""

PRUNE_AT_PROMPT_TOKENS = 150_000
"""A thread, which can only be pruned by starting a new one, waits until its prompt is this long."""


@dataclass(frozen=True, slots=True)
class Pruning:
    keep_pictures: int = KEEP_PICTURES
    at_pictures: int = PRUNE_AT_PICTURES
    at_prompt_tokens: int = PRUNE_AT_PROMPT_TOKENS


class Conversation:
    """`fields` are those of a request, tools as they are run; `threads`, whether the API is to hold the history."""

    def __init__(
        self,
        client: AsyncAnthropic,
        fields: Mapping[str, Any],
        *,
        threads: bool,
        eager: bool = False,
        breakpoints: Breakpoints,
        pruning: Pruning | None = None,
    ) -> None:
        wanted: Any = {**fields} if threads else {**fields, "thread": False}
        if breakpoints.of_request is not None:
            wanted["cache_control"] = breakpoints.of_request
        self._thread = BetaAsyncMessageThread[None]._for_tool_runner(client, wanted)
        self._eager = eager
        self._breakpoints = breakpoints
        self._pruning = pruning or Pruning()

    @property
    def threaded(self) -> bool:
        """Whether the API holds what was said so far, so that the next request sends only what is new."""
        return self._thread.previous_message_id is not None

    @property
    def pictures(self) -> int:
        return count_pictures(self._thread.messages)

    @property
    def max_tokens(self) -> int:
        return self._thread.params["max_tokens"]

    def runner(self) -> BetaAsyncStreamingToolRunner[None]:
        """The SDK's runner, which goes on from here."""
        return BetaAsyncStreamingToolRunner(thread=self._thread, options={}, run_tools_eagerly=self._eager)

    def answered(self, response: BetaMessageParam, reply_blocks: int) -> None:
        """`response`, which the runner is about to send, gets the cache's breakpoints."""
        blocks = response["content"]
        assert isinstance(blocks, list)
        self._breakpoints.answered(blocks, reply_blocks)

    def add(self, message: BetaMessageParam) -> None:
        """What is to be sent next. Not while a runner handles a reply."""
        self._thread.append(message)

    def give_room(self, max_tokens: int) -> None:
        """From now on a reply may be this long."""
        self._thread.update(max_tokens=max_tokens)

    def drop_reply(self, note: list[Any]) -> None:
        """As if the last reply had not come; `note` is added to what it answered. Not while a runner handles one."""

        def without_reply(messages: list[Any]) -> list[Any]:
            while messages[-1]["role"] == "assistant":
                messages = messages[:-1]
            return [*messages[:-1], _with_blocks(messages[-1], note)] if note else messages

        self._rewrite(without_reply)

    def is_to_be_pruned(self, prompt_tokens: int, response: BetaMessageParam) -> bool:
        """Before `response` is sent, which answers a reply to a prompt of so many tokens."""
        pictures = self.pictures + count_pictures([response])
        if self.threaded:
            return prompt_tokens > self._pruning.at_prompt_tokens and pictures > self._pruning.keep_pictures
        return pictures > self._pruning.at_pictures

    def prune(self, keep_pictures: int | None = None) -> int:
        """Leave out old pictures; returns how many. A thread is started anew with what is left. Not while a runner
        handles a reply."""
        keep = self._pruning.keep_pictures if keep_pictures is None else keep_pictures
        before = self.pictures
        if before > keep:
            self._rewrite(lambda messages: without_breakpoints(without_old_pictures(messages, keep)))
            self._breakpoints.forget()
        return before - self.pictures

    def _rewrite(self, change: Callable[[list[Any]], list[Any]]) -> None:
        self.runner().set_messages_params(lambda params: {**params, "messages": change(list(params["messages"]))})


def _with_blocks(message: Any, blocks: list[Any]) -> Any:
    content = message["content"]
    before: list[Any] = [{"type": "text", "text": content}] if isinstance(content, str) else list(content)
    return {**message, "content": [*before, *blocks]}

"""One reply of the model, read from its stream to the end. Says whether it came whole; decides nothing about it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx2
from anthropic import APIError
from anthropic.lib.streaming import BetaAsyncMessageStream
from anthropic.lib.tools import BetaAsyncStreamingToolRunner
from anthropic.types.beta import BetaMessage, BetaToolResultBlockParam, BetaToolUseBlock

from gui_operator.recording.run_events import Words
from gui_operator.toolsets.function_tool import answering

Holds = Callable[[BetaToolUseBlock], bool]
"""Whether a call may not start while its reply still streams."""


@dataclass(slots=True)
class Reply:
    """`message` is what came of it, None when not even its beginning did; `broken` says why it is not whole. `calls`
    are those that came whole, `ran` the results of those that ran while it streamed, by their ids."""

    message: BetaMessage | None = None
    broken: str | None = None
    calls: list[BetaToolUseBlock] = field(default_factory=list)
    ran: dict[str, BetaToolResultBlockParam] = field(default_factory=dict)
    duration_s: float = 0.0

    @property
    def words(self) -> list[Words]:
        return list(_words_of(self.message)) if self.message is not None else []

    @property
    def text(self) -> str:
        return "\n".join(each.text for each in self.words if each.type == "text").strip()


async def read_reply(
    runner: BetaAsyncStreamingToolRunner[Any], stream: BetaAsyncMessageStream[Any], asked_at_s: float, holds: Holds
) -> Reply:
    """Read it to its end, whichever that is. Calls that `holds` holds wait until the reply is whole. Raises what a tool
    raised that no answer can be made of; never for a reply that broke off."""
    reply = Reply()
    begun = False
    with _timed(reply, asked_at_s), answering(reply.calls):
        try:
            async for event in stream:
                if event.type == "message_start":
                    begun = True
                elif event.type == "content_block_start" and event.content_block.type == "tool_use":
                    if holds(event.content_block):
                        runner.defer_tool_call(event.content_block)
                elif event.type == "content_block_stop" and event.content_block.type == "tool_use":
                    # Known as soon as it is whole: if it runs at once it is recorded under its id.
                    reply.calls.append(event.content_block)
        except (APIError, httpx2.HTTPError) as error:
            reply.broken = f"the connection was lost while the reply came in ({type(error).__name__})"
    if begun:
        reply.message = stream.current_message_snapshot
    if reply.broken is None and (reply.message is None or reply.message.stop_reason is None):
        reply.broken = "the reply ended without its end"
    reply.ran = _eager_results(runner)
    return reply


@contextmanager
def _timed(reply: Reply, asked_at_s: float) -> Iterator[None]:
    try:
        yield
    finally:
        reply.duration_s = time.monotonic() - asked_at_s


def _eager_results(runner: BetaAsyncStreamingToolRunner[Any]) -> dict[str, BetaToolResultBlockParam]:
    # The runner tells nobody else which calls it has run when a reply breaks off.
    calls = runner._eager_tool_calls
    return {} if calls is None else dict(calls.results)


def _words_of(message: BetaMessage) -> Iterator[Words]:
    for block in message.content:
        if block.type == "text" and block.text:
            yield Words("text", block.text)
        elif block.type == "thinking" and block.thinking:
            yield Words("thinking", block.thinking)

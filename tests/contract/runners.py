"""The ways in which the SDK runs our tools: with message threads or without, streamed or not, eagerly or not."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any

from anthropic import AsyncAnthropic
from anthropic.types.beta import BetaMessage, BetaMessageParam

from gui_operator.recording import Recording
from gui_operator.toolsets import guard_runner
from standin.server import StandIn

MODEL = "claude-opus-5-5"


@dataclass(frozen=True)
class Way:
    """`threads`: the server holds the conversation. `eager`: a call starts while the reply still streams."""

    threads: bool
    stream: bool = False
    eager: bool = False

    def __str__(self) -> str:
        manner = "eager" if self.eager else "streamed" if self.stream else "whole"
        return f"{manner}, {'threads' if self.threads else 'no threads'}"

    def expected_modes(self, requests: int) -> list[str]:
        """How the requests of a run that never falls back reach the server."""
        return ["create", *["continue"] * (requests - 1)] if self.threads else ["whole"] * requests


WAYS = [
    Way(threads=threads, stream=stream, eager=eager)
    for threads in (True, False)
    for stream, eager in ((False, False), (True, False), (True, True))
]


def start_runner(client: AsyncAnthropic, tools: Sequence[Any], way: Way) -> Any:
    options: dict[str, Any] = {"stream": way.stream}
    if not way.threads:
        options["thread"] = False
    if way.eager:
        options["run_tools_eagerly"] = True
    messages: list[BetaMessageParam] = [{"role": "user", "content": "Do what is to be done."}]
    return client.beta.messages.tool_runner(
        model=MODEL,
        max_tokens=4000,
        messages=messages,
        tools=tools,
        **options,
    )


async def run_to_the_end(stand_in: StandIn, tools: Sequence[Any], way: Way) -> BetaMessage:
    """As a developer who uses the SDK would: our tools, the SDK's runner, nothing in between."""
    async with AsyncAnthropic(base_url=stand_in.url, api_key="test") as client:
        runner = start_runner(client, tools, way)
        last: BetaMessage = await runner.until_done()
        return last


async def run_guarded(stand_in: StandIn, tools: Sequence[Any], way: Way, recording: Recording) -> AsyncIterator[Any]:
    """With everything that is recorded, and stopped when it cannot be."""
    async with AsyncAnthropic(base_url=stand_in.url, api_key="test") as client:
        async for item in guard_runner(start_runner(client, tools, way), recording):
            yield item

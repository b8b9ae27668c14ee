"""Replies as the SDK reads them: whole and streamed alike, cut, held, and errors of the service."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import anthropic
import httpx2
import pytest
from anthropic import AsyncAnthropic

from standin.script import (
    BROKEN,
    OVERLOADED,
    RATE_LIMITED,
    CutReply,
    Fault,
    HeldReply,
    Reply,
    calls,
    function,
    member,
    says,
    text,
    thinking,
    truncated,
)
from standin.server import StandIn

ASKED: dict[str, Any] = {
    "model": "claude-opus-5-5",
    "max_tokens": 1000,
    "messages": [{"role": "user", "content": "Hello"}],
    "tools": [{"type": "computer_toolset_20260801"}, {"type": "bash_20250124", "name": "bash"}],
}
BUSY = calls(
    thinking("The button is at the top left, I think."),
    text("I press it, é and all."),
    member("computer", "left_click", coordinate=[10, 20], text="ctrl"),
    function("bash", command="printf '%s' \"$HOME\"\n"),
)


@pytest.fixture
async def client(stand_in: StandIn) -> AsyncIterator[AsyncAnthropic]:
    async with AsyncAnthropic(base_url=stand_in.url, api_key="test", max_retries=2) as client:
        yield client


async def streamed(client: AsyncAnthropic) -> anthropic.types.beta.BetaMessage:
    async with client.beta.messages.stream(**ASKED) as stream:
        return await stream.get_final_message()


@pytest.mark.parametrize("reason", ["end_turn", "max_tokens", "refusal", "pause_turn", "model_context_window_exceeded"])
async def test_every_stop_reason_arrives_either_way(stand_in: StandIn, client: AsyncAnthropic, reason: str) -> None:
    stand_in.play(says("Well.", reason), says("Well.", reason))
    whole, in_pieces = await client.beta.messages.create(**ASKED), await streamed(client)
    assert (whole.stop_reason, in_pieces.stop_reason) == (reason, reason)


async def test_a_streamed_reply_is_the_whole_reply_in_pieces(stand_in: StandIn, client: AsyncAnthropic) -> None:
    stand_in.play(BUSY, BUSY)
    whole, in_pieces = await client.beta.messages.create(**ASKED), await streamed(client)
    expected = [{**block} for block in BUSY.content]
    assert [block.model_dump(exclude_none=True) for block in whole.content] == expected
    assert [block.model_dump(exclude_none=True) for block in in_pieces.content] == expected
    assert whole.usage.output_tokens == in_pieces.usage.output_tokens > 1


async def test_the_events_of_a_stream_are_those_of_the_api(stand_in: StandIn, client: AsyncAnthropic) -> None:
    stand_in.play(BUSY)
    events = [event async for event in await client.beta.messages.create(**ASKED, stream=True)]
    kinds = [event.type for event in events]
    assert (kinds[0], kinds[-2:]) == ("message_start", ["message_delta", "message_stop"])
    assert kinds.count("content_block_start") == kinds.count("content_block_stop") == len(BUSY.content)
    pieces = [event.delta for event in events if event.type == "content_block_delta"]
    assert sum(piece.type == "input_json_delta" for piece in pieces) > 6


async def test_a_truncated_call_stops_in_the_middle_of_its_input(stand_in: StandIn, client: AsyncAnthropic) -> None:
    reply = truncated(function("bash", command="rm -r old"), characters=20)
    stand_in.play(reply, reply)
    message = await streamed(client)
    [block] = message.content
    assert message.stop_reason == "max_tokens"
    assert block.type == "tool_use"
    assert block.input != {"command": "rm -r old"}
    whole = await client.beta.messages.create(**ASKED)
    assert whole.content[0].to_dict()["input"] == {}


@pytest.mark.parametrize("fault", [RATE_LIMITED, OVERLOADED, BROKEN], ids=["429", "529", "500"])
async def test_the_client_tries_again_after_an_error_of_the_service(
    stand_in: StandIn, client: AsyncAnthropic, fault: Fault
) -> None:
    stand_in.play(fault, fault, says("At last."))
    message = await client.beta.messages.create(**ASKED)
    assert message.content[0].to_dict()["text"] == "At last."
    assert len(stand_in.requests) == 3


async def test_an_error_that_lasts_reaches_the_caller_with_its_type(stand_in: StandIn, client: AsyncAnthropic) -> None:
    stand_in.play(*[OVERLOADED] * 3)
    with pytest.raises(anthropic.APIStatusError) as raised:
        await client.beta.messages.create(**ASKED)
    assert raised.value.status_code == 529
    assert raised.value.type == "overloaded_error"


async def test_a_lost_connection_breaks_the_stream_off(stand_in: StandIn, client: AsyncAnthropic) -> None:
    stand_in.play(CutReply(BUSY, 10))
    kinds = []

    async def read() -> None:
        async for event in await client.beta.messages.create(**ASKED, stream=True):
            kinds.append(event.type)

    with pytest.raises((httpx2.RemoteProtocolError, anthropic.APIConnectionError)):
        await read()
    assert kinds[0] == "message_start"
    assert "message_stop" not in kinds


async def test_a_stream_can_end_without_its_end(stand_in: StandIn, client: AsyncAnthropic) -> None:
    stand_in.play(CutReply(BUSY, 10, "ended"))
    kinds = [event.type async for event in await client.beta.messages.create(**ASKED, stream=True)]
    assert kinds[0] == "message_start"
    assert "message_stop" not in kinds


async def test_a_request_that_is_not_streamed_can_be_lost_too(stand_in: StandIn, client: AsyncAnthropic) -> None:
    stand_in.play(CutReply(BUSY, 0), says("Again."))
    message = await client.beta.messages.create(**ASKED)
    assert message.content[0].to_dict()["text"] == "Again."


async def test_a_held_stream_goes_on_when_the_test_says_so(stand_in: StandIn, client: AsyncAnthropic) -> None:
    seen: list[str] = []
    stand_in.play(HeldReply(says("Well then."), 3, lambda: "message_start" in seen))
    async for event in await client.beta.messages.create(**ASKED, stream=True):
        seen.append(event.type)
    assert seen[-1] == "message_stop"


async def test_a_script_can_answer_by_the_request(stand_in: StandIn, client: AsyncAnthropic) -> None:
    stand_in.play(lambda request: says(f"{len(request.conversation.tools)} tools, {request.mode}"))
    message = await client.beta.messages.create(**ASKED)
    assert message.content[0].to_dict()["text"] == "2 tools, whole"


async def test_a_reply_carries_the_usage_its_test_gives_it(stand_in: StandIn, client: AsyncAnthropic) -> None:
    reply = Reply((text("Hi."),), "end_turn", usage={"input_tokens": 7, "cache_read_input_tokens": 900})
    stand_in.play(reply, reply)
    for message in (await client.beta.messages.create(**ASKED), await streamed(client)):
        assert (message.usage.input_tokens, message.usage.cache_read_input_tokens) == (7, 900)

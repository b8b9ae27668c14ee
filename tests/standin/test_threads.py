"""Message threads: what is held, who may continue it, and how a client's fallbacks are counted."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest
from anthropic import AsyncAnthropic, beta_async_tool

from standin.asking import BASH, HELLO, answers, ask, refusal_of, request, result
from standin.blocks import Json
from standin.host import Host
from standin.script import CutReply, HeldReply, Reply, ThreadFault, calls, function, says, text
from standin.server import StandIn
from standin.tools import THREADS_BETA

CREATE = {"type": "create"}
MODEL = "claude-opus-5"


@pytest.fixture
async def client(stand_in: StandIn) -> AsyncIterator[AsyncAnthropic]:
    async with AsyncAnthropic(base_url=stand_in.url, api_key="test", max_retries=0) as client:
        yield client


@beta_async_tool
async def greet(name: str) -> str:
    """Greet someone."""
    return f"Hello, {name}"


def go_on(previous: str, *messages: Json, **fields: Any) -> Json:
    return request(*messages, thread={"type": "continue", "previous_message_id": previous}, **fields)


def reply_id(response: httpx2.Response) -> str:
    assert response.status_code == 200, response.text
    return str(response.json()["id"])


def error_code(response: httpx2.Response) -> str:
    return str(response.json()["error"]["details"]["error_code"])


def start(stand_in: StandIn, reply: Reply, **fields: Any) -> str:
    stand_in.play(reply)
    return reply_id(ask(stand_in, request(HELLO, thread=CREATE, **fields), THREADS_BETA))


def test_a_thread_goes_on_with_the_new_messages_only(stand_in: StandIn) -> None:
    call = function("bash", command="ls")
    first = start(stand_in, calls(call), tools=[BASH], system="Be brief.")
    stand_in.play(says("Two files."), says("Bye."))
    second = reply_id(ask(stand_in, go_on(first, answers(result(call, "a b"))), THREADS_BETA))
    ask(stand_in, go_on(second, HELLO), THREADS_BETA)
    last = stand_in.requests[-1]
    roles = [message["role"] for message in last.conversation.messages]
    assert roles == ["user", "assistant", "user", "assistant", "user"]
    assert (last.conversation.system, last.conversation.tools) == ("Be brief.", [BASH])
    assert [held.mode for held in stand_in.requests] == ["create", "continue", "continue"]


def test_the_rules_hold_for_what_the_server_holds_as_well(stand_in: StandIn) -> None:
    first = start(stand_in, calls(function("bash", command="ls")), tools=[BASH])
    stand_in.expect(refusals=1)
    assert "without `tool_result`" in refusal_of(ask(stand_in, go_on(first, HELLO), THREADS_BETA))


@pytest.mark.parametrize("field", [{"system": "Be long."}, {"tools": [BASH]}], ids=["system", "tools"])
def test_system_and_tools_cannot_be_sent_again(stand_in: StandIn, field: Json) -> None:
    first = start(stand_in, says("Hi."), **field)
    stand_in.expect(refusals=1)
    assert "cannot be sent with a continue" in refusal_of(ask(stand_in, go_on(first, HELLO, **field), THREADS_BETA))


SCHEMA = {"type": "object", "properties": {}, "additionalProperties": False}
FORMAT = {"output_config": {"format": {"type": "json_schema", "schema": SCHEMA}}}


@pytest.mark.parametrize(("first", "then"), [(FORMAT, {}), ({}, FORMAT)], ids=["dropped", "added"])
def test_a_thread_keeps_its_output_format(stand_in: StandIn, first: Json, then: Json) -> None:
    previous = start(stand_in, says("Hi."), **first)
    stand_in.expect(refusals=1)
    assert "cannot change it" in refusal_of(ask(stand_in, go_on(previous, HELLO, **then), THREADS_BETA))
    stand_in.play(says("Yes?"))
    reply_id(ask(stand_in, go_on(previous, HELLO, **first), THREADS_BETA))


def test_a_thread_that_is_not_there_is_not_found(stand_in: StandIn) -> None:
    stand_in.expect(refusals=1)
    response = ask(stand_in, go_on("msg_of_another", HELLO), THREADS_BETA)
    assert refusal_of(response, 404)
    assert error_code(response) == "thread_not_found"


def test_a_reply_of_a_request_without_a_thread_is_not_held(stand_in: StandIn) -> None:
    stand_in.play(says("Hi."))
    whole = reply_id(ask(stand_in, request(HELLO)))
    stand_in.expect(refusals=1)
    assert error_code(ask(stand_in, go_on(whole, HELLO), THREADS_BETA)) == "thread_not_found"


def test_a_reply_is_continued_once(stand_in: StandIn) -> None:
    first = start(stand_in, says("Hi."))
    stand_in.play(says("Yes?"))
    reply_id(ask(stand_in, go_on(first, HELLO), THREADS_BETA))
    stand_in.expect(refusals=1)
    assert error_code(ask(stand_in, go_on(first, HELLO), THREADS_BETA)) == "thread_already_continued"


def test_a_reply_is_continued_by_one_request_at_a_time(stand_in: StandIn) -> None:
    first = start(stand_in, says("Hi."))
    released = threading.Event()
    stand_in.play(HeldReply(says("Yes?"), 1, released.is_set))
    stand_in.expect(refusals=1)
    body, headers = go_on(first, HELLO, stream=True), {"x-api-key": "k", "anthropic-version": "1"}
    url, beta = f"{stand_in.url}/v1/messages", {"anthropic-beta": THREADS_BETA}
    with httpx2.stream("POST", url, json=body, headers={**headers, **beta}, trust_env=False) as stream:
        lines = stream.iter_lines()
        assert next(lines) == "event: message_start"
        assert error_code(ask(stand_in, go_on(first, HELLO), THREADS_BETA)) == "thread_continue_in_flight"
        released.set()
        assert "event: message_stop" in list(lines)


def test_a_request_that_was_refused_leaves_its_thread_open(stand_in: StandIn) -> None:
    first = start(stand_in, says("Hi."))
    stand_in.expect(refusals=1)
    refusal_of(ask(stand_in, go_on(first, {"role": "user", "content": ""}), THREADS_BETA))
    stand_in.play(says("Yes?"))
    reply_id(ask(stand_in, go_on(first, HELLO), THREADS_BETA))


def test_a_refused_turn_is_not_held(stand_in: StandIn) -> None:
    first = start(stand_in, Reply((text("I"),), "refusal"))
    stand_in.expect(refusals=1)
    assert error_code(ask(stand_in, go_on(first, HELLO), THREADS_BETA)) == "thread_not_found"


def test_a_paused_turn_goes_on_without_new_messages(stand_in: StandIn) -> None:
    first = start(stand_in, says("Searching.", "pause_turn"))
    stand_in.play(says("Found it."))
    second = reply_id(ask(stand_in, go_on(first), THREADS_BETA))
    stand_in.play(says("Bye."))
    reply_id(ask(stand_in, go_on(second, HELLO), THREADS_BETA))


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("code", ["thread_not_found", "thread_already_continued", "thread_continue_in_flight"])
async def test_a_client_that_starts_over_is_counted(
    stand_in: StandIn, client: AsyncAnthropic, code: Any, stream: bool
) -> None:
    stand_in.play(calls(function("greet", name="Ada")), ThreadFault(code), says("Done."))
    stand_in.expect(fallbacks=1)
    runner = client.beta.messages.tool_runner(
        model=MODEL, max_tokens=100, messages=[{"role": "user", "content": "Hi"}], tools=[greet], stream=stream
    )
    final = await runner.until_done()
    assert final.stop_reason == "end_turn"
    assert [held.mode for held in stand_in.requests] == ["create", "continue", "create"]
    assert stand_in.requests[-1].results[0]["content"] == "Hello, Ada"


async def test_a_client_that_stops_threading_is_counted(stand_in: StandIn, client: AsyncAnthropic) -> None:
    stand_in.play(ThreadFault("thread_unsupported_request"), calls(function("greet", name="Ada")), says("Done."))
    stand_in.expect(fallbacks=2)
    runner = client.beta.messages.tool_runner(
        model=MODEL, max_tokens=100, messages=[{"role": "user", "content": "Hi"}], tools=[greet]
    )
    await runner.until_done()
    assert [held.mode for held in stand_in.requests] == ["create", "whole", "whole"]


async def test_a_client_that_replays_after_a_cut_stream_is_counted(stand_in: StandIn, client: AsyncAnthropic) -> None:
    thread = client.beta.messages.thread(model=MODEL, max_tokens=100)
    stand_in.play(says("Hi."), CutReply(says("A long story."), 4, "ended"), says("Again."))
    await thread.send({"role": "user", "content": "Hello"})
    async with thread.stream({"role": "user", "content": "Tell me a story"}) as stream:
        kinds = [event.type async for event in stream]
    assert kinds[0] == "message_start"
    await thread.send()
    stand_in.expect(fallbacks=1)
    assert stand_in.requests[-1].replays


async def test_a_client_that_prunes_on_purpose_is_not_counted_as_falling_back(
    stand_in: StandIn, client: AsyncAnthropic
) -> None:
    thread = client.beta.messages.thread(model=MODEL, max_tokens=100)
    stand_in.play(says("Hi."), says("Yes?"))
    stand_in.allow_pruning()
    await thread.send({"role": "user", "content": "Hello"})
    await thread.fork().send({"role": "user", "content": "And now?"})
    assert stand_in.ledger.prunes == 1


@pytest.fixture
def undeclared(stand_in_host: Host) -> StandIn:
    """A stand-in whose last check is the test's own."""
    return stand_in_host.add()


def test_a_refusal_that_was_not_declared_fails_the_test(undeclared: StandIn) -> None:
    ask(undeclared, request())
    with pytest.raises(AssertionError, match="1 requests were refused"):
        undeclared.check()


def test_a_refusal_that_was_declared_and_did_not_come_fails_the_test(undeclared: StandIn) -> None:
    undeclared.expect(refusals=1)
    with pytest.raises(AssertionError, match="0 requests were refused"):
        undeclared.check()


def test_a_fallback_that_was_not_declared_fails_the_test(undeclared: StandIn) -> None:
    undeclared.play(says("Hi."), says("Hi."))
    ask(undeclared, request(HELLO, thread=CREATE), THREADS_BETA)
    ask(undeclared, request(HELLO))
    with pytest.raises(AssertionError, match="left the thread"):
        undeclared.check()


def test_a_script_that_was_not_played_to_its_end_fails_the_test(undeclared: StandIn) -> None:
    undeclared.play(says("Hi."))
    with pytest.raises(AssertionError, match="1 scripted answers"):
        undeclared.check()


def test_a_request_after_the_end_of_the_script_fails_the_test(undeclared: StandIn) -> None:
    assert ask(undeclared, request(HELLO)).status_code == 500
    with pytest.raises(AssertionError, match="after the last line"):
        undeclared.check()

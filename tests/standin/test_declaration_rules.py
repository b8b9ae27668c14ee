"""What a request declares: headers, fields, models, tools, breakpoints. Each rule beside the request that meets it."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest

from standin.asking import BASH, BROWSER, COMPUTER, HELLO, ask, refusal_of, request
from standin.script import says
from standin.server import StandIn

EPHEMERAL = {"type": "ephemeral"}
OLD_COMPUTER = {"type": "computer_20251124", "name": "computer", "display_width_px": 1280, "display_height_px": 800}
CUSTOM = {"name": "screenshot", "input_schema": {"type": "object", "properties": {}, "additionalProperties": False}}


def marked(count: int) -> list[dict[str, Any]]:
    return [{"type": "text", "text": str(number), "cache_control": EPHEMERAL} for number in range(count)]


ACCEPTED = {
    "a bare message": request(HELLO),
    "both toolsets, bash and a tool named like a member": request(HELLO, tools=[COMPUTER, BROWSER, BASH, CUSTOM]),
    "a member turned off": request(HELLO, tools=[{**COMPUTER, "configs": {"zoom": {"enabled": False}}}]),
    "four breakpoints": request(
        {"role": "user", "content": marked(2)}, tools=[{**COMPUTER, "cache_control": EPHEMERAL}], system=marked(1)
    ),
    "a tool forced on a model that takes it": request(
        HELLO, tools=[CUSTOM], model="claude-opus-5", tool_choice={"type": "tool", "name": "screenshot"}
    ),
    "a later version of a known family": request(HELLO, tools=[COMPUTER], model="claude-fable-5-2"),
}

REFUSED = {
    "an unknown field": (request(HELLO, colour="blue"), "colour: Extra inputs are not permitted"),
    "a field that belongs in a header": (request(HELLO, betas=["x"]), "betas: Extra inputs are not permitted"),
    "a missing field": ({"model": "claude-opus-5", "messages": [HELLO]}, "max_tokens: Field required"),
    "a field of the wrong type": (request(HELLO, max_tokens="many"), "max_tokens: Input should be a valid int"),
    "a stream that is neither on nor off": (request(HELLO, stream="yes"), "stream: Input should be a valid bool"),
    "a tool forced where there is none": (
        request(HELLO, model="claude-opus-5", tool_choice={"type": "any"}),
        "while providing tools",
    ),
    "no room to answer": (request(HELLO, max_tokens=0), "max_tokens: must be greater"),
    "a thread of no kind": (request(HELLO, thread={"type": "resume"}), "thread: Input tag 'resume'"),
    "a continue of nothing": (request(HELLO, thread={"type": "continue"}), "previous_message_id: Field required"),
    "a name on a toolset": (request(HELLO, tools=[{**COMPUTER, "name": "computer"}]), "tools.0.name: Extra inputs"),
    "strict on a toolset": (request(HELLO, tools=[{**COMPUTER, "strict": True}]), "tools.0.strict: Extra inputs"),
    "examples on a toolset": (request(HELLO, tools=[{**BROWSER, "input_examples": []}]), "input_examples: Extra"),
    "an unknown member": (request(HELLO, tools=[{**COMPUTER, "configs": {"fly": {"enabled": True}}}]), "fly: Extra"),
    "an unknown setting of a member": (request(HELLO, tools=[{**COMPUTER, "configs": {"zoom": {"on": True}}}]), "on:"),
    "a tool of no kind": (request(HELLO, tools=[{"type": "bash_20990101", "name": "bash"}]), "tools.0"),
    "bash by another name": (request(HELLO, tools=[{**BASH, "name": "sh"}]), "tools.0.name"),
    "two tools of one name": (request(HELLO, tools=[BASH, BASH]), "Tool names must be unique"),
    "one toolset twice": (request(HELLO, tools=[COMPUTER, COMPUTER]), "Tool names must be unique"),
    "five breakpoints": (request({"role": "user", "content": marked(5)}), "Found 5"),
    "a tool forced on Opus 5.5": (request(HELLO, tools=[BASH], tool_choice={"type": "any"}), "'any' is not supported"),
    "a tool forced on Fable 5.1": (
        request(HELLO, tools=[BASH], tool_choice={"type": "tool", "name": "bash"}, model="claude-fable-5-1"),
        "'tool' is not supported",
    ),
    "a tool forced that is not there": (
        request(HELLO, tools=[BASH], tool_choice={"type": "tool", "name": "sh"}, model="claude-opus-5"),
        "not found in provided tools",
    ),
    "toolsets on a model without": (request(HELLO, tools=[COMPUTER], model="claude-opus-4-7"), "does not support"),
    "toolsets on a small older model": (request(HELLO, tools=[COMPUTER], model="claude-haiku-4-5"), "does not support"),
    "a thread without its beta": (request(HELLO, thread={"type": "create"}), "message-threads"),
    "the older computer tool without its beta": (request(HELLO, tools=[OLD_COMPUTER]), "computer-use-2025-11-24"),
    "context management without its beta": (request(HELLO, context_management={}), "context-management"),
}


@pytest.mark.parametrize("body", ACCEPTED.values(), ids=ACCEPTED)
def test_a_request_that_meets_the_rules_is_answered(stand_in: StandIn, body: dict[str, Any]) -> None:
    stand_in.play(says("Hello."))
    response = ask(stand_in, body)
    assert response.status_code == 200, response.text
    assert response.json()["content"] == [{"type": "text", "text": "Hello."}]


@pytest.mark.parametrize(("body", "words"), REFUSED.values(), ids=REFUSED)
def test_a_request_that_breaks_a_rule_is_refused_with_words(
    stand_in: StandIn, body: dict[str, Any], words: str
) -> None:
    stand_in.expect(refusals=1)
    assert words in refusal_of(ask(stand_in, body))


def test_an_unknown_model_is_not_found(stand_in: StandIn) -> None:
    stand_in.expect(refusals=1)
    assert "model: gpt" in refusal_of(ask(stand_in, request(HELLO, model="gpt")), 404)


def test_a_request_without_a_key_is_not_let_in(stand_in: StandIn) -> None:
    stand_in.expect(refusals=1)
    response = ask(stand_in, request(HELLO), headers={"x-api-key": ""})
    assert "Authentication" in refusal_of(response, 401)


@pytest.mark.parametrize(("raw", "words"), [("[]", "not a JSON object"), ("{", "not valid JSON")])
def test_a_body_that_is_no_request_is_refused(stand_in: StandIn, raw: str, words: str) -> None:
    stand_in.expect(refusals=1)
    headers = {"x-api-key": "test", "anthropic-version": "2026-10-21"}
    response = httpx2.post(f"{stand_in.url}/v1/messages", content=raw, headers=headers, trust_env=False)
    assert words in refusal_of(response)


def test_a_request_without_a_version_is_refused(stand_in: StandIn) -> None:
    stand_in.expect(refusals=1)
    assert "anthropic-version" in refusal_of(ask(stand_in, request(HELLO), headers={"anthropic-version": ""}))


def test_a_body_over_the_limit_is_refused(stand_in: StandIn) -> None:
    stand_in.expect(refusals=1)
    body = request({"role": "user", "content": "x" * (32 * 1024 * 1024)})
    assert "maximum allowed number of bytes" in refusal_of(ask(stand_in, body), 413)


def test_the_older_computer_tool_is_taken_with_its_beta(stand_in: StandIn) -> None:
    stand_in.play(says("Hello."))
    response = ask(stand_in, request(HELLO, tools=[OLD_COMPUTER], model="claude-opus-4-7"), "computer-use-2025-11-24")
    assert response.status_code == 200, response.text

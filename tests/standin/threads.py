"""Message threads: what the server holds of a conversation between requests, under the id of its last reply."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

from standin.blocks import Json
from standin.refusals import Refused

ThreadMode = Literal["create", "continue", "whole"]
"""`whole`: a request without `thread`, which sends everything and leaves nothing behind."""

CREATE_ONLY_FIELDS = ("system", "tools")


@dataclass(frozen=True, slots=True)
class Conversation:
    """Everything the model sees: what the server held and what the request brought."""

    messages: list[Json]
    system: Any
    tools: list[Json]
    output_format: Any = None


@dataclass
class _Held:
    conversation: Conversation
    state: Literal["open", "in_flight", "continued"] = "open"


class Threads:
    """The conversations the server holds. A reply is continued at most once, by one request at a time."""

    def __init__(self) -> None:
        self._held: dict[str, _Held] = {}

    def read(self, body: Json) -> tuple[ThreadMode, Conversation]:
        """The whole conversation of a request. Nothing changes yet."""
        thread = body.get("thread")
        output_format = (body.get("output_config") or {}).get("format")
        brought = Conversation(body["messages"], body.get("system"), body.get("tools") or [], output_format)
        if thread is None:
            return "whole", brought
        if thread["type"] == "create":
            return "create", brought
        if repeated := [name for name in CREATE_ONLY_FIELDS if name in body]:
            raise Refused(f"thread: {' and '.join(repeated)} cannot be sent with a continue; the thread has its own")
        held = self._find(thread["previous_message_id"]).conversation
        if output_format != held.output_format:
            raise Refused("output_config.format: the turns of a thread cannot change it")
        return "continue", replace(held, messages=[*held.messages, *brought.messages])

    def start(self, body: Json) -> None:
        """From now until `hold` or `release`, nobody else can continue from the same reply."""
        if held := self._continued_by(body):
            held.state = "in_flight"

    def release(self, body: Json) -> None:
        """The request ended without a reply that is held: its thread is where it was."""
        if held := self._continued_by(body):
            held.state = "open"

    def hold(self, body: Json, conversation: Conversation, reply_id: str, content: list[Json]) -> None:
        """The request was answered: hold the conversation with its reply under the reply's id."""
        if held := self._continued_by(body):
            held.state = "continued"
        if body.get("thread") is None:
            return
        messages = [*conversation.messages, {"role": "assistant", "content": content}]
        self._held[reply_id] = _Held(replace(conversation, messages=messages))

    def _continued_by(self, body: Json) -> _Held | None:
        thread = body.get("thread") or {}
        return self._held.get(thread.get("previous_message_id", ""))

    def _find(self, message_id: str) -> _Held:
        held = self._held.get(message_id)
        if held is None:
            raise lost_thread("thread_not_found", message_id)
        if held.state == "continued":
            raise lost_thread("thread_already_continued", message_id)
        if held.state == "in_flight":
            raise lost_thread("thread_continue_in_flight", message_id)
        return held


LostCode = Literal["thread_not_found", "thread_already_continued", "thread_continue_in_flight"]


def lost_thread(code: LostCode, message_id: str) -> Refused:
    status = 404 if code == "thread_not_found" else 409
    error_type = "not_found_error" if code == "thread_not_found" else "invalid_request_error"
    return Refused(f"thread: {code}: {message_id}", status, error_type, {"error_code": code})


def unsupported_thread(*features: str) -> Refused:
    details = {"error_code": "thread_unsupported_request", "unsupported": list(features)}
    return Refused(f"thread: this request cannot be threaded: {', '.join(features)}", details=details)

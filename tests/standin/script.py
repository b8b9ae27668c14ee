"""What a scripted model says: values that a test lines up and the stand-in plays, one a request."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from standin.blocks import Json
from standin.requests import Request
from standin.threads import LostCode

_numbers = itertools.count(1)


@dataclass(frozen=True)
class Reply:
    """One assistant turn. `truncated_input` is what was written of the last call's input before `max_tokens`."""

    content: tuple[Json, ...]
    stop_reason: str
    usage: Mapping[str, Any] = field(default_factory=dict)
    stop_details: Json | None = None
    truncated_input: str | None = None


@dataclass(frozen=True)
class CutReply:
    """A streamed reply that breaks off after so many events: the connection is `lost`, or the stream is `ended` in
    good form but without its last events."""

    reply: Reply
    after_events: int
    how: Literal["lost", "ended"] = "lost"


@dataclass(frozen=True)
class HeldReply:
    """A streamed reply that stops after so many events until `until` is true (asked every few milliseconds)."""

    reply: Reply
    after_events: int
    until: Callable[[], bool]


@dataclass(frozen=True)
class Fault:
    """An error of the service, not of the request. The client is told to try again at once, or not to."""

    status: int
    error_type: str
    message: str
    retry: bool = True


@dataclass(frozen=True)
class ThreadFault:
    """A valid request of a thread that the server turns away."""

    code: LostCode | Literal["thread_unsupported_request"]
    unsupported: tuple[str, ...] = ("tools",)


Answer = Reply | CutReply | HeldReply | Fault | ThreadFault
Scripted = Answer | Callable[[Request], Answer]

RATE_LIMITED = Fault(429, "rate_limit_error", "This request would exceed your rate limit.")
OVERLOADED = Fault(529, "overloaded_error", "Overloaded")
BROKEN = Fault(500, "api_error", "Internal server error")


def text(words: str) -> Json:
    return {"type": "text", "text": words}


def thinking(words: str) -> Json:
    return {"type": "thinking", "thinking": words, "signature": f"signature-{next(_numbers)}"}


def member(family: str, name: str, /, **input: Any) -> Json:  # noqa: A002 - the wire's own word
    """A call of a toolset's member."""
    return {**function(name, **input), "toolset_name": family}


def function(name: str, /, **input: Any) -> Json:  # noqa: A002 - the wire's own word
    """A call of a tool that is of no toolset."""
    return {"type": "tool_use", "id": f"toolu_{next(_numbers):06}", "name": name, "input": input}


def calls(*content: Json) -> Reply:
    return Reply(content, "tool_use")


def says(words: str, stop_reason: str = "end_turn") -> Reply:
    return Reply((text(words),), stop_reason)


def truncated(*content: Json, characters: int) -> Reply:
    """A reply whose last block is a call that `max_tokens` cut after so many characters of its input."""
    written = json.dumps(content[-1]["input"])[:characters]
    return replace(Reply(content, "max_tokens"), truncated_input=written)

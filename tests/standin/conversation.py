"""The rules for a whole conversation: who speaks when, assistant turns as they were sent, every call answered."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field
from typing import Any

from standin.blocks import Json, canonical, content_blocks
from standin.refusals import Refused
from standin.results import check_answers


@dataclass(frozen=True, slots=True)
class SentReply:
    """An assistant turn as the stand-in sent it. A `cut` one broke off, so a part of it may come back."""

    content: list[Any]
    paused: bool = False
    cut: bool = False

    def matches(self, content: list[Any]) -> bool:
        if content == self.content:
            return True
        if not self.cut or not content or len(content) > len(self.content):
            return False
        *whole, last = content
        source = self.content[len(whole)]
        is_begun = last["type"] == source["type"] == "text" and source["text"].startswith(last["text"])
        return whole == self.content[: len(whole)] and (last == source or is_begun)


@dataclass
class SentReplies:
    """Every reply of one stand-in, in order."""

    replies: list[SentReply] = field(default_factory=list)

    def record(self, content: list[Json], *, paused: bool = False, cut: bool = False) -> None:
        self.replies.append(SentReply(canonical(content), paused=paused, cut=cut))

    def find(self, message: Json, start: int) -> int | None:
        """The index, from `start` on, of the reply that `message` is."""
        content = canonical(content_blocks(message))
        indexes = range(start, len(self.replies))
        return next((index for index in indexes if self.replies[index].matches(content)), None)


def check_conversation(messages: list[Json], sent: SentReplies, families: Set[str]) -> None:
    """`messages` is the whole conversation, what the server held of it included."""
    if not messages:
        raise Refused("messages: at least one message is required")
    if messages[0]["role"] != "user":
        raise Refused("messages: first message must use the 'user' role")
    after_pause = False
    next_reply = 0
    calls: list[Json] = []
    for index, message in enumerate(messages):
        path = f"messages.{index}"
        _check_speaker(messages, index, after_pause)
        if message["role"] == "assistant":
            found = sent.find(message, next_reply)
            if found is None:
                raise Refused(f"{path}: this assistant turn is not one that was sent, or was changed or moved")
            next_reply = found + 1
            after_pause = sent.replies[found].paused
            calls += [block for block in content_blocks(message) if block["type"] == "tool_use"]
        else:
            _check_user_blocks(message, path)
            check_answers(calls, message, families, path)
            after_pause, calls = False, []
    if messages[-1]["role"] == "assistant" and not after_pause:
        raise Refused(
            "This model does not support assistant message prefill. The conversation must end with a user message."
        )


def _check_speaker(messages: list[Json], index: int, after_pause: bool) -> None:
    """Stricter than the API, which joins neighbours of one role: a client of ours that sends two in a row has lost
    track of a turn. A turn that was paused goes on in the next reply."""
    if index == 0:
        return
    role, before = messages[index]["role"], messages[index - 1]["role"]
    if role == before and not (role == "assistant" and after_pause):
        raise Refused(f"messages.{index}: roles must alternate, but two {role} messages follow each other")
    if before == "assistant" and after_pause and role != "assistant":
        raise Refused(f"messages.{index}: the turn before was paused and must be continued first")


def _check_user_blocks(message: Json, path: str) -> None:
    blocks = content_blocks(message)
    if not blocks:
        raise Refused(f"{path}: user messages must have non-empty content")
    for block in blocks:
        if block["type"] in ("tool_use", "server_tool_use", "thinking", "redacted_thinking"):
            raise Refused(f"{path}: `{block['type']}` blocks are only allowed in assistant messages")
        if block["type"] == "text" and not block["text"]:
            raise Refused(f"{path}: text content blocks must be non-empty")

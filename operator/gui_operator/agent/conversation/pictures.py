"""Pictures in a history: how many, and the same history without the old ones. Pure: a history is never changed, and the
same one gives the same result, byte for byte."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from anthropic.types.beta import BetaMessageParam
from PIL import Image

LEFT_OUT_TEXT = "(An older screenshot was here. It was left out to save room.)"


def _one_pixel() -> str:
    encoded = io.BytesIO()
    Image.new("L", (1, 1), 128).save(encoded, "PNG")
    return base64.b64encode(encoded.getvalue()).decode("ascii")


LEFT_OUT_PICTURE: Mapping[str, Any] = {
    "type": "image",
    "source": {"type": "base64", "media_type": "image/png", "data": _one_pixel()},
}
"""In the result of a call that asked for a picture there must be one: this costs one visual token."""

_MEMBERS_THAT_SHOW = frozenset({"screenshot", "zoom"})


def count_pictures(messages: Iterable[BetaMessageParam]) -> int:
    """Those that were left out are not counted."""
    return sum(_is_picture(block) for message in messages for block in _all_blocks(message))


def without_old_pictures(messages: Sequence[BetaMessageParam], keep: int) -> list[BetaMessageParam]:
    """The newest `keep` pictures stay, others are replaced by a sentence. What is not touched is the same object."""
    must_show = _calls_that_must_show(messages)
    leave_out = _LeaveOut(must_show, count_pictures(messages) - keep)
    return [leave_out.from_message(message) for message in messages]


@dataclass(slots=True)
class _LeaveOut:
    """From the oldest on, `left` pictures."""

    must_show: frozenset[str]
    left: int

    def from_message(self, message: BetaMessageParam) -> BetaMessageParam:
        content = message["content"]
        if message["role"] != "user" or isinstance(content, str) or self.left <= 0:
            return message
        blocks = [each for block in content for each in self._from_block(block)]
        if all(new is old for new, old in zip(blocks, content, strict=False)):
            return message
        return {**message, "content": blocks}

    def _from_block(self, block: Any) -> list[Any]:
        if self.left <= 0:
            return [block]
        if _is_picture(block):
            self.left -= 1
            return [{"type": "text", "text": LEFT_OUT_TEXT}]
        if block["type"] != "tool_result" or not isinstance(block.get("content"), list):
            return [block]
        inner = [each for item in block["content"] for each in self._from_result(item, block["tool_use_id"])]
        if all(new is old for new, old in zip(inner, block["content"], strict=False)):
            return [block]
        return [{**block, "content": inner}]

    def _from_result(self, item: Any, tool_use_id: str) -> list[Any]:
        if self.left <= 0 or not _is_picture(item):
            return [item]
        self.left -= 1
        text = {"type": "text", "text": LEFT_OUT_TEXT}
        return [LEFT_OUT_PICTURE, text] if tool_use_id in self.must_show else [text]


def _calls_that_must_show(messages: Iterable[BetaMessageParam]) -> frozenset[str]:
    """The ids of the calls of members whose results must hold a picture."""
    blocks = (block for message in messages if message["role"] == "assistant" for block in _blocks(message))
    calls = (_fields(block) for block in blocks)
    return frozenset(call["id"] for call in calls if call["type"] == "tool_use" and _must_show(call))


def _must_show(call: Mapping[str, Any]) -> bool:
    """Of a toolset, or of the one tool of older models."""
    if call.get("toolset_name"):
        return call["name"] in _MEMBERS_THAT_SHOW
    return call["name"] == "computer" and dict(call["input"]).get("action") in _MEMBERS_THAT_SHOW


def _all_blocks(message: BetaMessageParam) -> Iterator[Any]:
    """The blocks of a user's message and those in its results; an assistant has no pictures."""
    if message["role"] != "user":
        return
    for block in _blocks(message):
        yield block
        if block["type"] == "tool_result" and isinstance(block.get("content"), list):
            yield from block["content"]


def _blocks(message: BetaMessageParam) -> Iterable[Any]:
    content = message["content"]
    return () if isinstance(content, str) else content


def _fields(block: Any) -> Mapping[str, Any]:
    """A block of a reply is the SDK's model, one that was given is a mapping."""
    return block if isinstance(block, Mapping) else vars(block)


def _is_picture(block: Any) -> bool:
    return isinstance(block, Mapping) and block["type"] == "image" and block["source"] != LEFT_OUT_PICTURE["source"]

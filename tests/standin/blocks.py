"""Reading messages and content blocks as they stand in a request. Nothing here judges them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]
"""One JSON object of a request or a reply."""

_KEYS_THAT_HOLD_BLOCKS = ("content", "source", "tool", "definition", "tool_references")


def content_blocks(holder: Json) -> list[Json]:
    """The content of a message or a tool result as blocks; a string stands for one text block."""
    content = holder.get("content") or []
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return list(content)


def all_blocks(message: Json) -> Iterator[Json]:
    """The blocks of a message, and those inside its tool results."""
    for block in content_blocks(message):
        yield block
        if block["type"] == "tool_result":
            yield from content_blocks(block)


def text_of(holder: Json) -> str:
    return "".join(block["text"] for block in content_blocks(holder) if block["type"] == "text")


def canonical(value: Any) -> Any:
    """`value` without what changes nothing in an assistant turn: fields that are null, and cache breakpoints. A
    call's input is kept as it is."""
    if isinstance(value, dict):
        return {
            key: canonical(item) if key in _KEYS_THAT_HOLD_BLOCKS else item
            for key, item in value.items()
            if item is not None and key != "cache_control"
        }
    if isinstance(value, list):
        return [canonical(item) for item in value]
    return value


def count_breakpoints(value: Any) -> int:
    """How many `cache_control` fields the blocks in `value` carry, however deep."""
    if isinstance(value, dict):
        inner = sum(count_breakpoints(value[key]) for key in _KEYS_THAT_HOLD_BLOCKS if key in value)
        return inner + (value.get("cache_control") is not None)
    if isinstance(value, list):
        return sum(map(count_breakpoints, value))
    return 0

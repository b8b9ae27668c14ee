"""A reply as the API sends it: whole, or as the events of a stream. Inputs and texts come in small pieces."""

from __future__ import annotations

import json
from collections.abc import Iterator

from standin.blocks import Json
from standin.script import Reply

_PIECE_CHARACTERS = 9


def message_of(reply: Reply, message_id: str, model: str) -> Json:
    content = list(reply.content)
    if reply.truncated_input is not None:
        content[-1] = {**content[-1], "input": {}}
    return {
        "id": message_id,
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": content,
        "stop_reason": reply.stop_reason,
        "stop_sequence": None,
        "stop_details": reply.stop_details,
        "usage": _usage(reply),
    }


def events_of(reply: Reply, message_id: str, model: str) -> list[Json]:
    start = {
        **message_of(reply, message_id, model),
        "content": [],
        "stop_reason": None,
        "stop_details": None,
        "usage": {**_usage(reply), "output_tokens": 1},
    }
    end = {"stop_reason": reply.stop_reason, "stop_sequence": None, "stop_details": reply.stop_details}
    return [
        {"type": "message_start", "message": start},
        {"type": "ping"},
        *(event for index, block in enumerate(reply.content) for event in _block_events(reply, block, index)),
        {"type": "message_delta", "delta": end, "usage": {"output_tokens": _usage(reply)["output_tokens"]}},
        {"type": "message_stop"},
    ]


def encode_event(event: Json) -> bytes:
    return f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()


def _usage(reply: Reply) -> Json:
    written = sum(len(json.dumps(block)) for block in reply.content)
    return {
        "input_tokens": 100,
        "output_tokens": max(1, written // 4),
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
        **reply.usage,
    }


def _block_events(reply: Reply, block: Json, index: int) -> Iterator[Json]:
    start, deltas = _opened(block)
    if block["type"] == "tool_use":
        is_truncated = reply.truncated_input is not None and index == len(reply.content) - 1
        written = reply.truncated_input if is_truncated else json.dumps(block["input"])
        deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in ("", *_pieces(written or ""))]
    yield {"type": "content_block_start", "index": index, "content_block": start}
    for delta in deltas:
        yield {"type": "content_block_delta", "index": index, "delta": delta}
    yield {"type": "content_block_stop", "index": index}


def _opened(block: Json) -> tuple[Json, list[Json]]:
    """The block as it stands when it opens, and the deltas that fill it. A block of any other kind opens whole."""
    if block["type"] == "tool_use":
        return {**block, "input": {}}, []
    if block["type"] == "text":
        deltas = [{"type": "text_delta", "text": piece} for piece in _pieces(block["text"])]
        return {**block, "text": ""}, deltas
    if block["type"] == "thinking":
        deltas = [{"type": "thinking_delta", "thinking": piece} for piece in _pieces(block["thinking"])]
        deltas.append({"type": "signature_delta", "signature": block["signature"]})
        return {**block, "thinking": "", "signature": ""}, deltas
    return block, []


def _pieces(text: str) -> list[str]:
    return [text[start : start + _PIECE_CHARACTERS] for start in range(0, len(text), _PIECE_CHARACTERS)]

"""What a result's content looks like in a recording: text as it is, pictures as files beside it, no base64."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Iterable, Mapping

from gui_operator.recording.redaction import Redact, redacted

StoreImage = Callable[[bytes, str], str]


def recordable_content(content: object, store_image: StoreImage, redact: Redact) -> list[object]:
    """The blocks of a `tool_result`'s content, redacted; a plain string is one text block. `store_image` takes a
    picture's bytes and media type, and gives the path by which the event names it."""
    if content is None:
        return []
    if isinstance(content, str):
        return [{"type": "text", "text": redact(content)}]
    if not isinstance(content, Iterable):
        raise TypeError(f"a result holds text or blocks, not {type(content).__name__}")
    return [_recordable_block(block, store_image, redact) for block in content]


def _recordable_block(block: object, store_image: StoreImage, redact: Redact) -> object:
    if not isinstance(block, Mapping):
        raise TypeError(f"a result's block is a mapping, not {type(block).__name__}")
    source = block.get("source")
    if isinstance(source, Mapping) and source.get("type") == "base64":
        media_type = str(source.get("media_type"))
        rest = {key: redacted(value, redact) for key, value in block.items() if key != "source"}
        return {**rest, "source": _stored_source(str(source.get("data")), media_type, store_image)}
    return redacted(block, redact)


def _stored_source(data_base64: str, media_type: str, store_image: StoreImage) -> dict[str, object]:
    try:
        data = base64.b64decode(data_base64, validate=True)
    except binascii.Error:
        return {"type": "undecodable", "media_type": media_type, "characters": len(data_base64)}
    return {"type": "file", "media_type": media_type, "path": store_image(data, media_type), "size_bytes": len(data)}

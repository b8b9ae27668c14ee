"""The rules for pictures: real bytes of the type they claim, within the limits of the model. Pictures are decoded
whole, so that a header that promises other pixels is found."""

from __future__ import annotations

import base64
import binascii
import functools
import hashlib
import io
import math
from dataclasses import dataclass
from typing import Any

from PIL import Image

from standin.blocks import Json, all_blocks, content_blocks
from standin.models import PictureLimits
from standin.refusals import Refused

MAX_BASE64_BYTES = 10 * 1024 * 1024
MANY = 20
"""With more pictures than this in one request, no side of any may exceed `MANY_MAX_SIDE_PX`."""
MANY_MAX_SIDE_PX = 2000
TILE_PX = 28
"""The side of the square that is one visual token."""


@dataclass(frozen=True, slots=True)
class Facts:
    width_px: int
    height_px: int
    media_type: str

    @property
    def visual_tokens(self) -> int:
        return math.ceil(self.width_px / TILE_PX) * math.ceil(self.height_px / TILE_PX)


def check_pictures(messages: list[Json], limits: PictureLimits) -> None:
    """Refuse the first picture of the conversation that breaks a rule. Only pictures in results of toolset members,
    and of the older single computer tool, have to fit the model: the API scales others itself."""
    from_tools = {id(block) for message in messages for block in _tool_pictures(message)}
    pictures = [block for message in messages for block in all_blocks(message) if block["type"] == "image"]
    for block in pictures:
        if block["source"]["type"] != "base64":
            continue
        facts = _read(block["source"])
        if id(block) in from_tools:
            _check_fit(facts, limits)
        if len(pictures) > MANY and max(facts.width_px, facts.height_px) > MANY_MAX_SIDE_PX:
            raise Refused(
                f"messages: at least one of the image dimensions ({facts.width_px}x{facts.height_px}) exceeds the max "
                f"allowed size for many-image requests: {MANY_MAX_SIDE_PX} pixels"
            )


def _tool_pictures(message: Json) -> list[Json]:
    results = [block for block in content_blocks(message) if block["type"] == "tool_result"]
    return [block for result in results for block in content_blocks(result) if block["type"] == "image"]


def _check_fit(facts: Facts, limits: PictureLimits) -> None:
    size = f"{facts.width_px}x{facts.height_px}"
    if max(facts.width_px, facts.height_px) > limits.long_edge_px:
        raise Refused(f"tool_result: image of {size} exceeds the model's limit of {limits.long_edge_px} pixels a side")
    if facts.visual_tokens > limits.visual_tokens:
        raise Refused(
            f"tool_result: image of {size} takes {facts.visual_tokens} visual tokens; the model's limit is "
            f"{limits.visual_tokens}"
        )


def _read(source: dict[str, Any]) -> Facts:
    data = source["data"]
    if len(data) > MAX_BASE64_BYTES:
        raise Refused(f"image exceeds 10 MB maximum: {len(data)} bytes > {MAX_BASE64_BYTES} bytes")
    try:
        raw = base64.b64decode(data, validate=True)
    except binascii.Error as error:
        raise Refused(f"image.source.base64: invalid base64 data: {error}") from error
    facts = _decode(_Hashed(raw))
    if facts.media_type != source["media_type"]:
        raise Refused(
            f"image.source.base64: the image was specified using the {source['media_type']} media type, but it is "
            f"{facts.media_type}"
        )
    return facts


class _Hashed:
    """Bytes that are told apart by their digest, so that the cache of decoded pictures does not keep them."""

    def __init__(self, data: bytes) -> None:
        self.data: bytes | None = data
        self.digest = hashlib.sha256(data).digest()

    def __hash__(self) -> int:
        return hash(self.digest)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Hashed) and self.digest == other.digest


@functools.lru_cache(maxsize=4096)
def _decode(picture: _Hashed) -> Facts:
    """A history is sent again and again with `thread=False`; each picture is decoded once."""
    assert picture.data is not None
    try:
        with Image.open(io.BytesIO(picture.data)) as image:
            image.load()
            media_type = Image.MIME.get(image.format or "", "unknown")
            facts = Facts(*image.size, media_type)
    except (OSError, SyntaxError, Image.DecompressionBombError) as error:
        raise Refused(f"image.source.base64: could not process image: {error}") from error
    picture.data = None
    return facts

"""Pictures that are larger than a request may hold, made smaller: those of tools of others may have any size, and some
platforms take fewer bytes than our own toolsets keep to."""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping
from typing import Any

from PIL import Image

from gui_operator.toolsets.scaling import SESSION_SIDE_PX

_QUALITIES = (90, 70, 40, 10)


def fitting_pictures(content: Any, largest_base64_bytes: int) -> Any:
    """The content of a result with each picture within `SESSION_SIDE_PX` a side and so many bytes. What fits already is
    left as it is."""
    if not isinstance(content, list):
        return content
    return [_fitting(block, largest_base64_bytes) if _is_own_picture(block) else block for block in content]


def _is_own_picture(block: Any) -> bool:
    """One whose bytes are sent, not only named."""
    return isinstance(block, Mapping) and block["type"] == "image" and block["source"]["type"] == "base64"


def _fitting(block: Any, largest_base64_bytes: int) -> Any:
    data = base64.b64decode(block["source"]["data"])
    with Image.open(io.BytesIO(data)) as image:
        fits_in_bytes = len(block["source"]["data"]) <= largest_base64_bytes
        if max(image.size) <= SESSION_SIDE_PX and fits_in_bytes:
            return block
        image.thumbnail((SESSION_SIDE_PX, SESSION_SIDE_PX))
        media_type, encoded = _encoded(image, largest_base64_bytes)
    return {**block, "source": {"type": "base64", "media_type": media_type, "data": encoded}}


def _encoded(image: Image.Image, largest_base64_bytes: int) -> tuple[str, str]:
    encoded = _saved(image, "PNG")
    if len(encoded) <= largest_base64_bytes:
        return "image/png", encoded
    for quality in _QUALITIES:
        encoded = _saved(image.convert("RGB"), "JPEG", quality=quality)
        if len(encoded) <= largest_base64_bytes:
            break
    return "image/jpeg", encoded


def _saved(image: Image.Image, form: str, **options: int) -> str:
    stream = io.BytesIO()
    image.save(stream, form, **options)
    return base64.b64encode(stream.getvalue()).decode("ascii")

"""Encoded pictures, and how they are to be encoded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gui_environments.geometry import Size

MediaType = Literal["image/png", "image/jpeg", "image/webp"]

PictureFormat = Literal["png", "jpeg", "webp", "auto"]
"""`png`, `jpeg` and `webp` are always that. `auto` is PNG, unless the picture is photo-like and a high-quality lossy
encoding is several times smaller with text still crisp."""


@dataclass(frozen=True, slots=True)
class Picture:
    """An encoded picture: `data` are the bytes of a file of `media_type`, `size` its pixels."""

    data: bytes
    media_type: MediaType
    size: Size

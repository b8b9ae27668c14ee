"""Pictures of a recording inside a page: read from its folder, made smaller where they are many, each once. Opens
nothing but files named as the recorder names them."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, UnidentifiedImageError

from gui_operator.report.run import IMAGE_PATH

WHOLE_UP_TO_BYTES = 24 * 2**20
"""Of all pictures together, as they are. A page with more is slow to open and to send."""

REDUCED_QUALITY = 60
REDUCED_WIDTH_PX = 1024
MOST_PIXELS = 50_000_000
"""Of a picture that is decoded. Screens have fewer; a file that claims more is none of ours."""


@dataclass(frozen=True, slots=True)
class PictureFile:
    """`name` is how the page refers to it."""

    name: str
    path: Path
    width_px: int
    height_px: int
    size_bytes: int


class PictureFiles:
    """Those of a run's pictures that are there and can be read."""

    def __init__(self, directory: Path, paths: Iterable[str], *, whole_up_to_bytes: int = WHOLE_UP_TO_BYTES) -> None:
        self.by_path: Mapping[str, PictureFile] = _readable(directory, paths)
        self.reduced = sum(file.size_bytes for file in self.by_path.values()) > whole_up_to_bytes

    def data_url(self, file: PictureFile) -> str:
        data = file.path.read_bytes()
        if self.reduced:
            data = _smaller(data)
        return f"data:{_media_type(data)};base64,{base64.b64encode(data).decode('ascii')}"


def _readable(directory: Path, paths: Iterable[str]) -> dict[str, PictureFile]:
    found: dict[str, PictureFile] = {}
    for path in dict.fromkeys(paths):
        if not IMAGE_PATH.fullmatch(path):
            continue
        file = directory / path
        try:
            with Image.open(file) as picture:
                width_px, height_px = picture.size
            size_bytes = file.stat().st_size
        except (OSError, UnidentifiedImageError, ValueError, SyntaxError):
            continue
        if width_px * height_px <= MOST_PIXELS:
            found[path] = PictureFile(f"p{len(found) + 1}", file, width_px, height_px, size_bytes)
    return found


def _smaller(data: bytes) -> bytes:
    """As it is where it cannot be decoded, which the browser that shows it will find out too."""
    try:
        with Image.open(io.BytesIO(data)) as picture:
            small = picture.convert("RGB")
    except (OSError, ValueError, SyntaxError):
        return data
    if small.width > REDUCED_WIDTH_PX:
        small = small.resize((REDUCED_WIDTH_PX, max(1, round(small.height * REDUCED_WIDTH_PX / small.width))))
    made = io.BytesIO()
    small.save(made, "WEBP", quality=REDUCED_QUALITY, method=1)
    return min(data, made.getvalue(), key=len)


def _media_type(data: bytes) -> str:
    if data.startswith(b"\xff\xd8"):
        return "image/jpeg"
    if data.startswith(b"RIFF"):
        return "image/webp"
    return "image/gif" if data.startswith(b"GIF8") else "image/png"

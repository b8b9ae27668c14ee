"""What an environment captured, as the result of a screenshot or zoom. Never resizes: a picture comes in the size to
send."""

from __future__ import annotations

import base64
from collections.abc import Awaitable, Callable

from anthropic.tools import BetaScreenshotResult, ToolError

from gui_environments.pictures import Picture, PictureFormat

IMAGE_BASE64_BYTES = 10_000_000
"""The largest image the API takes, as base64."""


async def screenshot_result(
    capture: Callable[[PictureFormat], Awaitable[Picture]], picture_format: PictureFormat
) -> BetaScreenshotResult:
    """The picture in `picture_format`, in JPEG where that would be larger than the API takes. Raises `ToolError`."""
    picture = await capture(picture_format)
    if base64_length(picture) > IMAGE_BASE64_BYTES and picture.media_type == "image/png":
        # Only noise gets there as PNG; its JPEG is several times smaller.
        picture = await capture("jpeg")
    if base64_length(picture) > IMAGE_BASE64_BYTES:
        raise ToolError("The picture is larger than can be sent. Zoom into a part of it instead.")
    return BetaScreenshotResult(data=base64.b64encode(picture.data).decode("ascii"), media_type=picture.media_type)


def base64_length(picture: Picture) -> int:
    return -(-len(picture.data) // 3) * 4

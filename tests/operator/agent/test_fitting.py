"""Pictures that are larger than a request may hold."""

from __future__ import annotations

import base64
import io
import os
from typing import Any

from PIL import Image

from gui_operator.agent.conversation.fitting import fitting_pictures


def picture(image: Image.Image) -> dict[str, Any]:
    stream = io.BytesIO()
    image.save(stream, "PNG")
    data = base64.b64encode(stream.getvalue()).decode()
    return {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}}


def opened(block: dict[str, Any]) -> Image.Image:
    image = Image.open(io.BytesIO(base64.b64decode(block["source"]["data"])))
    assert Image.MIME[image.format or ""] == block["source"]["media_type"]
    return image


def test_what_fits_is_left_as_it_is() -> None:
    content = [{"type": "text", "text": "Here."}, picture(Image.new("RGB", (2000, 100)))]
    fitting = fitting_pictures(content, 1_000_000)
    assert all(new is old for new, old in zip(fitting, content, strict=True))
    assert fitting_pictures("words", 10) == "words"


def test_a_side_that_is_too_long_for_many_pictures_is_scaled_down() -> None:
    (fitting,) = fitting_pictures([picture(Image.new("RGB", (4000, 1000), "navy"))], 1_000_000)
    assert opened(fitting).size == (2000, 500)


def test_a_picture_of_too_many_bytes_becomes_one_of_fewer() -> None:
    noise = Image.frombytes("RGB", (600, 600), os.urandom(600 * 600 * 3))
    (fitting,) = fitting_pictures([picture(noise)], 400_000)
    assert opened(fitting).size == (600, 600)
    assert len(fitting["source"]["data"]) <= 400_000


def test_a_picture_that_is_only_named_is_left_alone() -> None:
    named = {"type": "image", "source": {"type": "url", "url": "https://example.com/picture.png"}}
    assert fitting_pictures([named], 10) == [named]

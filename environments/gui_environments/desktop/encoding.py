"""A raw frame becomes a picture to send: scaled, encoded, and never larger than an image may be."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO

from PIL import Image

from gui_environments.desktop.frames import Frame, join_bands, scale_in_bands
from gui_environments.desktop.png import encode_png
from gui_environments.geometry import Size
from gui_environments.pictures import Picture, PictureFormat

MAX_PICTURE_BYTES = 3_750_000
"""The API takes images of up to 10 MB in base64, and some platforms 5 MB, of which this is the number of bytes."""

LOSSY_QUALITIES = (90, 75, 50, 25)
"""The first that stays within the limit is taken. Noise of 2576x1449 does at 75; chroma is never thinned out (4:4:4),
so that coloured text stays crisp."""

PHOTO_BYTES_A_PIXEL = 0.6
"""A PNG above this is photo-like; text and ordinary windows stay below 0.3."""

PHOTO_GAIN = 3
"""... and `auto` prefers a JPEG that is this many times smaller."""


def encode_frame(frame: Frame, fit: Size, picture_format: PictureFormat, pool: ThreadPoolExecutor) -> Picture:
    """`frame` scaled to exactly `fit`, in `picture_format`. A PNG or lossless WebP that would exceed
    `MAX_PICTURE_BYTES` goes as JPEG or lossy WebP instead: the API refuses it as it is."""
    bands = scale_in_bands(frame, fit, pool)
    match picture_format:
        case "png":
            return _encode_as_png(bands, fit, pool)
        case "jpeg":
            return _encode_as_jpeg(join_bands(bands), fit)
        case "webp":
            return _encode_as_webp(join_bands(bands), fit)
        case "auto":
            return _encode_as_fits_best(bands, fit, pool)


def _encode_as_png(bands: Sequence[Image.Image], size: Size, pool: ThreadPoolExecutor) -> Picture:
    data = encode_png(bands, pool)
    if len(data) > MAX_PICTURE_BYTES:
        return _encode_as_jpeg(join_bands(bands), size)
    return Picture(data, "image/png", size)


def _encode_as_fits_best(bands: Sequence[Image.Image], size: Size, pool: ThreadPoolExecutor) -> Picture:
    picture = _encode_as_png(bands, size, pool)
    if picture.media_type != "image/png" or len(picture.data) < PHOTO_BYTES_A_PIXEL * size.width_px * size.height_px:
        return picture
    lossy = _encode_as_jpeg(join_bands(bands), size)
    return lossy if len(lossy.data) * PHOTO_GAIN <= len(picture.data) else picture


def _encode_as_jpeg(image: Image.Image, size: Size) -> Picture:
    for quality in LOSSY_QUALITIES:
        data = _save(image, "jpeg", quality=quality, subsampling="4:4:4")
        if len(data) <= MAX_PICTURE_BYTES:
            break
    return Picture(data, "image/jpeg", size)


def _encode_as_webp(image: Image.Image, size: Size) -> Picture:
    data = _save(image, "webp", lossless=True, quality=0, method=0)
    for quality in LOSSY_QUALITIES:
        if len(data) <= MAX_PICTURE_BYTES:
            break
        data = _save(image, "webp", quality=quality, method=0)
    return Picture(data, "image/webp", size)


def _save(image: Image.Image, file_format: str, **options: object) -> bytes:
    out = BytesIO()
    image.save(out, file_format, **options)
    return out.getvalue()

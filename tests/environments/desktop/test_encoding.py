"""Scaling and encoding, against the plain pipeline (Pillow alone) and a decoder that is not ours."""

from __future__ import annotations

import io
import random
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops, ImageDraw, ImageFont

from gui_environments.desktop import deflate
from gui_environments.desktop.encoding import MAX_PICTURE_BYTES, encode_frame
from gui_environments.desktop.frames import Frame
from gui_environments.geometry import Size
from gui_environments.pictures import Picture

SIZE = Size(480, 270)


@pytest.fixture(scope="module")
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(4) as pool:
        yield pool


def frame_of(image: Image.Image) -> Frame:
    """As a screen grab gives it, with garbage in the unused byte."""
    pixels = bytearray(image.convert("RGBX").tobytes("raw", "BGRX"))
    pixels[3::4] = random.Random(1).randbytes(len(pixels) // 4)
    return Frame(pixels, Size(*image.size))


def text_screen(size: Size) -> Image.Image:
    image = Image.new("RGB", (size.width_px, size.height_px), "#f4f4f0")
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(13)
    for line in range(size.height_px // 16):
        draw.text((4, line * 16), f"{line:03d} The quick brown fox jumps over the lazy dog = + ~ {{}}", "#202040", font)
    return image


def photo(size: Size) -> Image.Image:
    """Soft shapes with grain, in colour."""
    channels = [
        Image.effect_mandelbrot((size.width_px, size.height_px), (-2, -1.2 + shift, 1, 1.2), 60).resize(
            (size.width_px, size.height_px)
        )
        for shift in (0, 0.3, 0.6)
    ]
    grain = Image.effect_noise((size.width_px, size.height_px), 24)
    return Image.blend(Image.merge("RGB", channels), grain.convert("RGB"), 0.3)


def noise(size: Size) -> Image.Image:
    width, height = size.width_px, size.height_px
    return Image.frombytes("RGB", (width, height), random.Random(2).randbytes(width * height * 3))


def decoded(picture: Picture) -> Image.Image:
    image = Image.open(io.BytesIO(picture.data))
    assert image.get_format_mimetype() == picture.media_type
    assert image.size == (picture.size.width_px, picture.size.height_px)
    image.load()
    return image.convert("RGB")


@pytest.mark.parametrize("paint", [text_screen, photo, noise])
@pytest.mark.parametrize("fit", [Size(320, 180), Size(480, 270), Size(479, 269), Size(333, 7), Size(960, 540)])
def test_a_png_holds_the_pixels_of_the_plain_pipeline(paint, fit: Size, pool: ThreadPoolExecutor) -> None:
    image = paint(SIZE)
    picture = encode_frame(frame_of(image), fit, "png", pool)
    method = Image.Resampling.BICUBIC if fit.width_px > SIZE.width_px else Image.Resampling.BILINEAR
    plain = image if fit == SIZE else image.resize((fit.width_px, fit.height_px), method)
    assert picture.media_type == "image/png"
    assert decoded(picture).tobytes() == plain.tobytes()


@settings(max_examples=60)
@given(st.integers(1, 90), st.integers(1, 90), st.integers(1, 120), st.integers(1, 120), st.integers(0, 2**32 - 1))
def test_any_size_to_any_size_is_within_a_rounding_of_the_plain_pixels(
    width: int, height: int, to_w: int, to_h: int, seed: int
) -> None:
    image = Image.frombytes("RGB", (width, height), random.Random(seed).randbytes(width * height * 3))
    method = Image.Resampling.BICUBIC if to_w > width or to_h > height else Image.Resampling.BILINEAR
    with ThreadPoolExecutor(2) as pool:
        picture = encode_frame(frame_of(image), Size(to_w, to_h), "png", pool)
    plain = image if image.size == (to_w, to_h) else image.resize((to_w, to_h), method)
    worst = max(high for _, high in ImageChops.difference(decoded(picture), plain).getextrema())
    assert worst <= 2


@pytest.mark.parametrize(
    ("size", "fit"),
    [
        (Size(1920, 1080), Size(1280, 720)),
        (Size(1920, 1080), Size(1456, 819)),
        (Size(1920, 1200), Size(1280, 800)),
        (Size(2560, 1440), Size(1280, 720)),
        (Size(3840, 2160), Size(2000, 1125)),
    ],
)
def test_screens_of_the_usual_sizes_give_exactly_the_plain_pixels(
    size: Size, fit: Size, pool: ThreadPoolExecutor
) -> None:
    image = text_screen(size)
    image.paste(noise(Size(600, 700)), (100, 300))
    picture = encode_frame(frame_of(image), fit, "png", pool)
    plain = image.resize((fit.width_px, fit.height_px), Image.Resampling.BILINEAR)
    assert decoded(picture).tobytes() == plain.tobytes()


def test_a_png_is_right_without_isal_too(monkeypatch: pytest.MonkeyPatch, pool: ThreadPoolExecutor) -> None:
    monkeypatch.setattr(deflate, "library", zlib)
    for image in (text_screen(SIZE), photo(SIZE)):
        picture = encode_frame(frame_of(image), SIZE, "png", pool)
        assert decoded(picture).tobytes() == image.tobytes()


def test_a_png_is_not_much_larger_than_pillows(pool: ThreadPoolExecutor) -> None:
    for image in (text_screen(Size(1280, 720)), photo(Size(1280, 720))):
        out = io.BytesIO()
        image.save(out, "png", compress_level=1)
        picture = encode_frame(frame_of(image), Size(1280, 720), "png", pool)
        assert len(picture.data) < 1.5 * len(out.getvalue())


def test_jpeg_is_near_the_picture_and_keeps_coloured_text_crisp(pool: ThreadPoolExecutor) -> None:
    image = Image.new("RGB", (480, 270), "white")
    ImageDraw.Draw(image).text((10, 10), "red on white, thin strokes", "red", ImageFont.load_default(12))
    picture = encode_frame(frame_of(image), SIZE, "jpeg", pool)
    assert picture.media_type == "image/jpeg"
    red, drawn = decoded(picture), image
    worst = max(
        max(abs(a - b) for a, b in zip(red.getpixel((x, y)), drawn.getpixel((x, y)), strict=True))
        for x in range(10, 170)
        for y in range(8, 28)
    )
    # With thinned chroma a stroke of one pixel is off by more than 100.
    assert worst < 60


def test_webp_loses_nothing(pool: ThreadPoolExecutor) -> None:
    image = text_screen(SIZE)
    picture = encode_frame(frame_of(image), SIZE, "webp", pool)
    assert picture.media_type == "image/webp"
    assert decoded(picture).tobytes() == image.tobytes()


def test_auto_is_png_for_text_and_much_smaller_for_a_photo(pool: ThreadPoolExecutor) -> None:
    text = encode_frame(frame_of(text_screen(SIZE)), SIZE, "auto", pool)
    assert text.media_type == "image/png"
    of_photo = frame_of(photo(SIZE))
    chosen = encode_frame(of_photo, SIZE, "auto", pool)
    assert chosen.media_type == "image/jpeg"
    assert len(chosen.data) * 3 <= len(encode_frame(of_photo, SIZE, "png", pool).data)


@pytest.mark.parametrize("picture_format", ["png", "jpeg", "webp", "auto"])
def test_nothing_larger_than_an_image_may_be_is_ever_made(picture_format: str, pool: ThreadPoolExecutor) -> None:
    largest = Size(2576, 1449)
    picture = encode_frame(frame_of(noise(largest)), largest, picture_format, pool)
    assert len(picture.data) <= MAX_PICTURE_BYTES
    assert decoded(picture).size == (2576, 1449)

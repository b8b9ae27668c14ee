"""Raw frames of a screen, and scaling them. A frame is 4 bytes a pixel in the order the screen grab gives: blue, green,
red, unused. The order is kept until the picture is encoded, since Pillow scales any four channels alike and putting
them in order costs less on the smaller picture."""

from __future__ import annotations

import itertools
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from PIL import Image

from gui_environments.geometry import Size

BAND_WORKERS = min(4, os.cpu_count() or 1)
"""A picture is scaled and encoded in as many horizontal bands, one thread each: Pillow and the deflaters release the
interpreter's lock."""


@dataclass(frozen=True, slots=True)
class Frame:
    """`pixels` belong to the frame and may be drawn on."""

    pixels: bytearray
    size: Size

    def image(self) -> Image.Image:
        """A view of the same memory as an image whose red and blue are swapped."""
        return Image.frombuffer("RGBX", (self.size.width_px, self.size.height_px), self.pixels, "raw", "RGBX", 0, 1)


def scale_in_bands(frame: Frame, fit: Size, pool: ThreadPoolExecutor) -> Sequence[Image.Image]:
    """The frame scaled to exactly `fit`, cut into bands from top to bottom, red and blue still swapped. The pixels are
    those of scaling it whole."""
    source = frame.image()
    edges = [fit.height_px * band // BAND_WORKERS for band in range(BAND_WORKERS + 1)]

    def scale_band(top: int, bottom: int) -> Image.Image:
        if fit == frame.size:
            return source.crop((0, top, fit.width_px, bottom))
        height_px = frame.size.height_px
        box = (0, height_px * top / fit.height_px, frame.size.width_px, height_px * bottom / fit.height_px)
        return source.resize((fit.width_px, bottom - top), resampling(frame.size, fit), box)

    pairs = [(top, bottom) for top, bottom in itertools.pairwise(edges) if bottom > top]
    return list(pool.map(lambda pair: scale_band(*pair), pairs))


def resampling(size: Size, fit: Size) -> Image.Resampling:
    """Down: Pillow's BILINEAR, which averages evenly over all source pixels. Its BOX is quicker, but at 3:2 it takes a
    mean of two pixels and one alone in turn, and strokes of letters vanish. Up, for zooms: BICUBIC."""
    if fit.width_px > size.width_px or fit.height_px > size.height_px:
        return Image.Resampling.BICUBIC
    return Image.Resampling.BILINEAR


def join_bands(bands: Sequence[Image.Image]) -> Image.Image:
    """One RGB image of the bands, colours in order."""
    width_px = bands[0].width
    height_px = sum(band.height for band in bands)
    return Image.frombytes("RGB", (width_px, height_px), b"".join(band.tobytes("raw", "BGR") for band in bands))

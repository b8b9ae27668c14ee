"""Raw frames of a screen, and scaling them. A frame is 4 bytes a pixel in the order the screen grab gives: blue, green,
red, unused. The order is kept until the picture is encoded, since Pillow scales any four channels alike and putting
them in order costs less on the smaller picture."""

from __future__ import annotations

import itertools
import math
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
    """The frame scaled to exactly `fit`, cut into bands from top to bottom, red and blue still swapped.

    The pixels are those of scaling it whole, up to a rounding: by the shape of its task Pillow chooses whether to scale
    rows or columns first. For the usual sizes of screens they are the very same.
    """
    source = frame.image()
    unscaled = fit == frame.size
    method = resampling(frame.size, fit)

    def scale_band(edges: tuple[int, int]) -> Image.Image:
        top, bottom = edges
        if unscaled:
            return source.crop((0, top, fit.width_px, bottom))
        from_top, from_bottom = (edge * frame.size.height_px // fit.height_px for edge in edges)
        box = (0, from_top, frame.size.width_px, from_bottom)
        return source.resize((fit.width_px, bottom - top), method, box)

    return list(pool.map(scale_band, itertools.pairwise(band_edges(frame.size.height_px, fit.height_px))))


def band_edges(from_height_px: int, height_px: int) -> Sequence[int]:
    """Rows between which the scaled picture is cut, its first and last edge included: only where the edge falls on a
    whole row of the source too, since between rows the filters would be off by a little. What is enlarged stays in one
    piece."""
    cuts = math.gcd(from_height_px, height_px)
    bands = min(BAND_WORKERS, cuts) if height_px <= from_height_px else 1
    return [height_px // cuts * (cuts * band // bands) for band in range(bands + 1)]


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

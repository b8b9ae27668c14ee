"""A PNG writer for pictures that are looked at once: quick before small. 8 bits, three channels, no alpha.

Each band is deflated by itself in a thread and ends on a full flush, so that the streams simply follow one another. Of
two filters the better one is taken: none for text and flat surfaces, where a row repeats earlier rows byte by byte, and
`up` for photographs and gradients.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from PIL import Image, ImageChops

from gui_environments.desktop.deflate import deflate

SIGNATURE = b"\x89PNG\r\n\x1a\n"
ZLIB_HEADER = b"\x78\x01"
UP_FILTER = 2

POOR_RATIO = 0.15
"""Text and flat surfaces deflate to less than this; above it, the `up` filter is tried as well."""


def encode_png(bands: Sequence[Image.Image], pool: ThreadPoolExecutor) -> bytes:
    """`bands` from top to bottom, 4 channels with red and blue swapped."""
    width_px = bands[0].width
    height_px = sum(band.height for band in bands)
    last = len(bands) - 1
    streams = list(pool.map(lambda numbered: _deflate_band(numbered[1], numbered[0] == last), enumerate(bands)))
    checksum = 1
    for _, rows in streams:
        checksum = zlib.adler32(rows, checksum)
    data = b"".join([ZLIB_HEADER, *(deflated for deflated, _ in streams), struct.pack(">I", checksum)])
    header = struct.pack(">IIBBBBB", width_px, height_px, 8, 2, 0, 0, 0)
    return b"".join([SIGNATURE, _chunk(b"IHDR", header), _chunk(b"IDAT", data), _chunk(b"IEND", b"")])


def _deflate_band(band: Image.Image, is_last: bool) -> tuple[bytes, bytes]:
    """The band's raw deflate stream, and the filtered rows that are in it."""
    rows = _unfiltered_rows(band)
    deflated = deflate(rows, is_last=is_last)
    if len(deflated) < POOR_RATIO * len(rows):
        return deflated, rows
    rows_up = _rows_filtered_up(band)
    deflated_up = deflate(rows_up, is_last=is_last)
    if len(deflated_up) < len(deflated):
        return deflated_up, rows_up
    return deflated, rows


def _unfiltered_rows(band: Image.Image) -> bytes:
    """The rows in true colour order, each behind the number of its filter: the encoder's line length leaves a zero
    byte after each row, which is the filter of the next."""
    return b"\x00" + band.tobytes("raw", "BGR", band.width * 3 + 1)[:-1]


def _rows_filtered_up(band: Image.Image) -> bytes:
    """Each row as its difference from the one above; the band's first row as it is."""
    filtered = band.copy()
    if band.height > 1:
        above = band.crop((0, 0, band.width, band.height - 1))
        below = band.crop((0, 1, band.width, band.height))
        filtered.paste(ImageChops.subtract_modulo(below, above), (0, 1))
    stride = band.width * 3 + 1
    rows = bytearray(_unfiltered_rows(filtered))
    rows[stride::stride] = bytes([UP_FILTER]) * (band.height - 1)
    return bytes(rows)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return b"".join([struct.pack(">I", len(data)), kind, data, struct.pack(">I", zlib.crc32(data, zlib.crc32(kind)))])

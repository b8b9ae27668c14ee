"""The picture of the pointer: read from the X server, drawn into a frame. The screen grab leaves it out, and mss would
blend it as if its colours were not yet multiplied by its opacity, which darkens soft edges."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any

from PIL import Image, ImageChops
from Xlib.ext import xfixes

from gui_environments.desktop.frames import Frame
from gui_environments.geometry import ScreenRegion


@dataclass(frozen=True, slots=True)
class PointerImage:
    """`area` is where it stands on the screen, in parts beyond its edges when the pointer is near one; `pixels` are
    blue, green, red, each multiplied by opacity, and opacity."""

    area: ScreenRegion
    pixels: bytes


def can_read_pointer_image(display: Any) -> bool:
    """Whether this server tells what the pointer looks like."""
    if not display.has_extension(xfixes.extname):
        return False
    return bool(display.xfixes_query_version().major_version >= 1)


def read_pointer_image(display: Any) -> PointerImage:
    reply = display.xfixes_get_cursor_image(display.screen().root)
    left, top = reply.x - reply.xhot, reply.y - reply.yhot
    # A hidden pointer is one transparent pixel, or on some servers an image without any.
    width_px, height_px = max(reply.width, 1), max(reply.height, 1)
    pixels = struct.pack(f"<{len(reply.cursor_image)}I", *reply.cursor_image).ljust(width_px * height_px * 4, b"\0")
    return PointerImage(ScreenRegion(left, top, left + width_px, top + height_px), pixels)


def draw_pointer(frame: Frame, origin: tuple[int, int], pointer: PointerImage) -> bytearray | None:
    """Draw what of the pointer is inside `frame`, whose top left pixel is `origin` of the screen. Returns what was
    there before, for `erase_pointer`; None when the pointer is outside."""
    window = _window_in_frame(frame, origin, pointer)
    if window is None:
        return None
    left, top, right, bottom = window
    before = frame.image().crop(window)
    shape = Image.frombytes("RGBX", (pointer.area.size.width_px, pointer.area.size.height_px), pointer.pixels)
    offset_x, offset_y = left - (pointer.area.left - origin[0]), top - (pointer.area.top - origin[1])
    shape = shape.crop((offset_x, offset_y, offset_x + right - left, offset_y + bottom - top))
    transparency = ImageChops.invert(shape.getchannel(3))
    after = ImageChops.add(ImageChops.multiply(before, Image.merge("RGBX", [transparency] * 4)), shape)
    _write(frame, window, after.tobytes())
    return bytearray(before.tobytes())


def erase_pointer(frame: Frame, origin: tuple[int, int], pointer: PointerImage, before: bytearray | None) -> None:
    """Undo `draw_pointer`."""
    window = _window_in_frame(frame, origin, pointer)
    if window is not None and before is not None:
        _write(frame, window, before)


def _window_in_frame(frame: Frame, origin: tuple[int, int], pointer: PointerImage) -> tuple[int, int, int, int] | None:
    """Left, top, right, bottom in the frame's own pixels."""
    left, top = max(pointer.area.left - origin[0], 0), max(pointer.area.top - origin[1], 0)
    right = min(pointer.area.right - origin[0], frame.size.width_px)
    bottom = min(pointer.area.bottom - origin[1], frame.size.height_px)
    return (left, top, right, bottom) if left < right and top < bottom else None


def _write(frame: Frame, window: tuple[int, int, int, int], pixels: bytes | bytearray) -> None:
    left, top, right, bottom = window
    row_bytes = (right - left) * 4
    for row in range(bottom - top):
        at = ((top + row) * frame.size.width_px + left) * 4
        frame.pixels[at : at + row_bytes] = pixels[row * row_bytes : (row + 1) * row_bytes]

"""The floor: each piece of work done in the plainest way with the same libraries. No truth is promised here: no check
of the layout, no waiting for the screen, nothing that could go wrong is looked for."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import mss
from PIL import Image
from Xlib import XK, X

SHIFTED = dict(zip('~!@#$%^&*()_+{}|:"<>?', "`1234567890-=[]\\;',./", strict=True))


class PlainPipeline:
    """`display` is a python-xlib display."""

    def __init__(self, display: Any, grabber: mss.MSS) -> None:
        self._display = display
        self._grabber = grabber
        screen = display.screen()
        self._area = (0, 0, screen.width_in_pixels, screen.height_in_pixels)
        self._last = bytearray()

    def screenshot(self, size: tuple[int, int]) -> bytes:
        """Grab, convert, BOX, PNG level 1."""
        shot = self._grabber.grab(self._area)
        image = Image.frombytes("RGB", shot.size, shot.bgra, "raw", "BGRX")
        if size != image.size:
            image = image.resize(size, Image.Resampling.BOX)
        out = BytesIO()
        image.save(out, "png", compress_level=1)
        return out.getvalue()

    def is_unchanged(self) -> bool:
        """Grab, and compare with the last raw frame."""
        raw = self._grabber.grab(self._area).raw
        unchanged = raw == self._last
        self._last = raw
        return unchanged

    def click(self, x: int, y: int) -> None:
        self._display.xtest_fake_input(X.MotionNotify, 0, x=x, y=y)
        self._display.xtest_fake_input(X.ButtonPress, 1)
        self._display.xtest_fake_input(X.ButtonRelease, 1)
        self._display.sync()

    def type_ascii(self, text: str) -> None:
        """On a US layout."""
        shift = self._display.keysym_to_keycode(XK.XK_Shift_L)
        for character in text:
            plain = SHIFTED.get(character, character.lower())
            keycode = self._display.keysym_to_keycode(ord(plain))
            held = [shift, keycode] if plain != character else [keycode]
            for key in held:
                self._display.xtest_fake_input(X.KeyPress, key)
            for key in reversed(held):
                self._display.xtest_fake_input(X.KeyRelease, key)
        self._display.sync()

    def press_home(self) -> None:
        keycode = self._display.keysym_to_keycode(XK.XK_Home)
        self._display.xtest_fake_input(X.KeyPress, keycode)
        self._display.xtest_fake_input(X.KeyRelease, keycode)
        self._display.sync()

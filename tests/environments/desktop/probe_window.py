"""A window of an X application that notes every key, button and motion it is sent, in this process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from Xlib import XK, X

from gui_environments.desktop import Desktop
from gui_environments.desktop.connection import close_display, connect
from gui_environments.desktop.properties import read_property
from gui_environments.geometry import ScreenPoint, Size

SIZE = Size(300, 200)

KEY_NAMES = {value: name.removeprefix("XK_") for name, value in reversed(vars(XK).items()) if name.startswith("XK_")}
"""The first name of each: F11 is called L1 too."""


@dataclass(frozen=True)
class Noted:
    kind: str
    """down, up, press, release or motion."""
    what: str
    """The name of the key, or the number of the button."""
    state: int


class ProbeWindow:
    """Made by `probe_window`."""

    def __init__(self, desktop: Desktop, size: Size) -> None:
        self._display = connect(desktop.display, desktop.xauthority)
        self.noted: list[Noted] = []
        self.has_focus = False
        self.is_mapped = False
        self.asked_to_close = False
        root = self._display.screen().root
        mask = X.KeyPressMask | X.KeyReleaseMask | X.ButtonPressMask | X.ButtonReleaseMask | X.PointerMotionMask
        self.window = root.create_window(
            0,
            0,
            size.width_px,
            size.height_px,
            0,
            X.CopyFromParent,
            background_pixel=self._display.screen().white_pixel,
            event_mask=mask | X.FocusChangeMask | X.StructureNotifyMask,
        )
        self.window.set_wm_name("probe")
        self._delete = self._display.intern_atom("WM_DELETE_WINDOW")
        self.window.set_wm_protocols([self._delete])
        self.window.map()
        self._display.sync()

    async def until(self, condition: Any, within_s: float = 10.0) -> None:
        """Take in events until `condition` holds."""
        async with asyncio.timeout(within_s):
            self.take_events()
            while not condition():
                await asyncio.sleep(0.005)
                self.take_events()

    def take_events(self) -> None:
        while self._display.pending_events():
            self._take(self._display.next_event())

    def _take(self, event: Any) -> None:
        match event.type:
            case X.KeyPress | X.KeyRelease:
                keysym = self._display.keycode_to_keysym(event.detail, 0)
                name = KEY_NAMES.get(keysym, hex(keysym))
                self.noted.append(Noted("down" if event.type == X.KeyPress else "up", name, event.state))
            case X.ButtonPress | X.ButtonRelease:
                kind = "press" if event.type == X.ButtonPress else "release"
                self.noted.append(Noted(kind, str(event.detail), event.state))
            case X.MotionNotify:
                self.noted.append(Noted("motion", "", event.state))
            case X.FocusIn | X.FocusOut if event.mode == X.NotifyNormal and event.detail != X.NotifyPointer:
                self.has_focus = event.type == X.FocusIn
            case X.MapNotify:
                self.is_mapped = True
            case X.ClientMessage if event.data[1][0] == self._delete:
                self.asked_to_close = True

    def place(self) -> tuple[ScreenPoint, Size]:
        """Where the window's inside is on the screen."""
        geometry = self.window.get_geometry()
        origin = self.window.translate_coords(self._display.screen().root, 0, 0)
        return ScreenPoint(-origin.x, -origin.y), Size(geometry.width, geometry.height)

    def frame(self) -> tuple[ScreenPoint, Size]:
        """Where the window with its title bar is on the screen."""
        window = self.window
        root = self._display.screen().root
        while (parent := window.query_tree().parent).id != root.id:
            window = parent
        geometry = window.get_geometry()
        return ScreenPoint(geometry.x, geometry.y), Size(geometry.width, geometry.height)

    def middle(self) -> ScreenPoint:
        at, size = self.place()
        return ScreenPoint(at.x + size.width_px // 2, at.y + size.height_px // 2)

    def is_on_top(self) -> bool:
        """Of the windows that are managed."""
        root = self._display.screen().root
        stacking = read_property(root, "_NET_CLIENT_LIST_STACKING")
        return bool(stacking.value[-1] == self.window.id)

    def close(self) -> None:
        close_display(self._display)


@asynccontextmanager
async def probe_window(desktop: Desktop, size: Size = SIZE) -> AsyncIterator[ProbeWindow]:
    """A new window, closed at the end."""
    probe = ProbeWindow(desktop, size)
    try:
        await probe.until(lambda: probe.is_mapped and probe.has_focus)
        yield probe
    finally:
        probe.close()

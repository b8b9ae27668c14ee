"""Windows that a test itself draws, moves and covers, and what arrived at them."""

from __future__ import annotations

import time
from typing import Any

from Xlib import X

from gui_environments.desktop import Desktop
from gui_environments.desktop.connection import close_display, connect

PATIENCE_S = 20.0


class OwnWindows:
    """One connection to a desktop's display, and the windows of it."""

    def __init__(self, desktop: Desktop) -> None:
        self.display = connect(desktop.display, desktop.xauthority)

    def open(
        self, title: str, at: tuple[int, int], size: tuple[int, int], colour: int = 0x4060A0, *, managed: bool = False
    ) -> Any:
        """Shown, on top and painted when this returns. Unless it is `managed`, no window manager touches it."""
        screen = self.display.screen()
        window = screen.root.create_window(
            *at, *size, 0, screen.root_depth, X.InputOutput, X.CopyFromParent, background_pixel=colour,
            override_redirect=not managed,
            event_mask=X.ButtonPressMask | X.KeyPressMask | X.StructureNotifyMask | X.ExposureMask,
        )  # fmt: skip
        window.set_wm_name(title)
        window.set_wm_class(title.lower(), title)
        window.map()
        self.display.sync()
        self._until(lambda: window.get_attributes().map_state == X.IsViewable)
        self.paint(window, colour)
        return window

    def paint(self, window: Any, colour: int) -> None:
        window.change_attributes(background_pixel=colour)
        window.clear_area(0, 0, 0, 0)
        self.display.sync()

    def focus(self, window: Any) -> None:
        window.set_input_focus(X.RevertToParent, X.CurrentTime)
        self.display.sync()
        self._until(lambda: self.display.get_input_focus().focus == window)

    def take(self) -> list[tuple[str, int]]:
        """The presses that arrived since this was last asked: what, and at which window."""
        names = {X.ButtonPress: "button", X.KeyPress: "key"}
        self.display.sync()
        found = []
        while self.display.pending_events():
            event = self.display.next_event()
            if event.type in names:
                found.append((names[event.type], event.window.id))
        return found

    def wait_for(self, count: int) -> list[tuple[str, int]]:
        """So many presses, and what came with them: a window manager may hand one on a little later."""
        found: list[tuple[str, int]] = []

        def enough() -> bool:
            found.extend(self.take())
            return len(found) >= count

        self._until(enough)
        return found

    def close(self) -> None:
        close_display(self.display)

    @staticmethod
    def _until(condition: Any) -> None:
        end = time.monotonic() + PATIENCE_S
        while not condition():
            assert time.monotonic() < end
            time.sleep(0.01)

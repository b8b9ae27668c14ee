"""A question that only the event loop of a window manager answers, after all that it was sent before: how wide a frame
it would give a window (by the Extended Window Manager Hints). Shows no window."""

from __future__ import annotations

from typing import Any

from Xlib import X
from Xlib.protocol.event import ClientMessage

from gui_environments.desktop.properties import read_property

QUESTION = "_NET_REQUEST_FRAME_EXTENTS"
ANSWER = "_NET_FRAME_EXTENTS"


class FrameQuestion:
    """May be asked again. Blocking; on the thread of `display`."""

    def __init__(self, display: Any, window: Any) -> None:
        self._display = display
        self._window = window
        self._question = ClientMessage(window=window, client_type=display.intern_atom(QUESTION), data=(32, [0] * 5))

    def ask(self) -> None:
        self._window.delete_property(self._display.intern_atom(ANSWER))
        to_window_manager = X.SubstructureRedirectMask | X.SubstructureNotifyMask
        self._display.screen().root.send_event(self._question, event_mask=to_window_manager)

    def is_answered(self) -> bool:
        return read_property(self._window, ANSWER) is not None

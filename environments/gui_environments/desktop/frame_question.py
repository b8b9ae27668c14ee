"""A question that only the event loop of a window manager answers, after all that it was sent before: how wide a frame
it would give a window (`_NET_REQUEST_FRAME_EXTENTS` of the Extended Window Manager Hints). Shows no window."""

from __future__ import annotations

from typing import Any

from Xlib import X
from Xlib.protocol.event import ClientMessage


class FrameQuestion:
    """May be asked again. Blocking; on the thread of `display`."""

    def __init__(self, display: Any, window: Any) -> None:
        self._root = display.screen().root
        self._window = window
        self._answer = display.intern_atom("_NET_FRAME_EXTENTS")
        self._question = ClientMessage(
            window=window, client_type=display.intern_atom("_NET_REQUEST_FRAME_EXTENTS"), data=(32, [0] * 5)
        )

    def ask(self) -> None:
        self._window.delete_property(self._answer)
        self._root.send_event(self._question, event_mask=X.SubstructureRedirectMask | X.SubstructureNotifyMask)

    def is_answered(self) -> bool:
        return self._window.get_full_property(self._answer, X.AnyPropertyType) is not None

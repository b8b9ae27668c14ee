"""Waiting until the window manager has passed a press on to the application. Blocking; used on the connection's thread.

A window manager that focuses by click holds every press back until it has handled it, and with it all later events of
the pointer, but none of the keyboard: where it is slow (openbox reads the whole keyboard for every change of its map,
which takes it 20 to 100 ms), keys overtake the click that was to say where they go.
"""

from __future__ import annotations

import time
from typing import Any

from Xlib import X

from gui_environments.desktop.frame_question import QUESTION, FrameQuestion
from gui_environments.desktop.properties import read_property
from gui_environments.desktop.session import XSession
from gui_environments.desktop.work_thread import Cancellation
from gui_environments.errors import ActionFailed

LONGEST_S = 10.0
"""For one answer. A machine under load has taken more than two seconds for one."""

POLL_S = 0.0005

NOT_PASSED_ON = (
    "The window manager did not answer for {seconds:g} s, so it may have kept the press to itself. The button was "
    "released again. Take a screenshot to see what came of it."
)


class PassingOn:
    """Asks the window manager something and waits for the answer. One that does not say that it knows the question is
    not asked. The constructor does no I/O."""

    def __init__(self, session: XSession) -> None:
        self._session = session
        self._window: int | None = None

    def require(self, cancellation: Cancellation) -> None:
        """Until what was pressed before has been passed on. Raises `ActionFailed` after `LONGEST_S`."""
        if not self.wait(cancellation):
            raise ActionFailed(NOT_PASSED_ON.format(seconds=LONGEST_S))

    def wait(self, cancellation: Cancellation | None = None) -> bool:
        """Whether what was pressed before has been passed on within `LONGEST_S`, as far as the window manager tells."""
        display = self._session.display
        if not _is_known(display):
            return True
        if self._window is None:
            self._window = self._session.root.create_window(-1, -1, 1, 1, 0, 0, X.InputOnly, X.CopyFromParent).id
        question = FrameQuestion(display, display.create_resource_object("window", self._window))
        question.ask()
        give_up_at = time.monotonic() + LONGEST_S
        while not question.is_answered():
            if cancellation is not None and cancellation.requested:
                return True
            if time.monotonic() > give_up_at:
                return False
            time.sleep(POLL_S)
        return True


def _is_known(display: Any) -> bool:
    """Whether a window manager is there that lists the question. Asked each time: it may come and go."""
    root = display.screen().root
    if not root.get_attributes().all_event_masks & X.SubstructureRedirectMask:
        return False
    supported = read_property(root, "_NET_SUPPORTED")
    return supported is not None and display.intern_atom(QUESTION) in supported.value

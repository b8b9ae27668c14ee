"""Waiting until the window manager has passed a press on to the application. Blocking; used on the connection's thread.

A window manager that focuses by click holds every press back until it has handled it, and with it all later events of
the pointer, but none of the keyboard: where it is slow (openbox reads the whole keyboard for every change of its map,
which takes it 20 to 100 ms), keys overtake the click that was to say where they go.
"""

from __future__ import annotations

import time

from Xlib import X

from gui_environments.desktop.frame_question import FrameQuestion
from gui_environments.desktop.session import XSession
from gui_environments.desktop.work_thread import Cancellation

LONGEST_S = 2.0
"""For one answer of a window manager that has answered before."""

FIRST_ANSWER_S = 0.5
"""For its first answer. One that gives none does not know the question, and is not asked again."""

POLL_S = 0.0005


class PassingOn:
    """Asks the window manager something and waits for the answer. The constructor does no I/O."""

    def __init__(self, session: XSession) -> None:
        self._session = session
        self._window: int | None = None
        self._answers: bool | None = None
        """None until it was asked."""

    def wait(self, cancellation: Cancellation | None = None) -> None:
        """Until what was pressed before has been passed on; at most `LONGEST_S`."""
        if self._answers is False:
            return
        display, root = self._session.display, self._session.root
        if self._window is None:
            if not root.get_attributes().all_event_masks & X.SubstructureRedirectMask:
                return  # No window manager is there; one may come.
            self._window = root.create_window(-1, -1, 1, 1, 0, 0, X.InputOnly, X.CopyFromParent).id
        question = FrameQuestion(display, display.create_resource_object("window", self._window))
        question.ask()
        give_up_at = time.monotonic() + (LONGEST_S if self._answers else FIRST_ANSWER_S)
        while not question.is_answered():
            if cancellation is not None and cancellation.requested:
                return
            if time.monotonic() > give_up_at:
                self._answers = bool(self._answers)
                return
            time.sleep(POLL_S)
        self._answers = True

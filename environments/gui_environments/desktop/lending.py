"""Keycodes lent to what the layout lacks, between two pieces of evidence: the application with the focus has handled
all before, and has handled all that was typed with them. Presses no key of a text or chord itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from gui_environments.desktop.borrowing import BorrowedKeycodes
from gui_environments.desktop.evidence import Probes, Watched, Witness
from gui_environments.desktop.focus import Focus, Kind, find_focus, is_of_same_client, wait_for_focus
from gui_environments.desktop.session import XSession
from gui_environments.desktop.work_thread import Cancellation
from gui_environments.desktop.xkb import KeySymbols
from gui_environments.errors import ActionFailed, ActionRefused

_ANSWER_S = 5.0
"""How long an application may be too busy to show that it is ready for characters that need a borrowed keycode."""

_HANDLED_S = 10.0
"""... and to handle a passage of them, which is a few hundred strokes at most."""

_CANCELLED_S = 1.0
"""The same when the caller has gone away."""


class Lending:
    """The borrowed keycodes of one display and the witness of what applications have handled."""

    def __init__(self, session: XSession) -> None:
        self._session = session
        self._borrowed = BorrowedKeycodes(session.display)
        self._witness = Witness(session)

    def close(self) -> None:
        self._borrowed.give_back()
        self._witness.close()

    @contextmanager
    def ended_after(self) -> Iterator[None]:
        """Everything borrowed inside is given back at the end."""
        try:
            yield
        finally:
            self._borrowed.give_back()

    @contextmanager
    def lent(
        self,
        symbols: dict[int, KeySymbols],
        probes: Probes,
        focus: Focus,
        cancellation: Cancellation,
        *,
        is_first: bool = True,
    ) -> Iterator[None]:
        """`symbols` on their keycodes for what is pressed inside; at the end the application with the focus has handled
        it. They stay until the next `lent` or the end of `ended_after`. `probes` are not among them.

        Raises `ActionRefused` (the first time) or `ActionFailed` before anything is changed when the application gives
        no sign of following, `ActionFailed` afterwards when it stopped.
        """
        with self._witness.watching(focus) as watched:
            if not self._witness.wait_until_ready(watched, probes, _ANSWER_S, cancellation):
                if cancellation.requested or is_first:
                    raise _refusal(focus)
                raise _stopped_following() if self._still_has_focus(focus) else _lost_focus()
            known_reads = len(watched.reads.seen()) if watched.reads else 0
            self._borrowed.borrow(symbols)
            self._witness.tell_of_map(watched)
            self._witness.wait_until_map_is_read(watched, known_reads, cancellation)
            try:
                yield
            finally:
                self._require_handled(watched, probes, cancellation)
        self._follow_focus(focus, probes, cancellation)

    def _follow_focus(self, before: Focus, probes: Probes, cancellation: Cancellation) -> None:
        """A key may have given the focus to another application; what was typed after it is that one's to handle."""
        now = find_focus(self._session.display)
        if now is None or is_of_same_client(self._session.display, before, now):
            return
        with self._witness.watching(now) as watched:
            self._require_handled(watched, probes, cancellation)

    def _require_handled(self, watched: Watched, probes: Probes, cancellation: Cancellation) -> None:
        if self._witness.wait_until_handled(watched, probes, _HANDLED_S, cancellation):
            return
        if cancellation.requested:
            self._witness.wait_until_handled(watched, probes, _CANCELLED_S, None)
            return
        if self._still_has_focus(watched.focus):
            raise _stopped_following()
        # The window is gone, by one of the keys; there is nobody left to misread them.

    def _still_has_focus(self, focus: Focus) -> bool:
        now = find_focus(self._session.display)
        return now is not None and now.window == focus.window


def require_focus(session: XSession, cancellation: Cancellation) -> Focus:
    focus = wait_for_focus(session.display, cancellation)
    if focus is None:
        raise ActionRefused(
            "Nothing on the screen has the keyboard focus, so the keys would reach nobody. Nothing was typed. Click "
            "the field or window that should get them first."
        )
    return focus


def focus_for_the_rest(session: XSession, before: Focus) -> Focus:
    """Who has the focus when a part of a text, planned for `before`, has been typed. Raises `ActionFailed`."""
    now = find_focus(session.display)
    if now is None or (now.kind is Kind.JAVA) != (before.kind is Kind.JAVA):
        raise _lost_focus()
    return now


def require_one_receiver(session: XSession, before: Focus, text: str) -> None:
    """To be called after the response to `text`, typed while `before` had the focus. Raises `ActionFailed` when another
    window, or none, has the focus by now: keys that came after that reached somebody else, or nobody.

    A Return or a Tab at the end may well do that; the text before it has arrived."""
    if len(text) == 1 or text.endswith(("\n", "\t")):
        return
    now = find_focus(session.display)
    if now is None or now.top_level != before.top_level:
        raise ActionFailed(
            "The window that was typed into closed or lost the keyboard focus meanwhile. The text was sent, but a part "
            "of it may have reached another window or nobody: look at the screen before going on."
        )


def _lost_focus() -> ActionFailed:
    return ActionFailed(
        "The keyboard focus went away while the text was typed. A part of the text was sent, the rest was not."
    )


def _refusal(focus: Focus) -> ActionRefused:
    if focus.kind is Kind.OTHER:
        return ActionRefused(
            "Some of these characters have no key on this keyboard layout, and the application with the focus is busy "
            "or gives no sign that it follows changes of the keyboard, so they might arrive wrong. Nothing was typed. "
            "Wait and try again, use only characters of the layout, or bring the text in by a file or the clipboard."
        )
    return ActionRefused(
        "Some of these characters have no key on this keyboard layout, and the application with the focus does not "
        "answer, so they might arrive wrong. Nothing was typed. Wait until it is no longer busy and try again."
    )


def _stopped_following() -> ActionFailed:
    return ActionFailed(
        "The application with the focus stopped answering while keys were sent to it. Those sent may arrive incomplete "
        "or wrong: look at it before going on."
    )

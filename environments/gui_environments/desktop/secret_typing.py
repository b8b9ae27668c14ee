"""Typing secrets on an X display: each key only while a window that the secret is bound to has the focus. Blocking;
used on the connection's thread only. No value is in a word of this."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from gui_environments.desktop.keyboard import Keyboard
from gui_environments.desktop.scene import focused_window
from gui_environments.desktop.session import XSession
from gui_environments.desktop.work_thread import Cancellation
from gui_environments.errors import ActionFailed, ActionRefused
from gui_environments.secrets.values import Pieces, SecretText
from gui_environments.sights import ExpectedWindow


def type_filled(session: XSession, keyboard: Keyboard, pieces: Pieces, cancellation: Cancellation) -> None:
    """Raises `ActionRefused` before the first key, `ActionFailed`."""
    for place, piece in enumerate(pieces):
        if cancellation.requested:
            return
        try:
            if isinstance(piece, str):
                keyboard.type_text(piece, cancellation)
            else:
                _type_secret(session, keyboard, piece, cancellation)
        except ActionRefused as error:
            if place == 0:
                raise
            raise ActionFailed(f"{error} What stands before it was typed.") from None


class NotBound(ActionRefused):
    """Something else has the focus."""


def _type_secret(session: XSession, keyboard: Keyboard, secret: SecretText, cancellation: Cancellation) -> None:
    with _held_to_windows(session, secret):
        try:
            keyboard.type_text(secret.value, cancellation)
        except NotBound:
            raise
        except ActionRefused:
            # Its words would say which of the characters.
            raise ActionRefused(
                f"{{{{{secret.name}}}}} cannot be typed into the window with the focus, which does not take all of it."
            ) from None


@contextmanager
def _held_to_windows(session: XSession, secret: SecretText) -> Iterator[None]:
    outer = session.input.scene
    if outer is not None:
        # What somebody was asked about comes first.
        outer.before_input()
    window = focused_window(session)
    if outer is not None:
        outer.after_press(of_key=True)
    keys = BoundKeys(session, secret, window)
    keys.require_bound(window)
    session.input.scene = keys
    try:
        yield
    finally:
        keys.let_go()
        session.input.scene = outer


class BoundKeys:
    """A `Scene` that looks before every key, with the server grabbed until the key has gone where it was meant to."""

    def __init__(self, session: XSession, secret: SecretText, window: ExpectedWindow) -> None:
        self._session = session
        self._secret = secret
        self._window = window
        self._grabbed = False
        self._pressed = 0

    def require_bound(self, now: ExpectedWindow) -> None:
        """Raises `NotBound`, or `ActionFailed` when a part was typed."""
        secret = self._secret
        if now.number == self._window.number and secret.may_go_to_window(now):
            return
        if self._pressed:
            raise ActionFailed(
                f"Another window came in front while {{{{{secret.name}}}}} was typed, and got nothing of it. A part "
                "stands where it was meant. Take a screenshot and look again."
            )
        bound_to = f"bound to {secret.bound_to}" if secret.bound_to else "bound to no window"
        raise NotBound(f"{{{{{secret.name}}}}} is {bound_to}, and {_words(now)}. Nothing of it was typed.")

    def before_input(self) -> None:
        if self._grabbed:
            return
        self._grabbed = True
        self._session.display.grab_server()
        try:
            self.require_bound(focused_window(self._session))
        except BaseException:
            self.let_go()
            raise

    def after_press(self, *, of_key: bool) -> None:
        self._pressed += 1
        self._session.display.sync()
        self.let_go()

    def let_go(self) -> None:
        """Idempotent."""
        if self._grabbed:
            self._grabbed = False
            self._session.display.ungrab_server()
            self._session.display.flush()


def _words(window: ExpectedWindow) -> str:
    if not window.number:
        return "no window has the focus"
    return f"the window with the focus is of {window.application or 'an application that does not say its name'}"

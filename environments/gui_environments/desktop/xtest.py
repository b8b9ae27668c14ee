"""Keys, buttons and motion through the XTEST extension, and what of it is down. Blocking; runs on the connection's
thread.

Only XTEST: events made with XSendEvent carry a flag that xterm, GTK menus and SDL ignore.
"""

from __future__ import annotations

from typing import Any, Protocol

from Xlib import X


class Scene(Protocol):
    """What input is held to, told of it before and after; see `scene.HeldScene`."""

    def before_input(self) -> None: ...
    def after_press(self, *, of_key: bool) -> None: ...


class XTestInput:
    """The input of one connection. What is down is remembered, so that it can always be released."""

    def __init__(self, display: Any) -> None:
        self._display = display
        self._keys_down: list[int] = []
        self._buttons_down: list[int] = []
        self.scene: Scene | None = None
        """Set around an action that is held to what was seen. It may refuse before the first event."""

    @property
    def keys_down(self) -> tuple[int, ...]:
        """Keycodes held by us, in the order they went down."""
        return tuple(self._keys_down)

    @property
    def buttons_down(self) -> tuple[int, ...]:
        return tuple(self._buttons_down)

    def press_key(self, keycode: int) -> None:
        self._begin()
        self._keys_down.append(keycode)
        self._display.xtest_fake_input(X.KeyPress, keycode)
        if self.scene is not None:
            self.scene.after_press(of_key=True)

    def release_key(self, keycode: int) -> None:
        self._display.xtest_fake_input(X.KeyRelease, keycode)
        if keycode in self._keys_down:
            self._keys_down.remove(keycode)

    def press_button(self, button: int) -> None:
        """`button` is the X number: 1 left, 2 middle, 3 right, 4 to 7 the wheel."""
        self._begin()
        self._buttons_down.append(button)
        self._display.xtest_fake_input(X.ButtonPress, button)
        if self.scene is not None:
            self.scene.after_press(of_key=False)

    def release_button(self, button: int) -> None:
        self._begin()
        self._display.xtest_fake_input(X.ButtonRelease, button)
        if button in self._buttons_down:
            self._buttons_down.remove(button)
        if self.scene is not None:
            self.scene.after_press(of_key=False)

    def move_pointer(self, x: int, y: int) -> None:
        """To a point in screen pixels, without acceleration."""
        self._begin()
        self._display.xtest_fake_input(X.MotionNotify, 0, x=x, y=y)

    def release_keys(self) -> None:
        """Let go of every key held, the last pressed first."""
        for keycode in reversed(self._keys_down.copy()):
            self.release_key(keycode)

    def release_all(self) -> None:
        """Let go of every key and button held, the last pressed first."""
        self.release_keys()
        for button in reversed(self._buttons_down.copy()):
            self.release_button(button)
        self.finish()

    def _begin(self) -> None:
        if self.scene is not None:
            self.scene.before_input()

    def flush(self) -> None:
        """Send what is queued."""
        self._display.flush()

    def finish(self) -> None:
        """Send what is queued and wait until the server has handled it."""
        self._display.sync()

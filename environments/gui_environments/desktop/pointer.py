"""The pointer of one X display: clicks, drags, motion, the wheel. Blocking; used on the connection's thread only.

Everything that can be refused is refused before the first event is sent; nothing is clamped. Buttons that an action
presses are up again when it ends, however it ends; only `press_button` leaves one down, and `release_button` ends that.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from Xlib import X

from gui_environments.actions import Button, Click, Direction, Drag, MovePointer, Scroll
from gui_environments.desktop.keyboard import Keyboard
from gui_environments.desktop.passing_on import PassingOn
from gui_environments.desktop.session import XSession
from gui_environments.desktop.settling import SettleWatch
from gui_environments.desktop.work_thread import Cancellation
from gui_environments.errors import ActionFailed, ActionRefused
from gui_environments.geometry import ScreenPoint

# What toolkits see, which is a position in the pointer's button mapping, not the button on the device.
LEFT = 1
LOGICAL_BUTTONS: dict[Button, int] = {"left": LEFT, "middle": 2, "right": 3}
WHEEL_BUTTONS: dict[Direction, int] = {"up": 4, "down": 5, "left": 6, "right": 7}

MULTI_CLICK_S = 0.55
"""Two clicks within this time count as a double-click somewhere: Tk, Chromium and Swing allow 0.5 s, GTK and Qt 0.4."""

MULTI_CLICK_PX = 8
"""... and within this distance: Qt's 5 and Chromium's 4 are the widest, doubled for scaled displays."""

PASSED_ON_S = 0.3
"""How long a button that others have pressed and released may seem to be down."""

DRAG_STEPS = 12
"""Points on the way. Enough for a drag threshold of any toolkit to be passed early and hover effects to be seen."""

DRAG_THRESHOLD_PX = 10
"""Motion that every toolkit takes for the beginning of a drag: Qt wants 10, GTK 8, Swing 5, Chromium 4."""

DRAG_STEP_S = 0.005
"""Time between two points, so that they are not taken for one."""

DRAG_RESPONSE_S = 1.0
"""How long, at most, what is dragged may draw its first response, and what it is dragged over its last."""

DRAG_BEGINNING_S = 0.4
"""How long a source has to show that it is being dragged. Chromium asks its page first, which takes its time."""


@dataclass(frozen=True, slots=True)
class LastClick:
    button: int
    at: ScreenPoint
    ended_s: float
    """On `time.monotonic()`."""
    by_hand: bool = False
    """Made of `press_button` and `release_button`."""


class Pointer:
    """Acts with the pointer through one `XSession`. The constructor does no I/O."""

    def __init__(self, session: XSession, keyboard: Keyboard, watch: SettleWatch) -> None:
        self._session = session
        self._keyboard = keyboard
        self._watch = watch
        self._passing_on = PassingOn(session)
        self._last_click: LastClick | None = None

    def position(self) -> ScreenPoint:
        reply = self._session.root.query_pointer()
        return ScreenPoint(reply.root_x, reply.root_y)

    def click(self, action: Click, cancellation: Cancellation) -> None:
        """`action.count` clicks, which applications take for one multiple click and never for a part of an earlier."""
        if action.count < 1:
            raise ActionRefused(f"A click has at least one press, not {action.count}.")
        if action.at is not None:
            self._session.require_on_screen(action.at)
        logical = LOGICAL_BUTTONS[action.button]
        device = self._device_button(logical)
        self._require_up(logical, action.button)
        at = action.at or self.position()
        self._let_last_click_expire(logical, at, cancellation)
        with self._keyboard.modifiers_held(action.modifiers):
            if action.at is not None:
                self._session.input.move_pointer(at.x, at.y)
            for _ in range(action.count):
                with self._button_held(device):
                    self._passing_on.require(cancellation)
            self._session.input.finish()
        self._last_click = LastClick(logical, at, time.monotonic())

    def drag(self, action: Drag, cancellation: Cancellation) -> None:
        self._session.require_on_screen(action.start)
        self._session.require_on_screen(action.end)
        device = self._device_button(LEFT)
        self._require_up(LEFT, "left")
        self._let_last_click_expire(LEFT, action.start, cancellation)
        with self._keyboard.modifiers_held(action.modifiers):
            self._session.input.move_pointer(action.start.x, action.start.y)
            with self._button_held(device):
                self._passing_on.require(cancellation)
                self._glide(action.start, action.end, cancellation)
            self._session.input.finish()
        self._last_click = LastClick(LEFT, action.end, time.monotonic())

    def move(self, action: MovePointer, cancellation: Cancellation) -> None:
        """In one jump; through intermediate points while a button is down, since that is a drag."""
        self._session.require_on_screen(action.to)
        if self._session.input.buttons_down:
            self._glide(self.position(), action.to, cancellation)
        else:
            self._session.input.move_pointer(action.to.x, action.to.y)
        self._session.input.finish()

    def press_button(self, cancellation: Cancellation) -> None:
        """Left down, and left down. Two pairs of press and release in a row may make a double-click, as by hand; a
        press after a click makes none."""
        device = self._device_button(LEFT)
        self._require_up(LEFT, "left")
        if self._last_click is not None and not self._last_click.by_hand:
            self._let_last_click_expire(LEFT, self.position(), cancellation)
        with self._keyboard.modifiers_held(None):
            self._session.input.press_button(device)
        self._session.input.finish()
        try:
            self._passing_on.require(cancellation)
        except ActionFailed:
            self._session.input.release_button(device)
            self._session.input.finish()
            raise

    def release_button(self) -> None:
        """Left up, whoever pressed it: a program that ended early may have left it down."""
        device = self._device_button(LEFT)
        if device not in self._session.input.buttons_down and not self._is_down(LEFT):
            raise ActionRefused("The left mouse button is not down, so it cannot be released. Press it first.")
        self._session.input.release_button(device)
        self._session.input.finish()
        if self._is_down(LEFT):
            raise ActionFailed("The left mouse button is still down: something else holds it on this display.")
        self._last_click = LastClick(LEFT, self.position(), time.monotonic(), by_hand=True)

    def scroll(self, action: Scroll, cancellation: Cancellation) -> None:
        """One press of a wheel button a notch, each handled by the server before the next, so that a cancelled scroll
        ends at once."""
        if action.clicks < 1:
            raise ActionRefused(f"Scrolling takes at least one notch of the wheel, not {action.clicks}.")
        if action.at is not None:
            self._session.require_on_screen(action.at)
        device = self._device_button(WHEEL_BUTTONS[action.direction])
        with self._keyboard.modifiers_held(action.modifiers):
            if action.at is not None:
                self._session.input.move_pointer(action.at.x, action.at.y)
            for done in range(action.clicks):
                if cancellation.requested:
                    raise ActionFailed(f"Scrolling was cancelled after {done} of {action.clicks} notches.")
                with self._button_held(device):
                    pass
                self._session.input.finish()

    @contextmanager
    def _button_held(self, device: int) -> Iterator[None]:
        self._session.input.press_button(device)
        try:
            yield
        finally:
            self._session.input.release_button(device)
            self._session.input.flush()

    def _glide(self, start: ScreenPoint, end: ScreenPoint, cancellation: Cancellation) -> None:
        """From `start` to `end` in `DRAG_STEPS` steps. A source decides on the first of them whether this is a drag,
        and some (Chromium) begin one in their own time, during which motion is lost on the target; so there is a rest
        until the screen is quiet after the first step past every drag threshold, and another after the last. Where it
        became a drag and drop, the last step is taken twice: a drop goes to what answered the motion over it."""
        responded = False
        selection = self._session.display.intern_atom("XdndSelection")
        owner_before = self._session.display.get_selection_owner(selection)
        for step in range(1, DRAG_STEPS + 1):
            at = self._move_along(start, end, step)
            if not responded and max(abs(at.x - start.x), abs(at.y - start.y)) > DRAG_THRESHOLD_PX:
                self._watch.wait_until_quiet(DRAG_RESPONSE_S, cancellation, first_change_s=DRAG_BEGINNING_S)
                responded = True
            if cancellation.wait(DRAG_STEP_S):
                raise ActionFailed(f"The drag was cancelled at ({at.x}, {at.y}), where the button was released.")
        self._watch.wait_until_quiet(DRAG_RESPONSE_S, cancellation)
        if self._session.display.get_selection_owner(selection) != owner_before:
            for step in (DRAG_STEPS - 1, DRAG_STEPS):
                self._move_along(start, end, step)
                self._watch.wait_until_quiet(DRAG_RESPONSE_S, cancellation)

    def _move_along(self, start: ScreenPoint, end: ScreenPoint, step: int) -> ScreenPoint:
        """To where the way from `start` to `end` is after `step` of its `DRAG_STEPS`."""
        x = start.x + round((end.x - start.x) * step / DRAG_STEPS)
        y = start.y + round((end.y - start.y) * step / DRAG_STEPS)
        self._session.input.move_pointer(x, y)
        self._session.input.finish()
        return ScreenPoint(x, y)

    def _require_up(self, logical: int, name: Button) -> None:
        """A press of a button that is down would not arrive, and the release after it would end what that one does."""
        if self._device_button(logical) in self._session.input.buttons_down:
            raise ActionRefused(f"The {name} mouse button is already down. Release it first.")
        if self._is_down(logical):
            way_out = ", or release it first" if logical == LEFT else ""
            raise ActionRefused(
                f"The {name} mouse button is being held down on this display by something else. Nothing was pressed. "
                f"Try again when it is up{way_out}."
            )

    def _is_down(self, logical: int) -> bool:
        """On the display, whoever pressed it. One that was just released still counts as down while the window manager
        holds the pointer's events back, so it is given `PASSED_ON_S` to pass on what it has."""
        mask = X.Button1Mask << (logical - 1)
        give_up_at = time.monotonic() + PASSED_ON_S
        while self._session.root.query_pointer().mask & mask:
            if time.monotonic() > give_up_at:
                return True
            self._passing_on.wait()
        return False

    def _let_last_click_expire(self, button: int, at: ScreenPoint, cancellation: Cancellation) -> None:
        """Two clicks asked for one after the other are two clicks. Without this rest, applications would take the
        second of two quick ones at one place for a double-click."""
        last = self._last_click
        if last is None or last.button != button:
            return
        if max(abs(at.x - last.at.x), abs(at.y - last.at.y)) > MULTI_CLICK_PX:
            return
        rest_s = last.ended_s + MULTI_CLICK_S - time.monotonic()
        if rest_s > 0 and cancellation.wait(rest_s):
            raise ActionFailed("The click was cancelled before the button was pressed.")

    def _device_button(self, logical: int) -> int:
        """The device's button that applications see as `logical`: a left-handed mapping swaps them."""
        mapping = list(self._session.display.get_pointer_mapping())
        if logical not in mapping:
            raise ActionRefused(f"No button of this display's pointer acts as button {logical}.")
        return mapping.index(logical) + 1

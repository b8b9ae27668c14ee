"""Input to the machine's own screen, through pyautogui: one action by whatever calls it takes. What was pressed is let
go again, however an action ends, but for the button that `PressButton` is to leave down."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from gui_environments.actions import (
    Action,
    Button,
    Click,
    Drag,
    HoldKeys,
    MovePointer,
    PressButton,
    PressKeys,
    ReleaseButton,
    Scroll,
    TypeFilled,
    TypeText,
)
from gui_environments.desktop.bounds import require_point_on_screen
from gui_environments.desktop.native_keys import NativeKeys
from gui_environments.desktop.pointer import DRAG_STEP_S, DRAG_STEPS, MULTI_CLICK_S
from gui_environments.desktop.work_thread import Cancellation
from gui_environments.errors import ActionFailed, ActionRefused, EnvironmentUnavailable
from gui_environments.geometry import ScreenPoint, Size

MODIFIER_S = 0.1
"""Modifiers stay down this long after a click: a window manager may hold it back, and hand it on with those of then."""

HELD_BACK_S = 0.25 if sys.platform == "linux" else 0.0
"""Buttons stay down this long: a window manager of X may hold a press back, and until it hands it on the server loses
clicks that follow, and says of the release that it was where the pointer is by then."""

NO_WINDOWS = "No secret is filled in on this screen, where it cannot be told which window has the focus."

NOTCH = {"win32": 120}.get(sys.platform, 1)
"""What pyautogui calls a click of the wheel is a 120th of one on Windows."""


class NativeInput:
    """The pointer and the keyboard of the screen that pyautogui found. Its methods block."""

    def __init__(self, pyautogui: Any, keys: NativeKeys, *, screen: Size, points: Size) -> None:
        """`screen` is the primary screen's size in pixels, `points` the same in the unit of input, of which a scaled
        macOS screen has fewer."""
        self._pyautogui = pyautogui
        self._keys = keys
        self._screen = screen
        self._points_per_px = (points.width_px / screen.width_px, points.height_px / screen.height_px)
        self._button_is_down = False
        self._last_click_s = -MULTI_CLICK_S

    def carry_out(self, action: Action, cancellation: Cancellation) -> None:
        """Raises `ActionRefused` before any input was sent, `ActionFailed`."""
        match action:
            case Click():
                self._click(action, cancellation)
            case Drag():
                self._drag(action, cancellation)
            case MovePointer():
                self._move(action.to)
            case PressButton():
                self._press_button("left")
            case ReleaseButton():
                self._release_button("left")
            case Scroll():
                self._scroll(action)
            case TypeText():
                self._type(action.text, cancellation)
            case TypeFilled():
                raise ActionRefused(f"{NO_WINDOWS} Nothing was typed.")
            case PressKeys():
                keys = self._keys.keys_of_chord(action.chord)
                for _ in range(action.repeat):
                    if cancellation.requested:
                        return
                    with self._held(keys):
                        pass
            case HoldKeys():
                with self._held(self._keys.keys_of_chord(action.chord)):
                    cancellation.wait(action.seconds)

    def _click(self, action: Click, cancellation: Cancellation) -> None:
        modifiers = self._modifiers(action.modifiers)
        if action.at is not None:
            self._move(action.at)
        # A click soon after another would be taken for the second half of a double-click.
        if cancellation.wait(max(0.0, self._last_click_s + MULTI_CLICK_S - time.monotonic())):
            raise ActionFailed("The click was cancelled before the button was pressed.")
        with self._modifiers_held(modifiers):
            self._click_here(action)
        self._last_click_s = time.monotonic()

    def _click_here(self, action: Click) -> None:
        if sys.platform == "darwin" and action.count > 1:
            # There a double click is not two clicks but an event of its own.
            multiply = self._pyautogui.doubleClick if action.count == 2 else self._pyautogui.tripleClick
            multiply(button=action.button, _pause=False)
            return
        for _ in range(action.count):
            with self._button_held(action.button):
                pass

    def _drag(self, action: Drag, cancellation: Cancellation) -> None:
        modifiers = self._modifiers(action.modifiers)
        require_point_on_screen(action.end, self._screen)
        self._move(action.start)
        with self._modifiers_held(modifiers), self._button_held("left"):
            for step in range(1, DRAG_STEPS + 1):
                x = action.start.x + (action.end.x - action.start.x) * step / DRAG_STEPS
                y = action.start.y + (action.end.y - action.start.y) * step / DRAG_STEPS
                self._move(ScreenPoint(round(x), round(y)), dragging=True)
                if cancellation.wait(DRAG_STEP_S):
                    raise ActionFailed("The drag was cancelled on its way, where the button was released.")

    def _scroll(self, action: Scroll) -> None:
        sideways = action.direction in ("left", "right")
        if sideways and sys.platform == "win32":
            raise ActionRefused("The wheel does not turn sideways on this screen. Try the scroll bar, or shift+scroll.")
        modifiers = self._modifiers(action.modifiers)
        if action.at is not None:
            self._move(action.at)
        amount = NOTCH if action.direction in ("up", "right") else -NOTCH
        with self._modifiers_held(modifiers):
            for _ in range(action.clicks):
                (self._pyautogui.hscroll if sideways else self._pyautogui.vscroll)(amount, _pause=False)

    def _type(self, text: str, cancellation: Cancellation) -> None:
        typed = 0
        keys = self._keys.keys_of_text(text)
        for key in keys:
            if cancellation.requested:
                raise ActionFailed(f"Typing was broken off after {typed} of {len(keys)} characters.")
            with self._held([key]):
                typed += 1

    def _modifiers(self, modifiers: str | None) -> list[str]:
        return [] if modifiers is None else self._keys.keys_of_modifiers(modifiers)

    @contextmanager
    def _held(self, keys: Sequence[str]) -> Iterator[None]:
        pressed: list[str] = []
        try:
            for key in keys:
                pressed.append(key)
                self._pyautogui.keyDown(key, _pause=False)
            yield
        finally:
            for key in reversed(pressed):
                self._pyautogui.keyUp(key, _pause=False)

    @contextmanager
    def _modifiers_held(self, keys: Sequence[str]) -> Iterator[None]:
        with self._held(keys):
            yield
            if keys:
                time.sleep(MODIFIER_S)

    @contextmanager
    def _button_held(self, button: Button) -> Iterator[None]:
        try:
            self._pyautogui.mouseDown(button=button, _pause=False)
            time.sleep(HELD_BACK_S)
            yield
        finally:
            self._pyautogui.mouseUp(button=button, _pause=False)

    def _press_button(self, button: Button) -> None:
        if self._button_is_down:
            raise ActionRefused("The left button is down already. Release it first.")
        self._button_is_down = True
        self._pyautogui.mouseDown(button=button, _pause=False)
        time.sleep(HELD_BACK_S)

    def _release_button(self, button: Button) -> None:
        self._pyautogui.mouseUp(button=button, _pause=False)
        self._button_is_down = False

    def _move(self, to: ScreenPoint, *, dragging: bool = False) -> None:
        require_point_on_screen(to, self._screen)
        x, y = round(to.x * self._points_per_px[0]), round(to.y * self._points_per_px[1])
        if sys.platform == "darwin" and (dragging or self._button_is_down):
            self._pyautogui.dragTo(x, y, button="left", mouseDownUp=False, _pause=False)
        else:
            self._pyautogui.moveTo(x, y, _pause=False)

    def position(self) -> ScreenPoint:
        x, y = self._pyautogui.position()
        return ScreenPoint(round(x / self._points_per_px[0]), round(y / self._points_per_px[1]))

    def require_effect(self) -> None:
        """macOS drops the input of programs that were not allowed to send any, without a word: so it is tried. Raises
        `EnvironmentUnavailable`."""
        before = self.position()
        self._move(ScreenPoint(before.x + (1 if before.x + 1 < self._screen.width_px else -1), before.y))
        moved = self.position()
        self._move(before)
        if moved == before:
            raise EnvironmentUnavailable(
                "Input has no effect on this screen. On macOS, allow this program under System Settings, Privacy & "
                "Security, Accessibility (and Screen Recording, for screenshots)."
            )

    def release_all(self) -> None:
        """Let go of the button that `PressButton` left down."""
        if self._button_is_down:
            self._release_button("left")

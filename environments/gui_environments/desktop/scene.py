"""What the pointer or the keys would reach on an X display: windows, and the pixels around a point. Looks, and holds an
action to what was seen, with the server grabbed from that look until the press, so that nothing comes in between.
Blocking; used on the connection's thread only. Sends no input."""

from __future__ import annotations

import hashlib
import time
from typing import Any

import Xlib.error
from Xlib import X

from gui_environments.actions import (
    Action,
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
from gui_environments.desktop.focus import find_focus
from gui_environments.desktop.properties import read_property
from gui_environments.desktop.session import XSession
from gui_environments.errors import ActionRefused
from gui_environments.geometry import ScreenPoint, ScreenRegion, Size
from gui_environments.sights import NO_WINDOW, ExpectedArea, ExpectedWindow, ScreenExpectation

AREA = Size(64, 32)
"""The pixels around a point that are held to: a usual button's."""

BLINK_S = 1.5
"""How long pixels may differ before that counts: a caret that blinks is back as it was within 1.2 s."""

LOOK_AGAIN_S = 0.03

TITLE_LIMIT = 300

DEEPEST = 64
"""Windows inside windows that are looked into."""

_ATTEMPTS = 5
"""A window may vanish between two questions about it."""


def points_of(action: Action, pointer: ScreenPoint) -> tuple[ScreenPoint, ...]:
    """The points that the pointer acts on; none for keys."""
    match action:
        case Click(at=at) | Scroll(at=at):
            return (at or pointer,)
        case Drag(start, end):
            return (start, end)
        case MovePointer(to):
            return (to,)
        case PressButton() | ReleaseButton():
            return (pointer,)
        case TypeText() | TypeFilled() | PressKeys() | HoldKeys():
            return ()


def acts_at_pointer(action: Action) -> bool:
    return isinstance(action, PressButton | ReleaseButton) or (isinstance(action, Click | Scroll) and action.at is None)


def area_around(point: ScreenPoint, screen: Size, area: Size = AREA) -> ScreenRegion:
    """A region of that size, or of the screen's where that is smaller, with the point as near its middle as it goes."""
    width, height = min(area.width_px, screen.width_px), min(area.height_px, screen.height_px)
    left = max(0, min(point.x - width // 2, screen.width_px - width))
    top = max(0, min(point.y - height // 2, screen.height_px - height))
    return ScreenRegion(left, top, left + width, top + height)


def expect(session: XSession, action: Action) -> ScreenExpectation:
    """What `action` would reach now. Raises `ActionRefused` for a point off the screen."""
    pointer = _pointer(session)
    points = points_of(action, pointer)
    for point in points:
        session.require_on_screen(point)
    if points:
        areas = tuple(_area(session, point) for point in points)
        return ScreenExpectation(areas, at_pointer=acts_at_pointer(action))
    return ScreenExpectation(focus=focused_window(session))


def expect_nothing(session: XSession) -> ScreenExpectation:
    """For what sends no input: the window with the focus, as it is called."""
    return ScreenExpectation(focus=focused_window(session))


class HeldScene:
    """Runs around one action: `before_input` is called before each event, `after_press` after a press."""

    def __init__(self, session: XSession, expected: ScreenExpectation) -> None:
        self._session = session
        self._expected = expected
        self._met = False
        self._grabbed = False

    def before_input(self) -> None:
        """Before the first event: raises `ActionRefused`, with the server not grabbed, when something else would be
        reached; otherwise the server is grabbed."""
        if self._met:
            return
        end = time.monotonic() + BLINK_S
        while True:
            self._grab()
            try:
                problem, passing = self._difference()
            except BaseException:
                self.let_go()
                raise
            if problem is None:
                self._met = True
                return
            self.let_go()
            if not passing or time.monotonic() >= end:
                raise ActionRefused(f"{problem} Nothing was pressed. Take a screenshot and look again.")
            time.sleep(LOOK_AGAIN_S)

    def after_press(self, *, of_key: bool) -> None:
        """What was held to has got its press, and others may go on. Modifiers of a click are keys that go down before
        it."""
        if self._grabbed and of_key == (self._expected.focus is not None):
            self._session.display.sync()
            self.let_go()

    def let_go(self) -> None:
        """Idempotent."""
        if self._grabbed:
            self._grabbed = False
            self._session.display.ungrab_server()
            self._session.display.flush()

    def _grab(self) -> None:
        self._grabbed = True
        self._session.display.grab_server()

    def _difference(self) -> tuple[str | None, bool]:
        """What is not as expected, in words, and whether it may be again in a moment."""
        session, expected = self._session, self._expected
        if expected.at_pointer and _pointer(session) != ScreenPoint(expected.areas[0].x, expected.areas[0].y):
            return "The pointer has been moved since this was approved.", False
        for area in expected.areas:
            now = _area(session, ScreenPoint(area.x, area.y))
            if now.window != area.window:
                return f"{_words(area.window, now.window)} at ({area.x}, {area.y}) now.", False
            if now.digest != area.digest:
                return f"What is shown around ({area.x}, {area.y}) has changed since this was approved.", True
        if expected.focus is not None and (now_focused := focused_window(session)) != expected.focus:
            return f"{_words(expected.focus, now_focused)} in front for the keys now.", False
        return None, False


def _words(before: ExpectedWindow, now: ExpectedWindow) -> str:
    if before.number != now.number:
        return "This was approved for another window than the one that is"
    return "The window calls itself something else than when this was approved; it is"


def _pointer(session: XSession) -> ScreenPoint:
    reply = session.root.query_pointer()
    return ScreenPoint(reply.root_x, reply.root_y)


def _area(session: XSession, point: ScreenPoint) -> ExpectedArea:
    region = area_around(point, session.screen)
    size = region.size
    image = session.root.get_image(region.left, region.top, size.width_px, size.height_px, X.ZPixmap, 0xFFFFFFFF)
    data = image.data if isinstance(image.data, bytes) else image.data.encode("latin-1")
    digest = hashlib.sha256(data).hexdigest()
    return ExpectedArea(point.x, point.y, _window_at(session, point), digest)


def _window_at(session: XSession, point: ScreenPoint) -> ExpectedWindow:
    for _ in range(_ATTEMPTS):
        try:
            return _find_window_at(session, point)
        except (Xlib.error.BadWindow, Xlib.error.BadDrawable):
            continue
    return NO_WINDOW


def _find_window_at(session: XSession, point: ScreenPoint) -> ExpectedWindow:
    chain: list[Any] = []
    inner = session.root
    while len(chain) < DEEPEST:
        inner = inner.translate_coords(session.root, point.x, point.y).child
        if inner == X.NONE:
            break
        chain.append(inner)
    return _described(session.display, chain) if chain else NO_WINDOW


def focused_window(session: XSession) -> ExpectedWindow:
    """What keys go to; `NO_WINDOW` where they go nowhere."""
    focus = find_focus(session.display)
    if focus is None:
        return NO_WINDOW
    for _ in range(_ATTEMPTS):
        try:
            top = session.display.create_resource_object("window", focus.top_level)
            named = _described(session.display, [top])
        except (Xlib.error.BadWindow, Xlib.error.BadDrawable):
            continue
        return ExpectedWindow(focus.window, named.title, named.application)
    return NO_WINDOW


def _described(display: Any, chain: list[Any]) -> ExpectedWindow:
    """Of windows from the outermost in, the application's own; else the outermost, a window manager's frame mostly,
    called as what is in it."""
    marked = next((each for each in chain if _is_marked(display, each)), None)
    named = marked or next((each for each in chain[0].query_tree().children if _is_marked(display, each)), chain[0])
    wm_class = named.get_wm_class()
    return ExpectedWindow((marked or chain[0]).id, _title(display, named), wm_class[1] if wm_class else "")


def _is_marked(display: Any, window: Any) -> bool:
    """As a window manager marks the windows of applications."""
    return read_property(window, "WM_STATE") is not None


def _title(display: Any, window: Any) -> str:
    for name, encoding in (("_NET_WM_NAME", "utf-8"), ("WM_NAME", "latin-1")):
        found = read_property(window, name)
        if found is not None and found.value:
            value = found.value if isinstance(found.value, bytes) else bytes(found.value)
            return value.decode(encoding, "replace")[:TITLE_LIMIT]
    return ""

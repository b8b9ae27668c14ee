"""A desktop on an X display, whoever started it: actions in, pictures out. Starts and ends no X server."""

from __future__ import annotations

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
    TypeText,
)
from gui_environments.desktop import pointer
from gui_environments.desktop.capture import Camera
from gui_environments.desktop.connection import Cancellation, XConnection
from gui_environments.desktop.keyboard import Keyboard
from gui_environments.desktop.session import XSession
from gui_environments.desktop.settling import SettleWatch
from gui_environments.desktop.xtest import XTestInput
from gui_environments.geometry import ScreenPoint, ScreenRegion, Size
from gui_environments.pictures import Picture, PictureFormat


class X11Desktop:
    """Implements `DesktopEnvironment` over one `XConnection`, which it owns and closes."""

    def __init__(self, connection: XConnection, session: XSession, keyboard: Keyboard, camera: Camera) -> None:
        self._connection = connection
        self._session = session
        self._keyboard = keyboard
        self._camera = camera

    @property
    def screen(self) -> Size:
        return self._session.screen

    async def perform(self, action: Action, *, settle_s: float = 1.0) -> None:
        def act_and_settle(cancellation: Cancellation) -> None:
            with SettleWatch(self._session, cancellation) as watch:
                self._act(action, cancellation)
                watch.wait_until_quiet(settle_s)

        await self._connection.run(act_and_settle)

    def _act(self, action: Action, cancellation: Cancellation) -> None:
        match action:
            case Click():
                pointer.click(self._session, self._keyboard, action)
            case Drag():
                pointer.drag(self._session, self._keyboard, action)
            case MovePointer():
                pointer.move(self._session, action)
            case PressButton():
                pointer.press_button(self._session)
            case ReleaseButton():
                pointer.release_button(self._session)
            case Scroll():
                pointer.scroll(self._session, self._keyboard, action)
            case TypeText():
                self._keyboard.type_text(action.text, cancellation)
            case PressKeys():
                self._keyboard.press_chord(action.chord, action.repeat, cancellation)
            case HoldKeys():
                self._keyboard.hold_chord(action.chord, action.seconds, cancellation)

    async def pointer_position(self) -> ScreenPoint:
        return await self._connection.run(lambda _: pointer.position(self._session))

    async def capture(
        self, region: ScreenRegion | None = None, *, fit: Size | None = None, picture_format: PictureFormat = "png"
    ) -> Picture:
        raise NotImplementedError

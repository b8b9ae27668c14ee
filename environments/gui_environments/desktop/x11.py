"""A desktop on an X display, whoever started it: actions in, pictures out. Starts and ends no X server."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import assert_never

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
from gui_environments.desktop.bounds import require_region_on_screen
from gui_environments.desktop.capture import Camera, camera_on
from gui_environments.desktop.connection import XConnection, connection_to
from gui_environments.desktop.covers import Covers
from gui_environments.desktop.keyboard import Keyboard
from gui_environments.desktop.pointer import Pointer
from gui_environments.desktop.scene import HeldScene, expect, expect_nothing
from gui_environments.desktop.secret_typing import type_filled
from gui_environments.desktop.session import XSession
from gui_environments.desktop.settling import SettleWatch
from gui_environments.desktop.showing import Facts, Regions, facts_of, fitted, regions_of, spot_in
from gui_environments.desktop.work_thread import Cancellation
from gui_environments.desktop.xtest import XTestInput
from gui_environments.errors import EnvironmentDied
from gui_environments.geometry import ScreenPoint, ScreenRegion, Size
from gui_environments.pictures import Picture, PictureFormat
from gui_environments.sights import ScreenExpectation, Sight

log = logging.getLogger(__name__)


class X11Desktop:
    """Implements `DesktopEnvironment` over one `XConnection` and one `Camera`, which others close. Made by
    `open_x11_desktop`."""

    def __init__(self, connection: XConnection, session: XSession, camera: Camera) -> None:
        self._connection = connection
        self._session = session
        self._camera = camera
        self._keyboard = Keyboard(session)
        self._watch = SettleWatch(session)
        self._pointer = Pointer(session, self._keyboard, self._watch)
        self._closed = False

    @property
    def screen(self) -> Size:
        return self._session.screen

    async def look(self, action: Action | None = None) -> Sight:
        expected, facts, regions = await self._connection.run(lambda _: self._look(action))
        spots = []
        for point, region in regions:
            picture = await self._camera.capture(region, fitted(region.size), "png")
            spots.append(spot_in(picture, point, region))
        return Sight(facts, expected, tuple(spots))

    def _look(self, action: Action | None) -> tuple[ScreenExpectation, Facts, Regions]:
        expected = expect(self._session, action) if action is not None else expect_nothing(self._session)
        return expected, facts_of(expected), regions_of(self._session, expected)

    async def perform(
        self, action: Action, *, settle_s: float = 1.0, expected: ScreenExpectation | None = None
    ) -> None:
        def act_and_settle(cancellation: Cancellation) -> None:
            self._watch.arm()
            with self._held_to(expected):
                self._act(action, cancellation)
            self._watch.wait_until_quiet(settle_s, cancellation)
            if isinstance(action, TypeText) and not cancellation.requested:
                self._keyboard.require_one_receiver(action.text)

        await self._connection.run(act_and_settle)

    @contextmanager
    def _held_to(self, expected: ScreenExpectation | None) -> Iterator[None]:
        if expected is None:
            yield
            return
        self._session.input.scene = scene = HeldScene(self._session, expected)
        try:
            yield
        finally:
            self._session.input.scene = None
            scene.let_go()

    def _act(self, action: Action, cancellation: Cancellation) -> None:
        match action:
            case Click():
                self._pointer.click(action, cancellation)
            case Drag():
                self._pointer.drag(action, cancellation)
            case MovePointer():
                self._pointer.move(action, cancellation)
            case PressButton():
                self._pointer.press_button(cancellation)
            case ReleaseButton():
                self._pointer.release_button()
            case Scroll():
                self._pointer.scroll(action, cancellation)
            case TypeText():
                self._keyboard.type_text(action.text, cancellation)
            case TypeFilled():
                type_filled(self._session, self._keyboard, action.pieces, cancellation)
            case PressKeys():
                self._keyboard.press_chord(action.chord, action.repeat, cancellation)
            case HoldKeys():
                self._keyboard.hold_chord(action.chord, action.seconds, cancellation)
            case _:
                assert_never(action)

    def cover_with(self, covers: Covers | None) -> None:
        """From now on, in every picture."""
        self._camera.covers = covers

    async def pointer_position(self) -> ScreenPoint:
        return await self._connection.run(lambda _: self._pointer.position())

    async def capture(
        self, region: ScreenRegion | None = None, *, fit: Size | None = None, picture_format: PictureFormat = "png"
    ) -> Picture:
        if region is not None:
            require_region_on_screen(region, self.screen)
        return await self._camera.capture(region, fit, picture_format)

    async def close(self) -> None:
        """Let go of every key and button, and put the keyboard back. Idempotent; a display that is gone is no error."""
        if self._closed:
            return
        self._closed = True
        try:
            await self._connection.run(lambda _: self._let_go())
        except EnvironmentDied:
            log.debug("%s was gone when it was closed", self._connection.name)

    def _let_go(self) -> None:
        try:
            self._session.input.release_all()
        finally:
            self._keyboard.close()


@asynccontextmanager
async def open_x11_desktop(name: str, xauthority: Path | None = None) -> AsyncIterator[X11Desktop]:
    """The X display `name` (":101"), with the cookie file `xauthority`. Raises `EnvironmentUnavailable`."""
    async with connection_to(name, xauthority) as connection:
        server_screen = connection.display.screen()
        screen = Size(server_screen.width_in_pixels, server_screen.height_in_pixels)
        session = XSession(connection.display, screen, XTestInput(connection.display), xauthority)
        async with camera_on(name, screen, xauthority) as camera:
            desktop = X11Desktop(connection, session, camera)
            try:
                yield desktop
            finally:
                await desktop.close()

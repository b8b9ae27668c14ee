"""Pictures of one display: grabbed, pointer drawn in, scaled, encoded. Has threads of its own, so that a picture does
not wait for input nor input for a picture. Sends no input."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mss
from mss.exception import ScreenShotError

from gui_environments.desktop.connection import CONNECTION_LOST, close_display, connect, xauthority_in_environ
from gui_environments.desktop.covers import Covers, paint_over
from gui_environments.desktop.encoding import encode_frame
from gui_environments.desktop.frames import BAND_WORKERS, Frame
from gui_environments.desktop.pointer_image import (
    PointerImage,
    can_read_pointer_image,
    draw_pointer,
    erase_pointer,
    read_pointer_image,
)
from gui_environments.errors import ActionFailed, EnvironmentDied, EnvironmentUnavailable
from gui_environments.geometry import ScreenRegion, Size
from gui_environments.pictures import Picture, PictureFormat

log = logging.getLogger(__name__)

PICTURES_KEPT = 2
"""One of the whole screen, one of the last zoom: an unchanged screen is not encoded twice."""


@dataclass(frozen=True, slots=True)
class Wanted:
    region: ScreenRegion
    fit: Size
    picture_format: PictureFormat


@dataclass(frozen=True, slots=True)
class Taken:
    frame: Frame
    pointer: PointerImage | None
    picture: Picture


class Camera:
    """Takes pictures of one screen. Made by `camera_on`."""

    def __init__(self, display_name: str | None, screen: Size, xauthority: Path | None) -> None:
        self._display_name = display_name
        self._screen = screen
        self._xauthority = xauthority
        self._grabber: mss.MSS | None = None
        self._display: Any = None
        """A python-xlib display, for the pointer's image; None where there is no X server."""
        self._sees_pointer = False
        # Both connections are opened, used and closed on the camera's own thread.
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"camera {self.name}")
        self._pool = ThreadPoolExecutor(max_workers=BAND_WORKERS, thread_name_prefix=f"encoding {self.name}")
        self._taken: dict[Wanted, Taken] = {}
        self.covers: Covers | None = None
        """Who knows what is to be painted over; None: nothing is."""
        self._closed = False

    @property
    def name(self) -> str:
        return self._display_name or "this machine"

    async def open(self) -> None:
        """Raises `EnvironmentUnavailable`."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._open_connections)

    async def capture(self, region: ScreenRegion | None, fit: Size | None, picture_format: PictureFormat) -> Picture:
        """`region` must be on the screen. Raises `EnvironmentDied` when the display is gone."""
        if self._closed:
            raise EnvironmentDied(f"The display {self.name} has been closed.")
        region = region or ScreenRegion(0, 0, self._screen.width_px, self._screen.height_px)
        wanted = Wanted(region, fit or region.size, picture_format)
        if self.covers is not None:
            return await self._capture_covered(wanted, self.covers)
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._capture, wanted)

    async def close(self) -> None:
        """Idempotent; a display that is gone is no error."""
        if self._closed:
            return
        self._closed = True
        await asyncio.get_running_loop().run_in_executor(self._thread, self._close_connections)
        self._thread.shutdown(wait=False)
        self._pool.shutdown(wait=False)

    async def _capture_covered(self, wanted: Wanted, covers: Covers) -> Picture:
        loop = asyncio.get_running_loop()

        def take() -> Awaitable[tuple[Frame, PointerImage | None]]:
            return loop.run_in_executor(self._thread, self._grab_with_pointer, wanted.region)

        (frame, pointer), covered = await covers.while_taken(take)
        paint_over(frame, wanted.region, covered)
        return await loop.run_in_executor(self._thread, self._encode, frame, pointer, wanted)

    def _grab_with_pointer(self, region: ScreenRegion) -> tuple[Frame, PointerImage | None]:
        with self._death_noticed():
            return self._grab(region), read_pointer_image(self._display) if self._sees_pointer else None

    def _capture(self, wanted: Wanted) -> Picture:
        frame, pointer = self._grab_with_pointer(wanted.region)
        last = self._taken.pop(wanted, None)
        if last is not None and last.pointer == pointer and last.frame.pixels == frame.pixels:
            self._taken[wanted] = last
            return last.picture
        picture = self._encode(frame, pointer, wanted)
        while len(self._taken) >= PICTURES_KEPT:
            self._taken.pop(next(iter(self._taken)))
        self._taken[wanted] = Taken(frame, pointer, picture)
        return picture

    def _encode(self, frame: Frame, pointer: PointerImage | None, wanted: Wanted) -> Picture:
        """The frame is as it was afterwards, to be compared with the next."""
        if pointer is None:
            return encode_frame(frame, wanted.fit, wanted.picture_format, self._pool)
        origin = (wanted.region.left, wanted.region.top)
        before = draw_pointer(frame, origin, pointer)
        picture = encode_frame(frame, wanted.fit, wanted.picture_format, self._pool)
        erase_pointer(frame, origin, pointer, before)
        return picture

    def _grab(self, region: ScreenRegion) -> Frame:
        assert self._grabber is not None
        shot = self._grabber.grab((region.left, region.top, region.right, region.bottom))
        return Frame(shot.raw, Size(shot.width, shot.height))

    @contextmanager
    def _death_noticed(self) -> Iterator[None]:
        try:
            yield
        except CONNECTION_LOST as error:
            raise EnvironmentDied(f"The display {self.name} is gone: the X server closed the connection.") from error
        except (ScreenShotError, AssertionError) as error:  # mss asserts that the server answers
            if self._is_gone():
                raise EnvironmentDied(f"The display {self.name} is gone.") from error
            raise ActionFailed("The screen could not be captured; nothing else was done.") from error

    def _is_gone(self) -> bool:
        if self._display is None:
            return False
        try:
            self._display.sync()
        except CONNECTION_LOST:
            return True
        return False

    def _open_connections(self) -> None:
        try:
            with xauthority_in_environ(self._xauthority):
                self._grabber = mss.MSS(display=self._display_name) if self._display_name else mss.MSS()
        except ScreenShotError as error:
            raise EnvironmentUnavailable(f"The screen of {self.name} cannot be captured: {error}") from error
        if self._display_name:
            self._display = connect(self._display_name, self._xauthority)
            self._sees_pointer = can_read_pointer_image(self._display)
        if not self._sees_pointer:
            log.warning("the pointer of %s cannot be seen: screenshots will not show it", self.name)

    def _close_connections(self) -> None:
        try:
            if self._grabber is not None:
                self._grabber.close()
        except ScreenShotError:
            log.debug("%s was gone when its camera was closed", self.name)
        try:
            if self._display is not None:
                close_display(self._display)
        except CONNECTION_LOST:
            log.debug("%s was gone when its camera was closed", self.name)


@asynccontextmanager
async def camera_on(display_name: str | None, screen: Size, xauthority: Path | None = None) -> AsyncIterator[Camera]:
    """A camera on the X display `display_name` (":101"), or on the machine's own screen where there is no X (None).

    Raises `EnvironmentUnavailable`.
    """
    camera = Camera(display_name, screen, xauthority)
    try:
        await camera.open()
        yield camera
    finally:
        await camera.close()

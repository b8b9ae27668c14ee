"""The machine's own screen, through pyautogui and mss: for macOS and Windows, and for what X11Desktop cannot reach.

What it cannot do it says at start (`limits`) and refuses in calls. It starts and ends no application, and there is one
a process, since pyautogui is bound to the screen it found when it was imported.
"""

from __future__ import annotations

import hashlib
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import mss

from gui_environments.actions import Action
from gui_environments.desktop.bounds import require_point_on_screen, require_region_on_screen
from gui_environments.desktop.connection import CONNECTION_LOST
from gui_environments.desktop.encoding import encode_frame
from gui_environments.desktop.frames import Frame
from gui_environments.desktop.native_input import NativeInput
from gui_environments.desktop.scene import BLINK_S, LOOK_AGAIN_S, acts_at_pointer, area_around, points_of
from gui_environments.desktop.showing import SHOWN_AREA, spot_in
from gui_environments.desktop.work_thread import Cancellation, WorkThread
from gui_environments.errors import ActionRefused, EnvironmentDied
from gui_environments.geometry import ScreenPoint, ScreenRegion, Size
from gui_environments.pictures import Picture, PictureFormat
from gui_environments.sights import NO_WINDOW, ExpectedArea, ScreenExpectation, Sight

T = TypeVar("T")

SETTLE_S = 0.3
"""Nothing tells when this screen is quiet: this long is waited after an action, or the bound, if that is shorter."""

LIMITS = (
    "Text is typed only in those ASCII characters whose keys are known; any other text is refused.",
    "Keys beyond the usual ones of a keyboard are refused.",
    f"After an action a fixed time of {SETTLE_S} s is waited, whatever the screen does.",
    "Screenshots do not show the pointer.",
    "Only the primary screen is seen and reached.",
    "Whoever is asked about a call is not told which window it goes to, and keys go to whichever is in front by then.",
)
LIMITS_HERE = {
    "darwin": ("No text is typed unless the layout is said to be US, since it cannot be read.",),
    "win32": ("The wheel does not turn sideways.",),
}


class NativeDesktop:
    """Implements `DesktopEnvironment`. Made by `own_screen.open_own_screen`."""

    def __init__(
        self, hands: NativeInput, grabber: mss.MSS, thread: WorkThread, pool: ThreadPoolExecutor, screen: Size
    ) -> None:
        self._hands = hands
        self._grabber = grabber
        self._thread = thread
        self._pool = pool
        self._screen = screen
        self.limits = LIMITS + LIMITS_HERE.get(sys.platform, ())

    @property
    def screen(self) -> Size:
        return self._screen

    async def look(self, action: Action | None = None) -> Sight:
        return await self._run(lambda _: self._look(action))

    async def perform(
        self, action: Action, *, settle_s: float = 1.0, expected: ScreenExpectation | None = None
    ) -> None:
        def act(cancellation: Cancellation) -> None:
            if expected is not None:
                self._require(expected)
            self._hands.carry_out(action, cancellation)
            cancellation.wait(min(settle_s, SETTLE_S))

        await self._run(act)

    async def pointer_position(self) -> ScreenPoint:
        return await self._run(lambda _: self._hands.position())

    async def capture(
        self, region: ScreenRegion | None = None, *, fit: Size | None = None, picture_format: PictureFormat = "png"
    ) -> Picture:
        if region is not None:
            require_region_on_screen(region, self._screen)
        return await self._run(lambda _: self._capture(region, fit, picture_format))

    async def _run(self, work: Callable[[Cancellation], T]) -> T:
        try:
            return await self._thread.run(work)
        except CONNECTION_LOST as error:
            raise EnvironmentDied("The screen is gone: its X server closed the connection.") from error

    def _look(self, action: Action | None) -> Sight:
        """Which window is where cannot be told on this screen: what is shown there has to do."""
        if action is None:
            return Sight((), ScreenExpectation())
        points = points_of(action, self._hands.position())
        for point in points:
            require_point_on_screen(point, self._screen)
        regions = [area_around(point, self._screen, SHOWN_AREA) for point in points]
        pictures = [self._capture(region, None, "png") for region in regions]
        spots = [spot_in(*shown) for shown in zip(pictures, points, regions, strict=True)]
        facts = tuple(("at", f"({point.x}, {point.y}) of the screen") for point in points)
        areas = tuple(self._area(point) for point in points)
        return Sight(facts, ScreenExpectation(areas, at_pointer=acts_at_pointer(action)), tuple(spots))

    def _area(self, point: ScreenPoint) -> ExpectedArea:
        frame = self._grab(area_around(point, self._screen))
        return ExpectedArea(point.x, point.y, NO_WINDOW, hashlib.sha256(frame.pixels).hexdigest())

    def _require(self, expected: ScreenExpectation) -> None:
        """Raises `ActionRefused`."""
        if expected.at_pointer:
            pointer = self._hands.position()
            if (pointer.x, pointer.y) != (expected.areas[0].x, expected.areas[0].y):
                raise ActionRefused("The pointer has been moved since this was approved. Nothing was pressed.")
        end = time.monotonic() + BLINK_S
        for area in expected.areas:
            while self._area(ScreenPoint(area.x, area.y)) != area:
                if time.monotonic() >= end:
                    raise ActionRefused(
                        f"What is shown around ({area.x}, {area.y}) has changed since this was approved. Nothing was "
                        "pressed. Take a screenshot and look again."
                    )
                time.sleep(LOOK_AGAIN_S)

    def _capture(self, region: ScreenRegion | None, fit: Size | None, picture_format: PictureFormat) -> Picture:
        frame = self._grab(region)
        return encode_frame(frame, fit or frame.size, picture_format, self._pool)

    def _grab(self, region: ScreenRegion | None) -> Frame:
        shot = self._grabber.grab(primary_screen(self._grabber))
        frame = Frame(bytearray(shot.raw), Size(shot.width, shot.height))
        if region is None:
            return frame
        # Cropped here, not by mss, whose regions are in points.
        part = frame.image().crop((region.left, region.top, region.right, region.bottom))
        return Frame(bytearray(part.tobytes()), region.size)


def primary_screen(grabber: mss.MSS) -> dict[str, int]:
    """The monitor at the origin, which is where pyautogui's coordinates begin."""
    screens = grabber.monitors[1:]
    return next((one for one in screens if one["left"] == 0 and one["top"] == 0), screens[0])

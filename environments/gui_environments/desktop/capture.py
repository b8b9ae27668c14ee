"""Pictures of one display: grabbed, pointer drawn in, scaled, encoded. Has a thread of its own, so that a picture does
not wait for input nor input for a picture. Sends no input."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path

import mss
from PIL import Image

from gui_environments.desktop.connection import xauthority_in_environ
from gui_environments.geometry import ScreenRegion, Size
from gui_environments.pictures import Picture, PictureFormat


class Camera:
    """Made by `open_camera`. `close` ends it."""

    def __init__(self, grabber: mss.MSS, thread: ThreadPoolExecutor, screen: Size) -> None:
        self._grabber = grabber
        self._thread = thread
        self.screen = screen

    async def capture(self, region: ScreenRegion | None, fit: Size | None, picture_format: PictureFormat) -> Picture:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._capture, region, fit)

    def _capture(self, region: ScreenRegion | None, fit: Size | None) -> Picture:
        area = region or ScreenRegion(0, 0, self.screen.width_px, self.screen.height_px)
        shot = self._grabber.grab((area.left, area.top, area.right, area.bottom))
        image = Image.frombytes("RGB", shot.size, shot.rgb)
        if fit is not None:
            image = image.resize((fit.width_px, fit.height_px))
        out = BytesIO()
        image.save(out, "png", compress_level=1)
        return Picture(out.getvalue(), "image/png", Size(*image.size))

    async def close(self) -> None:
        """Idempotent."""
        self._grabber.close()
        self._thread.shutdown(wait=False)


async def open_camera(name: str | None, screen: Size, xauthority: Path | None = None) -> Camera:
    """A camera on the X display `name` (":101"), or on the machine's own screen where there is no X (None)."""
    thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"camera {name}")

    def open_grabber() -> mss.MSS:
        with xauthority_in_environ(xauthority):
            return mss.MSS(display=name) if name is not None else mss.MSS()

    grabber = await asyncio.get_running_loop().run_in_executor(thread, open_grabber)
    return Camera(grabber, thread, screen)

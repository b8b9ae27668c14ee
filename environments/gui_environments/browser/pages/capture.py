"""Pictures of one tab's viewport, as the browser shows it now: bounded, whatever the page does. Changes nothing."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from io import BytesIO

from PIL import Image

from gui_environments.browser.cdp import CdpError, SessionGone
from gui_environments.browser.pages.covering import Place, paint_over, taken_with_places
from gui_environments.browser.tabs.tab import Tab
from gui_environments.browser.values import PagePoint, PageRegion
from gui_environments.desktop.encoding import MAX_PICTURE_BYTES, encode_frame
from gui_environments.desktop.frames import BAND_WORKERS, Frame
from gui_environments.errors import ActionFailed, ActionRefused
from gui_environments.geometry import Size
from gui_environments.pictures import Picture, PictureFormat

CAPTURE_S = 5.0
"""How long a picture may take; an idle page needs two frames (33 ms)."""

COVERED_S = 15.0
"""The same where places are to be covered: a frame that does not say has its own bound, before and after."""

NOT_DRAWN = "Unable to capture screenshot"
"""What Chromium says when a page had nothing drawn to copy at that moment: a new one, on a busy machine."""

AGAIN_S = 0.05

LARGEST_SCALE = 8.0
"""A region is never rendered at more than this: beyond, it is enlarged."""


class PageCamera:
    """Takes pictures of the tabs of one browser. `close` lets go of its threads."""

    def __init__(self, viewport: Size) -> None:
        self.covered: tuple[str, ...] = ()
        """Expressions for what is painted over (`covering`)."""
        self._viewport = viewport
        self._pool = ThreadPoolExecutor(max_workers=BAND_WORKERS, thread_name_prefix="encoding pages")

    async def capture(
        self, tab: Tab, region: PageRegion | None = None, fit: Size | None = None, picture_format: PictureFormat = "png"
    ) -> Picture:
        """The viewport, or `region` of it, scaled to exactly `fit`: a region is rendered anew at that scale, not
        enlarged. Raises `ActionRefused` for a region outside and an unusable tab, `ActionFailed`."""
        tab.require_usable()
        if region is not None:
            self._require_inside(region)
        bound_s = COVERED_S if self.covered else CAPTURE_S
        try:
            async with asyncio.timeout(bound_s):
                png, places = await self._render_with_places(tab, region, fit)
        except TimeoutError:
            tab.require_usable()
            raise ActionFailed(
                f"The page in {tab.tab_id} could not be captured within {bound_s:.0f} s: a script keeps it busy, or "
                "it draws nothing. Try again, reload it, or close the tab."
            ) from None
        except SessionGone:
            tab.require_usable()
            raise ActionFailed(f"{tab.tab_id} closed while it was captured.") from None
        except CdpError as error:
            tab.require_usable()
            raise ActionFailed(f"The page in {tab.tab_id} could not be captured ({error}). Try again.") from error
        shown = Shown(png, region or PageRegion(0, 0, self._viewport.width_px, self._viewport.height_px), places)
        return await asyncio.get_running_loop().run_in_executor(None, _encode, shown, fit, picture_format, self._pool)

    def close(self) -> None:
        self._pool.shutdown(wait=False)

    def _require_inside(self, region: PageRegion) -> None:
        width, height = self._viewport.width_px, self._viewport.height_px
        if region.left < 0 or region.top < 0 or region.right > width or region.bottom > height:
            raise ActionRefused(f"The region is not inside the viewport of {self._viewport}.")

    async def _render_with_places(
        self, tab: Tab, region: PageRegion | None, fit: Size | None
    ) -> tuple[bytes, list[Place]]:
        """And what is to be covered in it."""
        if not self.covered:
            return await self._render_once_drawn(tab, region, fit), []
        return await taken_with_places(
            tab, self.covered, self._viewport, lambda: self._render_once_drawn(tab, region, fit)
        )

    async def _render_once_drawn(self, tab: Tab, region: PageRegion | None, fit: Size | None) -> bytes:
        """For as long as it takes: whoever calls has the bound."""
        while True:
            try:
                return await self._render(tab, region, fit)
            except CdpError as error:
                if NOT_DRAWN not in str(error):
                    raise
            await asyncio.sleep(AGAIN_S)

    async def _render(self, tab: Tab, region: PageRegion | None, fit: Size | None) -> bytes:
        session = await tab.frames.page_session()
        options: dict[str, object] = {"format": "png", "optimizeForSpeed": True}
        if region is not None:
            metrics = await session.send("Page.getLayoutMetrics")
            viewport = metrics["cssVisualViewport"]
            width, height = region.right - region.left, region.bottom - region.top
            scale = 1.0 if fit is None else min(fit.width_px / width, fit.height_px / height, LARGEST_SCALE)
            # The clip is in pixels of the document, not of the viewport.
            options["clip"] = {
                "x": viewport["pageX"] + region.left,
                "y": viewport["pageY"] + region.top,
                "width": width,
                "height": height,
                "scale": scale,
            }
        answer = await session.send("Page.captureScreenshot", **options)
        return base64.b64decode(answer["data"])


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture as Chromium gave it, the part of the viewport that it shows, and what is to be covered."""

    png: bytes
    region: PageRegion
    places: Sequence[Place]


def _encode(shown: Shown, fit: Size | None, picture_format: PictureFormat, pool: ThreadPoolExecutor) -> Picture:
    with Image.open(BytesIO(shown.png)) as opened:
        size = Size(*opened.size)
        wanted = fit or size
        if picture_format == "png" and size == wanted and not shown.places and len(shown.png) <= MAX_PICTURE_BYTES:
            return Picture(shown.png, "image/png", size)
        image = opened.convert("RGB")
        region = shown.region
        scale = (size.width_px / (region.right - region.left), size.height_px / (region.bottom - region.top))
        paint_over(image, shown.places, PagePoint(region.left, region.top), scale)
        pixels = bytearray(image.tobytes("raw", "BGRX"))
    return encode_frame(Frame(pixels, size), wanted, picture_format, pool)

"""A browser's window on a screen: made so large that its pages have the viewport asked for, wholly on the screen."""

from __future__ import annotations

import asyncio
from weakref import WeakSet

from gui_environments.browser.cdp import CdpError, CdpSession
from gui_environments.browser.tabs.tab import Tab
from gui_environments.errors import EnvironmentUnavailable
from gui_environments.geometry import Size

RESIZE_S = 5.0
"""How long the window manager may take to do what it is asked."""

POLL_S = 0.01


class Windows:
    """The windows of one browser on a screen, where a page may open some of any size. `session` is the browser's."""

    def __init__(self, session: CdpSession, viewport: Size) -> None:
        self._session = session
        self._viewport = viewport
        self._fitted: WeakSet[Tab] = WeakSet()

    async def fit(self, tab: Tab) -> None:
        """Once for each tab. Raises `EnvironmentUnavailable` when it cannot be given the viewport."""
        if tab not in self._fitted:
            await fit_window(self._session, tab, self._viewport)
            self._fitted.add(tab)


async def fit_window(session: CdpSession, tab: Tab, viewport: Size) -> None:
    """Raises `EnvironmentUnavailable` when the screen is too small, or the window manager has other ideas."""
    found = await session.send("Browser.getWindowForTarget", targetId=await tab.target_id())
    window_id = found["windowId"]
    await session.send("Browser.setWindowBounds", windowId=window_id, bounds={"left": 0, "top": 0})
    size = {"width": viewport.width_px, "height": viewport.height_px}
    try:
        await session.send("Browser.setContentsSize", windowId=window_id, **size)
    except CdpError as error:
        raise EnvironmentUnavailable(
            f"This Chromium cannot give its window a size: {error}. Use a newer one."
        ) from error
    width, height = 0, 0
    try:
        async with asyncio.timeout(RESIZE_S):
            world = (await tab.frames.main()).world
            while True:
                width, height = await world.call("viewport")
                if (width, height) == (viewport.width_px, viewport.height_px):
                    break
                await asyncio.sleep(POLL_S)
    except TimeoutError:
        raise EnvironmentUnavailable(
            f"The window cannot be made to show a viewport of {viewport}: it shows {width}x{height}."
        ) from None
    left, top, outer_width, outer_height, screen_width, screen_height = await world.call("window")
    if left < 0 or top < 0 or left + outer_width > screen_width or top + outer_height > screen_height:
        raise EnvironmentUnavailable(
            f"The screen of {screen_width}x{screen_height} is too small: a viewport of {viewport} takes a window of "
            f"{outer_width}x{outer_height}. Use a larger screen or a smaller viewport."
        )

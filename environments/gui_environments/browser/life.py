"""Whether a browser lives: what fails because it has ended is told apart from what fails because of a page. It ends
nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from playwright.async_api import BrowserContext, Error

from gui_environments.browser.cdp import CdpSession, SessionGone
from gui_environments.browser.pages.world import DocumentGone, FrameGone
from gui_environments.errors import ActionFailed, ActionRefused, EnvironmentDied

ANSWER_S = 20.0
"""How long a living browser may take to answer what concerns no page."""

DIED = "The browser has ended, or the connection to it was lost."


class Life:
    """Of one browser, whose own session is `session`."""

    def __init__(self, context: BrowserContext, session: CdpSession) -> None:
        self._session = session
        self._died = asyncio.Event()
        context.on("close", lambda _: self._died.set())

    @property
    def over(self) -> bool:
        """Whether the browser, or the connection to it, is known to be gone."""
        return self._died.is_set()

    async def require(self, error: Exception | None = None) -> None:
        """Raises `EnvironmentDied`, because of `error`, when the browser has ended."""
        try:
            async with asyncio.timeout(ANSWER_S):
                await self._session.send("Browser.getVersion")
        except (SessionGone, TimeoutError):
            raise EnvironmentDied(DIED) from error

    @asynccontextmanager
    async def told_apart(self) -> AsyncIterator[None]:
        """Around a call. When the browser ends, its tabs close first; what fails for that reason is its death. Raises
        nothing but `ActionRefused`, `ActionFailed` and `EnvironmentDied`."""
        try:
            yield
        except (ActionRefused, ActionFailed) as error:
            await self.require(error)
            raise
        except FrameGone as error:
            raise ActionFailed("A frame of the page has crashed. Look at what it shows now.") from error
        except DocumentGone as error:
            raise ActionFailed("The page navigated meanwhile. Look at what it shows now.") from error
        except (Error, SessionGone) as error:
            await self.require(error)
            raise ActionFailed("The tab closed, or does not answer. List the tabs to see what is open.") from error

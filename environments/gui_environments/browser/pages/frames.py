"""The frames of one tab: which session of the DevTools protocol reaches each, and the world of its document.

Frames of one site share a process and the session of the nearest ancestor that has one; a frame of another site has a
process and a session of its own, at any depth. Frames move between the two as they navigate, so nothing is assumed: a
frame is asked for in its parent's session first.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

from playwright.async_api import BrowserContext, Error, Page
from playwright.async_api import Frame as PlaywrightFrame

from gui_environments.browser.cdp import CdpError, CdpSession, SessionGone
from gui_environments.browser.pages.world import DocumentGone, FrameGone, World, open_world

MANY_WORLDS = 30
"""Documents of one tab from which on those that may be gone are asked."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame and the document it shows. `parent` is None for the tab's main frame."""

    frame_id: str
    world: World
    parent: Frame | None

    @property
    def session(self) -> CdpSession:
        return self.world.session

    @property
    def local_root(self) -> Frame:
        """The topmost frame of this frame's session: what quads of the session are local to."""
        frame = self
        while frame.parent is not None and frame.parent.session is frame.session:
            frame = frame.parent
        return frame


class Frames:
    """Live state of one tab; its tab is the owner."""

    def __init__(self, context: BrowserContext, page: Page) -> None:
        self._context = context
        self._page = page
        self._page_session: CdpSession | None = None
        self._opening = asyncio.Lock()
        self._remote: dict[str, CdpSession] = {}
        self._worlds: dict[str, World] = {}
        self._main: Frame | None = None
        self._crashed: dict[str, list[World]] = {}
        """Frames whose processes have ended, with the documents that ended with each."""
        page.on("framenavigated", self._doubt_worlds)
        page.on("framedetached", self._doubt_worlds)

    async def page_session(self) -> CdpSession:
        """The session of the tab itself. Raises `SessionGone` when the tab is closed."""
        async with self._opening:  # several may ask for it, and documents are told apart by their sessions
            if self._page_session is None or self._page_session.closed:
                try:
                    self._page_session = CdpSession(await self._context.new_cdp_session(self._page))
                except Error as error:
                    raise SessionGone(error.message) from error
            return self._page_session

    @property
    def known_worlds(self) -> tuple[World, ...]:
        """Of the documents that were reached before and, as far as is known, are shown."""
        return tuple(world for world in self._worlds.values() if world.alive and not world.doubtful)

    async def main(self) -> Frame:
        """Raises `DocumentGone` when the tab navigates at this very moment, `SessionGone` when it is closed."""
        if self._main is not None and await self._is_current(self._main.world):
            return self._main
        session = await self.page_session()
        tree = await session.send("Page.getFrameTree")
        frame_id = tree["frameTree"]["frame"]["id"]
        world = await self._world_in(session, frame_id)
        if world is None:
            raise DocumentGone
        self._bury({frame_id: world})
        self._main = Frame(frame_id, world, None)
        return self._main

    async def child(self, parent: Frame, frame_id: str) -> Frame | None:
        """The frame `frame_id` inside `parent`; None when it is gone, or shows nothing that can be reached. Raises
        `FrameGone` when it has crashed."""
        if frame_id in self._crashed:
            raise FrameGone
        try:
            world = await self._known_world(frame_id)
            if world is None:
                world = await self._world_in(parent.session, frame_id)
            if world is None:
                session = await self._remote_session(frame_id)
                world = None if session is None else await self._world_in(session, frame_id)
        except SessionGone:
            return None
        return None if world is None else Frame(frame_id, world, parent)

    async def sessions(self) -> tuple[CdpSession, ...]:
        """Of the tab and of all its frames in processes of their own. Raises `SessionGone`."""
        page_session = await self.page_session()
        for frame in self._page.frames:
            if frame is not self._page.main_frame:
                await self._attach(frame)
        living = (session for frame_id, session in self._remote.items() if frame_id not in self._crashed)
        return (page_session, *(session for session in living if not session.closed))

    async def every_world(self) -> list[World]:
        """Of all documents that the tab shows, whatever shows them. Raises `SessionGone`."""
        worlds: dict[str, World] = {}
        for session in await self.sessions():
            try:
                tree = await session.send("Page.getFrameTree")
            except (CdpError, SessionGone):
                continue  # a frame less
            for frame_id in frame_ids(tree["frameTree"]):
                world = worlds.get(frame_id) or await self._world_in(session, frame_id)
                if world is not None:
                    worlds[frame_id] = world
        return list(worlds.values())

    async def _world_in(self, session: CdpSession, frame_id: str) -> World | None:
        """The frame's world when `session` reaches the frame."""
        known = await self._known_world(frame_id)
        if known is not None and known.session is session:
            return known
        try:
            world = await open_world(session, frame_id)
        except CdpError:
            self._worlds.pop(frame_id, None)
            return None
        self._worlds[frame_id] = world
        return world

    async def _known_world(self, frame_id: str) -> World | None:
        world = self._worlds.get(frame_id)
        return world if world is not None and await self._is_current(world) else None

    def _doubt_worlds(self, _: PlaywrightFrame) -> None:
        """A frame has navigated, to another document or in its own, or it was removed."""
        for world in self._worlds.values():
            world.doubtful = True

    async def _is_current(self, world: World) -> bool:
        """Whether the world's document is still shown, as far as is known."""
        if world.session.closed:
            world.alive = False
        if world.doubtful and world.alive:
            try:
                await world.call("viewport")
            except DocumentGone:
                return False
            world.doubtful = False
        return world.alive

    async def _remote_session(self, frame_id: str) -> CdpSession | None:
        """Playwright's frames do not say their ids: sessions are opened for those that can have one, and asked."""
        known = self._remote.get(frame_id)
        if known is not None and not known.closed:
            return known
        self._remote = {key: session for key, session in self._remote.items() if not session.closed}
        for frame in self._page.frames:
            if frame is not self._page.main_frame:
                await self._attach(frame)
        return self._remote.get(frame_id)

    async def _attach(self, frame: PlaywrightFrame) -> None:
        try:
            session = CdpSession(await self._context.new_cdp_session(frame))
        except Error:
            return  # it is in its parent's process, or gone
        try:
            # Of the browser, and not of the frame's process, which may have ended.
            told = await session.send("Target.getTargetInfo")
        except (CdpError, SessionGone):
            return
        frame_id: str = told["targetInfo"]["targetId"]
        if frame_id in self._remote:
            await session.raw.detach()
        else:
            self._remote[frame_id] = session

    async def forget_gone(self) -> None:
        """Let go of documents whose frames were removed, where there are many: a page may come and go with frames for
        ever without navigating."""
        if len(self._worlds) > MANY_WORLDS:
            for frame_id in list(self._worlds):
                if await self._known_world(frame_id) is None:
                    self._worlds.pop(frame_id, None)

    def note_crash(self, frame_id: str) -> None:
        """The process that shows this frame, and what is in it, has ended."""
        session = self._remote.get(frame_id)
        lost = [world for world in self._worlds.values() if world.session is session]
        for world in lost:
            world.alive, world.crashed = False, True
        self._crashed[frame_id] = lost

    def note_recovery(self, frame_id: str) -> None:
        """It shows a document again, or is gone."""
        for world in self._crashed.pop(frame_id, ()):
            world.crashed = False

    def bury(self) -> None:
        """The tab is closed: no document of it is left."""
        self._bury({})

    def _bury(self, left: dict[str, World]) -> None:
        """With a new main document, or none, all other documents of the tab are gone."""
        for world in self._worlds.values():
            world.alive = world in left.values()
        self._worlds = left
        for frame_id in list(self._crashed):
            self.note_recovery(frame_id)
        self._remote = {key: session for key, session in self._remote.items() if not session.closed}


def frame_ids(tree: dict[str, Any]) -> list[str]:
    """The frame of a tree, and those in it."""
    inner = [frame_id for child in tree.get("childFrames", ()) for frame_id in frame_ids(child)]
    return [tree["frame"]["id"], *inner]

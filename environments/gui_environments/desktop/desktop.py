"""A desktop from start to end: a virtual display of our own, with a window manager and applications; or a display that
is there already, which is left as it is."""

from __future__ import annotations

import logging
import os
import secrets
import tempfile
from collections.abc import AsyncIterator, Coroutine, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

from gui_environments.actions import Action
from gui_environments.desktop.applications import Application, start_application, wait_until_shown
from gui_environments.desktop.connection import XConnection, connection_to, require_extensions
from gui_environments.desktop.covers import Covers
from gui_environments.desktop.life import DisplayLife
from gui_environments.desktop.output import KeptOutput
from gui_environments.desktop.variables import application_variables, make_directories
from gui_environments.desktop.window_manager import keep_window_manager, window_manager_answers
from gui_environments.desktop.x11 import X11Desktop, open_x11_desktop
from gui_environments.desktop.xvfb import start_xvfb
from gui_environments.errors import ActionFailed, ActionRefused, EnvironmentUnavailable
from gui_environments.geometry import ScreenPoint, ScreenRegion, Size
from gui_environments.pictures import Picture, PictureFormat
from gui_environments.processes.tree import ProcessTree
from gui_environments.sights import ScreenExpectation, Sight

log = logging.getLogger(__name__)

T = TypeVar("T")

WINDOW_WITHIN_S = 15.0
"""How long an application may take to show its first window before it is taken for one that has none."""


class Desktop:
    """Implements `DesktopEnvironment`. Made by `Desktop.open` and `Desktop.attach`."""

    def __init__(
        self,
        x11: X11Desktop,
        observer: XConnection,
        tree: ProcessTree,
        life: DisplayLife | None,
        environment: Mapping[str, str],
        workdir: Path | None,
    ) -> None:
        self._x11 = x11
        self._observer = observer
        self._tree = tree
        self._life = life
        self.environment = environment
        """The variables applications are started with, which are all that they get."""
        self.workdir = workdir
        self.applications: list[Application] = []
        """The ones started here, the ended ones too."""

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        screen: Size | tuple[int, int] = (1280, 800),
        *,
        apps: Sequence[Sequence[str]] = (),
        environment: Mapping[str, str] | None = None,
        workdir: Path | None = None,
    ) -> AsyncIterator[Desktop]:
        """A display of our own, of `screen` pixels, and `apps` on it, each an argument list. Entered when a window
        manager answers and every application shows a window (or has ended, or shows none for a long time).

        `environment` is added to what applications are given, `workdir` is where they start. Raises
        `EnvironmentUnavailable`. All that was started has ended, and every file of it is gone, when this is left; the
        same happens when this process is killed.
        """
        async with AsyncExitStack() as stack:
            tree = await stack.enter_async_context(ProcessTree.open())
            directory = await _make_directory(tree)
            variables = application_variables(os.environ, directory) | dict(environment or {})
            output = stack.enter_context(KeptOutput())
            server = await start_xvfb(tree, directory, size_of(screen), variables, output)
            variables |= {"DISPLAY": server.name, "XAUTHORITY": str(server.xauthority)}
            observer = await stack.enter_async_context(connection_to(server.name, server.xauthority))
            await stack.enter_async_context(keep_window_manager(tree, variables, observer))
            x11 = await stack.enter_async_context(open_x11_desktop(server.name, server.xauthority))
            life = DisplayLife(server)
            stack.callback(life.close)
            desktop = cls(x11, observer, tree, life, variables, workdir)
            stack.callback(desktop._forget_output)
            await desktop._start_first(apps)
            yield desktop

    @classmethod
    @asynccontextmanager
    async def attach(
        cls,
        display: str,
        xauthority: Path | None = None,
        *,
        apps: Sequence[Sequence[str]] = (),
        environment: Mapping[str, str] | None = None,
        workdir: Path | None = None,
    ) -> AsyncIterator[Desktop]:
        """The X display `display` (":1") as it is. Nothing of it is started or ended, except `apps` and what
        `start_application` adds, which end with this. `xauthority` is the user's own cookie file when None."""
        async with AsyncExitStack() as stack:
            tree = await stack.enter_async_context(ProcessTree.open())
            cookies = xauthority or _own_xauthority()
            observer = await stack.enter_async_context(connection_to(display, cookies))
            await observer.run(lambda _: require_extensions(observer.display, display))
            x11 = await stack.enter_async_context(open_x11_desktop(display, cookies))
            if not await observer.run(lambda _: window_manager_answers(observer.display)):
                log.warning(
                    "no window manager answers on %s: windows have no title bars and may not get focus", display
                )
            directory = await _make_directory(tree)
            variables = application_variables(os.environ, directory) | dict(environment or {}) | {"DISPLAY": display}
            if cookies is not None:
                variables["XAUTHORITY"] = str(cookies)
            desktop = cls(x11, observer, tree, None, variables, workdir)
            stack.callback(desktop._forget_output)
            await desktop._start_first(apps)
            yield desktop

    @property
    def display(self) -> str:
        """What DISPLAY says (":101")."""
        return self.environment["DISPLAY"]

    @property
    def xauthority(self) -> Path | None:
        """The cookie file; None when the display needs none."""
        return Path(self.environment["XAUTHORITY"]) if "XAUTHORITY" in self.environment else None

    def process_ids(self) -> list[int]:
        """All that is alive of what was started here, the display server included."""
        return self._tree.members()

    @property
    def screen(self) -> Size:
        return self._x11.screen

    async def look(self, action: Action | None = None) -> Sight:
        return await self._while_alive(self._x11.look(action))

    async def perform(
        self, action: Action, *, settle_s: float = 1.0, expected: ScreenExpectation | None = None
    ) -> None:
        await self._while_alive(self._x11.perform(action, settle_s=settle_s, expected=expected))

    def cover_with(self, covers: Covers | None) -> None:
        """What `covers` says is painted over in every picture from now on; None: nothing is."""
        self._x11.cover_with(covers)

    async def pointer_position(self) -> ScreenPoint:
        return await self._while_alive(self._x11.pointer_position())

    async def capture(
        self, region: ScreenRegion | None = None, *, fit: Size | None = None, picture_format: PictureFormat = "png"
    ) -> Picture:
        return await self._while_alive(self._x11.capture(region, fit=fit, picture_format=picture_format))

    async def start_application(self, argv: Sequence[str], *, window_within_s: float = WINDOW_WITHIN_S) -> Application:
        """Returns when it shows a window or has ended in peace, or `window_within_s` has passed (0: at once).

        Raises `ActionRefused` when there is no such program, `ActionFailed` when it ends with an error before it has
        shown a window.
        """
        application = await self._while_alive(self._start(argv))
        if window_within_s > 0:
            await self._while_alive(wait_until_shown(self._observer, [application], window_within_s))
        return application

    async def _start(self, argv: Sequence[str]) -> Application:
        application = await start_application(self._tree, argv, self.environment, self.workdir)
        self.applications.append(application)
        return application

    async def _start_first(self, apps: Sequence[Sequence[str]]) -> None:
        """All at once: starting takes an application longer than it takes us."""
        try:
            applications = [await self._start(argv) for argv in apps]
            if applications:
                await self._while_alive(wait_until_shown(self._observer, applications, WINDOW_WITHIN_S))
        except (ActionRefused, ActionFailed) as error:
            raise EnvironmentUnavailable(str(error)) from error

    async def _while_alive(self, call: Coroutine[Any, Any, T]) -> T:
        return await (call if self._life is None else self._life.while_alive(call))

    def _forget_output(self) -> None:
        for application in self.applications:
            application.forget_output()


def size_of(screen: Size | tuple[int, int]) -> Size:
    return screen if isinstance(screen, Size) else Size(*screen)


async def _make_directory(tree: ProcessTree) -> Path:
    """Everything of one desktop that is a file, readable by us only, removed with the tree."""
    directory = Path(tempfile.gettempdir()) / f"gui-desktop-{secrets.token_hex(8)}"
    # Said before it is made: killed in between, we leave nothing.
    await tree.remove_at_end(directory)
    make_directories(directory)
    return directory


def _own_xauthority() -> Path | None:
    path = Path(os.environ.get("XAUTHORITY") or Path.home() / ".Xauthority")
    return path if path.exists() else None

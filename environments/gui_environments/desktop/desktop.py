"""A desktop of our own: a virtual display, a window manager and applications, from start to end."""

from __future__ import annotations

import logging
import os
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from gui_environments.actions import Action
from gui_environments.desktop.connection import open_connection
from gui_environments.desktop.output import KeptOutput
from gui_environments.desktop.window_manager import start_window_manager, wait_for_window_manager
from gui_environments.desktop.x11 import X11Desktop, open_x11_desktop
from gui_environments.desktop.xvfb import start_xvfb
from gui_environments.errors import EnvironmentUnavailable
from gui_environments.geometry import ScreenPoint, ScreenRegion, Size
from gui_environments.pictures import Picture, PictureFormat
from gui_environments.processes import ProcessTree, SupervisedProcess

log = logging.getLogger(__name__)


class Desktop:
    """Implements `DesktopEnvironment`. Made by `Desktop.open`."""

    def __init__(
        self, x11: X11Desktop, tree: ProcessTree, display: str, xauthority: Path, environment: Mapping[str, str]
    ) -> None:
        self._x11 = x11
        self._tree = tree
        self.display = display
        self.xauthority = xauthority
        self.environment = environment
        """The variables applications are started with: all that they get."""

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
        size = screen if isinstance(screen, Size) else Size(*screen)
        async with AsyncExitStack() as stack:
            tree = await stack.enter_async_context(ProcessTree.open())
            directory = Path(tempfile.mkdtemp(prefix="gui-desktop-"))
            await tree.remove_at_end(directory)
            variables = dict(os.environ) | dict(environment or {})
            said = stack.enter_context(KeptOutput())
            server = await start_xvfb(tree, directory, size, variables, said)
            variables |= {"DISPLAY": server.name, "XAUTHORITY": str(server.xauthority)}
            wm_said = stack.enter_context(KeptOutput())
            window_manager = await start_window_manager(tree, variables, wm_said.write_fd)
            wm_said.close_write_end()
            x11 = await stack.enter_async_context(open_x11_desktop(server.name, server.xauthority))
            connection = await open_connection(server.name, server.xauthority)
            ready = await connection.run(lambda c: wait_for_window_manager(connection.display, window_manager, c))
            await connection.close()
            if not ready:
                raise EnvironmentUnavailable(f"openbox did not start. It said:\n{wm_said.last_lines()}")
            desktop = cls(x11, tree, server.name, server.xauthority, variables)
            for argv in apps:
                await desktop.start_application(argv)
            yield desktop

    @property
    def screen(self) -> Size:
        return self._x11.screen

    async def perform(self, action: Action, *, settle_s: float = 1.0) -> None:
        await self._x11.perform(action, settle_s=settle_s)

    async def pointer_position(self) -> ScreenPoint:
        return await self._x11.pointer_position()

    async def capture(
        self, region: ScreenRegion | None = None, *, fit: Size | None = None, picture_format: PictureFormat = "png"
    ) -> Picture:
        return await self._x11.capture(region, fit=fit, picture_format=picture_format)

    async def start_application(self, argv: Sequence[str]) -> SupervisedProcess:
        return await self._tree.start(argv, environment=self.environment)

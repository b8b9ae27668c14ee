"""The live state of one X display, shared by what acts on it (pointer, keyboard, capture, settling). One owner: the
desktop. Used on the connection's thread only."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gui_environments.desktop.bounds import require_point_on_screen
from gui_environments.desktop.xtest import XTestInput
from gui_environments.geometry import ScreenPoint, Size


@dataclass(frozen=True, slots=True)
class XSession:
    display: Any
    screen: Size
    input: XTestInput
    xauthority: Path | None = None
    """The cookie file that the display was opened with, for whoever needs a connection of their own to it."""

    @property
    def root(self) -> Any:
        return self.display.screen().root

    def require_on_screen(self, point: ScreenPoint) -> None:
        """Raises `ActionRefused`."""
        require_point_on_screen(point, self.screen)

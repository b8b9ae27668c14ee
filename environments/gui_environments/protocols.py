"""What a desktop, a shell and a file editor offer. Local and remote ones implement the same; a contract suite in
`tests/contract` holds each implementation to it."""

from __future__ import annotations

from typing import Protocol

from gui_environments.actions import Action
from gui_environments.geometry import ScreenPoint, ScreenRegion, Size
from gui_environments.pictures import Picture, PictureFormat


class DesktopEnvironment(Protocol):
    """A screen with a pointer and a keyboard. One action runs at a time; callers do not overlap calls.

    Every method raises `EnvironmentDied` once the display is gone.
    """

    @property
    def screen(self) -> Size:
        """The size of the display in screen pixels; fixed for the life of the environment."""
        ...

    async def perform(self, action: Action, *, settle_s: float = 1.0) -> None:
        """Carry out one action, then wait until the screen is quiet, for at most `settle_s` seconds (0: do not wait).

        Raises `ActionRefused` before anything was sent (a point off the screen, an unknown key name, a character that
        no known way can type), `ActionFailed` when it broke off. Keys and buttons the action pressed are up again when
        this returns or raises, also on cancellation, except for the button of `PressButton`.
        """
        ...

    async def pointer_position(self) -> ScreenPoint: ...

    async def capture(
        self, region: ScreenRegion | None = None, *, fit: Size | None = None, picture_format: PictureFormat = "png"
    ) -> Picture:
        """The display, or `region` of it, as it is now, pointer drawn in, scaled to exactly `fit` when given."""
        ...

"""What is on a screen and what is not: refused when it is not, never clamped."""

from __future__ import annotations

from gui_environments.errors import ActionRefused
from gui_environments.geometry import ScreenPoint, ScreenRegion, Size


def require_point_on_screen(point: ScreenPoint, screen: Size) -> None:
    """Raises `ActionRefused`."""
    if not (0 <= point.x < screen.width_px and 0 <= point.y < screen.height_px):
        raise ActionRefused(f"({point.x}, {point.y}) is off the screen, which is {screen} pixels.")


def require_region_on_screen(region: ScreenRegion, screen: Size) -> None:
    """Raises `ActionRefused` when a part of it is off the screen."""
    if min(region.left, region.top) < 0 or region.right > screen.width_px or region.bottom > screen.height_px:
        raise ActionRefused(
            f"The region ({region.left}, {region.top}) to ({region.right}, {region.bottom}) reaches beyond the "
            f"screen, which is {screen} pixels."
        )

"""Two spaces of pixels, and the only way from one to the other: the screenshot that the model sees and points at, and
the screen that an environment acts on. Points outside are refused, never moved inside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gui_environments.errors import ActionRefused
from gui_environments.geometry import ScreenPoint, ScreenRegion, Size
from gui_operator.toolsets.model_names import read_model_name

VISUAL_TOKEN_SIDE_PX = 28
"""One visual token covers a square of this side."""

SESSION_SIDE_PX = 2000
"""With more than 20 images in a request no side may be longer, and a session gets there."""


@dataclass(frozen=True, slots=True)
class ImageTier:
    """The largest picture a family of models takes: both limits hold."""

    long_edge_px: int
    visual_tokens: int

    def admits(self, size: Size) -> bool:
        return max(size.width_px, size.height_px) <= self.long_edge_px and visual_tokens(size) <= self.visual_tokens


HIGH = ImageTier(long_edge_px=2576, visual_tokens=4784)
STANDARD = ImageTier(long_edge_px=1568, visual_tokens=1568)

_FIRST_HIGH_VERSION = (4, 7)


@dataclass(frozen=True, slots=True)
class ScreenshotPoint:
    """A pixel of the screenshot."""

    x: int
    y: int

    @classmethod
    def of(cls, coordinate: Sequence[int]) -> ScreenshotPoint:
        x, y = coordinate
        return cls(x, y)


@dataclass(frozen=True, slots=True)
class ScreenshotRegion:
    """A rectangle of the screenshot: `left` and `top` are inside, `right` and `bottom` just outside."""

    left: int
    top: int
    right: int
    bottom: int

    @classmethod
    def of(cls, region: Sequence[int]) -> ScreenshotRegion:
        left, top, right, bottom = region
        return cls(left, top, right, bottom)


def visual_tokens(size: Size) -> int:
    return -(-size.width_px // VISUAL_TOKEN_SIDE_PX) * -(-size.height_px // VISUAL_TOKEN_SIDE_PX)


def tier_of_model(name: str | None) -> ImageTier:
    """The tier of a model by its name, in any platform's spelling. High from 4.7 on, and for no name at all, since
    every model that takes the toolsets is high; standard for a name of no known family, since a smaller picture is
    always taken."""
    if name is None:
        return HIGH
    model = read_model_name(name)
    if model is None:
        return STANDARD
    if model.version is None:
        # Older models put the version before the family, or none; these two families begin above the first high one.
        return HIGH if model.family in ("fable", "mythos") else STANDARD
    return HIGH if model.version >= _FIRST_HIGH_VERSION else STANDARD


def fit_size(size: Size, tier: ImageTier) -> Size:
    """The largest size that the tier admits and that keeps the aspect: the largest long edge that fits, the other side
    rounded. Never larger than `size`."""
    # Both limits only tighten as the long edge grows, so the largest that fits is found by halving.
    fitting, beyond = 1, min(max(size.width_px, size.height_px), tier.long_edge_px) + 1
    while beyond - fitting > 1:
        middle = (fitting + beyond) // 2
        if tier.admits(_with_long_edge(size, middle)):
            fitting = middle
        else:
            beyond = middle
    return _with_long_edge(size, fitting)


def screenshot_size(screen: Size, tier: ImageTier) -> Size:
    """The size of a session's screenshots: the fit, with no side over what long sessions may send."""
    return fit_size(screen, replace(tier, long_edge_px=min(tier.long_edge_px, SESSION_SIDE_PX)))


def _with_long_edge(size: Size, long_edge_px: int) -> Size:
    longer, shorter = max(size.width_px, size.height_px), min(size.width_px, size.height_px)
    other_px = max(1, _rounded_ratio(long_edge_px * shorter, longer))
    wide = size.width_px >= size.height_px
    return Size(long_edge_px, other_px) if wide else Size(other_px, long_edge_px)


def _rounded_ratio(numerator: int, denominator: int) -> int:
    """To the nearest, halves up: `round` takes halves to the even neighbour, which makes some sizes too large."""
    return (2 * numerator + denominator) // (2 * denominator)


@dataclass(frozen=True, slots=True)
class Scale:
    """Screenshot pixels to screen pixels and back. The screenshot is never larger than the screen, so every screenshot
    pixel maps to a screen pixel that maps back to it."""

    screen: Size
    screenshot: Size

    @classmethod
    def of(cls, screen: Size, tier: ImageTier) -> Scale:
        return cls(screen, screenshot_size(screen, tier))

    def screen_point(self, point: ScreenshotPoint) -> ScreenPoint:
        """The screen pixel at the centre of the area that the screenshot's pixel shows. Refuses a point outside."""
        shot = self.screenshot
        if not (0 <= point.x < shot.width_px and 0 <= point.y < shot.height_px):
            raise ActionRefused(
                f"({point.x}, {point.y}) is outside the screenshot: x goes from 0 to {shot.width_px - 1}, "
                f"y from 0 to {shot.height_px - 1}."
            )
        return ScreenPoint(
            _centre_mapped(point.x, shot.width_px, self.screen.width_px),
            _centre_mapped(point.y, shot.height_px, self.screen.height_px),
        )

    def screenshot_point(self, point: ScreenPoint) -> ScreenshotPoint:
        """The screenshot's pixel that shows the centre of a screen pixel."""
        return ScreenshotPoint(
            _centre_mapped(point.x, self.screen.width_px, self.screenshot.width_px),
            _centre_mapped(point.y, self.screen.height_px, self.screenshot.height_px),
        )

    def screen_region(self, region: ScreenshotRegion) -> ScreenRegion:
        """The screen pixels that the region shows, parts of pixels included. Refuses one that is empty or reaches
        outside."""
        shot = self.screenshot
        if not (0 <= region.left < region.right <= shot.width_px and 0 <= region.top < region.bottom <= shot.height_px):
            raise ActionRefused(
                f"[{region.left}, {region.top}, {region.right}, {region.bottom}] is not a region of the screenshot: "
                f"[x0, y0, x1, y1] with 0 <= x0 < x1 <= {shot.width_px} and 0 <= y0 < y1 <= {shot.height_px}."
            )
        return ScreenRegion(
            left=region.left * self.screen.width_px // shot.width_px,
            top=region.top * self.screen.height_px // shot.height_px,
            right=-(-region.right * self.screen.width_px // shot.width_px),
            bottom=-(-region.bottom * self.screen.height_px // shot.height_px),
        )

    def zoomed_size(self, region: ScreenRegion) -> Size:
        """The largest size with the region's aspect inside the usual screenshot's size."""
        box, size = self.screenshot, region.size
        if box.width_px * size.height_px <= box.height_px * size.width_px:
            return Size(box.width_px, max(1, _rounded_ratio(box.width_px * size.height_px, size.width_px)))
        return Size(max(1, _rounded_ratio(box.height_px * size.width_px, size.height_px)), box.height_px)


def _centre_mapped(position: int, length: int, other_length: int) -> int:
    """The pixel of a side of `other_length` that holds the centre of pixel `position` of a side of `length`."""
    return (2 * position + 1) * other_length // (2 * length)

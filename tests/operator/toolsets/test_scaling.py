from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gui_environments.errors import ActionRefused
from gui_environments.geometry import ScreenPoint, ScreenRegion, Size
from gui_operator.toolsets.scaling import (
    HIGH,
    SESSION_SIDE_PX,
    STANDARD,
    ImageTier,
    Scale,
    ScreenshotPoint,
    ScreenshotRegion,
    fit_size,
    screenshot_size,
    tier_of_model,
    visual_tokens,
)

sizes = st.builds(Size, st.integers(1, 8000), st.integers(1, 8000))
tiers = st.sampled_from([HIGH, STANDARD])


@pytest.mark.parametrize(
    ("screen", "standard", "high"),
    [
        (Size(1920, 1080), Size(1456, 819), Size(1920, 1080)),
        (Size(2000, 1500), Size(1269, 952), Size(2000, 1500)),
        (Size(3840, 2160), Size(1456, 819), Size(2576, 1449)),
        (Size(1075, 1520), Size(924, 1307), Size(1075, 1520)),
    ],
)
def test_the_fit_gives_the_documented_sizes(screen: Size, standard: Size, high: Size) -> None:
    assert fit_size(screen, STANDARD) == standard
    assert fit_size(screen, HIGH) == high


def test_a_4k_screen_is_sent_with_no_side_over_what_a_long_session_may_send() -> None:
    assert screenshot_size(Size(3840, 2160), HIGH) == Size(2000, 1125)
    assert screenshot_size(Size(3840, 2160), STANDARD) == Size(1456, 819)


@given(sizes, tiers)
def test_what_is_sent_is_within_every_limit_and_never_enlarged(screen: Size, tier: ImageTier) -> None:
    sent = screenshot_size(screen, tier)
    assert max(sent.width_px, sent.height_px) <= min(tier.long_edge_px, SESSION_SIDE_PX)
    assert visual_tokens(sent) <= tier.visual_tokens
    assert sent.width_px <= screen.width_px
    assert sent.height_px <= screen.height_px


@given(sizes, tiers)
def test_no_longer_edge_would_fit(screen: Size, tier: ImageTier) -> None:
    fitted = fit_size(screen, tier)
    longer, shorter = max(screen.width_px, screen.height_px), min(screen.width_px, screen.height_px)
    edge = max(fitted.width_px, fitted.height_px) + 1
    if edge > longer:
        return
    # Written out apart from the code: the other side to the nearest pixel, halves up.
    other = max(1, int(edge * shorter / longer + 0.5))
    assert edge > tier.long_edge_px or -(-edge // 28) * -(-other // 28) > tier.visual_tokens


@given(sizes, tiers)
def test_the_aspect_is_kept_to_the_nearest_pixel(screen: Size, tier: ImageTier) -> None:
    fitted = fit_size(screen, tier)
    wide = screen.width_px >= screen.height_px
    long_px, short_px = (fitted.width_px, fitted.height_px) if wide else (fitted.height_px, fitted.width_px)
    longer, shorter = max(screen.width_px, screen.height_px), min(screen.width_px, screen.height_px)
    assert short_px == 1 or abs(short_px - long_px * shorter / longer) <= 0.5


@pytest.mark.parametrize(
    "name",
    [
        None,
        "claude-fable-5-1",
        "claude-mythos-5",
        "claude-opus-5-5",
        "claude-opus-5",
        "claude-sonnet-5",
        "claude-opus-4-8",
        "claude-opus-4-7",
        "claude-haiku-5-5",
        "claude-haiku-5-5-20260901",
        "claude-opus-4-7-20260416",
        "CLAUDE-SONNET-5-5",
        "us.anthropic.claude-opus-4-8-v1:0",
        "claude-sonnet-5@20260601",
        "claude-mythos-preview",
        "claude-haiku-6",
        "claude-opus-10-2",
    ],
)
def test_models_that_take_the_toolsets_get_the_high_tier(name: str | None) -> None:
    assert tier_of_model(name) == HIGH


@pytest.mark.parametrize(
    "name",
    [
        "claude-opus-4-6",
        "claude-opus-4-20250514",
        "claude-opus-4-1-20250805",
        "claude-sonnet-4-5",
        "claude-haiku-4-5-20251001",
        "claude-3-5-sonnet-20241022",
        "claude-3-opus-20240229",
        "claude-3-7-sonnet-latest",
        "anthropic.claude-sonnet-4-20250514-v1:0",
        "my-deployment",
    ],
)
def test_older_and_unknown_models_get_the_standard_tier(name: str) -> None:
    assert tier_of_model(name) == STANDARD


@given(sizes, tiers, st.data())
def test_every_pixel_of_the_screenshot_comes_back_as_itself(screen: Size, tier: ImageTier, data: st.DataObject) -> None:
    scale = Scale.of(screen, tier)
    shot = scale.screenshot
    point = ScreenshotPoint(data.draw(st.integers(0, shot.width_px - 1)), data.draw(st.integers(0, shot.height_px - 1)))
    on_screen = scale.screen_point(point)
    assert 0 <= on_screen.x < screen.width_px
    assert 0 <= on_screen.y < screen.height_px
    assert scale.screenshot_point(on_screen) == point


@given(sizes, tiers, st.data())
def test_every_pixel_of_the_screen_maps_into_the_screenshot(screen: Size, tier: ImageTier, data: st.DataObject) -> None:
    scale = Scale.of(screen, tier)
    shown = scale.screenshot_point(
        ScreenPoint(data.draw(st.integers(0, screen.width_px - 1)), data.draw(st.integers(0, screen.height_px - 1)))
    )
    assert 0 <= shown.x < scale.screenshot.width_px
    assert 0 <= shown.y < scale.screenshot.height_px


def test_a_point_maps_to_the_middle_of_the_area_its_pixel_shows() -> None:
    scale = Scale(screen=Size(3000, 2000), screenshot=Size(1000, 500))
    assert scale.screen_point(ScreenshotPoint(0, 0)) == ScreenPoint(1, 2)
    assert scale.screen_point(ScreenshotPoint(999, 499)) == ScreenPoint(2998, 1998)


def test_without_scaling_points_are_the_same() -> None:
    scale = Scale(screen=Size(1280, 800), screenshot=Size(1280, 800))
    assert scale.screen_point(ScreenshotPoint(0, 0)) == ScreenPoint(0, 0)
    assert scale.screen_point(ScreenshotPoint(1279, 799)) == ScreenPoint(1279, 799)


@pytest.mark.parametrize(("x", "y"), [(1280, 5), (5, 800), (-1, 5), (5, -1), (1500, 900)])
def test_a_point_outside_the_screenshot_is_refused_even_where_the_screen_is_larger(x: int, y: int) -> None:
    scale = Scale(screen=Size(2560, 1600), screenshot=Size(1280, 800))
    with pytest.raises(ActionRefused, match=r"outside the screenshot: x goes from 0 to 1279, y from 0 to 799"):
        scale.screen_point(ScreenshotPoint(x, y))


def test_a_region_covers_every_screen_pixel_it_shows() -> None:
    scale = Scale(screen=Size(1920, 1080), screenshot=Size(1456, 819))
    assert scale.screen_region(ScreenshotRegion(0, 0, 1456, 819)) == ScreenRegion(0, 0, 1920, 1080)
    assert scale.screen_region(ScreenshotRegion(1, 1, 2, 2)) == ScreenRegion(1, 1, 3, 3)


@pytest.mark.parametrize(
    "corners",
    [(0, 0, 1281, 800), (0, 0, 1280, 801), (-1, 0, 9, 9), (0, -1, 9, 9), (5, 5, 5, 9), (5, 9, 9, 9), (9, 9, 1, 1)],
)
def test_a_region_that_is_empty_or_reaches_outside_is_refused(corners: tuple[int, int, int, int]) -> None:
    scale = Scale(screen=Size(2560, 1600), screenshot=Size(1280, 800))
    with pytest.raises(ActionRefused, match="is not a region of the screenshot"):
        scale.screen_region(ScreenshotRegion.of(corners))


@given(sizes, tiers, st.data())
def test_a_zoom_fills_the_usual_size_in_one_direction_and_keeps_the_aspect(
    screen: Size, tier: ImageTier, data: st.DataObject
) -> None:
    scale = Scale.of(screen, tier)
    shot = scale.screenshot
    left = data.draw(st.integers(0, shot.width_px - 1))
    top = data.draw(st.integers(0, shot.height_px - 1))
    right = data.draw(st.integers(left + 1, shot.width_px))
    bottom = data.draw(st.integers(top + 1, shot.height_px))
    region = scale.screen_region(ScreenshotRegion(left, top, right, bottom))
    zoomed = scale.zoomed_size(region)
    assert zoomed.width_px <= shot.width_px
    assert zoomed.height_px <= shot.height_px
    assert zoomed.width_px == shot.width_px or zoomed.height_px == shot.height_px
    factor = min(shot.width_px / region.size.width_px, shot.height_px / region.size.height_px)
    assert zoomed.width_px == 1 or abs(zoomed.width_px - factor * region.size.width_px) <= 0.51
    assert zoomed.height_px == 1 or abs(zoomed.height_px - factor * region.size.height_px) <= 0.51

"""Pictures of real displays."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import mss
import pytest
from PIL import Image
from tests.environments.desktop.probing import bare_server, start_probe, start_terminal
from Xlib import X

from gui_environments.actions import Click, MovePointer
from gui_environments.desktop import Desktop
from gui_environments.desktop.connection import connect, xauthority_in_environ
from gui_environments.errors import ActionRefused, EnvironmentDied
from gui_environments.geometry import ScreenPoint, ScreenRegion, Size
from gui_environments.pictures import Picture

WHOLE = (0, 0, 1280, 800)
ORANGE = (255, 128, 0)


def decoded(picture: Picture) -> Image.Image:
    image = Image.open(io.BytesIO(picture.data))
    assert image.size == (picture.size.width_px, picture.size.height_px)
    return image.convert("RGB")


def plain_screen(desktop: Desktop) -> Image.Image:
    """What mss and Pillow alone make of it: without the pointer."""
    with xauthority_in_environ(desktop.xauthority), mss.MSS(display=desktop.display) as grabber:
        shot = grabber.grab(WHOLE)
    return Image.frombytes("RGB", shot.size, shot.bgra, "raw", "BGRX")


@contextmanager
def cursor(desktop: Desktop, colour: tuple[int, int, int] | None) -> Iterator[None]:
    """A cursor of 8x8 pixels over the whole display, hot at (2, 3): every pixel is of `colour`, or there is nothing to
    see when it is None. An invisible window on top holds it."""
    display = connect(desktop.display, desktop.xauthority)
    root = display.screen().root
    shape = root.create_pixmap(8, 8, 1)
    shape.fill_rectangle(shape.create_gc(foreground=0 if colour is None else 1), 0, 0, 8, 8)
    red, green, blue = (part * 257 for part in colour or (0, 0, 0))
    shown = shape.create_cursor(shape, (red, green, blue), (0, 0, 0), 2, 3)
    window = root.create_window(
        0, 0, 1280, 800, 0, 0, X.InputOnly, X.CopyFromParent, cursor=shown, override_redirect=True
    )
    window.map()
    display.sync()
    try:
        yield
    finally:
        display.close()


@pytest.fixture
async def lively(desktop: Desktop, tmp_path: Path) -> Desktop:
    """With text and a window on it; the pointer is out of the way."""
    await start_terminal(desktop, tmp_path, "80x30+300+100", "seq 1 28")
    await start_probe(desktop, "tk", tmp_path)
    await desktop.perform(MovePointer(ScreenPoint(1279, 799)))
    return desktop


async def test_a_screenshot_is_what_mss_and_pillow_make_of_it(lively: Desktop) -> None:
    plain = plain_screen(lively)
    with cursor(lively, None):
        assert decoded(await lively.capture()).tobytes() == plain.tobytes()
        smaller = plain.resize((800, 500), Image.Resampling.BILINEAR)
        assert decoded(await lively.capture(fit=Size(800, 500))).tobytes() == smaller.tobytes()


async def test_a_region_is_cropped_from_the_full_resolution_and_enlarged(lively: Desktop) -> None:
    region = ScreenRegion(310, 120, 470, 220)
    crop = plain_screen(lively).crop((310, 120, 470, 220))
    assert decoded(await lively.capture(region)).tobytes() == crop.tobytes()
    enlarged = decoded(await lively.capture(region, fit=Size(1280, 800)))
    assert enlarged.tobytes() == crop.resize((1280, 800), Image.Resampling.BICUBIC).tobytes()


@pytest.mark.parametrize(
    "region",
    [
        ScreenRegion(-1, 0, 10, 10),
        ScreenRegion(0, -1, 10, 10),
        ScreenRegion(0, 0, 1281, 10),
        ScreenRegion(0, 0, 10, 801),
    ],
)
async def test_a_region_beyond_the_screen_is_refused(desktop: Desktop, region: ScreenRegion) -> None:
    with pytest.raises(ActionRefused, match="beyond the screen"):
        await desktop.capture(region)


@pytest.mark.parametrize(("x", "y"), [(640, 400), (0, 0), (1279, 799), (1, 799), (1275, 2)])
async def test_the_pointer_is_drawn_with_its_hot_spot_where_it_points(desktop: Desktop, x: int, y: int) -> None:
    with cursor(desktop, ORANGE):
        await desktop.perform(MovePointer(ScreenPoint(x, y)))
        image = decoded(await desktop.capture())
    expected = plain_screen(desktop)
    expected.paste(ORANGE, (max(x - 2, 0), max(y - 3, 0), min(x + 6, 1280), min(y + 5, 800)))
    assert image.tobytes() == expected.tobytes()


async def test_the_pointer_is_drawn_into_the_part_of_it_that_a_region_shows(desktop: Desktop) -> None:
    with cursor(desktop, ORANGE):
        await desktop.perform(MovePointer(ScreenPoint(100, 100)))
        # The cursor covers x 98 to 106 and y 97 to 105.
        image = decoded(await desktop.capture(ScreenRegion(100, 50, 200, 100)))
    orange = [(x, y) for y in range(50) for x in range(100) if image.getpixel((x, y)) == ORANGE]
    assert orange == [(x, y) for y in range(47, 50) for x in range(6)]


async def test_a_half_transparent_pointer_is_blended(desktop: Desktop) -> None:
    # The cursor themes of window managers have soft edges; openbox's own arrow is drawn over black and over white.
    await desktop.perform(MovePointer(ScreenPoint(640, 400)))
    over = decoded(await desktop.capture(ScreenRegion(600, 360, 700, 460)))
    display = connect(desktop.display, desktop.xauthority)
    display.xfixes_query_version()
    shown = display.xfixes_get_cursor_image(display.screen().root)
    display.close()
    below = plain_screen(desktop)
    for index, argb in enumerate(shown.cursor_image):
        x = shown.x - shown.xhot + index % shown.width
        y = shown.y - shown.yhot + index // shown.width
        alpha = argb >> 24
        colour = ((argb >> 16) & 255, (argb >> 8) & 255, argb & 255)
        under = below.getpixel((x, y))
        blended = [part + u * (255 - alpha) / 255 for part, u in zip(colour, under, strict=True)]
        drawn = over.getpixel((x - 600, y - 360))
        assert all(abs(a - b) <= 1 for a, b in zip(blended, drawn, strict=True))


async def test_a_pointer_hidden_by_the_server_does_no_harm(desktop: Desktop) -> None:
    display = connect(desktop.display, desktop.xauthority)
    display.xfixes_query_version()
    display.screen().root.xfixes_hide_cursor()
    display.sync()
    assert decoded(await desktop.capture()).size == (1280, 800)
    display.close()


async def test_a_display_without_xfixes_is_captured_without_the_pointer() -> None:
    with bare_server("-extension", "XFIXES") as (name, _):
        async with Desktop.attach(name) as desktop:
            assert decoded(await desktop.capture()).size == (640, 480)


async def test_an_unchanged_screen_gives_the_same_picture_and_a_moved_pointer_another(desktop: Desktop) -> None:
    await desktop.perform(MovePointer(ScreenPoint(500, 500)))
    first = await desktop.capture(fit=Size(800, 500))
    assert await desktop.capture(fit=Size(800, 500)) is first
    zoom = await desktop.capture(ScreenRegion(0, 0, 100, 100))
    assert await desktop.capture(fit=Size(800, 500)) is first
    assert await desktop.capture(ScreenRegion(0, 0, 100, 100)) is zoom
    assert (await desktop.capture(fit=Size(800, 500), picture_format="jpeg")).media_type == "image/jpeg"
    await desktop.perform(MovePointer(ScreenPoint(501, 500)))
    moved = await desktop.capture(fit=Size(800, 500))
    assert moved.data != first.data
    with cursor(desktop, ORANGE):
        assert (await desktop.capture(fit=Size(800, 500))).data != moved.data


async def test_pictures_and_input_at_once_do_not_disturb_each_other(desktop: Desktop, tmp_path: Path) -> None:
    probe = await start_probe(desktop, "tk", tmp_path)
    points = [probe.point("area", 0.1 + step % 8 / 10, 0.1 + step // 8 / 10) for step in range(24)]

    async def click_all() -> None:
        for point in points:
            await desktop.perform(Click(at=point), settle_s=0.05)

    pictures, _ = await asyncio.gather(
        asyncio.gather(*(desktop.capture(fit=Size(640, 400)) for _ in range(24))), click_all()
    )
    assert {decoded(picture).size for picture in pictures} == {(640, 400)}
    await probe.has_told("release", 24)
    assert [(event["x"], event["y"]) for event in probe.told("press")] == [(point.x, point.y) for point in points]


async def test_a_display_that_died_is_an_error_that_says_so() -> None:
    with bare_server() as (name, server):
        async with Desktop.attach(name) as desktop:
            await desktop.capture()
            server.kill()
            server.wait()
            for _ in range(2):
                with pytest.raises(EnvironmentDied, match="gone"):
                    await desktop.capture()
                with pytest.raises(EnvironmentDied, match="gone"):
                    await desktop.perform(MovePointer(ScreenPoint(1, 1)))
                with pytest.raises(EnvironmentDied, match="gone"):
                    await desktop.pointer_position()

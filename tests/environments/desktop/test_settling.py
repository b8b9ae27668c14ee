"""Waiting until the screen is quiet, with applications that change in different ways. None of these tests measures
time: where a wait must end by evidence, its bound is so long that the test would not."""

from __future__ import annotations

import asyncio
import io
from pathlib import Path

import pytest
from PIL import Image
from tests.environments.desktop.probing import bare_server, start_probe

from gui_environments.actions import Click, MovePointer, TypeText
from gui_environments.desktop import Desktop, settling
from gui_environments.desktop.settling import CELL_PX, cells_covered
from gui_environments.geometry import ScreenPoint, ScreenRegion, Size

FOR_EVER_S = 10_000.0


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a machine that is busy with other things, applications draw with pauses of any length. Where a test is about
    what is waited for, and not about how long quiet is, quiet is long."""
    monkeypatch.setattr(settling, "FIRST_CHANGE_S", 2.0)
    monkeypatch.setattr(settling, "QUIET_S", 2.0)


async def test_a_window_that_never_rests_is_left_at_the_bound(desktop: Desktop, tmp_path: Path) -> None:
    probe = await start_probe(desktop, "changing", tmp_path, "busy")
    await desktop.perform(Click(at=probe.point("area", 0.5, 0.5)), settle_s=0.2)


async def test_no_settling_does_not_wait_for_a_window_that_never_rests(desktop: Desktop, tmp_path: Path) -> None:
    probe = await start_probe(desktop, "changing", tmp_path, "busy")
    await desktop.perform(Click(at=probe.point("area", 0.5, 0.5)), settle_s=0)


async def test_what_changed_by_itself_before_does_not_use_the_bound_up(desktop: Desktop, tmp_path: Path) -> None:
    probe = await start_probe(desktop, "changing", tmp_path, "animated")
    at = probe.point("area", 0.9, 0.9)
    await desktop.perform(MovePointer(at), settle_s=0.2)
    seen = probe.count("frame")
    await probe.has_told("frame", seen + 20)
    await desktop.perform(Click(at=at), settle_s=FOR_EVER_S)


async def test_what_outlasted_the_bound_does_not_use_up_the_next(desktop: Desktop, tmp_path: Path) -> None:
    probe = await start_probe(desktop, "changing", tmp_path, "animated")
    at = probe.point("area", 0.9, 0.9)
    await desktop.perform(MovePointer(at), settle_s=0.3)
    await desktop.perform(Click(at=at), settle_s=FOR_EVER_S)


async def test_a_blinking_caret_does_not_use_the_bound_up(desktop: Desktop, tmp_path: Path) -> None:
    probe = await start_probe(desktop, "changing", tmp_path, "entry")
    await desktop.perform(Click(at=probe.point("area", 0.5, 0.5)), settle_s=FOR_EVER_S)
    await desktop.perform(Click(at=probe.point("area", 0.2, 0.5)), settle_s=FOR_EVER_S)


async def test_a_screen_on_which_nothing_changes_is_not_waited_for(desktop: Desktop, tmp_path: Path) -> None:
    probe = await start_probe(desktop, "changing", tmp_path, "still")
    await desktop.perform(Click(at=probe.point("area", 0.5, 0.5)), settle_s=FOR_EVER_S)
    await desktop.perform(MovePointer(ScreenPoint(1270, 790)), settle_s=FOR_EVER_S)


@pytest.mark.usefixtures("patient")
async def test_a_screenshot_after_a_slow_redraw_shows_it_whole(desktop: Desktop, tmp_path: Path) -> None:
    probe = await start_probe(desktop, "changing", tmp_path, "slow")
    await desktop.perform(Click(at=probe.point("area", 0.094, 0.14)), settle_s=FOR_EVER_S)
    left, top, width, height = probe.places["area"]
    picture = await desktop.capture(ScreenRegion(left, top, left + width, top + height))
    image = Image.open(io.BytesIO(picture.data))
    assert probe.count("painted") == 1
    assert [image.getpixel((column * 80 + 5, row * 70 + 5)) for row in range(5) for column in range(8)] == [
        (0, 128, 0)
    ] * 40


@pytest.mark.usefixtures("patient")
async def test_typed_text_is_on_the_screen_when_typing_is_done(desktop: Desktop, tmp_path: Path) -> None:
    probe = await start_probe(desktop, "changing", tmp_path, "entry")
    await desktop.perform(Click(at=probe.point("area", 0.9, 0.5)))
    left, top, width, height = probe.places["area"]
    # The left end of the field, without the caret and the pointer.
    words = ScreenRegion(left + 2, top + 4, left + width // 2, top + height - 4)
    before = await desktop.capture(words)
    await desktop.perform(TypeText("W" * 40))
    after = await desktop.capture(words)

    def dark_pixels(data: bytes) -> int:
        return Image.open(io.BytesIO(data)).convert("L").histogram()[0]

    assert dark_pixels(after.data) > dark_pixels(before.data) + 1000


@pytest.mark.usefixtures("patient")
async def test_a_cancelled_wait_ends(desktop: Desktop, tmp_path: Path) -> None:
    probe = await start_probe(desktop, "changing", tmp_path, "busy")
    waiting = asyncio.ensure_future(desktop.perform(Click(at=probe.point("area", 0.5, 0.5)), settle_s=FOR_EVER_S))
    seen = probe.count("frame")
    await probe.has_told("frame", seen + 20)
    assert not waiting.done()
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting


async def test_a_display_that_does_not_tell_what_changes_is_waited_for_all_the_same() -> None:
    with bare_server("-extension", "DAMAGE") as (name, _):
        async with Desktop.attach(name) as desktop:
            await desktop.perform(MovePointer(ScreenPoint(100, 100)), settle_s=FOR_EVER_S)
            assert await desktop.pointer_position() == ScreenPoint(100, 100)


def test_cells_are_those_a_region_touches() -> None:
    screen = Size(CELL_PX * 4, CELL_PX * 3)
    assert cells_covered([], screen) == 0
    assert cells_covered([ScreenRegion(0, 0, 1, 1)], screen) == 0b1
    assert cells_covered([ScreenRegion(CELL_PX - 1, 0, CELL_PX + 1, CELL_PX)], screen) == 0b11
    assert cells_covered([ScreenRegion(CELL_PX * 3, CELL_PX, CELL_PX * 4, CELL_PX + 1)], screen) == 1 << 7
    assert cells_covered([ScreenRegion(0, 0, CELL_PX * 4, CELL_PX * 3)], screen) == (1 << 12) - 1

"""An action that is held to what was seen acts on that or not at all."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from io import BytesIO

import pytest
import pytest_asyncio
from PIL import Image

from environments.desktop.own_windows import OwnWindows
from gui_environments.actions import (
    Action,
    Click,
    Drag,
    HoldKeys,
    MovePointer,
    PressButton,
    PressKeys,
    ReleaseButton,
    Scroll,
    TypeText,
)
from gui_environments.desktop import Desktop
from gui_environments.errors import ActionRefused
from gui_environments.geometry import ScreenPoint
from gui_environments.sights import ScreenExpectation

pytestmark = pytest.mark.asyncio(loop_scope="module")

INSIDE = ScreenPoint(150, 130)
POINTED: list[Action] = [
    Click(at=INSIDE), Click("right", 2, INSIDE, "ctrl"), Drag(INSIDE, ScreenPoint(180, 140)), Scroll("down", 2, INSIDE),
    MovePointer(INSIDE),
]  # fmt: skip
KEYED: list[Action] = [TypeText("abc"), PressKeys("Return"), HoldKeys("a", 0.01)]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def desktop() -> AsyncIterator[Desktop]:
    async with Desktop.open((640, 480)) as desktop:
        yield desktop


@pytest.fixture
def windows(desktop: Desktop) -> Iterator[OwnWindows]:
    windows = OwnWindows(desktop)
    yield windows
    windows.close()


async def expected(desktop: Desktop, action: Action) -> ScreenExpectation:
    sight = await desktop.look(action)
    assert isinstance(sight.expected, ScreenExpectation)
    return sight.expected


async def hold(desktop: Desktop, action: Action, expected: ScreenExpectation) -> None:
    await desktop.perform(action, settle_s=0, expected=expected)


@pytest.mark.parametrize("action", POINTED, ids=lambda action: type(action).__name__)
async def test_what_is_as_it_was_seen_is_acted_on(desktop: Desktop, windows: OwnWindows, action: Action) -> None:
    window = windows.open("Calm", (100, 100), (200, 100))
    await hold(desktop, action, await expected(desktop, action))
    presses = {Click: 1, Drag: 1, Scroll: 2, MovePointer: 0}[type(action)] * getattr(action, "count", 1)
    assert windows.wait_for(presses) == [("button", window.id)] * presses


@pytest.mark.parametrize("action", POINTED, ids=lambda action: type(action).__name__)
async def test_a_window_that_came_in_between_gets_nothing(
    desktop: Desktop, windows: OwnWindows, action: Action
) -> None:
    windows.open("Seen", (100, 100), (200, 100))
    before = await desktop.pointer_position()
    seen = await expected(desktop, action)
    windows.open("Seen", (100, 100), (200, 100))  # the same in every pixel and word
    with pytest.raises(ActionRefused, match=r"another window.*Nothing was pressed"):
        await hold(desktop, action, seen)
    assert windows.take() == []
    assert await desktop.pointer_position() == before


async def test_other_pixels_around_the_point_are_another_target(desktop: Desktop, windows: OwnWindows) -> None:
    window = windows.open("Seen", (100, 100), (200, 100))
    seen = await expected(desktop, Click(at=INSIDE))
    window.fill_rectangle(window.create_gc(foreground=0xFF0000), 45, 25, 4, 4)
    windows.display.sync()
    with pytest.raises(ActionRefused, match="has changed since"):
        await hold(desktop, Click(at=INSIDE), seen)
    assert windows.take() == []


async def test_what_blinks_is_pressed_when_it_is_as_it_was(desktop: Desktop, windows: OwnWindows) -> None:
    window = windows.open("Blinking", (100, 100), (200, 100), 0x4060A0)
    seen = await expected(desktop, Click(at=INSIDE))
    windows.paint(window, 0x000000)
    clicking = asyncio.ensure_future(hold(desktop, Click(at=INSIDE), seen))
    await asyncio.sleep(0)
    windows.paint(window, 0x4060A0)
    await clicking
    assert windows.wait_for(1) == [("button", window.id)]


async def test_a_window_that_calls_itself_something_else_is_another_target(
    desktop: Desktop, windows: OwnWindows
) -> None:
    window = windows.open("Draft", (100, 100), (200, 100))
    seen = await expected(desktop, Click(at=INSIDE))
    window.set_wm_name("Send to everybody")
    windows.display.sync()
    with pytest.raises(ActionRefused, match="calls itself something else"):
        await hold(desktop, Click(at=INSIDE), seen)
    assert windows.take() == []


@pytest.mark.parametrize("action", [Click(), Scroll("up", 1), PressButton()], ids=lambda action: type(action).__name__)
async def test_what_acts_at_the_pointer_is_held_to_where_that_was(
    desktop: Desktop, windows: OwnWindows, action: Action
) -> None:
    windows.open("Seen", (100, 100), (200, 100))
    await desktop.perform(MovePointer(INSIDE), settle_s=0)
    seen = await expected(desktop, action)
    await desktop.perform(MovePointer(ScreenPoint(160, 140)), settle_s=0)
    with pytest.raises(ActionRefused, match="pointer has been moved"):
        await hold(desktop, action, seen)
    assert windows.take() == []


async def test_a_button_is_pressed_and_let_go_where_that_was_seen(desktop: Desktop, windows: OwnWindows) -> None:
    window = windows.open("Seen", (100, 100), (200, 100))
    await desktop.perform(MovePointer(INSIDE), settle_s=0)
    await hold(desktop, PressButton(), await expected(desktop, PressButton()))
    await hold(desktop, ReleaseButton(), await expected(desktop, ReleaseButton()))
    assert windows.wait_for(1) == [("button", window.id)]


@pytest.mark.parametrize("action", KEYED, ids=lambda action: type(action).__name__)
async def test_keys_go_to_the_window_that_was_in_front_and_to_no_other(
    desktop: Desktop, windows: OwnWindows, action: Action
) -> None:
    first = windows.open("First", (100, 100), (200, 100), managed=True)
    windows.focus(first)
    seen = await expected(desktop, action)
    await hold(desktop, action, seen)
    assert {("key", first.id)} == set(windows.wait_for(3 if isinstance(action, TypeText) else 1))
    second = windows.open("Second", (300, 100), (200, 100), managed=True)
    windows.focus(second)
    with pytest.raises(ActionRefused, match="another window"):
        await hold(desktop, action, seen)
    assert windows.take() == []


async def test_after_a_refusal_nothing_is_held_up_or_held_down(desktop: Desktop, windows: OwnWindows) -> None:
    window = windows.open("Seen", (100, 100), (200, 100))
    seen = await expected(desktop, Click(at=INSIDE, modifiers="shift"))
    windows.paint(window, 0xFFFFFF)
    with pytest.raises(ActionRefused):
        await hold(desktop, Click(at=INSIDE, modifiers="shift"), seen)
    # The server would answer nobody else while it is grabbed.
    assert windows.display.screen().root.query_pointer().mask & 0xFFFF == 0
    await desktop.perform(Click(at=INSIDE), settle_s=0)
    assert windows.wait_for(1) == [("button", window.id)]


async def test_a_sight_says_the_window_and_shows_the_spot(desktop: Desktop, windows: OwnWindows) -> None:
    windows.open("Orders", (100, 100), (200, 100), 0x4060A0)
    sight = await desktop.look(Click(at=INSIDE))
    assert ("window", "Orders") in sight.facts
    assert ("application", "Orders") in sight.facts
    (spot,) = sight.spots
    shown = Image.open(BytesIO(spot.picture.data)).convert("RGB")
    assert shown.getpixel((spot.x - 20, spot.y - 20)) == (0x40, 0x60, 0xA0)
    assert len((await desktop.look(Drag(INSIDE, ScreenPoint(250, 150)))).spots) == 2


async def test_a_point_off_the_screen_is_no_sight(desktop: Desktop) -> None:
    with pytest.raises(ActionRefused, match="off the screen"):
        await desktop.look(Click(at=ScreenPoint(9999, 1)))


async def test_the_title_bar_is_called_as_the_window_in_it(desktop: Desktop, windows: OwnWindows) -> None:
    window = windows.open("Framed", (150, 150), (200, 100), managed=True)
    corner = windows.display.screen().root.translate_coords(window, 0, 0)
    assert ("window", "Framed") in (await desktop.look(Click(at=ScreenPoint(corner.x + 60, corner.y - 8)))).facts

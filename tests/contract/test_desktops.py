"""What every desktop owes: each action arrives at the application as asked, or nothing of it does."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
import pytest_asyncio
from PIL import Image

from contract.desktops import DESKTOPS, SCREEN, DesktopUnderTest
from contract.events import ALT, CONTROL, SHIFT, Event
from gui_environments.actions import (
    Action,
    Button,
    Click,
    Direction,
    Drag,
    HoldKeys,
    MovePointer,
    PressButton,
    PressKeys,
    ReleaseButton,
    Scroll,
    TypeText,
)
from gui_environments.errors import ActionRefused
from gui_environments.geometry import ScreenPoint, ScreenRegion, Size
from gui_environments.pictures import Picture
from gui_environments.sights import ScreenExpectation

WIDTH, HEIGHT = SCREEN
BEGIN, END = (7, 9), (9, 7)
"""Where no test moves the pointer."""
BLUE, RED = (0, 0, 255), (255, 0, 0)


pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(params=DESKTOPS, scope="module", loop_scope="module")
async def desktop(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[DesktopUnderTest]:
    """One for the whole suite: what a test leaves behind, the next one would find."""
    async with DESKTOPS[request.param](tmp_path_factory.mktemp("desktop")) as desktop:
        yield desktop


async def perform(desktop: DesktopUnderTest, *actions: Action) -> list[Event]:
    """What the application sees of the actions, all of it and nothing else: the pointer marks begin and end."""
    desktop.log.forget()
    await desktop.environment.perform(MovePointer(ScreenPoint(*END)), settle_s=0)
    await desktop.environment.perform(MovePointer(ScreenPoint(*BEGIN)), settle_s=0)
    await desktop.log.wait_for(lambda events: _ends_at(events, BEGIN), "the first mark")
    desktop.log.forget()
    for action in actions:
        await desktop.environment.perform(action, settle_s=0)
    await desktop.environment.perform(MovePointer(ScreenPoint(*END)), settle_s=0)
    events = await desktop.log.wait_for(lambda events: _ends_at(events, END), "the last mark")
    return events[:-1]


def _ends_at(events: list[Event], mark: tuple[int, int]) -> bool:
    return bool(events) and (events[-1]["event"], events[-1]["x"], events[-1]["y"]) == ("motion", *mark)


def presses(events: list[Event]) -> list[tuple[object, ...]]:
    return [(event["event"], event.get("button"), event["x"], event["y"]) for event in events if "button" in event]


def keys(events: list[Event]) -> list[str]:
    return [f"{event['event'].removeprefix('key ')} {event['key']}" for event in events if "key" in event]


def pixels(picture: Picture) -> Image.Image:
    return Image.open(io.BytesIO(picture.data)).convert("RGB")


async def test_a_desktop_knows_its_size(desktop: DesktopUnderTest) -> None:
    assert desktop.environment.screen == Size(WIDTH, HEIGHT)


@pytest.mark.parametrize("at", [(0, 0), (WIDTH - 1, 0), (0, HEIGHT - 1), (WIDTH - 1, HEIGHT - 1), (511, 383)])
async def test_a_click_lands_on_its_pixel(desktop: DesktopUnderTest, at: tuple[int, int]) -> None:
    events = await perform(desktop, Click(at=ScreenPoint(*at)))
    assert presses(events) == [("press", 1, *at), ("release", 1, *at)]


async def test_a_click_without_a_place_is_made_where_the_pointer_is(desktop: DesktopUnderTest) -> None:
    events = await perform(desktop, MovePointer(ScreenPoint(300, 301)), Click("right"))
    assert presses(events) == [("press", 3, 300, 301), ("release", 3, 300, 301)]
    await desktop.environment.perform(MovePointer(ScreenPoint(12, 34)))
    assert await desktop.environment.pointer_position() == ScreenPoint(12, 34)


@pytest.mark.parametrize(("button", "number"), [("left", 1), ("middle", 2), ("right", 3)])
@pytest.mark.parametrize("count", [1, 2, 3])
async def test_every_button_clicks_as_often_as_asked(
    desktop: DesktopUnderTest, button: Button, number: int, count: int
) -> None:
    events = await perform(desktop, Click(button, count, ScreenPoint(50, 60)))
    assert presses(events) == [("press", number, 50, 60), ("release", number, 50, 60)] * count


async def test_modifiers_are_down_during_a_click_and_up_after_it(desktop: DesktopUnderTest) -> None:
    at = ScreenPoint(50, 60)
    events = await perform(desktop, Click(at=at, modifiers="ctrl+shift"), Click(at=at))
    first, second = [event["state"] for event in events if event["event"] == "press"]
    assert first & (CONTROL | SHIFT | ALT) == CONTROL | SHIFT
    assert second & (CONTROL | SHIFT | ALT) == 0


async def test_a_drag_moves_between_its_ends_with_the_button_and_modifiers_down(desktop: DesktopUnderTest) -> None:
    events = await perform(desktop, Drag(ScreenPoint(20, 30), ScreenPoint(420, 330), modifiers="alt"))
    assert presses(events) == [("press", 1, 20, 30), ("release", 1, 420, 330)]
    down = [event["event"] for event in events].index("press")
    between = [event for event in events[down:] if event["event"] == "motion"]
    held = [event for event in between if event["state"] & ALT and event["state"] & 0x100]
    inside = {(event["x"], event["y"]) for event in held if 20 < event["x"] < 420 and 30 < event["y"] < 330}
    assert len(inside) >= 3


async def test_a_button_stays_down_until_it_is_released(desktop: DesktopUnderTest) -> None:
    move = MovePointer(ScreenPoint(200, 100))
    events = await perform(desktop, MovePointer(ScreenPoint(90, 90)), PressButton(), move, ReleaseButton())
    assert presses(events) == [("press", 1, 90, 90), ("release", 1, 200, 100)]
    moved = [event for event in events if event["event"] == "motion" and event["x"] == 200]
    assert moved[0]["state"] & 0x100


@pytest.mark.parametrize(
    ("direction", "button", "state"), [("up", 4, 0), ("down", 5, 0), ("left", 4, SHIFT), ("right", 5, SHIFT)]
)
async def test_the_wheel_turns_as_often_as_asked(
    desktop: DesktopUnderTest, direction: Direction, button: int, state: int
) -> None:
    """Tk reports the horizontal wheel as the vertical one with shift."""
    events = await perform(desktop, Scroll(direction, 3, at=ScreenPoint(400, 300)))
    turned = [event for event in events if event["event"] == "press"]
    assert [(event["button"], event["state"] & SHIFT) for event in turned] == [(button, state)] * 3
    assert {(event["x"], event["y"]) for event in turned} == {(400, 300)}


@pytest.mark.parametrize("text", ["Ab 1{%~+$^&*}", "\\/'\"`>|?_-=[];:,.!@#", "()<", "Grüße, 世界"])
async def test_text_arrives_as_it_stands_or_not_at_all(desktop: DesktopUnderTest, text: str) -> None:
    try:
        events = await perform(desktop, TypeText(text))
    except ActionRefused:
        assert any(limit.startswith("Text is typed only") for limit in desktop.limits)
        assert await perform(desktop) == []
        return
    assert "".join(event["char"] for event in events if event["event"] == "key down") == text


async def test_letters_and_digits_can_always_be_typed(desktop: DesktopUnderTest) -> None:
    events = await perform(desktop, TypeText("Order 4711"))
    assert "".join(event["char"] for event in events if event["event"] == "key down") == "Order 4711"


async def test_new_lines_press_return_and_tabs_press_tab(desktop: DesktopUnderTest) -> None:
    events = await perform(desktop, TypeText("a\n\tb"))
    assert [key for key in keys(events) if key.startswith("down")] == ["down a", "down Return", "down Tab", "down b"]


async def test_a_chord_goes_down_in_order_and_up_in_reverse(desktop: DesktopUnderTest) -> None:
    events = await perform(desktop, PressKeys("ctrl+shift+Page_Up"))
    held = ["Control_L", "Shift_L"]
    expected = [*(f"down {key}" for key in held), "down Prior", "up Prior", *(f"up {key}" for key in reversed(held))]
    assert keys(events) == expected


async def test_a_chord_is_pressed_as_often_as_asked(desktop: DesktopUnderTest) -> None:
    assert keys(await perform(desktop, PressKeys("F5", 4))) == ["down F5", "up F5"] * 4


async def test_a_held_key_is_down_until_its_time_is_up(desktop: DesktopUnderTest) -> None:
    seen = keys(await perform(desktop, HoldKeys("F6", 0.2)))
    assert (seen[0], seen[-1]) == ("down F6", "up F6")


async def test_a_hold_that_is_cancelled_lets_go(desktop: DesktopUnderTest) -> None:
    desktop.log.forget()
    holding = asyncio.create_task(desktop.environment.perform(HoldKeys("ctrl+F7", 200)))
    await desktop.log.wait_for(lambda events: "down F7" in keys(events), "the key")
    holding.cancel()
    with pytest.raises(asyncio.CancelledError):
        await holding
    events = await desktop.log.wait_for(lambda events: "up Control_L" in keys(events), "letting go")
    assert {"up F7", "up Control_L"} <= set(keys(events))


OFF_SCREEN = [(WIDTH, 10), (10, HEIGHT), (-1, 10), (10, -1), (WIDTH + 5000, HEIGHT + 5000)]


@pytest.mark.parametrize("at", OFF_SCREEN)
async def test_a_point_off_the_screen_is_refused_and_nothing_is_sent(
    desktop: DesktopUnderTest, at: tuple[int, int]
) -> None:
    off, on = ScreenPoint(*at), ScreenPoint(40, 40)
    for action in (Click(at=off), Drag(on, off), Drag(off, on), MovePointer(off), Scroll("down", 1, at=off)):
        desktop.log.forget()
        with pytest.raises(ActionRefused):
            await desktop.environment.perform(action)
    assert await perform(desktop) == []


@pytest.mark.parametrize(
    "action",
    [
        PressKeys("ctrl+nosuchkey"),
        HoldKeys("nosuchkey", 1),
        Click(at=ScreenPoint(40, 40), modifiers="ctrl+nosuchkey"),
        Drag(ScreenPoint(40, 40), ScreenPoint(80, 80), modifiers="nosuchkey"),
        Scroll("down", 1, at=ScreenPoint(40, 40), modifiers="nosuchkey"),
    ],
    ids=lambda action: type(action).__name__,
)
async def test_an_unknown_key_is_refused_and_nothing_is_sent(desktop: DesktopUnderTest, action: Action) -> None:
    desktop.log.forget()
    with pytest.raises(ActionRefused, match="nosuchkey"):
        await desktop.environment.perform(action)
    assert await perform(desktop) == []


async def test_a_capture_shows_the_screen_as_it_is(desktop: DesktopUnderTest) -> None:
    await desktop.environment.perform(MovePointer(ScreenPoint(WIDTH - 1, HEIGHT - 1)))
    picture = await desktop.environment.capture()
    image = pixels(picture)
    assert picture.size == Size(*image.size) == Size(WIDTH, HEIGHT)
    inside, outside = [(100, 200), (139, 239)], [(99, 200), (100, 199), (140, 239), (139, 240), (0, 0)]
    assert [image.getpixel(at) for at in inside] == [RED] * 2
    assert [image.getpixel(at) for at in outside] == [BLUE] * 5


async def test_a_region_is_cut_from_the_screen_at_its_full_size(desktop: DesktopUnderTest) -> None:
    await desktop.environment.perform(MovePointer(ScreenPoint(WIDTH - 1, HEIGHT - 1)))
    image = pixels(await desktop.environment.capture(ScreenRegion(90, 190, 150, 250)))
    assert image.size == (60, 60)
    assert [image.getpixel(at) for at in ((9, 10), (10, 10), (49, 49), (50, 49))] == [BLUE, RED, RED, BLUE]


@pytest.mark.parametrize("fit", [(512, 384), (800, 600), (1, 1)])
async def test_a_capture_is_scaled_to_exactly_what_was_asked(desktop: DesktopUnderTest, fit: tuple[int, int]) -> None:
    picture = await desktop.environment.capture(fit=Size(*fit))
    assert pixels(picture).size == fit == (picture.size.width_px, picture.size.height_px)


@pytest.mark.parametrize("picture_format", ["png", "jpeg", "webp"])
async def test_a_capture_comes_in_the_format_that_was_asked(desktop: DesktopUnderTest, picture_format: str) -> None:
    picture = await desktop.environment.capture(picture_format=picture_format)  # type: ignore[arg-type] # of the three
    assert picture.media_type == f"image/{picture_format}"
    assert Image.open(io.BytesIO(picture.data)).get_format_mimetype() == picture.media_type


@pytest.mark.parametrize(
    "region", [(-1, 0, 10, 10), (0, -1, 10, 10), (0, 0, WIDTH + 1, 10), (0, 0, 10, HEIGHT + 1)], ids=str
)
async def test_a_region_that_reaches_off_the_screen_is_refused(
    desktop: DesktopUnderTest, region: tuple[int, int, int, int]
) -> None:
    with pytest.raises(ActionRefused):
        await desktop.environment.capture(ScreenRegion(*region))


async def test_the_pointer_is_drawn_in_or_said_not_to_be(desktop: DesktopUnderTest) -> None:
    around = ScreenRegion(280, 280, 340, 340)
    await desktop.environment.perform(MovePointer(ScreenPoint(300, 300)))
    first = pixels(await desktop.environment.capture(around))
    await desktop.environment.perform(MovePointer(ScreenPoint(600, 300)))
    second = pixels(await desktop.environment.capture(around))
    only_blue = [(60 * 60, BLUE)]
    assert second.getcolors() == only_blue
    assert (first.getcolors() == only_blue) == ("Screenshots do not show the pointer." in desktop.limits)


async def test_an_action_that_is_held_to_what_was_seen_is_carried_out_while_that_is_there(
    desktop: DesktopUnderTest,
) -> None:
    at = ScreenPoint(400, 300)
    sight = await desktop.environment.look(Click(at=at))
    assert pixels(sight.spots[0].picture).size[0] >= 64
    assert isinstance(sight.expected, ScreenExpectation)
    desktop.log.forget()
    await desktop.environment.perform(Click(at=at), settle_s=0, expected=sight.expected)
    await desktop.log.wait_for(lambda events: len(presses(events)) == 2, "a click")
    area = replace(sight.expected.areas[0], digest="of something else")
    with pytest.raises(ActionRefused, match="has changed since"):
        await desktop.environment.perform(Click(at=at), settle_s=0, expected=ScreenExpectation((area,)))

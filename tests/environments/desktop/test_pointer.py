"""The pointer, as applications of several toolkits see it."""

from __future__ import annotations

import asyncio
import subprocess
from pathlib import Path

import pytest
from tests.environments.desktop.probing import SYSTEM_PYTHON, Probe, eventually, start_probe, start_terminal
from Xlib import X
from Xlib.display import Display

from gui_environments.actions import Click, Drag, MovePointer, PressButton, ReleaseButton, Scroll
from gui_environments.desktop import Desktop
from gui_environments.desktop.connection import connect
from gui_environments.errors import ActionRefused
from gui_environments.geometry import ScreenPoint

TOOLKITS = ("tk", "gtk", "qt")

LEFT_CTRL = 37
"""A keycode."""

ANY_BUTTON = 0x1F00
"""The bits of the five buttons in the state that the X server reports with the pointer's place."""


@pytest.fixture(params=TOOLKITS)
async def probe(request: pytest.FixtureRequest, desktop: Desktop, tmp_path: Path) -> Probe:
    return await start_probe(desktop, request.param, tmp_path)


@pytest.fixture
async def tk(desktop: Desktop, tmp_path: Path) -> Probe:
    return await start_probe(desktop, "tk", tmp_path)


def press_from_elsewhere(desktop: Desktop, kind: int, number: int) -> None:
    """As another program that leaves a button or key down."""
    display: Display = connect(desktop.display, desktop.xauthority)
    try:
        display.xtest_fake_input(kind, number)
        display.sync()
    finally:
        display.close()


def buttons_down(desktop: Desktop) -> int:
    """As another client sees it."""
    display: Display = connect(desktop.display, desktop.xauthority)
    try:
        return int(display.screen().root.query_pointer().mask) & ANY_BUTTON
    finally:
        display.close()


async def test_a_click_is_one_press_and_one_release_at_the_point(desktop: Desktop, probe: Probe) -> None:
    points = {"left": probe.point("area", 0.5, 0.5), "middle": probe.point("area", 0.2, 0.2)}
    points["right"] = probe.point("area", 0.9, 0.9)
    for button, at in points.items():
        await desktop.perform(Click(button=button, at=at))
    await probe.has_told("release", 3)
    assert [(e["kind"], e["button"], e["x"], e["y"]) for e in probe.told("press", "release")] == [
        (kind, button, at.x, at.y) for button, at in points.items() for kind in ("press", "release")
    ]


async def test_a_click_without_a_point_is_where_the_pointer_is(desktop: Desktop, probe: Probe) -> None:
    at = probe.point("area", 0.25, 0.75)
    await desktop.perform(MovePointer(at))
    await desktop.perform(Click())
    await probe.has_told("release")
    assert [(e["x"], e["y"]) for e in probe.told("press")] == [(at.x, at.y)]


async def test_a_double_click_is_one_to_every_toolkit(desktop: Desktop, probe: Probe) -> None:
    await desktop.perform(Click(count=2, at=probe.point("area", 0.5, 0.5)))
    await probe.has_told("release", 2)
    assert probe.count("press") == 2
    assert probe.count("double") == 1
    assert probe.count("triple") == 0


async def test_a_triple_click_is_three_presses_in_a_row(desktop: Desktop, probe: Probe) -> None:
    await desktop.perform(Click(count=3, at=probe.point("area", 0.5, 0.5)))
    await probe.has_told("release", 3)
    assert probe.count("press") == 3
    assert probe.count("double") >= 1
    if probe.lines.stem != "qt":  # Qt has no event for it
        assert probe.count("triple") == 1


async def test_two_clicks_at_one_place_are_never_a_double_click(desktop: Desktop, probe: Probe) -> None:
    at = probe.point("area", 0.5, 0.5)
    await desktop.perform(Click(at=at), settle_s=0)
    await desktop.perform(Click(at=ScreenPoint(at.x + 2, at.y)), settle_s=0)
    await probe.has_told("release", 2)
    assert probe.count("press") == 2
    assert probe.count("double") == 0


async def test_a_press_after_a_click_and_a_click_after_a_release_are_no_double_click(
    desktop: Desktop, probe: Probe
) -> None:
    at = probe.point("area", 0.5, 0.5)
    await desktop.perform(Click(at=at), settle_s=0)
    await desktop.perform(PressButton(), settle_s=0)
    await desktop.perform(ReleaseButton(), settle_s=0)
    await desktop.perform(Click(), settle_s=0)
    await desktop.perform(Drag(at, probe.point("area", 0.9, 0.9)), settle_s=0)
    await probe.has_told("release", 4)
    assert probe.count("press") == 4
    assert probe.count("double") == 0


async def test_two_presses_and_releases_in_a_row_are_a_double_click_as_by_hand(desktop: Desktop, probe: Probe) -> None:
    await desktop.perform(MovePointer(probe.point("area", 0.5, 0.5)), settle_s=0)
    for action in (PressButton(), ReleaseButton(), PressButton(), ReleaseButton()):
        await desktop.perform(action, settle_s=0)
    await probe.has_told("release", 2)
    assert probe.count("double") == 1


async def test_xterm_selects_a_word_by_a_double_and_the_line_by_a_triple_click(
    desktop: Desktop, tmp_path: Path
) -> None:
    await start_terminal(desktop, tmp_path, "80x20+0+0", "echo alpha beta gamma")
    # 6x13 pixels a character, below the title bar and xterm's border.
    beta = ScreenPoint(55, 30)

    def selected() -> str:
        ask = "import tkinter; root = tkinter.Tk(); root.withdraw(); print(root.selection_get())"
        environment = dict(desktop.environment)
        found = subprocess.run([SYSTEM_PYTHON, "-c", ask], env=environment, capture_output=True, text=True, check=False)
        return found.stdout.strip()

    await desktop.perform(Click(count=2, at=beta))
    assert await eventually(selected, "a selection") == "beta"
    await desktop.perform(Click(count=3, at=beta))
    await eventually(lambda: selected() == "alpha beta gamma", "the line is selected")


async def test_a_click_reaches_menus(desktop: Desktop, tmp_path: Path) -> None:
    gtk = await start_probe(desktop, "gtk", tmp_path)
    await desktop.perform(Click(at=gtk.point("menu", 0.5, 0.5)))
    left, top, _, height = gtk.places["menu"]
    await desktop.perform(Click(at=ScreenPoint(left + 20, top + height + 15)))
    await gtk.has_told("menu item")


async def test_a_drag_is_seen_as_motion_with_the_button_down(desktop: Desktop, probe: Probe) -> None:
    start, end = probe.point("area", 0.1, 0.2), probe.point("area", 0.9, 0.8)
    await desktop.perform(Drag(start, end))
    await probe.has_told("release")
    events = probe.told("press", "drag", "release")
    assert (events[0]["x"], events[0]["y"]) == (start.x, start.y)
    assert (events[-1]["x"], events[-1]["y"]) == (end.x, end.y)
    assert [event["kind"] for event in events[1:-1]] == ["drag"] * (len(events) - 2)
    between = {(event["x"], event["y"]) for event in events[1:-1]} - {(start.x, start.y), (end.x, end.y)}
    assert between  # a toolkit with much to do leaves some out


async def test_a_drag_moves_a_slider(desktop: Desktop, probe: Probe) -> None:
    # The knob stands at the left end; Tk's value stands above its trough.
    down = 0.75 if probe.lines.stem == "tk" else 0.8 if probe.lines.stem == "gtk" else 0.5
    await desktop.perform(Drag(probe.point("slider", 0.025, down), probe.point("slider", 0.5, down)))
    await eventually(
        lambda: probe.told("slider") and 35 <= probe.told("slider")[-1]["value"] <= 65, "the slider is near its middle"
    )


async def test_a_drag_selects_text(desktop: Desktop, tk: Probe) -> None:
    await desktop.perform(Drag(tk.point("entry", 0.005, 0.5), tk.point("entry", 0.9, 0.5)))
    await eventually(lambda: tk.told("selection"), "a selection")
    await eventually(lambda: tk.told("selection")[-1]["text"] == "some words to select", "all of it is selected")


async def test_a_cancelled_drag_lets_the_button_go(desktop: Desktop, tk: Probe) -> None:
    drag = asyncio.ensure_future(desktop.perform(Drag(tk.point("area", 0.1, 0.1), tk.point("area", 0.9, 0.9))))
    await tk.has_told("press")
    drag.cancel()
    with pytest.raises(asyncio.CancelledError):
        await drag
    assert buttons_down(desktop) == 0
    await tk.has_told("release")


async def test_a_button_stays_down_from_press_to_release_and_a_move_between_is_a_drag(
    desktop: Desktop, probe: Probe
) -> None:
    await desktop.perform(MovePointer(probe.point("area", 0.2, 0.2)))
    await desktop.perform(PressButton())
    assert buttons_down(desktop) != 0
    end = probe.point("area", 0.8, 0.8)
    await desktop.perform(MovePointer(end))
    assert buttons_down(desktop) != 0
    await desktop.perform(ReleaseButton())
    assert buttons_down(desktop) == 0
    await probe.has_told("release")
    # A toolkit with much to do leaves out places in between.
    assert len({(event["x"], event["y"]) for event in probe.told("drag")}) >= 2
    assert (probe.told("release")[0]["x"], probe.told("release")[0]["y"]) == (end.x, end.y)


async def test_what_contradicts_the_button_that_is_down_is_refused(desktop: Desktop, tk: Probe) -> None:
    await desktop.perform(MovePointer(tk.point("area", 0.5, 0.5)))
    with pytest.raises(ActionRefused, match="not down"):
        await desktop.perform(ReleaseButton())
    await desktop.perform(PressButton())
    away = tk.point("area", 0.1, 0.1)
    for action in (PressButton(), Click(at=away), Drag(away, tk.point("area", 0.2, 0.2))):
        with pytest.raises(ActionRefused, match="already down"):
            await desktop.perform(action)
    assert await desktop.pointer_position() == tk.point("area", 0.5, 0.5)
    await desktop.perform(ReleaseButton())
    await tk.has_told("release")
    assert tk.told_in_short() == ["press", "release"]


async def test_a_button_that_something_else_holds_is_not_pressed_but_can_be_released(
    desktop: Desktop, tk: Probe
) -> None:
    await desktop.perform(MovePointer(tk.point("area", 0.5, 0.5)))
    press_from_elsewhere(desktop, X.ButtonPress, 1)
    away = tk.point("area", 0.1, 0.1)
    for action in (PressButton(), Click(at=away), Drag(away, tk.point("area", 0.2, 0.2))):
        with pytest.raises(ActionRefused, match="something else"):
            await desktop.perform(action)
    await tk.has_told("press")
    assert tk.told_in_short() == ["press"]
    await desktop.perform(ReleaseButton())
    assert buttons_down(desktop) == 0
    await tk.has_told("release")
    assert tk.told_in_short() == ["press", "release"]


async def test_a_modifier_that_was_left_down_changes_no_click(desktop: Desktop, tk: Probe) -> None:
    press_from_elsewhere(desktop, X.KeyPress, LEFT_CTRL)
    at = tk.point("area", 0.5, 0.5)
    await desktop.perform(Click(at=at))
    press_from_elsewhere(desktop, X.KeyPress, LEFT_CTRL)
    await desktop.perform(Click("right", at=at))
    await tk.has_told("press", 2)
    assert [event["held"] for event in tk.told("press")] == [[], []]


async def test_closing_a_desktop_lets_the_button_go(desktop: Desktop, tk: Probe) -> None:
    async with Desktop.attach(desktop.display, desktop.xauthority) as second:
        await second.perform(MovePointer(tk.point("area", 0.5, 0.5)))
        await second.perform(PressButton())
        assert buttons_down(desktop) != 0
    assert buttons_down(desktop) == 0


async def test_a_point_off_the_screen_is_refused_and_nothing_moves(desktop: Desktop) -> None:
    before = await desktop.pointer_position()
    inside = ScreenPoint(5, 5)
    for x, y in ((1280, 10), (10, 800), (-1, 10), (10, -1), (1280, 800)):
        off = ScreenPoint(x, y)
        for action in (
            Click(at=off),
            MovePointer(off),
            Scroll("down", 1, at=off),
            Drag(off, inside),
            Drag(inside, off),
        ):
            with pytest.raises(ActionRefused, match="off the screen"):
                await desktop.perform(action)
    assert await desktop.pointer_position() == before


async def test_the_corners_are_pixels_like_any_other(desktop: Desktop, tmp_path: Path) -> None:
    probe = await start_probe(desktop, "tk", tmp_path, "fullscreen")
    corners = [(0, 0), (1279, 0), (0, 799), (1279, 799)]
    for x, y in corners:
        await desktop.perform(Click(at=ScreenPoint(x, y)))
        assert await desktop.pointer_position() == ScreenPoint(x, y)
    await probe.has_told("press", 4)
    assert [(event["x"], event["y"]) for event in probe.told("press")] == corners


async def test_every_notch_of_the_wheel_arrives(desktop: Desktop, probe: Probe) -> None:
    at = probe.point("area", 0.5, 0.5)
    for direction in ("up", "down", "left", "right"):
        await desktop.perform(Scroll(direction, 100, at=at))
    await desktop.perform(Click(at=at))
    await probe.has_told("release")
    told = [event["button"] for event in probe.told("scroll")]
    assert told == ["up"] * 100 + ["down"] * 100 + ["scroll left"] * 100 + ["scroll right"] * 100


@pytest.mark.parametrize("action", [Scroll("down", 0), Scroll("up", -3), Click(count=0)])
async def test_a_count_below_one_is_refused(desktop: Desktop, action: Scroll | Click) -> None:
    with pytest.raises(ActionRefused, match="at least one"):
        await desktop.perform(action)


async def test_a_left_handed_pointer_still_clicks_left(desktop: Desktop, tk: Probe) -> None:
    display = connect(desktop.display, desktop.xauthority)
    mapping = display.get_pointer_mapping()
    display.set_pointer_mapping([3, 2, 1, *mapping[3:]])
    display.close()
    await desktop.perform(Click(button="left", at=tk.point("area", 0.5, 0.5)))
    await desktop.perform(Click(button="right", at=tk.point("area", 0.5, 0.5)))
    await tk.has_told("release", 2)
    assert [event["button"] for event in tk.told("press")] == ["left", "right"]


async def test_modifiers_are_held_through_a_click_and_a_drag_and_a_scroll(desktop: Desktop, probe: Probe) -> None:
    at = probe.point("area", 0.1, 0.1)
    start, end = probe.point("area", 0.5, 0.1), probe.point("area", 0.9, 0.9)
    for modifiers in ("shift", "ctrl", "alt", "ctrl+shift"):
        before = probe.told("press", "drag", "scroll")
        await desktop.perform(Click(at=at, modifiers=modifiers))
        await desktop.perform(Drag(start, end, modifiers=modifiers))
        await desktop.perform(Scroll("down", 3, modifiers=modifiers))
        await probe.has_told("scroll", sum(event["kind"] == "scroll" for event in before) + 3)
        events = probe.told("press", "drag", "scroll")[len(before) :]
        assert [event["kind"] for event in events].count("press") == 2
        assert {tuple(sorted(event["held"])) for event in events} == {tuple(sorted(modifiers.split("+")))}
    presses = probe.count("press")
    await desktop.perform(Click(at=at))
    await probe.has_told("press", presses + 1)
    assert probe.told("press")[-1]["held"] == []


async def test_an_unknown_modifier_is_refused_before_anything_moves(desktop: Desktop) -> None:
    before = await desktop.pointer_position()
    point = ScreenPoint(100, 100)
    for action in (Click(at=point, modifiers="shfit"), Scroll("up", 1, at=point, modifiers="shfit")):
        with pytest.raises(ActionRefused, match="shfit"):
            await desktop.perform(action)
    assert await desktop.pointer_position() == before

"""The window manager gives windows their frames, places and focus, and takes nothing that an application should get."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from tests.environments.desktop.probe_window import ProbeWindow, probe_window
from Xlib import X
from Xlib.error import BadWindow

from gui_environments.actions import Action, Click, Drag, MovePointer, PressButton, PressKeys
from gui_environments.desktop import Desktop, passing_on
from gui_environments.desktop.connection import close_display, connect
from gui_environments.errors import ActionFailed
from gui_environments.geometry import ScreenPoint, Size


def pid_of(desktop: Desktop, program: str) -> int | None:
    """None when it does not run."""
    for pid in desktop.process_ids():
        with contextlib.suppress(OSError):
            if Path(f"/proc/{pid}/comm").read_text().strip() == program:
                return pid
    return None


def has_title_bar(probe: ProbeWindow) -> bool:
    with contextlib.suppress(BadWindow):  # the frame that was asked about is gone
        return probe.frame()[1].height_px > probe.place()[1].height_px
    return False


CHORDS = {
    **{f"F{number}": (f"F{number}",) for number in range(1, 13)},
    "alt+F4": ("Alt_L", "F4"),
    "alt+Tab": ("Alt_L", "Tab"),
    "alt+shift+Tab": ("Alt_L", "Shift_L", "Tab"),
    "alt+Escape": ("Alt_L", "Escape"),
    "alt+space": ("Alt_L", "space"),
    "ctrl+g": ("Control_L", "g"),
    "ctrl+alt+Left": ("Control_L", "Alt_L", "Left"),
    "ctrl+alt+Right": ("Control_L", "Alt_L", "Right"),
    "ctrl+alt+d": ("Control_L", "Alt_L", "d"),
    "shift+alt+Up": ("Shift_L", "Alt_L", "Up"),
    "super": ("Super_L",),
    "super+d": ("Super_L", "d"),
    "super+e": ("Super_L", "e"),
    "super+F1": ("Super_L", "F1"),
    "Print": ("Print",),
    "Menu": ("Menu",),
}
"""What window managers like to keep for themselves, and the keys that an application should see."""

CLICKS = [
    (button, number, modifiers)
    for button, number in (("left", "1"), ("middle", "2"), ("right", "3"))
    for modifiers in ("", "shift", "ctrl", "alt", "super", "ctrl+shift", "ctrl+alt")
]

MASKS = {"shift": 1, "ctrl": 4, "alt": 8, "super": 64}


async def test_every_chord_arrives_at_the_application(desktop: Desktop) -> None:
    async with probe_window(desktop) as probe:
        for chord, keys in CHORDS.items():
            probe.noted.clear()
            await desktop.perform(PressKeys(chord), settle_s=0)
            await probe.until(lambda: len([one for one in probe.noted if one.kind == "up"]) >= len(keys))  # noqa: B023
            assert tuple(one.what for one in probe.noted if one.kind == "down") == keys
            assert not probe.asked_to_close
            assert probe.has_focus


async def test_every_click_focuses_and_raises_a_window_and_goes_through_to_it(desktop: Desktop) -> None:
    async with probe_window(desktop) as below, probe_window(desktop) as above:
        for button, number, modifiers in CLICKS:
            await above.until(lambda: above.has_focus and above.is_on_top())
            below.take_events()
            assert not below.has_focus
            for probe in (above, below):
                probe.noted.clear()
            await desktop.perform(Click(button=button, at=below.middle(), modifiers=modifiers or None), settle_s=0)
            await below.until(lambda: any(one.kind == "release" for one in below.noted))
            clicks = [one for one in below.noted if one.kind in ("press", "release")]
            assert [(one.kind, one.what) for one in clicks] == [("press", number), ("release", number)]
            assert clicks[0].state == sum(MASKS[name] for name in modifiers.split("+") if name)
            await below.until(lambda: below.has_focus and below.is_on_top())
            above.take_events()
            assert not [one for one in above.noted if one.kind in ("press", "release")]
            await desktop.perform(Click(at=above.middle()), settle_s=0)


async def test_a_drag_inside_a_window_is_the_applications(desktop: Desktop) -> None:
    async with probe_window(desktop) as probe:
        before = probe.frame()
        middle = probe.middle()
        for modifiers in (None, *MASKS):
            probe.noted.clear()
            await desktop.perform(Drag(middle, ScreenPoint(middle.x + 80, middle.y + 40), modifiers), settle_s=0)
            await probe.until(lambda: any(one.kind == "release" for one in probe.noted))
            assert len([one for one in probe.noted if one.kind == "motion" and one.state & 0x100]) >= 2
            assert probe.frame() == before


async def test_a_click_on_the_empty_desktop_opens_nothing(desktop: Desktop) -> None:
    async with probe_window(desktop):
        await desktop.perform(MovePointer(ScreenPoint(900, 600)))
        before = await desktop.capture()
        for button in ("left", "middle", "right"):
            await desktop.perform(Click(button=button, at=ScreenPoint(900, 600)))
            assert (await desktop.capture()).data == before.data


async def test_new_windows_get_the_focus_and_are_wholly_on_the_screen(desktop: Desktop) -> None:
    async with AsyncExitStack() as stack:
        for size in (Size(500, 300), Size(600, 500), Size(900, 700), Size(100, 50)):
            probe = await stack.enter_async_context(probe_window(desktop, size))
            (at, frame), inside = probe.frame(), probe.place()[1]
            assert inside == size
            assert at.x >= 0
            assert at.y >= 0
            assert at.x + frame.width_px <= desktop.screen.width_px
            assert at.y + frame.height_px <= desktop.screen.height_px


async def test_a_window_has_a_title_bar_that_moves_and_a_button_that_closes_it(desktop: Desktop) -> None:
    async with probe_window(desktop) as probe:
        at, size = probe.frame()
        inside, _ = probe.place()
        assert inside.y - at.y >= 10
        bar = ScreenPoint(at.x + 40, (at.y + inside.y) // 2)
        await desktop.perform(Drag(bar, ScreenPoint(bar.x + 200, bar.y + 150)))
        await probe.until(lambda: probe.frame()[0] == ScreenPoint(at.x + 200, at.y + 150))
        close = ScreenPoint(at.x + 200 + size.width_px - 12, bar.y + 150)
        await desktop.perform(Click(at=close))
        await probe.until(lambda: probe.asked_to_close)


async def test_a_double_click_on_the_title_bar_fills_the_screen_and_back(desktop: Desktop) -> None:
    async with probe_window(desktop) as probe:
        at, size = probe.frame()
        inside, _ = probe.place()
        await desktop.perform(Click(count=2, at=ScreenPoint(at.x + 40, (at.y + inside.y) // 2)))
        await probe.until(lambda: probe.frame()[1] == desktop.screen)
        await desktop.perform(Click(count=2, at=ScreenPoint(40, 8)))
        await probe.until(lambda: probe.frame() == (at, size))


async def test_the_users_own_configuration_is_not_read(tmp_path: Path) -> None:
    own = tmp_path / ".config/openbox/rc.xml"
    own.parent.mkdir(parents=True)
    own.write_text(
        '<openbox_config xmlns="http://openbox.org/3.4/rc"><keyboard>'
        '<keybind key="A-F4"><action name="Close"/></keybind></keyboard></openbox_config>'
    )
    async with Desktop.open(environment={"HOME": str(tmp_path)}) as desktop, probe_window(desktop) as probe:
        await desktop.perform(PressKeys("alt+F4"))
        await probe.until(lambda: any(one.what == "F4" and one.kind == "up" for one in probe.noted))
        assert not probe.asked_to_close


async def test_a_window_manager_that_dies_is_started_again_and_takes_up_the_windows(desktop: Desktop) -> None:
    async with probe_window(desktop) as probe:
        assert has_title_bar(probe)
        first = pid_of(desktop, "openbox")
        os.kill(first, signal.SIGKILL)
        async with asyncio.timeout(10):
            while pid_of(desktop, "openbox") in (None, first):  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        async with asyncio.timeout(10):
            while not has_title_bar(probe):  # noqa: ASYNC110 - the events of the old frame's end come in between
                await asyncio.sleep(0.01)
        async with probe_window(desktop) as another:
            assert has_title_bar(another)


@pytest.mark.parametrize("action", [Click(at=ScreenPoint(400, 300)), PressButton()])
async def test_a_press_that_a_hanging_window_manager_keeps_is_an_error_and_the_button_is_released(
    action: Action, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passing_on, "LONGEST_S", 0.5)
    async with Desktop.open() as desktop:
        pid = pid_of(desktop, "openbox")
        assert pid is not None
        os.kill(pid, signal.SIGSTOP)
        try:
            with pytest.raises(ActionFailed, match="window manager did not answer"):
                await desktop.perform(action)
        finally:
            os.kill(pid, signal.SIGCONT)
        await desktop.perform(Click(at=ScreenPoint(400, 300)))
        display = connect(desktop.display, desktop.xauthority)
        try:
            assert not display.screen().root.query_pointer().mask & X.Button1Mask
        finally:
            close_display(display)

"""Chords as applications see them: every key down in order, up in reverse, and nothing left down or changed."""

from __future__ import annotations

import asyncio

import pytest
from tests.environments.desktop.keyboards import (
    buttons_and_modifiers,
    keys_down,
    other_connection,
    set_layout,
    whole_map,
)
from tests.environments.desktop.toolkits import entry, wait_until

from gui_environments.actions import Click, HoldKeys, PressKeys, TypeText
from gui_environments.errors import ActionRefused
from gui_environments.geometry import ScreenPoint

KEY_PRESS, KEY_RELEASE = 2, 3

LEFT_CTRL = 37


async def keys_of(desktop, folder, *chords, toolkit="tk", layout="us"):
    """The key events that the application saw for `chords`."""
    set_layout(desktop, layout)
    async with entry(desktop, toolkit, folder) as application:
        before = whole_map(desktop)
        for chord in chords:
            await desktop.perform(PressKeys(chord), settle_s=0)
        keys = await application.keys()
        assert whole_map(desktop) == before
        assert keys_down(desktop) == []
        return keys


@pytest.mark.parametrize(
    ("chord", "keys"),
    [
        ("Return", ["down Return", "up Return"]),
        ("ctrl+shift+Home", ["down Control_L", "down Shift_L", "down Home", "up Home", "up Shift_L", "up Control_L"]),
        ("ctrl+A", ["down Control_L", "down a", "up a", "up Control_L"]),
        ("A", ["down Shift_L", "down A", "up A", "up Shift_L"]),
        ("?", ["down Shift_L", "down question", "up question", "up Shift_L"]),
        ("ctrl+/", ["down Control_L", "down slash", "up slash", "up Control_L"]),
        ("ctrl+-", ["down Control_L", "down minus", "up minus", "up Control_L"]),
        (
            "ctrl++",
            ["down Control_L", "down Shift_L", "down plus", "up plus", "up Shift_L", "up Control_L"],
        ),
        ("shift", ["down Shift_L", "up Shift_L"]),
        ("shift+1", ["down Shift_L", "down exclam", "up exclam", "up Shift_L"]),
        ("F11", ["down F11", "up F11"]),
        ("KP_7", ["down KP_7", "up KP_7"]),
    ],
)
async def test_a_chord_goes_down_in_order_and_up_in_reverse(desktop, tmp_path, chord, keys):
    assert await keys_of(desktop, tmp_path, chord) == keys


async def test_on_azerty_a_digit_gets_its_shift(desktop, tmp_path):
    keys = await keys_of(desktop, tmp_path, "5", "ctrl+é", layout="fr")
    assert keys[:4] == ["down Shift_L", "down 5", "up 5", "up Shift_L"]
    assert keys[4:] == ["down Control_L", "down eacute", "up eacute", "up Control_L"]


@pytest.mark.parametrize(("toolkit", "zhe", "euro"), [("tk", "U0436", "U20AC"), ("gtk", "U+0436", "U+20AC")])
async def test_a_key_that_the_layout_lacks_is_lent_for_the_press(desktop, tmp_path, toolkit, zhe, euro):
    keys = await keys_of(desktop, tmp_path, "ctrl+ж", "É", "U20AC", toolkit=toolkit)
    downs = [key.removeprefix("down ") for key in keys if key.startswith("down")]
    assert downs == ["Control_L", zhe, "Shift_L", "Eacute", euro]


async def test_a_chord_is_repeated(desktop, tmp_path):
    async with entry(desktop, "gtk", tmp_path) as application:
        await desktop.perform(TypeText("abcdef"), settle_s=0)
        await desktop.perform(PressKeys("BackSpace", repeat=4), settle_s=0)
        assert await application.received() == "ab"


@pytest.mark.parametrize("repeat", [0, 101, -1])
async def test_a_chord_is_pressed_once_to_a_hundred_times(desktop, repeat):
    with pytest.raises(ActionRefused, match="1 to 100"):
        await desktop.perform(PressKeys("a", repeat=repeat), settle_s=0)


async def test_an_unknown_key_presses_nothing_of_its_chord(desktop, tmp_path):
    async with entry(desktop, "tk", tmp_path) as application:
        for action in (PressKeys("ctrl+Retrun"), HoldKeys("shift+bogus", 1), Click(modifiers="ctrl+bogus")):
            with pytest.raises(ActionRefused, match="no key named"):
                await desktop.perform(action, settle_s=0)
        assert keys_down(desktop) == []
        assert await application.keys() == []


async def test_a_held_chord_is_down_meanwhile_and_up_afterwards(desktop, tmp_path):
    async with entry(desktop, "tk", tmp_path) as application:
        holding = asyncio.create_task(desktop.perform(HoldKeys("ctrl+shift", 0.2), settle_s=0))
        await wait_until(lambda: len(keys_down(desktop)) == 2, "both keys are down")
        assert buttons_and_modifiers(desktop) & 0xFF == 0x05
        await holding
        assert keys_down(desktop) == []
        keys = await application.keys()
        assert [keys[0], keys[1], keys[-2], keys[-1]] == [
            "down Control_L",
            "down Shift_L",
            "up Shift_L",
            "up Control_L",
        ]


async def test_a_cancelled_hold_lets_go_at_once(desktop):
    holding = asyncio.create_task(desktop.perform(HoldKeys("ctrl+a", 300), settle_s=0))
    await wait_until(lambda: len(keys_down(desktop)) == 2, "both keys are down")
    holding.cancel()
    with pytest.raises(asyncio.CancelledError):
        await holding
    assert keys_down(desktop) == []


async def test_a_cancelled_hold_of_a_lent_key_lets_go_and_puts_the_map_back(desktop, tmp_path):
    async with entry(desktop, "tk", tmp_path):
        before = whole_map(desktop)
        holding = asyncio.create_task(desktop.perform(HoldKeys("ctrl+日", 300), settle_s=0))
        await wait_until(lambda: len(keys_down(desktop)) == 2, "both keys are down")
        holding.cancel()
        with pytest.raises(asyncio.CancelledError):
            await holding
        assert keys_down(desktop) == []
        assert whole_map(desktop) == before


async def test_a_modifier_that_somebody_holds_is_not_let_go_of(desktop, tmp_path):
    async with entry(desktop, "tk", tmp_path) as application:
        with other_connection(desktop) as display:
            display.xtest_fake_input(KEY_PRESS, 50)
            display.sync()
            await desktop.perform(PressKeys("shift+Home"), settle_s=0)
            assert keys_down(desktop) == [50]
            display.xtest_fake_input(KEY_RELEASE, 50)
            display.sync()
        assert await application.keys() == ["down Shift_L", "down Home", "up Home", "up Shift_L"]


async def test_a_key_that_is_down_already_is_not_pressed(desktop):
    with other_connection(desktop) as display:
        display.xtest_fake_input(KEY_PRESS, 38)
        display.sync()
        with pytest.raises(ActionRefused, match="down already"):
            await desktop.perform(PressKeys("ctrl+a"), settle_s=0)
        assert keys_down(desktop) == [38]


async def test_a_chord_that_is_down_already_is_not_said_to_be_pressed(desktop):
    with other_connection(desktop) as display:
        display.xtest_fake_input(KEY_PRESS, LEFT_CTRL)
        display.sync()
        with pytest.raises(ActionRefused, match="down already"):
            await desktop.perform(PressKeys("ctrl"), settle_s=0)


async def test_a_modifier_that_was_left_down_changes_no_chord(desktop, tmp_path):
    async with entry(desktop, "tk", tmp_path) as application:
        with other_connection(desktop) as display:
            display.xtest_fake_input(KEY_PRESS, LEFT_CTRL)
            display.sync()
        await desktop.perform(PressKeys("a"), settle_s=0)
        assert await application.received() == "a"
        assert keys_down(desktop) == []


async def test_caps_lock_does_not_change_a_chord_but_its_own_key_changes_caps_lock(desktop, tmp_path):
    async with entry(desktop, "tk", tmp_path) as application:
        await desktop.perform(PressKeys("Caps_Lock"), settle_s=0)
        assert buttons_and_modifiers(desktop) & 0xFF == 0x02
        await desktop.perform(PressKeys("a"), settle_s=0)
        assert buttons_and_modifiers(desktop) & 0xFF == 0x02
        await desktop.perform(PressKeys("capslock"), settle_s=0)
        assert buttons_and_modifiers(desktop) & 0xFF == 0x00
        assert await application.received() == "a"


async def test_modifiers_are_held_during_a_click_and_up_afterwards(desktop, tmp_path):
    async with entry(desktop, "tk", tmp_path) as application:
        await desktop.perform(Click(at=ScreenPoint(2, 2), modifiers="ctrl+shift"), settle_s=0)
        assert keys_down(desktop) == []
        del application
    with pytest.raises(ActionRefused, match="not a modifier"):
        await desktop.perform(Click(at=ScreenPoint(2, 2), modifiers="a"), settle_s=0)

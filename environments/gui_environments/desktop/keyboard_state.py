"""Locks, groups and keys that are down when an action begins: put aside while it types; locks and group are put back
afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from gui_environments.desktop.session import XSession
from gui_environments.desktop.xkb import read_state, set_locks
from gui_environments.errors import ActionRefused

ALL_MODIFIERS = 0xFF
"""Of the state that the X server reports with the pointer's place, locked ones included."""

_MODIFIER_NAMES = ("Shift", "Caps Lock", "Ctrl", "Alt", "Num Lock", "Mod3", "Super", "AltGr")


@contextmanager
def first_group_unlocked(session: XSession) -> Iterator[None]:
    """Nothing locked or latched and the first layout group while inside; as before afterwards."""
    state = read_state(session.display)
    if not (state.locked or state.latched or state.group or state.locked_group):
        yield
        return
    set_locks(session.display, 0, 0)
    try:
        yield
    finally:
        set_locks(session.display, state.locked, state.locked_group)
        session.input.finish()


def let_go_of_keys(session: XSession) -> None:
    """Release every key that is down: left so by a program that ended early, or held by a person, whose next press
    works again. They are not pressed again: a key that nobody releases afterwards would be stuck.

    Raises `ActionRefused` when a modifier stays down.
    """
    for keycode in keys_down(session):
        session.input.release_key(keycode)
    held = read_state(session.display).held
    if held:
        raise _held_by_something_else(held)


def let_go_of_other_modifiers(session: XSession, keycodes: Iterable[int]) -> None:
    """The same for modifiers that are not among `keycodes`: a click with a stray Ctrl is another click. Keys that are
    no modifiers stay as they are."""
    if not session.root.query_pointer().mask & ALL_MODIFIERS:
        return
    named = set(keycodes)
    bits = {
        keycode: bit
        for bit, keys in enumerate(session.display.get_modifier_mapping())
        for keycode in keys
        if keycode and keycode not in named
    }
    for keycode in keys_down(session):
        if keycode in bits:
            session.input.release_key(keycode)
    held = sum({1 << bits[keycode] for keycode in keys_down(session) if keycode in bits})
    if held:
        raise _held_by_something_else(held)


def _held_by_something_else(held: int) -> ActionRefused:
    names = " and ".join(name for bit, name in enumerate(_MODIFIER_NAMES) if held >> bit & 1)
    return ActionRefused(
        f"{names} is being held down on this display by something else, which would turn keys and clicks into others. "
        "Nothing was typed or pressed. Try again when it is up."
    )


def keys_down(session: XSession) -> list[int]:
    """Keycodes that are down, whoever pressed them."""
    pressed = session.display.query_keymap()
    return [8 * index + bit for index, byte in enumerate(pressed) for bit in range(8) if byte >> bit & 1]

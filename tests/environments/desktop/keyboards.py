"""A look at the keyboard of a display, and at what is down, from a connection that is not the product's."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from gui_environments.desktop import Desktop
from gui_environments.desktop.connection import connect


@contextmanager
def other_connection(desktop: Desktop) -> Iterator[Any]:
    display = connect(desktop.display, desktop.xauthority)
    try:
        yield display
    finally:
        display.close()


def run_on(desktop: Desktop, *command: str) -> str:
    """What an X program prints."""
    return subprocess.run(command, env=dict(desktop.environment), check=True, capture_output=True, text=True).stdout


def set_layout(desktop: Desktop, layout: str, *options: str) -> None:
    run_on(desktop, "setxkbmap", "-layout", layout, *options)


def whole_map(desktop: Desktop) -> str:
    """Everything XKB knows of the keyboard, key types, groups and modifier map included."""
    return run_on(desktop, "xkbcomp", "-xkb", desktop.display, "-")


def keys_down(desktop: Desktop) -> list[int]:
    with other_connection(desktop) as display:
        pressed = display.query_keymap()
    return [8 * index + bit for index, byte in enumerate(pressed) for bit in range(8) if byte >> bit & 1]


def buttons_and_modifiers(desktop: Desktop) -> int:
    """The state mask of the next event: held, latched and locked modifiers, buttons, and the group."""
    with other_connection(desktop) as display:
        return int(display.screen().root.query_pointer().mask)

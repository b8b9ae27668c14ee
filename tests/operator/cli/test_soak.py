"""Long and broken runs of mixed actions: whatever was done, and whenever it was stopped, nothing stays."""

from __future__ import annotations

import random
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.environments.desktop.probing import bare_server

from gui_environments.desktop.connection import close_display, connect

from .sessions import bash, computer, text_of
from .test_exec_ends import assert_nothing_is_left

TURNS = 200
CHECK_EVERY = 25
WIDTH, HEIGHT = 1280, 800
TEXTS = (
    "plain words, (brackets) & 100% {braces}~",
    "Čeština, Ř, ß, é, ñ",
    "汉字 かな 한글",
    "شكرا תודה",
    "😀 and 🚀",
    "two\nlines\t!",
)
BUTTONS = 0x1F00
"""The buttons in the state that comes with the pointer's place."""


def random_turn(rng: random.Random, number: int) -> list[dict[str, Any]]:
    """One to four calls, each of which is carried out."""

    def anywhere() -> list[int]:
        return [rng.randrange(WIDTH), rng.randrange(HEIGHT)]

    def modifiers() -> dict[str, str]:
        return rng.choice([{}, {}, {"text": "shift"}, {"text": "ctrl+shift"}])

    kinds: list[Callable[[], list[dict[str, Any]]]] = [
        lambda: [computer("left_click", coordinate=anywhere(), **modifiers())],
        lambda: [computer("double_click", coordinate=anywhere())],
        lambda: [computer("triple_click", coordinate=anywhere())],
        lambda: [computer("middle_click", coordinate=anywhere())],
        lambda: [computer("mouse_move", coordinate=anywhere())],
        lambda: [computer("left_click_drag", start_coordinate=anywhere(), coordinate=anywhere(), **modifiers())],
        lambda: [
            computer("left_mouse_down"),
            computer("mouse_move", coordinate=anywhere()),
            computer("left_mouse_up"),
        ],
        lambda: [
            computer(
                "scroll",
                coordinate=anywhere(),
                scroll_direction=rng.choice(["up", "down", "left", "right"]),
                scroll_amount=rng.randrange(1, 9),
            )
        ],
        # The terminal is clicked first, so that something takes the text.
        lambda: [computer("left_click", coordinate=[60, 60]), computer("type", text=rng.choice(TEXTS))],
        lambda: [
            computer("left_click", coordinate=[60, 60]),
            computer("key", text=rng.choice(["ctrl+a", "Left", "x"])),
        ],
        lambda: [computer("screenshot")],
        lambda: [computer("zoom", region=[100, 100, 100 + rng.randrange(20, 900), 100 + rng.randrange(20, 600)])],
        lambda: [computer("cursor_position")],
        lambda: [bash(f"echo {number}; sleep 1000 & true")],
    ]
    return rng.choice(kinds)()


def what_is_down(display: str, xauthority: Path | None) -> tuple[int, int]:
    """The number of keys, and the mask of buttons, as another client sees them."""
    connection = connect(display, xauthority)
    try:
        keys = sum(bits.bit_count() for bits in connection.query_keymap())
        return keys, int(connection.screen().root.query_pointer().mask) & BUTTONS
    finally:
        close_display(connection)


@pytest.mark.timeout(400)
@pytest.mark.long
def test_two_hundred_turns_of_mixed_actions_leave_nothing_behind(start_exec, tmp_path):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    session = start_exec("--app", "xterm", "--settle", "0.2", variables={"TMPDIR": str(temporary)})
    desktop = session.read()["environment"]["desktop"]
    rng = random.Random(4711)
    for number in range(1, TURNS + 1):
        turn = random_turn(rng, number)
        results = session.ask(*turn)["results"]
        failed = [(call, text_of(result)) for call, result in zip(turn, results, strict=True) if result.get("is_error")]
        assert not failed, f"turn {number}"
        if number % CHECK_EVERY == 0:
            assert what_is_down(desktop["display"], Path(desktop["xauthority"])) == (0, 0)
    assert session.end() == 0
    assert_nothing_is_left(desktop)
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 8))])
def test_ctrl_c_at_a_random_moment_leaves_nothing_behind(start_exec, tmp_path, seed):
    # The display is not the worker's, so that what it left down could be seen on it.
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    rng = random.Random(seed)
    with bare_server() as (display, _):
        session = start_exec("--display", display, "--app", "xterm", variables={"TMPDIR": str(temporary)})
        session.read()
        for number in range(rng.randrange(3)):
            session.ask(*random_turn(rng, number))
        for _ in range(20):
            session.send(
                computer("mouse_move", coordinate=[100, 100]),
                computer("left_mouse_down"),
                computer("left_mouse_up"),
                computer("left_click_drag", start_coordinate=[10, 10], coordinate=[300, 300], text="ctrl"),
                computer("left_click", coordinate=[200, 100], text="shift+alt"),
                computer("type", text="Čeština 😀 " * 20),
                computer("key", text="ctrl+shift+a", repeat=20),
                computer("hold_key", text="shift+x", duration=1),
                bash("sleep 1000 & sleep 0.2"),
            )
        # The moment is drawn, not waited for: whatever is under way then is what is cut off.
        time.sleep(rng.uniform(0, 2))
        assert session.interrupt(signal.SIGINT) == 130
        assert what_is_down(display, None) == (0, 0)
        assert [pid for pid in Path("/proc").glob("[0-9]*") if of_display(pid, display)] == []
    assert list(temporary.iterdir()) == []


def of_display(process: Path, display: str) -> bool:
    try:
        return f"DISPLAY={display}".encode() in (process / "environ").read_bytes().split(b"\0")
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        return False

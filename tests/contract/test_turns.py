"""`run_turn` gives what the SDK's runner gives: the same calls, in equal worlds, by both, and the results compared as
they go over the wire."""

from __future__ import annotations

import base64
import io
import itertools
import json
import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from anthropic.types.beta import BetaToolUseBlock
from PIL import Image

from contract.runners import WAYS, Way, run_to_the_end
from contract.worlds import World, open_world
from gui_operator.turn import run_turn
from standin.blocks import Json, text_of
from standin.results import HALT_TEXTS
from standin.script import calls, function, member, says, text
from standin.server import StandIn

pytestmark = pytest.mark.asyncio(loop_scope="module")

EDITOR = "str_replace_based_edit_tool"


_places = itertools.cycle(range(10, 1000, 30))


def click(x: int | None = None, y: int = 20) -> Json:
    """Each at a place of its own: clicks at one place are kept apart in time, so as not to make a double-click."""
    return member("computer", "left_click", coordinate=[next(_places) if x is None else x, y])


def bash(command: str) -> Json:
    return function("bash", command=command)


def edit(command: str, **fields: Any) -> Json:
    return function(EDITOR, command=command, **fields)


OUTSIDE = (9999, 9999)
# What becomes of each call: `.` carried out, `x` failed or refused, `-` not executed after an earlier one failed.
TURNS: dict[str, tuple[str, list[Json]]] = {
    "actions that succeed": (
        "......",
        [
            member("computer", "mouse_move", coordinate=[300, 200]),
            member("computer", "cursor_position"),
            click(),
            member("computer", "scroll", scroll_direction="down", scroll_amount=2, coordinate=[1, 1]),
            member("computer", "left_click_drag", start_coordinate=[1, 2], coordinate=[30, 40]),
            member("computer", "wait", duration=0),
        ],
    ),
    "keys": (
        "...",
        [
            member("computer", "type", text="Grüße"),
            member("computer", "key", text="ctrl+a", repeat=2),
            member("computer", "hold_key", text="shift", duration=0),
        ],
    ),
    "pictures": ("..", [member("computer", "screenshot"), member("computer", "zoom", region=[10, 20, 210, 120])]),
    "a failure in the middle": (".x--", [click(), click(*OUTSIDE), click(), member("computer", "screenshot")]),
    "a failure, and other tools go on": (
        "x.-.",
        [click(*OUTSIDE), bash("echo on"), click(), function("screenshot", of="me")],
    ),
    "several failures": (
        "xx-x-",
        [click(*OUTSIDE), bash("sleep 60"), click(*OUTSIDE), edit("view", path="none"), click()],
    ),
    "an unknown member": ("x-", [member("computer", "fly", to="the moon"), click()]),
    "an unknown member with a bad name": (
        "x--",
        [member("computer", "__init__"), member("computer", "a'b\nc"), click()],
    ),
    "an unknown toolset": (
        "xx.",
        [member("browser", "left_click", x=1), member("browser", "navigate", url="x"), click()],
    ),
    "a disabled member": (".x-", [click(), member("computer", "middle_click", coordinate=[1, 1]), click()]),
    "a denied member": ("x-", [member("computer", "right_click", coordinate=[1, 1]), click()]),
    "a denied tool": ("x.", [function("launch"), click()]),
    "input of the wrong shape": ("x-", [member("computer", "left_click", coordinate=[1, 2, 3]), click()]),
    "input of the wrong type": ("x.", [member("computer", "key", text=7), bash("echo on")]),
    "input that lacks a field": ("x-", [member("computer", "mouse_move"), click()]),
    "input with a field too many": ("x", [member("computer", "mouse_move", coordinate=[1, 1], speed="fast")]),
    "a value out of range": (
        "x-",
        [member("computer", "wait", duration=301), member("computer", "key", text="a", repeat=101)],
    ),
    "a negative coordinate": ("x", [click(-1, 0)]),
    "an empty region": ("x", [member("computer", "zoom", region=[10, 10, 10, 20])]),
    "an unknown key": ("x-", [member("computer", "key", text="ctrl+nosuchkey"), click()]),
    "mixed families": (
        ".....",
        [click(), bash("pwd"), member("computer", "screenshot"), bash("cd / && pwd"), bash("cd -")],
    ),
    "a malformed call of a toolset": ("x-", [function("computer", actions=[{"action": "left_click"}]), click()]),
    "a malformed call after a good one": (
        ".x-.",
        [click(), function("computer", action="left_click"), click(), bash("echo on")],
    ),
    "bash that exits with a status": (".", [bash("echo out; echo err >&2; exit_code() { return 3; }; exit_code")]),
    "bash that prints nothing": (".", [bash("true")]),
    "bash that ends its shell": ("..", [bash("exit 3"), bash("echo new")]),
    "bash that takes too long": ("x.", [bash("echo begun; sleep 60"), bash("echo on")]),
    "bash with bad input": (
        "xxx",
        [function("bash"), function("bash", command=""), function("bash", command="ls", cwd="/")],
    ),
    "a restart of bash": ("...", [bash("x=1"), function("bash", restart=True), bash("echo [$x]")]),
    "edits that succeed": (
        ".....",
        [
            edit("create", path="a.txt", file_text="one\ntwo\n"),
            edit("str_replace", path="a.txt", old_str="two", new_str="2"),
            edit("insert", path="a.txt", insert_line=0, insert_text="zero\n"),
            edit("view", path="a.txt"),
            edit("view", path="a.txt", view_range=[2, -1]),
        ],
    ),
    "edits that fail": (
        ".xxxxxx",
        [
            edit("create", path="b.txt", file_text="x x"),
            edit("str_replace", path="b.txt", old_str="x", new_str="y"),
            edit("str_replace", path="b.txt", old_str="z", new_str="y"),
            edit("insert", path="b.txt", insert_line=9, insert_text="y"),
            edit("view", path="../outside"),
            edit("fold", path="b.txt"),
            edit("view"),
        ],
    ),
    "a custom tool named like a member": (
        "..",
        [function("screenshot", of="me"), member("computer", "cursor_position")],
    ),
    "a custom tool with bad input": ("xx", [function("screenshot"), function("screenshot", of="me", at="noon")]),
    "a custom tool that breaks": ("x..", [function("divide", by=0), function("divide", by=3), click()]),
    "an unknown tool": ("x.", [function("teleport", to="the moon"), click()]),
    "a member's name without its toolset": ("x.", [function("left_click", coordinate=[1, 1]), click()]),
    "the same call again": ("....", [click(), click(), bash("echo again"), bash("echo again")]),
    "words before and between": ("..", [text("First a click."), click(), text("Then a command."), bash("echo on")]),
    "one call": (".", [bash("echo one")]),
}
RULES = ("right_click=deny", "launch=deny")
CONFIGS = {"middle_click": {"enabled": False}}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def worlds(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[tuple[World, World]]:
    """Two worlds that see the same calls in the same order, so that they stay equal."""
    folder = tmp_path_factory.mktemp("worlds")
    for name in ("turn", "runner"):
        (folder / name).mkdir()
    async with open_world(folder / "turn") as turn, open_world(folder / "runner") as runner:
        yield turn, runner


def on_the_wire(results: Any, world: World) -> list[Json]:
    """Results as JSON carries them. Pictures are told by their size, and the world's own paths and process ids, which
    differ from one to the next, by what they are."""
    written = json.dumps(results).replace(str(world.folder), "WORK").replace(str(world.folder.parent), "WORLD")
    found: list[Json] = json.loads(re.sub(r"line 1: +\d+ Killed", "line 1: N Killed", written))
    for result in found:
        for block in result["content"] if isinstance(result["content"], list) else []:
            if block["type"] == "image":
                with Image.open(io.BytesIO(base64.b64decode(block["source"].pop("data")))) as image:
                    block["source"]["size"] = image.size
    return found


def outcome(result: Json) -> str:
    if not result.get("is_error"):
        return "."
    return "-" if text_of(result) == HALT_TEXTS.get(result.get("toolset_name", "")) else "x"


@pytest.mark.filterwarnings("ignore:Tool '.*' not found in tool runner:UserWarning")
@pytest.mark.filterwarnings("ignore:Toolset '.*:UserWarning")
@pytest.mark.parametrize(("outcomes", "turn"), TURNS.values(), ids=TURNS)
async def test_a_turn_gives_what_the_runner_gives(
    worlds: tuple[World, World], stand_in: StandIn, outcomes: str, turn: list[Json]
) -> None:
    by_turn, by_runner = worlds
    asked = [BetaToolUseBlock.model_validate(block) for block in turn if block["type"] == "tool_use"]
    options: dict[str, Any] = {"rules": RULES, "configs": CONFIGS}
    results = await run_turn(asked, by_turn.toolbox(**options))
    stand_in.play(calls(*turn), says("Done."))
    await run_to_the_end(stand_in, by_runner.tools(**options), Way(threads=True))
    sent = stand_in.requests[-1].results
    assert on_the_wire(results, by_turn) == on_the_wire(sent, by_runner)
    assert "".join(map(outcome, sent)) == outcomes


@pytest.mark.filterwarnings("ignore:Tool '.*' not found in tool runner:UserWarning")
@pytest.mark.parametrize("way", WAYS, ids=str)
async def test_however_the_runner_goes_about_it(worlds: tuple[World, World], stand_in: StandIn, way: Way) -> None:
    by_turn, by_runner = worlds
    turn = [click(), bash("echo 1"), click(*OUTSIDE), function("teleport"), click(), function("screenshot", of="me")]
    asked = [BetaToolUseBlock.model_validate(block) for block in turn]
    results = await run_turn(asked, by_turn.toolbox())
    stand_in.play(calls(*turn), says("Done."))
    await run_to_the_end(stand_in, by_runner.tools(), way)
    assert on_the_wire(results, by_turn) == on_the_wire(stand_in.requests[-1].results, by_runner)


async def test_both_leave_the_same_behind(worlds: tuple[World, World], stand_in: StandIn) -> None:
    """What the application saw and what the files hold, not only what was said about it."""
    by_turn, by_runner = worlds
    turn = [click(5, 6), click(*OUTSIDE), click(7, 8), edit("create", path="left.txt", file_text="behind\n")]
    asked = [BetaToolUseBlock.model_validate(block) for block in turn]
    for world in worlds:
        world.log.forget()
    await run_turn(asked, by_turn.toolbox())
    stand_in.play(calls(*turn), says("Done."))
    await run_to_the_end(stand_in, by_runner.tools(), Way(threads=True))
    for world in worlds:
        [released] = await world.log.wait_for_count("release", 1)
        assert (released["x"], released["y"]) == (5, 6)
        assert len(world.log.read("press")) == 1
        assert (world.folder / "left.txt").read_text(encoding="utf-8") == "behind\n"

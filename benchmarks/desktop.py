"""The desktop: pictures, clicks, typing, a turn, start and end, on a display of 1920x1080 with ordinary windows."""

from __future__ import annotations

import itertools
import shlex
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import mss
from anthropic.types.beta import BetaToolUseBlock

from benchmarks.measuring import Row, median_ms
from benchmarks.memory import descendants_pss_mib
from benchmarks.plain import PlainPipeline
from gui_environments.actions import Click, MovePointer, TypeText
from gui_environments.desktop import Desktop
from gui_environments.desktop.connection import close_display, connect, xauthority_in_environ
from gui_environments.geometry import ScreenPoint, Size
from gui_operator.toolsets import ComputerToolset
from gui_operator.turn import Toolbox, run_turn

SCREEN = (1920, 1080)
SCREENSHOT = Size(1280, 720)

LONG_TEXT = ("The 7 quick brown foxes (red & grey) jump over 13 lazy dogs; is it 100% true? " * 3)[:199] + "."
SHORT_TEXT = "Order 4711, 3 pieces."

ARRIVAL_S = 20.0

TEXT_FILE = shlex.quote(str(Path(__file__).resolve()))
"""For the terminals to show."""

Told = socket.socket
"""Where the typing target says what has arrived."""


@dataclass(frozen=True)
class Scene:
    """A desktop with ordinary windows, and the field that is typed into."""

    desktop: Desktop
    plain: PlainPipeline
    told: Told
    field: ScreenPoint
    beside: ScreenPoint
    """Another point of the same field, too far away for a double-click."""

    def text_arrived(self) -> str:
        return self.told.recv(65536).decode()


async def measure_desktop(runs: int) -> Sequence[Row]:
    rows = await measure_life(max(3, runs // 5))
    async with open_scene() as scene:
        for measure in (measure_pictures, measure_clicks, measure_typing, measure_turn, measure_settling):
            rows += await measure(scene, runs)
    return rows


@asynccontextmanager
async def open_scene() -> AsyncIterator[Scene]:
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
        told.bind(f"{folder}/told")
        told.settimeout(ARRIVAL_S)
        async with Desktop.open(SCREEN) as desktop:
            for place, face in (("100x55+0+0", []), ("100x40+620+200", ["-fa", "DejaVu Sans Mono", "-fs", "10"])):
                await desktop.start_application(
                    ["xterm", "-geometry", place, *face, "-e", f"head -150 {TEXT_FILE}; exec sleep 3600"]
                )
            await desktop.start_application(
                [sys.executable, "-m", "gui_environments.samples.orders", "--file", f"{folder}/orders.json"]
            )
            target = Path(__file__).with_name("typing_target.py")
            await desktop.start_application(["/usr/bin/python3", str(target), f"{folder}/told"])
            left, top, width, height = map(int, told.recv(64).split())
            field = ScreenPoint(left + width // 4, top + height // 2)
            beside = ScreenPoint(left + width // 2, top + height // 2)
            display = connect(desktop.display, desktop.xauthority)
            with xauthority_in_environ(desktop.xauthority):
                grabber = mss.MSS(display=desktop.display)
            await desktop.perform(Click(at=field))
            yield Scene(desktop, PlainPipeline(display, grabber), told, field, beside)
            grabber.close()
            close_display(display)


async def measure_life(runs: int) -> list[Row]:
    starts, closes, memory = [], [], []
    for _ in range(runs):
        start = time.perf_counter()
        async with Desktop.open(SCREEN) as desktop:
            await desktop.capture(fit=SCREENSHOT)
            starts.append((time.perf_counter() - start) * 1000)
            memory.append(descendants_pss_mib())
            start = time.perf_counter()
        closes.append((time.perf_counter() - start) * 1000)
    return [
        Row("start to first screenshot", statistics.median(starts)),
        Row("time to close", statistics.median(closes)),
        Row("memory of one desktop (PSS)", statistics.median(memory), "MiB"),
    ]


async def measure_pictures(scene: Scene, runs: int) -> list[Row]:
    places = itertools.cycle([ScreenPoint(100, 900), ScreenPoint(130, 930)])

    async def move_pointer() -> None:
        await scene.desktop.perform(MovePointer(next(places)), settle_s=0)

    async def take() -> None:
        await scene.desktop.capture(fit=SCREENSHOT)

    size = (SCREENSHOT.width_px, SCREENSHOT.height_px)
    floor = await median_ms(lambda: scene.plain.screenshot(size), runs)
    product = await median_ms(take, runs, before_each=move_pointer)
    floor_same = await median_ms(scene.plain.is_unchanged, runs)
    product_same = await median_ms(take, runs)
    return [
        Row(f"screenshot, {SCREENSHOT} PNG", product, floor=floor, limit=0.6 * floor, goal="0.6 x floor"),
        Row("screenshot of an unchanged screen", product_same, floor=floor_same, limit=8, goal="8 ms"),
    ]


async def measure_clicks(scene: Scene, runs: int) -> list[Row]:
    points = itertools.cycle([scene.field, scene.beside])

    def plain_click() -> None:
        point = next(points)
        scene.plain.click(point.x, point.y)

    async def click() -> None:
        await scene.desktop.perform(Click(at=next(points)), settle_s=0)

    async def click_again() -> None:
        await scene.desktop.perform(Click(at=scene.field))

    floor = await median_ms(plain_click, runs)
    product = await median_ms(click, runs)
    again = await median_ms(click_again, min(runs, 8))
    return [
        Row("left_click, settling apart", product, floor=floor, limit=5, goal="5 ms"),
        Row("left_click where the last one was: kept apart from it, so that it is no double-click", again),
    ]


async def measure_typing(scene: Scene, runs: int) -> list[Row]:
    def plain_type() -> None:
        scene.plain.type_ascii(LONG_TEXT)
        arrived(scene, LONG_TEXT)

    async def type_text() -> None:
        await scene.desktop.perform(TypeText(LONG_TEXT), settle_s=0)
        arrived(scene, LONG_TEXT)

    floor = await median_ms(plain_type, runs)
    product = await median_ms(type_text, runs)
    work = f"type {len(LONG_TEXT)} characters, arrived in the application"
    return [Row(work, product, floor=floor, limit=3 * floor, goal="3 x floor")]


async def measure_turn(scene: Scene, runs: int) -> list[Row]:
    toolset = ComputerToolset(scene.desktop, confirm=_allow)
    toolbox = Toolbox.of(toolset)
    size = toolset.screenshot_size
    # The pointer goes away after each turn, so that the next click is a single one.
    x, y = scene.field.x * size.width_px // SCREEN[0], scene.field.y * size.height_px // SCREEN[1]
    inputs: list[tuple[str, dict[str, object]]] = [
        ("left_click", {"coordinate": [x, y]}),
        ("type", {"text": SHORT_TEXT}),
        ("key", {"text": "Home"}),
        ("screenshot", {}),
    ]
    calls = [
        BetaToolUseBlock(id=f"t{i}", type="tool_use", name=name, input=input_, toolset_name="computer")
        for i, (name, input_) in enumerate(inputs)
    ]

    async def turn() -> None:
        results = await run_turn(calls, toolbox)
        assert not any(result.get("is_error") for result in results), results
        arrived(scene, SHORT_TEXT)

    def plain_turn() -> None:
        scene.plain.click(scene.field.x, scene.field.y)
        scene.plain.type_ascii(SHORT_TEXT)
        arrived(scene, SHORT_TEXT)
        scene.plain.press_home()
        scene.plain.screenshot((size.width_px, size.height_px))

    async def click_elsewhere() -> None:
        await scene.desktop.perform(Click(at=scene.beside))

    floor = await median_ms(plain_turn, runs, before_each=click_elsewhere)
    product = await median_ms(turn, runs, before_each=click_elsewhere)
    work = f"click, type, key, screenshot of {size} in one turn, settling included"
    return [Row(work, product, floor=floor, limit=4 * floor, goal="4 x floor")]


async def measure_settling(scene: Scene, runs: int) -> list[Row]:
    """What waiting until the screen is quiet adds, by what was done."""
    field = itertools.cycle([scene.field, scene.beside])
    nowhere = itertools.cycle([ScreenPoint(100, 1000), ScreenPoint(140, 1000)])

    async def click_field(settle_s: float) -> None:
        await scene.desktop.perform(Click(at=next(field)), settle_s=settle_s)

    async def click_nowhere(settle_s: float) -> None:
        await scene.desktop.perform(Click(at=next(nowhere)), settle_s=settle_s)

    async def type_text(settle_s: float) -> None:
        await scene.desktop.perform(TypeText(SHORT_TEXT), settle_s=settle_s)
        arrived(scene, SHORT_TEXT)

    works = [
        ("a click that changes the screen", click_field),
        ("a click that changes nothing", click_nowhere),
        (f"typing {len(SHORT_TEXT)} characters", type_text),
    ]
    rows = []
    for work, perform in works:
        await scene.desktop.perform(Click(at=scene.field))
        settled = await median_ms(partial(perform, 1.0), runs)
        unsettled = await median_ms(partial(perform, 0.0), runs)
        rows.append(Row(f"settling after {work}", settled - unsettled))
    return rows


def arrived(scene: Scene, text: str) -> None:
    told = scene.text_arrived()
    assert told == text, f"{told!r} arrived instead of {text!r}"


async def _allow(*_: object) -> bool:
    return True

"""The computer toolset on a real display, whose one window logs what arrives. The screen is larger than the screenshot,
so that a coordinate in the wrong space is seen."""

from __future__ import annotations

import asyncio
import base64
import io
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from anthropic.tools import BetaComputerConfirmContext, ToolsetConfigError
from anthropic.types.beta import BetaToolUseBlock
from PIL import Image

from contract.events import CONTROL, SHIFT, EventLog
from gui_environments.actions import Click
from gui_environments.desktop import Desktop
from gui_environments.geometry import ScreenPoint, ScreenRegion, Size
from gui_operator.recording import Recording
from gui_operator.recording.reading import read_events
from gui_operator.toolsets import ComputerToolset, screenshots
from gui_operator.toolsets.scaling import STANDARD

pytestmark = pytest.mark.asyncio(loop_scope="module")

MakeCall = Callable[..., BetaToolUseBlock]
SCREEN = (1920, 1080)
SCREENSHOT = Size(1456, 819)


@dataclass(frozen=True)
class Computer:
    """A toolset, and what the window on its desktop saw."""

    toolset: ComputerToolset
    desktop: Desktop
    log: EventLog
    make_call: MakeCall

    async def run(self, name: str, **fields: Any) -> str:
        """The text of a call that must succeed; `image` stands for a picture."""
        result = await self.toolset.tool_result(self.make_call(f"computer.{name}", **fields))
        assert not result.get("is_error"), result
        content: Any = result["content"]
        return " ".join(block.get("text", block["type"]) for block in content)

    async def refuse(self, name: str, **fields: Any) -> str:
        """The text of a call that must be an error."""
        result = await self.toolset.tool_result(self.make_call(f"computer.{name}", **fields))
        assert result.get("is_error"), result
        content: Any = result["content"]
        return " ".join(block["text"] for block in content)

    async def picture(self, name: str, **fields: Any) -> Image.Image:
        result = await self.toolset.tool_result(self.make_call(f"computer.{name}", **fields))
        (block,) = result["content"]  # type: ignore[misc]
        return Image.open(io.BytesIO(base64.b64decode(block["source"]["data"])))  # type: ignore[index, typeddict-item]

    async def pressed(self, count: int) -> list[tuple[int, int, int]]:
        """Button and place of the next `count` presses."""
        events = await self.log.wait_for_count("press", count)
        return [(event["button"], event["x"], event["y"]) for event in events]


def yes(_: BetaComputerConfirmContext) -> bool:
    return True


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def watched_desktop(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[tuple[Desktop, EventLog]]:
    log = EventLog(tmp_path_factory.mktemp("window") / "events.jsonl")
    async with Desktop.open(SCREEN, apps=[log.command]) as desktop:
        await log.wait_until_ready()
        yield desktop, log


@pytest_asyncio.fixture(loop_scope="module")
async def computer(watched_desktop: tuple[Desktop, EventLog], call: MakeCall) -> Computer:
    """One desktop serves the module; each test begins when the window has seen all that went before."""
    desktop, log = watched_desktop
    log.forget()
    await desktop.perform(Click("middle", at=ScreenPoint(960, 540)))
    await log.wait_for_count("release", 1)
    log.forget()
    return Computer(ComputerToolset(desktop, confirm=yes, tier=STANDARD), desktop, log, call)


async def test_the_keyboard_needs_a_confirm_as_the_sdk_has_it(computer: Computer) -> None:
    desktop = computer.desktop
    with pytest.raises(ToolsetConfigError, match="confirm"):
        ComputerToolset(desktop)
    off = {"type": {"enabled": False}, "key": {"enabled": False}, "hold_key": {"enabled": False}}
    assert ComputerToolset(desktop, configs=off).to_dict()["configs"] == off  # type: ignore[arg-type]


async def test_a_member_that_is_off_is_refused(computer: Computer, call: MakeCall) -> None:
    toolset = ComputerToolset(computer.desktop, confirm=yes, configs={"wait": {"enabled": False}})
    result = await toolset.tool_result(call("computer.wait", duration=0))
    assert result.get("is_error")
    assert "not permitted" in str(result["content"])


async def test_a_screenshot_has_the_size_of_the_models_tier(computer: Computer) -> None:
    assert computer.toolset.screenshot_size == SCREENSHOT
    assert (await computer.picture("screenshot")).size == (1456, 819)
    high = ComputerToolset(computer.desktop, confirm=yes, model="claude-opus-5-5")
    assert high.screenshot_size == Size(*SCREEN)


@pytest.mark.parametrize(
    ("name", "button", "count", "text"),
    [
        ("left_click", 1, 1, "Clicked."),
        ("right_click", 3, 1, "Right-clicked."),
        ("middle_click", 2, 1, "Middle-clicked."),
        ("double_click", 1, 2, "Double-clicked."),
        ("triple_click", 1, 3, "Triple-clicked."),
    ],
)
async def test_a_click_lands_where_the_screenshot_shows_it(
    computer: Computer, name: str, button: int, count: int, text: str
) -> None:
    assert await computer.run(name, coordinate=[728, 410]) == text
    # (2 * 728 + 1) / 2 * 1920 / 1456 and the same for y.
    assert await computer.pressed(count) == [(button, 960, 541)] * count


async def test_the_corners_can_be_clicked_and_what_is_beside_them_cannot(computer: Computer) -> None:
    await computer.run("left_click", coordinate=[0, 0])
    await computer.run("left_click", coordinate=[1455, 818])
    assert await computer.pressed(2) == [(1, 0, 0), (1, 1919, 1079)]
    for outside in ([1456, 5], [5, 819], [-1, 5], [1500, 900]):
        text = await computer.refuse("left_click", coordinate=outside)
        assert "x goes from 0 to 1455, y from 0 to 818" in text
    assert len(computer.log.read("press")) == 2


async def test_without_a_coordinate_the_click_is_at_the_pointer_with_modifiers_held(computer: Computer) -> None:
    assert await computer.run("mouse_move", coordinate=[100, 200]) == "Moved the mouse."
    await computer.run("left_click", text="ctrl+shift")
    (press,) = await computer.log.wait_for_count("press", 1)
    assert (press["x"], press["y"]) == (132, 264)
    assert press["state"] & (CONTROL | SHIFT) == CONTROL | SHIFT


async def test_the_cursors_position_is_told_in_the_screenshots_pixels(computer: Computer) -> None:
    for x, y in [(0, 0), (1455, 818), (321, 123)]:
        await computer.run("mouse_move", coordinate=[x, y])
        assert await computer.run("cursor_position") == f"X={x},Y={y}"


async def test_a_drag_goes_from_start_to_end(computer: Computer) -> None:
    assert await computer.run("left_click_drag", start_coordinate=[10, 10], coordinate=[728, 410]) == "Dragged."
    assert await computer.pressed(1) == [(1, 13, 13)]
    (release,) = await computer.log.wait_for_count("release", 1)
    assert (release["x"], release["y"]) == (960, 541)
    assert "outside" in await computer.refuse("left_click_drag", start_coordinate=[10, 10], coordinate=[1456, 0])
    assert len(computer.log.read("press")) == 1


async def test_the_button_can_be_pressed_and_released_apart(computer: Computer) -> None:
    await computer.run("mouse_move", coordinate=[728, 410])
    assert await computer.run("left_mouse_down") == "Left mouse button pressed."
    await computer.pressed(1)
    assert computer.log.read("release") == []
    assert await computer.run("left_mouse_up") == "Left mouse button released."
    await computer.log.wait_for_count("release", 1)


async def test_the_wheel_turns_as_often_as_asked(computer: Computer) -> None:
    text = await computer.run("scroll", coordinate=[728, 410], scroll_direction="down", scroll_amount=3)
    assert text == "Scrolled down."
    assert await computer.pressed(3) == [(5, 960, 541)] * 3


async def test_a_wheel_that_is_not_turned_is_not_said_to_be(computer: Computer) -> None:
    text = await computer.run("scroll", coordinate=[30, 40], scroll_direction="down", scroll_amount=0)
    assert "was not turned" in text
    assert await computer.run("cursor_position") == "X=30,Y=40"


async def test_text_and_keys_arrive(computer: Computer) -> None:
    assert await computer.run("type", text="aB{%+") == "Typed."
    assert await computer.run("key", text="ctrl+s") == "Pressed ctrl+s."
    assert await computer.run("key", text="Return", repeat=3) == "Pressed Return."
    events = await computer.log.wait_for(
        lambda events: [event.get("key") for event in events if event["event"] == "key down"].count("Return") == 3,
        "three times Return",
    )
    keys = [event["key"] for event in events if event["event"] == "key down"]
    assert [key for key in keys if not key.startswith(("Shift", "Control"))] == [
        "a", "B", "braceleft", "percent", "plus", "s", "Return", "Return", "Return",
    ]  # fmt: skip


async def test_a_hold_that_is_cancelled_leaves_no_key_down(computer: Computer) -> None:
    holding = asyncio.ensure_future(computer.run("hold_key", text="x", duration=300))
    try:
        await computer.log.wait_for_count("key down", 1)
    finally:
        holding.cancel()
        with pytest.raises(asyncio.CancelledError):
            await holding
    # A held key repeats; what is seen last is that it went up.
    await computer.log.wait_for(lambda events: bool(events) and events[-1]["event"] == "key up", "the key going up")
    assert await computer.run("hold_key", text="y", duration=0) == "Held y for 0s."


async def test_a_wait_of_nothing_returns(computer: Computer) -> None:
    assert await computer.run("wait", duration=0) == "Waited 0s."


async def test_a_zoom_shows_the_region_at_the_displays_own_resolution(computer: Computer) -> None:
    whole = await computer.picture("zoom", region=[0, 0, 1456, 819])
    assert whole.size == (1456, 819)
    # A sixteenth of the screen, enlarged to the usual size.
    sixteenth = await computer.picture("zoom", region=[0, 0, 364, 204])
    captured = await computer.desktop.capture(ScreenRegion(0, 0, 480, 270), fit=Size(1456, 819))
    assert sixteenth.size == (1456, 819)
    assert sixteenth.tobytes() == Image.open(io.BytesIO(captured.data)).tobytes()
    assert (await computer.picture("zoom", region=[5, 5, 6, 6])).size == (819, 819)
    tall = await computer.picture("zoom", region=[0, 0, 10, 819])
    assert tall.size == (11, 819)
    assert "is not a region" in await computer.refuse("zoom", region=[0, 0, 1457, 819])
    assert "is not a region" in await computer.refuse("zoom", region=[9, 9, 9, 20])


@pytest.mark.parametrize(
    ("name", "fields", "text"),
    [
        ("key", {"text": "a", "repeat": 0}, "repeat is 0; it goes from 1 to 100 times."),
        ("key", {"text": "a", "repeat": 101}, "repeat is 101"),
        ("key", {"text": ""}, "text is empty"),
        ("type", {"text": ""}, "text is empty"),
        ("hold_key", {"text": "a", "duration": 301}, "duration is 301; it goes from 0 to 300 seconds."),
        ("hold_key", {"text": "a", "duration": -1}, "duration is -1"),
        ("hold_key", {"text": "", "duration": 1}, "text is empty"),
        ("wait", {"duration": 301}, "it goes from 0 to 300 seconds"),
        ("wait", {"duration": -1}, "it goes from 0 to 300 seconds"),
        ("wait", {"duration": 0.5}, "duration: "),
        ("scroll", {"scroll_direction": "down", "scroll_amount": -1}, "it goes from 0 to 100 clicks of the wheel"),
        ("scroll", {"scroll_direction": "down", "scroll_amount": 101}, "it goes from 0 to 100"),
        ("scroll", {"scroll_direction": "sideways", "scroll_amount": 1}, "scroll_direction: "),
        ("left_click", {"coordinate": [1]}, "expected [x, y]"),
        ("left_click", {"coordinate": [1, 2, 3]}, "expected [x, y]"),
        ("left_click", {"coordinate": "1, 2"}, "coordinate: "),
        ("mouse_move", {}, "coordinate: "),
        ("zoom", {"region": [0, 0, 5]}, "expected [x0, y0, x1, y1]"),
        (
            "left_click",
            {"coordinate": [5, 5], "modifiers": "ctrl"},
            "no field 'modifiers' here; the fields are: coordinate",
        ),
        ("screenshot", {"region": [0, 0, 5, 5]}, "no field 'region' here; the fields are: none."),
        ("left_click", {"coordinate": [5, 5], "text": "ctrl+nonsense"}, "nonsense"),
        ("key", {"text": "Retrun"}, "Retrun"),
    ],
)
async def test_a_value_that_is_not_allowed_is_refused_and_nothing_is_sent(
    computer: Computer, name: str, fields: dict[str, Any], text: str
) -> None:
    assert text in await computer.refuse(name, **fields)
    await computer.run("left_click", coordinate=[0, 0])
    await computer.pressed(1)
    kinds = {event["event"] for event in computer.log.read()}
    assert not kinds & {"key down", "key up"}
    assert len(computer.log.read("press")) == 1


async def test_a_call_that_confirm_declines_is_not_carried_out_and_its_recording_says_so(
    computer: Computer, tmp_path: Path, call: MakeCall
) -> None:
    asked = []

    async def only_reading(context: BetaComputerConfirmContext) -> bool:
        asked.append(context.member)
        return context.member == "screenshot"

    with Recording.open(tmp_path / "run") as recording:
        toolset = ComputerToolset(computer.desktop, confirm=only_reading, recording=recording)
        refused = await toolset.tool_result(call("computer.left_click", coordinate=[5, 5]))
        shown = await toolset.tool_result(call("computer.screenshot"))
    assert asked == ["left_click", "screenshot"]
    assert (bool(refused.get("is_error")), bool(shown.get("is_error"))) == (True, False)
    assert computer.log.read("press") == []
    events = list(read_events(tmp_path / "run"))
    decided = [(event["allowed"], event["by"]) for event in events if event["event"] == "call_decided"]
    assert decided == [(False, "callable"), (True, "callable")]
    assert [event["outcome"] for event in events if event["event"] == "call_finished"] == ["refused", "ok"]


async def test_a_display_that_died_is_an_error_that_says_so_and_is_remembered(
    call: MakeCall,
) -> None:
    async with Desktop.open(SCREEN) as desktop:
        toolset = ComputerToolset(desktop, confirm=yes)
        assert toolset.environment_died is None
    result = await toolset.tool_result(call("computer.screenshot"))
    assert result.get("is_error")
    assert "has ended and nothing more can be done in it" in str(result["content"])
    assert toolset.environment_died is not None


async def test_a_wait_ends_when_the_display_dies(call: MakeCall) -> None:
    async with Desktop.open(SCREEN) as desktop:
        toolset = ComputerToolset(desktop, confirm=yes)
        waiting = asyncio.ensure_future(toolset.tool_result(call("computer.wait", duration=300)))
        server = next(p for p in desktop.process_ids() if Path(f"/proc/{p}/comm").read_text().strip() == "Xvfb")
        os.kill(server, signal.SIGKILL)
        async with asyncio.timeout(20):
            result = await waiting
    assert result.get("is_error")
    assert toolset.environment_died is not None


NOISE = """
import os, tkinter
root = tkinter.Tk()
root.geometry("+0+0")
data = b"P6 640 480 255 " + os.urandom(640 * 480 * 3)
image = tkinter.PhotoImage(data=data, format="ppm")
tkinter.Label(root, image=image, borderwidth=0).pack()
root.mainloop()
"""


async def test_a_picture_over_the_apis_limit_goes_as_jpeg_or_is_an_error_never_too_large(
    call: MakeCall, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Desktop.open((800, 600), apps=[[sys.executable, "-c", NOISE]]) as desktop:
        toolset = ComputerToolset(desktop, confirm=yes)
        async with asyncio.timeout(20):
            while len((png := await desktop.capture()).data) < 800_000:  # noqa: ASYNC110 # the window says nothing
                await asyncio.sleep(0.01)
        monkeypatch.setattr(screenshots, "IMAGE_BASE64_BYTES", len(png.data))
        result: Any = await toolset.tool_result(call("computer.screenshot"))
        (block,) = result["content"]
        assert block["source"]["media_type"] == "image/jpeg"
        assert len(block["source"]["data"]) <= len(png.data)
        monkeypatch.setattr(screenshots, "IMAGE_BASE64_BYTES", 1000)
        refused = await toolset.tool_result(call("computer.screenshot"))
        assert refused.get("is_error")
        assert "larger than can be sent" in str(refused["content"])

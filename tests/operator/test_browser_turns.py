"""Every member of the browser, carried out and refused: a turn without the SDK's runner gives what the runner sends
over HTTP, and neither leaves anything that the other does not."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from anthropic.tools import BetaLocalFilePolicy
from anthropic.types.beta import BetaToolUseBlock
from PIL import Image

from contract.runners import Way, run_to_the_end
from environments.browser.site import Site
from gui_environments.browser import Browser, ReadRequest
from gui_environments.browser.rules import BrowserRules
from gui_operator.policy.effects import MEMBER_EFFECTS
from gui_operator.toolsets import BrowserToolset
from gui_operator.turn import Toolbox, run_turn
from loopback import LOOPBACK
from standin.blocks import Json, text_of
from standin.results import HALT_TEXTS
from standin.script import calls, member, says
from standin.server import StandIn

from .pages import at, by_ref, put_pages, reference_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

OPTIONAL = ("javascript_exec", "file_upload", "read_console", "read_network")

NAMES = ("First", "Name", "Pin", "Colour", "Attachment", "Save", "Greet", "Log", "Next", "Other", "Report", "Far below")

SETTLE_S = 20.0
"""Generous, so that what is said does not depend on how busy the machine is."""

UNKNOWN = by_ref("ref_999999999")


@dataclass(frozen=True)
class World:
    """`folder` holds what is uploaded from and downloaded to."""

    folder: Path
    browser: Browser

    def toolset(self) -> BrowserToolset:
        uploads, downloads = self.folder / "uploads", self.folder / "downloads"
        return BrowserToolset(
            self.browser,
            confirm=lambda _: True,
            configs={name: {"enabled": True} for name in OPTIONAL},
            settle_s=SETTLE_S,
            file_policy=BetaLocalFilePolicy(upload_roots=[uploads], download_dir=downloads, expose_download_paths=True),
        )


Elements = dict[str, dict[str, Any]]


def b(name: str, **fields: Any) -> Json:
    return member("browser", name, **fields)


FORM = "http://form"
"""Stands for the form's address."""


@dataclass(frozen=True)
class Member:
    """Calls that are carried out, the member's own among them, and one of its calls that is refused."""

    good: Callable[[Elements, World], list[Json]]
    bad: Json


def on_page(*turn: Json, bad: Json) -> Member:
    return Member(lambda elements, world: list(turn), bad)


def click(name: str) -> Member:
    return Member(
        lambda elements, _: [b(name, target=elements["First"]), b(name, target=at(50, 20))], b(name, target=at(800, 0))
    )


MEMBERS: dict[str, Member] = {
    "navigate": on_page(b("navigate", url=FORM), b("navigate", url="reload"), bad=b("navigate", url="file:///etc/passwd")),
    "screenshot": on_page(b("screenshot"), bad=b("screenshot", tab_id="tab_999")),
    "zoom": on_page(b("zoom", region=[0, 0, 100, 50]), bad=b("zoom", region=[0, 0, 801, 10])),
    "left_click": Member(
        lambda elements, _: [b("left_click", target=elements[name]) for name in ("Save", "Greet", "Next")],
        b("left_click", target=UNKNOWN),
    ),
    "right_click": click("right_click"),
    "middle_click": click("middle_click"),
    "double_click": click("double_click"),
    "triple_click": click("triple_click"),
    "hover": Member(lambda elements, _: [b("hover", target=elements["Far below"])], b("hover", target=UNKNOWN)),
    "left_click_drag": on_page(
        b("left_click_drag", **{"from": at(300, 500), "target": at(350, 520)}),
        bad=b("left_click_drag", **{"from": at(300, 500), "target": at(-1, 0)}),
    ),
    "left_mouse_down": on_page(
        b("left_mouse_down", target=at(50, 20)),
        b("left_mouse_up", target=at(50, 20)),
        bad=b("left_mouse_down", target=at(0, 600)),
    ),
    "left_mouse_up": on_page(
        b("left_mouse_down", target=at(300, 500)),
        b("left_mouse_up", target=at(310, 510)),
        bad=b("left_mouse_up", target=at(1, 1)),
    ),
    "mouse_move": on_page(b("mouse_move", target=at(50, 20)), bad=b("mouse_move", target=at(800, 1))),
    "scroll": on_page(
        b("scroll", target=at(400, 300), scroll_direction="down"),
        bad=b("scroll", target=at(400, 300), scroll_direction="down", scroll_amount=11),
    ),
    "scroll_to": Member(
        lambda elements, _: [b("scroll_to", target=elements["Far below"])], b("scroll_to", target=UNKNOWN)
    ),
    "type": Member(
        lambda elements, _: [b("left_click", target=elements["Name"]), b("type", text="Grüße 漢字")], b("type", text="")
    ),
    "key": Member(
        lambda elements, _: [b("left_click", target=elements["Name"]), b("key", text="a b ctrl+a", repeat=2)],
        b("key", text="Retrun"),
    ),
    "hold_key": on_page(b("hold_key", text="shift", duration=0.02), bad=b("hold_key", text="a", duration=31)),
    "wait": on_page(b("wait", duration=0), bad=b("wait", duration=30.5)),
    "read_page": Member(
        lambda elements, _: [
            b("read_page"),
            b("read_page", filter="interactive"),
            b("read_page", filter="all", depth=1),
            b("read_page", ref=elements["Colour"]["ref"]),
        ],
        b("read_page", ref="ref_999999999"),
    ),
    "find": on_page(b("find", query="the field for a name"), bad=b("find", query=" ")),
    "get_page_text": on_page(b("get_page_text"), bad=b("get_page_text", tab_id="tab_999")),
    "form_input": Member(
        lambda elements, _: [
            b("form_input", target=elements["Name"], value="Ada"),
            b("form_input", target=elements["Pin"], value="secret"),
            b("form_input", target=elements["Colour"], value="blue"),
        ],
        b("form_input", target=UNKNOWN, value=True),
    ),
    "file_upload": Member(
        lambda elements, world: [
            b("file_upload", target=elements["Attachment"], paths=[str(world.folder / "uploads" / "photo.txt")])
        ],
        b("file_upload", target=UNKNOWN, paths=["/etc/hostname"]),
    ),
    "read_console": Member(
        lambda elements, _: [b("read_console"), b("left_click", target=elements["Log"]), b("read_console")],
        b("read_console", tab_id="tab_999"),
    ),
    "read_network": on_page(
        b("read_network"), b("navigate", url=FORM), b("read_network"), bad=b("read_network", tab_id="tab_999")
    ),
    "javascript_exec": on_page(
        b("javascript_exec", text="6 * 7"), bad=b("javascript_exec", text="throw new Error('no')")
    ),
    "new_tab": on_page(b("new_tab"), bad=b("new_tab", url=FORM)),
    "list_tabs": on_page(b("list_tabs"), bad=b("list_tabs", all=True)),
    "switch_tab": on_page(b("switch_tab", tab_id="FIRST"), bad=b("switch_tab", tab_id="tab_999")),
    "close_tab": on_page(
        b("new_tab"), b("close_tab", tab_id="FIRST"), b("list_tabs"), bad=b("close_tab", tab_id="tab_999")
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    site = Site()
    put_pages(site)
    yield site
    site.close()


@asynccontextmanager
async def open_world(folder: Path) -> AsyncIterator[World]:
    for name in ("uploads", "downloads"):
        (folder / name).mkdir(parents=True)
    (folder / "uploads" / "photo.txt").write_text("a photo")
    rules = BrowserRules(hosts=LOOPBACK, upload_roots=(folder / "uploads",), download_dir=folder / "downloads")
    async with Browser.open((800, 600), rules=rules) as browser:
        yield World(folder, browser)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def opened(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[tuple[World, World]]:
    """Two worlds that see the same calls in the same order, so that they stay equal."""
    folder = tmp_path_factory.mktemp("worlds")
    async with open_world(folder / "turn") as turn, open_world(folder / "wire") as wire:
        yield turn, wire


@pytest_asyncio.fixture(loop_scope="module")
async def worlds(opened: tuple[World, World], site: Site) -> tuple[World, World]:
    """Each on the form, in the only tab there is, with nothing left to be told."""
    for world in opened:
        fresh = await world.browser.open_tab()
        for state in await world.browser.tab_states():
            if state.tab_id != fresh.tab_id:
                await world.browser.close_tab(state.tab_id)
        await world.browser.navigate(site.url("/form"))
        world.browser.take_events()
        await world.browser.read_network()
    return opened


async def elements_of(world: World) -> Elements:
    reading = (await world.browser.read_page(ReadRequest("all"))).text
    return {name: by_ref(reference_of(reading, name)) for name in NAMES}


async def prepared(turn: list[Json], world: World, site: Site) -> list[Json]:
    """With this world's own address and tab."""
    (state,) = await world.browser.tab_states()
    written = json.dumps(turn).replace(FORM, site.url("/form")).replace("FIRST", state.tab_id)
    made: list[Json] = json.loads(written)
    return made


def on_the_wire(results: Any, world: World) -> list[Json]:
    """Results as JSON carries them: pictures are told by their size, the world's own paths by what they are."""
    found: list[Json] = json.loads(json.dumps(results).replace(str(world.folder), "WORLD"))
    for result in found:
        for block in result["content"] if isinstance(result["content"], list) else []:
            if block["type"] == "image":
                with Image.open(io.BytesIO(base64.b64decode(block["source"].pop("data")))) as image:
                    block["source"]["size"] = image.size
    return found


async def both(worlds: tuple[World, World], stand_in: StandIn, turns: list[list[Json]]) -> list[Json]:
    """What goes over the wire for a turn, which is what the turn without the runner gives."""
    by_turn, by_wire = worlds
    # Ids are the stand-in's to make; a turn takes those that the calls have.
    asked = [BetaToolUseBlock.model_validate(block) for block in turns[0]]
    results = await run_turn(asked, Toolbox.of(by_turn.toolset()))
    stand_in.play(calls(*turns[1]), says("Done."))
    await run_to_the_end(stand_in, [by_wire.toolset()], Way(threads=True))
    sent = on_the_wire(stand_in.requests[-1].results, by_wire)
    assert without_ids(on_the_wire(results, by_turn)) == without_ids(sent)
    return sent


def without_ids(results: list[Json]) -> list[Json]:
    return [{key: value for key, value in result.items() if key != "tool_use_id"} for result in results]


async def test_the_list_has_every_member() -> None:
    assert set(MEMBERS) == set(MEMBER_EFFECTS["browser"])


@pytest.mark.parametrize("name", MEMBERS)
async def test_a_member_is_carried_out(worlds: tuple[World, World], stand_in: StandIn, site: Site, name: str) -> None:
    turns = [await prepared(MEMBERS[name].good(await elements_of(world), world), world, site) for world in worlds]
    assert name in [call["name"] for call in turns[0]]
    sent = await both(worlds, stand_in, turns)
    assert [text_of(result) for result in sent if result.get("is_error")] == []
    for result, call in zip(sent, turns[1], strict=True):
        kinds = [block["type"] for block in result["content"]]
        assert kinds[-1] == "browser_state"
        assert (call["name"] in ("screenshot", "zoom")) == ("image" in kinds)


@pytest.mark.parametrize("name", MEMBERS)
async def test_a_member_that_is_refused_does_nothing_and_ends_its_turn(
    worlds: tuple[World, World], stand_in: StandIn, site: Site, name: str
) -> None:
    turns = [await prepared([MEMBERS[name].bad, b("navigate", url=site.url("/next"))], world, site) for world in worlds]
    refused, halted = await both(worlds, stand_in, turns)
    assert refused["is_error"]
    assert " " in text_of(refused)
    assert text_of(halted) == HALT_TEXTS["browser"]
    for world in worlds:
        (state,) = await world.browser.tab_states()
        assert state.url == site.url("/form")
        assert await world.browser.run_script("said.textContent") == ""

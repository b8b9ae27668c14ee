"""The browser toolset in the hands of the SDK's tool runner, over HTTP: with message threads and without, streamed or
not, eagerly or not. The stand-in refuses what the API refuses, above all in `browser_state`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from anthropic.types.beta import BetaToolUseBlock

from contract.runners import WAYS, Way, run_guarded, run_to_the_end
from environments.browser.site import Site
from gui_environments.browser import Browser
from gui_environments.browser.rules import BrowserRules
from gui_operator.policy import Answer, CallRequest, Gate, Rules
from gui_operator.recording import Recording
from gui_operator.recording.reading import read_events
from gui_operator.toolsets import BrowserToolset
from gui_operator.turn import Toolbox, run_turn
from loopback import LOOPBACK
from standin.blocks import Json, text_of
from standin.results import HALT_TEXTS
from standin.script import calls, member, says
from standin.server import StandIn

from .conftest import MakeCall
from .pages import at, by_ref, put_pages, state_of, words_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

PLAIN = Way(threads=True)
ON = {name: {"enabled": True} for name in ("javascript_exec", "file_upload", "read_console", "read_network")}


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    site = Site()
    put_pages(site)
    yield site
    site.close()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Browser]:
    rules = BrowserRules(hosts=LOOPBACK, download_dir=tmp_path_factory.mktemp("downloads"))
    async with Browser.open((800, 600), rules=rules) as browser:
        yield browser


@pytest_asyncio.fixture(loop_scope="module")
async def form(browser: Browser, site: Site) -> AsyncIterator[str]:
    """The one tab that is open is empty at first, and at last."""
    yield site.url("/form")
    await browser.navigate(site.url("/next"))
    for state in (await browser.tab_states())[1:]:
        await browser.close_tab(state.tab_id)
    browser.take_events()


def toolset(browser: Browser, **options: Any) -> BrowserToolset:
    return BrowserToolset(browser, **{"confirm": lambda _: True, "configs": ON, **options})


def b(name: str, **fields: Any) -> Json:
    return member("browser", name, **fields)


async def results_of(stand_in: StandIn, browser: Browser, way: Way, *turns: list[Json], **options: Any) -> list[Json]:
    """What goes back over the wire for the last of some turns."""
    stand_in.play(*(calls(*turn) for turn in turns), says("Done."))
    last = await run_to_the_end(stand_in, [toolset(browser, **options)], way)
    assert last.stop_reason == "end_turn"
    assert [request.mode for request in stand_in.requests] == way.expected_modes(len(turns) + 1)
    return stand_in.requests[-1].results


@pytest.mark.parametrize("way", WAYS, ids=str)
async def test_a_page_is_used_and_tabs_opened_and_closed(
    stand_in: StandIn, browser: Browser, form: str, way: Way
) -> None:
    turn = [
        b("navigate", url=form),
        b("screenshot"),
        b("zoom", region=[0, 0, 100, 50]),
        b("left_click", target=at(50, 20)),
        b("javascript_exec", text="said.textContent"),
        b("scroll", target=at(400, 300), scroll_direction="down"),
        b("read_page", filter="interactive"),
        b("new_tab"),
        b("navigate", url=form),
        b("list_tabs"),
        b("switch_tab", tab_id="tab_1"),
        b("read_network"),
        b("wait", duration=0),
    ]
    results = await results_of(stand_in, browser, way, turn)
    assert [bool(result.get("is_error")) for result in results] == [False] * len(turn)
    assert text_of(results[4]) == " first"
    assert len(state_of(results[9])["tabs"]) == 2


async def test_after_a_refusal_the_rest_of_the_turn_is_not_executed(
    stand_in: StandIn, browser: Browser, form: str
) -> None:
    refused, *rest = await results_of(
        stand_in, browser, PLAIN, [b("left_click", target=by_ref("ref_999999")), b("navigate", url=form), b("new_tab")]
    )
    assert "Read the page again" in text_of(refused)
    assert [text_of(result) for result in rest] == [HALT_TEXTS["browser"]] * 2
    assert len(await browser.tab_states()) == 1


async def test_what_happened_in_a_failed_call_is_told_by_the_next_that_can(
    stand_in: StandIn, browser: Browser, form: str
) -> None:
    opening = "window.open('/other'); throw new Error('broken')"
    results = await results_of(
        stand_in,
        browser,
        PLAIN,
        [b("navigate", url=form), b("javascript_exec", text=opening)],
        [b("wait", duration=0.2), b("screenshot")],
    )
    told = [change for result in results for change in state_of(result).get("state_changes", ())]
    assert [change["type"] for change in told] == ["tab_opened"]


async def test_a_popup_beside_a_new_tab_keeps_the_result_valid(stand_in: StandIn, browser: Browser, form: str) -> None:
    later = "void setTimeout(() => window.open('/other'))"
    results = await results_of(
        stand_in, browser, PLAIN, [b("navigate", url=form), b("javascript_exec", text=later), b("list_tabs")]
    )
    assert [bool(result.get("is_error")) for result in results] == [False] * 3


async def test_titles_with_control_characters_and_no_end_are_taken(
    stand_in: StandIn, browser: Browser, form: str
) -> None:
    title = (
        "document.title = 'a\\u0007b\\u202e' + 'x'.repeat(10000); history.pushState(0, '', '#' + 'y'.repeat(9000)); 1"
    )
    results = await results_of(
        stand_in, browser, PLAIN, [b("navigate", url=form), b("javascript_exec", text=title), b("list_tabs")]
    )
    assert [bool(result.get("is_error")) for result in results] == [False] * 3


async def test_the_recording_holds_what_went_over_the_wire(
    stand_in: StandIn, browser: Browser, form: str, tmp_path: Path
) -> None:
    stand_in.play(calls(b("navigate", url=form), b("left_click", target=at(50, 20))), says("Done."))
    with Recording.open(tmp_path / "run") as recording:
        async for _ in run_guarded(stand_in, [toolset(browser, recording=recording)], PLAIN, recording):
            pass
    ended = [event for event in read_events(tmp_path / "run") if event["event"] == "call_finished"]
    wire = stand_in.requests[-1].results
    assert [event["result"] for event in ended] == [result["content"] for result in wire]


async def test_a_turn_without_the_runner_gives_the_same_results(
    stand_in: StandIn, browser: Browser, form: str, call: MakeCall
) -> None:
    turn: list[tuple[str, dict[str, Any]]] = [
        ("navigate", {"url": form}),
        ("left_click", {"target": at(50, 20)}),
        ("type", {"text": "x"}),
        ("zoom", {"region": [1, 1, 1, 1]}),
        ("list_tabs", {}),
    ]
    over_wire = await results_of(stand_in, browser, PLAIN, [b(name, **fields) for name, fields in turn])
    blocks = [call(f"browser.{name}", **fields) for name, fields in turn]
    ours = await run_turn(blocks, Toolbox.of(toolset(browser)))
    assert [words_of(result) for result in ours] == [words_of(result) for result in over_wire]
    assert [bool(result.get("is_error")) for result in ours] == [False, False, False, True, True]


@dataclass
class Approver:
    """Says yes to everything, after something happened."""

    meanwhile: Callable[[], Awaitable[object]] | None = None
    asked: list[CallRequest] = field(default_factory=list)

    async def ask(self, request: CallRequest) -> Answer:
        self.asked.append(request)
        if self.meanwhile is not None:
            await self.meanwhile()
        return Answer(True)


@pytest.mark.parametrize("way", WAYS, ids=str)
async def test_an_approver_of_ones_own_sees_what_a_call_would_hit_and_its_yes_is_for_that(
    stand_in: StandIn, browser: Browser, form: str, way: Way
) -> None:
    await browser.navigate(form)
    approver = Approver()
    gate = Gate(Rules.parse(["ask"], otherwise="deny"), approver)
    (pressed,) = await results_of(stand_in, browser, way, [b("left_click", target=at(50, 20))], confirm=gate.confirm)
    assert not pressed.get("is_error"), text_of(pressed)
    sight = approver.asked[0].sight
    assert sight is not None
    assert {("page", form), ("element", 'button "First"')} <= set(sight.facts)
    assert len(sight.spots) == 1
    approver.meanwhile = lambda: browser.run_script("first.textContent = 'Something else'")
    call = BetaToolUseBlock(
        type="tool_use", id="t1", name="left_click", toolset_name="browser", input={"target": at(50, 20)}
    )
    (refused,) = await run_turn([call], Toolbox.of(toolset(browser, confirm=gate.confirm)))
    assert "changed while it was asked about" in words_of(refused)
    assert await browser.run_script("said.textContent") == " first"

"""The browser toolset on a real Chromium, call by call, as the SDK's runner and a loop of one's own make them."""

from __future__ import annotations

import asyncio
import base64
import re
from collections.abc import AsyncIterator, Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from anthropic.tools import BetaLocalFilePolicy
from anthropic.types.beta import BetaToolUseBlock
from PIL import Image

from environments.browser.site import Site
from gui_environments.browser import Browser
from gui_environments.browser.rules import BrowserRules
from gui_operator.policy.effects import MEMBER_EFFECTS
from gui_operator.toolsets import BrowserToolset, ImageTier
from loopback import LOOPBACK, LOOPBACK_RULES

from ..pages import at, by_ref, put_pages, reference_of, state_of, words_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

OPTIONAL = ("javascript_exec", "file_upload", "read_console", "read_network")
SETTLE_S = 20.0
"""Generous, so that what is said does not depend on how busy the machine is."""
PATIENCE_S = 20.0


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    site = Site()
    put_pages(site)
    yield site
    site.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("browser")
    (folder / "uploads").mkdir()
    (folder / "downloads").mkdir()
    (folder / "uploads" / "photo.txt").write_text("a photo")
    return folder


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser(folder: Path) -> AsyncIterator[Browser]:
    rules = BrowserRules(hosts=LOOPBACK, upload_roots=(folder / "uploads",), download_dir=folder / "downloads")
    async with Browser.open((800, 600), rules=rules) as browser:
        yield browser


class Session:
    """A toolset, and calls of it that follow one another."""

    def __init__(self, toolset: BrowserToolset) -> None:
        self.toolset = toolset
        self._calls = 0

    async def result(self, name: str, **fields: Any) -> Mapping[str, Any]:
        self._calls += 1
        use = BetaToolUseBlock(type="tool_use", id=f"t{self._calls}", name=name, toolset_name="browser", input=fields)
        return await self.toolset.tool_result(use)

    async def ok(self, name: str, **fields: Any) -> Mapping[str, Any]:
        result = await self.result(name, **fields)
        assert not result.get("is_error"), words_of(result)
        return result

    async def said(self, name: str, **fields: Any) -> str:
        return words_of(await self.ok(name, **fields))

    async def refused(self, name: str, **fields: Any) -> str:
        result = await self.result(name, **fields)
        assert result.get("is_error"), words_of(result)
        return words_of(result)

    async def show(self, url: str) -> None:
        await self.ok("navigate", url=url)

    async def reference(self, name: str) -> dict[str, Any]:
        return by_ref(reference_of(await self.said("read_page", filter="all"), name))

    async def click(self, name: str) -> Mapping[str, Any]:
        return await self.ok("left_click", target=await self.reference(name))


@pytest_asyncio.fixture(loop_scope="module")
async def session(browser: Browser, folder: Path, site: Site) -> AsyncIterator[Session]:
    """On the form, in the one tab that is open; all members are on."""
    session = Session(make_toolset(browser, folder))
    await session.show(site.url("/form"))
    yield session
    for state in (await browser.tab_states())[1:]:
        await browser.close_tab(state.tab_id)
    browser.take_events()


def make_toolset(browser: Browser, folder: Path, **options: Any) -> BrowserToolset:
    policy = BetaLocalFilePolicy(
        upload_roots=[folder / "uploads"], download_dir=folder / "downloads", expose_download_paths=True
    )
    configs = {name: {"enabled": True} for name in OPTIONAL}
    return BrowserToolset(
        browser,
        **{"confirm": lambda _: True, "configs": configs, "file_policy": policy, "settle_s": SETTLE_S, **options},
    )


async def test_every_member_acts_on_a_page(session: Session, site: Site, folder: Path) -> None:
    photo = str(folder / "uploads" / "photo.txt")
    done: set[str] = set()

    async def do(name: str, **fields: Any) -> str:
        done.add(name)
        return await session.said(name, **fields)

    assert f"Navigated to {site.url('/form')} — Order form (HTTP 200)" in await do("navigate", url=site.url("/form"))
    await do("screenshot")
    await do("zoom", region=[0, 0, 400, 300])
    reading = await do("read_page", filter="all")
    assert 'button "First"' in await do("find", query="the first button")
    assert "Far below" in await do("get_page_text")
    first, name = by_ref(reference_of(reading, "First")), by_ref(reference_of(reading, "Name"))
    for click in ("left_click", "right_click", "middle_click", "double_click", "triple_click"):
        await do(click, target=first)
    await do("hover", target=at(50, 20))
    await do("left_click_drag", **{"from": at(50, 20), "target": at(300, 300)})
    await do("left_mouse_down", target=at(50, 20))
    await do("mouse_move", target=at(60, 25))
    await do("left_mouse_up", target=at(60, 25))
    await do("scroll", target=at(400, 300), scroll_direction="down", scroll_amount=2)
    await do("scroll_to", target=name)
    await do("left_click", target=name)
    await do("type", text="Grüße")
    await do("key", text="ctrl+a BackSpace", repeat=2)
    await do("hold_key", text="a", duration=0.05)
    await do("wait", duration=0)
    await do("form_input", target=name, value="Ada")
    await do("file_upload", target=by_ref(reference_of(reading, "Attachment")), paths=[photo])
    assert await do("javascript_exec", text="document.querySelector('#name').value") == "Ada"
    assert await do("javascript_exec", text="document.querySelector('#file').files[0].name") == "photo.txt"
    await session.click("Log")
    assert "written to the console" in await do("read_console")
    assert "/form -> 200" in await do("read_network")
    for name_of_tab_member, fields in (
        ("new_tab", {}),
        ("list_tabs", {}),
        ("switch_tab", {"tab_id": "tab_1"}),
    ):
        assert await do(name_of_tab_member, **fields) == ""
    tabs = state_of(await session.ok("list_tabs"))["tabs"]
    await do("close_tab", tab_id=tabs[-1]["tab_id"])
    assert done == set(MEMBER_EFFECTS["browser"])


async def test_the_optional_members_are_off_unless_enabled(browser: Browser) -> None:
    session = Session(BrowserToolset(browser, confirm=lambda _: True))
    for name, fields in (
        ("javascript_exec", {"text": "1"}),
        ("read_console", {}),
        ("read_network", {}),
        ("file_upload", {"target": by_ref("ref_1"), "paths": ["/etc/passwd"]}),
    ):
        assert name in await session.refused(name, **fields)
    assert set(session.toolset.configs or {}) == set()


async def test_a_click_that_navigates_says_where_to(session: Session, site: Site) -> None:
    said = words_of(await session.click("Next"))
    assert said.splitlines()[0] == "Clicked."
    assert f'The page is now {site.url("/next")}, "Next page".' in said


async def test_a_click_that_opens_a_tab_says_so_and_which_is_active(session: Session, site: Site) -> None:
    result = await session.click("Other")
    state = state_of(result)
    (opened,) = [change["tab_id"] for change in state["state_changes"] if change["type"] == "tab_opened"]
    assert [tab["tab_id"] for tab in state["tabs"] if tab["active"]] == [opened]
    assert f"A new tab, {opened}, opened" in words_of(result)
    assert "active" in words_of(result)


async def test_a_dialog_is_dismissed_and_reported(session: Session) -> None:
    said = words_of(await session.click("Greet"))
    assert 'An alert dialog "Hello there" was dismissed.' in said


async def test_a_download_is_reported_with_its_name_size_and_path(session: Session, folder: Path) -> None:
    results = [await session.click("Report")]
    async with asyncio.timeout(PATIENCE_S):
        while "was downloaded" not in "".join(map(words_of, results)):
            results.append(await session.ok("wait", duration=0.02))
    words = "\n".join(map(words_of, results))
    path = next(path for path in (folder / "downloads").iterdir() if path.suffix == ".txt")
    assert f'"report.txt" was downloaded ({path.stat().st_size} bytes).' in words
    changes = [change for result in results for change in state_of(result).get("state_changes", ())]
    (completed,) = [change for change in changes if change["type"] == "download_completed"]
    assert completed["path"] == str(path)
    assert completed["size_bytes"] == path.stat().st_size
    assert not list((folder / "downloads").glob("*.part"))


async def test_a_click_that_does_nothing_says_that_nothing_was_seen(session: Session) -> None:
    await session.click("Idle")
    assert "No change was seen" in words_of(await session.click("Idle"))
    assert "No change was seen" not in words_of(await session.click("Save"))


async def test_a_value_that_the_page_changes_is_reported(session: Session) -> None:
    said = await session.said("form_input", target=await session.reference("Even"), value="12")
    assert '"4711"' in said


async def test_what_the_page_loads_for_a_value_is_waited_for(session: Session, site: Site) -> None:
    loads = "fetch('/report').then((answer) => answer.text()).then((text) => (said.textContent = text))"
    page = f'<select aria-label=Country onchange="{loads}"><option>one</option><option>two</option></select><p id=said>'
    await session.show(site.put("/dependent", page))
    await session.ok("form_input", target=await session.reference("Country"), value="two")
    assert "a report of some length" in await session.said("javascript_exec", text="said.textContent")


async def test_the_value_of_a_password_field_never_comes_back(session: Session) -> None:
    secret = "correct horse"
    said = await session.said("form_input", target=await session.reference("Pin"), value=secret)
    reading = await session.said("read_page", filter="all")
    found = await session.said("find", query="pin")
    assert secret not in said + reading + found


async def test_screenshots_and_clicks_are_in_the_pixels_of_the_tier(browser: Browser, folder: Path, site: Site) -> None:
    small = ImageTier(long_edge_px=400, visual_tokens=1568)
    session = Session(make_toolset(browser, folder, tier=small))
    await session.show(site.url("/form"))
    assert picture_size(await session.ok("screenshot")) == (400, 300)
    assert picture_size(await session.ok("zoom", region=[0, 0, 50, 20])) == (400, 160)
    await session.ok("left_click", target=at(49, 19))
    await session.ok("left_click", target=at(0, 0))
    await session.ok("left_click", target=at(51, 10))
    assert await session.said("javascript_exec", text="said.textContent") == " first first"
    for x, y in ((400, 0), (0, 300), (-1, 0)):
        assert "outside the screenshot" in await session.refused("left_click", target=at(x, y))


def picture_size(result: Mapping[str, Any]) -> tuple[int, int]:
    (image,) = [block for block in result["content"] if block["type"] == "image"]
    with Image.open(BytesIO(base64.b64decode(image["source"]["data"]))) as picture:
        return picture.size


async def test_a_zoom_is_rendered_anew_and_moves_no_coordinates(session: Session) -> None:
    before = picture_size(await session.ok("screenshot"))
    assert picture_size(await session.ok("zoom", region=[0, 0, 100, 75])) == before
    await session.ok("left_click", target=at(99, 39))
    assert await session.said("javascript_exec", text="said.textContent") == " first"


@pytest.mark.parametrize(
    ("name", "fields", "words"),
    [
        ("scroll", {"target": at(1, 1), "scroll_direction": "down", "scroll_amount": 11}, "1 to 10"),
        ("scroll", {"target": at(1, 1), "scroll_direction": "down", "scroll_amount": 0}, "1 to 10"),
        ("key", {"text": "a", "repeat": 101}, "1 to 100"),
        ("key", {"text": "Retrun"}, "Return"),
        ("hold_key", {"text": "a", "duration": 31}, "0 to 30"),
        ("wait", {"duration": 30.5}, "0 to 30"),
        ("wait", {"duration": 0, "tab_id": "tab_99"}, "no tab tab_99"),
        ("read_page", {"depth": 0}, "1 to"),
        ("read_page", {"ref": "ref_99999"}, "Read the page again"),
        ("zoom", {"region": [10, 10, 10, 20]}, "not a region"),
        ("zoom", {"region": [0, 0, 801, 20]}, "not a region"),
        ("zoom", {"region": [0, 0, 80]}, r"\[x0, y0, x1, y1\]"),
        ("type", {"text": ""}, "empty"),
        ("find", {"query": "  "}, "empty"),
        ("left_click", {"target": by_ref("ref_99999")}, "Read the page again"),
        ("left_click", {"target": at(1, 1), "modifiers": "ctrl+a"}, "modifier"),
        ("left_click", {"target": at(1, 1), "tab_id": "tab_99"}, "no tab tab_99"),
        ("left_click", {"target": at(1, 1), "button": "right"}, "no field 'button'"),
        ("left_click_drag", {"from": at(1, 1), "target": at(2, 2), "text": "ctrl"}, "the fields are: from, target"),
        ("left_mouse_up", {"target": at(1, 1)}, "not down"),
        ("navigate", {"url": "file:///etc/passwd"}, "http"),
        ("navigate", {"url": "javascript:alert(1)"}, "http"),
        ("switch_tab", {"tab_id": "tab_99"}, "no tab tab_99"),
        ("close_tab", {"tab_id": "tab_99"}, "no tab tab_99"),
        ("file_upload", {"target": by_ref("ref_1"), "document_ids": ["d"]}, "allowlist"),
        ("file_upload", {"target": by_ref("ref_1")}, "nothing to upload"),
        ("file_upload", {"target": by_ref("ref_1"), "paths": ["/etc/passwd"]}, "root"),
    ],
)
async def test_what_cannot_be_meant_is_refused_in_words(
    session: Session, name: str, fields: dict[str, Any], words: str
) -> None:
    assert re.search(words, await session.refused(name, **fields))
    assert await session.said("javascript_exec", text="said.textContent") == "(empty)"


async def test_a_reference_of_a_page_that_was_left_is_refused(session: Session, site: Site) -> None:
    button = await session.reference("First")
    await session.show(site.url("/form"))
    assert "Read the page again" in await session.refused("left_click", target=button)
    assert await session.said("javascript_exec", text="said.textContent") == "(empty)"


async def test_the_results_of_tab_members_are_one_block_and_what_is_to_say_waits(
    session: Session, browser: Browser, site: Site
) -> None:
    page = browser.tabs.tab(None).page
    async with page.expect_event("dialog"):
        await page.evaluate("void setTimeout(() => alert('later'))")
    opened = await session.ok("new_tab")
    assert [block["type"] for block in opened["content"]] == ["browser_state"]
    assert 'An alert dialog "later" was dismissed.' in await session.said("wait", duration=0)


async def test_a_tab_that_crashes_is_reported_and_the_session_goes_on(session: Session, browser: Browser) -> None:
    await session.ok("new_tab")
    crashing = browser.tabs.tab(None)
    # The command itself is never answered.
    crash = asyncio.ensure_future((await crashing.frames.page_session()).raw.send("Page.crash"))
    async with crashing.page.expect_event("crash"):
        pass
    crash.cancel()
    refused = await session.refused("left_click", target=at(1, 1))
    assert f"The page in {crashing.tab_id} has crashed" in refused
    tabs = state_of(await session.ok("list_tabs"))["tabs"]
    assert next(tab["title"] for tab in tabs if tab["tab_id"] == crashing.tab_id).startswith("(crashed)")
    await session.ok("close_tab", tab_id=crashing.tab_id)
    await session.ok("screenshot")


async def test_a_browser_that_dies_is_said_to_be_gone(folder: Path) -> None:
    async with Browser.open((400, 300), rules=LOOPBACK_RULES) as browser:
        toolset = make_toolset(browser, folder)
        await browser.context.close()
        said = await Session(toolset).refused("screenshot")
        assert "The environment has ended" in said
        assert toolset.environment_died is not None

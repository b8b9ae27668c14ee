"""On a screen, somebody's keys reach the browser's own surfaces too: they obey the rules that pages obey."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from io import BytesIO
from pathlib import Path

import pytest
import pytest_asyncio
from PIL import Image
from playwright.async_api import Error

from environments.browser.chromium.test_launch import display_of
from environments.browser.conftest import PATIENCE_S, POLL_S, wait_for_script, wait_until
from environments.browser.site import Site
from environments.browser.watching.test_surfaces import wait_until_only_the_page_shows
from environments.desktop.toolkits import SYSTEM_PYTHON
from gui_environments.actions import Click, Drag, PressKeys, TypeText
from gui_environments.browser import Browser, PagePoint
from gui_environments.browser.actions import ClickTarget
from gui_environments.browser.events import (
    BrowserEvent,
    DeveloperToolsClosed,
    NavigationRefused,
    SurfaceDenied,
    TabClosed,
    TabOpened,
)
from gui_environments.browser.rules import BrowserRules
from gui_environments.desktop import Desktop
from gui_environments.egress import HostRules
from gui_environments.geometry import ScreenPoint

pytestmark = pytest.mark.asyncio(loop_scope="session")

VIEWPORT = (800, 600)

PAGE = """<title>Green</title><body style='margin: 0; background: #0a0'><script>
pressed = ''; clicks = 0; addEventListener('keydown', (event) => { pressed += event.key });
addEventListener('click', () => { clicks += 1 });</script>"""


DROPS = """<style>body { margin: 0 } body > * { display: block; width: 400px; height: 200px; background: #0a0 }</style>
<input type=file><div>drop here</div><script>got = []; const prevent = Event.prototype.preventDefault;
const note = (what) => got.push(what);
document.querySelector('input').onchange = () => note('chosen');
document.querySelector('div').ondragover = (event) => prevent.call(event);
document.querySelector('div').ondrop = (event) => { prevent.call(event); note(event.dataTransfer.files.length) };
Event.prototype.preventDefault = () => note('kept from preventing');</script>"""

DRAG_SOURCE = Path(__file__).with_name("drag_source_gtk.py")
CLIPBOARD_SOURCE = Path(__file__).with_name("clipboard_source.py")


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def desktop() -> AsyncIterator[Desktop]:
    async with Desktop.open((1000, 760)) as desktop:
        yield desktop


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def opened(desktop: Desktop, site: Site) -> AsyncIterator[Browser]:
    rules = BrowserRules(hosts=HostRules.of([f"127.0.0.1:{site.port}", "localhost"]))
    async with Browser.open(VIEWPORT, headless=False, rules=rules, environment=display_of(desktop)) as browser:
        yield browser


@pytest_asyncio.fixture(loop_scope="session")
async def shown(opened: Browser, desktop: Desktop, site: Site) -> AsyncIterator[Browser]:
    """The browser, a page of ours in its only tab, and the keyboard on that page."""
    tab = opened.tabs.tab(None)
    await opened.navigate(site.put("/green", PAGE))
    await wait_until_only_the_page_shows(desktop, VIEWPORT)  # what is pressed before is lost
    await click_into_page(desktop)
    await wait_until_script(opened, "clicks > 0")
    opened.take_events()
    site.requests.clear()
    yield opened
    for other in opened.tabs.all:
        if other is not tab:
            await opened.tabs.close(other)


@pytest.fixture
def events() -> list[BrowserEvent]:
    """What happened, as far as `comes` has looked."""
    return []


async def comes(browser: Browser, events: list[BrowserEvent], event: BrowserEvent) -> None:
    await wait_until(lambda: events.extend(browser.take_events()) or event in events)


async def click_into_page(desktop: Desktop) -> None:
    await desktop.perform(Click(at=ScreenPoint(400, 500)), settle_s=0.0)


async def wait_until_script(browser: Browser, condition: str) -> None:
    await browser.tabs.tab(None).page.wait_for_function(condition, polling=20, timeout=20_000)


async def press(desktop: Desktop, chord: str) -> None:
    await desktop.perform(PressKeys(chord), settle_s=0.0)  # each test waits for the thing itself


async def focus_address_bar(desktop: Desktop) -> None:
    """Returns when its looks say that it has the keyboard: what is typed before goes to the page."""
    before = await address_bar(desktop)
    await press(desktop, "ctrl+l")
    async with asyncio.timeout(PATIENCE_S):
        while await address_bar(desktop) == before:  # noqa: ASYNC110 - has no event
            await asyncio.sleep(POLL_S)


async def address_bar(desktop: Desktop) -> bytes:
    picture = Image.open(BytesIO((await desktop.capture()).data)).convert("RGB")
    return picture.crop((150, 50, 600, 76)).tobytes()


async def go_to(desktop: Desktop, address: str) -> None:
    await focus_address_bar(desktop)
    await desktop.perform(TypeText(address + "\n"), settle_s=0.0)


@pytest.mark.parametrize(
    "chord",
    [
        "ctrl+o",
        "ctrl+s",
        "ctrl+p",
        "ctrl+shift+p",
        "ctrl+shift+n",
        "ctrl+d",
        "ctrl+shift+d",
        "F11",
        "F7",
        "alt+shift+i",
    ],
)
async def test_a_shortcut_for_what_is_not_to_be_had_does_nothing(shown: Browser, desktop: Desktop, chord: str) -> None:
    await press(desktop, chord)
    await press(desktop, "q")  # to whatever has the keyboard now
    await wait_until_script(shown, "pressed.endsWith('q')")
    await wait_until_only_the_page_shows(desktop, VIEWPORT)
    assert [state.title for state in await shown.tab_states()] == ["Green"]


@pytest.mark.parametrize("chord", ["F12", "ctrl+shift+i", "ctrl+shift+j", "ctrl+shift+c"])
@pytest.mark.parametrize("place", ["the page", "the address bar"])
async def test_developer_tools_are_closed_at_once_and_that_is_noted(
    shown: Browser, desktop: Desktop, events: list[BrowserEvent], chord: str, place: str
) -> None:
    if place == "the address bar":
        await focus_address_bar(desktop)
    await press(desktop, chord)
    await comes(shown, events, DeveloperToolsClosed())
    await wait_until_only_the_page_shows(desktop, VIEWPORT)
    before = int(await shown.run_script("clicks"))
    await shown.tabs.tab(None).page.mouse.click(100, 100)
    assert int(await shown.run_script("clicks")) == before + 1  # nothing modal swallows it


@pytest.mark.parametrize(
    ("chord", "scheme"),
    [
        ("ctrl+u", "view-source"),
        ("ctrl+h", "chrome"),
        ("ctrl+j", "chrome"),
        ("ctrl+shift+o", "chrome"),
        ("ctrl+shift+Delete", "chrome"),
    ],
)
async def test_a_page_of_the_browsers_own_opens_in_no_tab(
    shown: Browser, desktop: Desktop, events: list[BrowserEvent], chord: str, scheme: str
) -> None:
    tab = shown.tabs.tab(None)
    await press(desktop, chord)
    await wait_until(lambda: events.extend(shown.take_events()) or any(isinstance(one, TabClosed) for one in events))
    (opened,) = [event.tab_id for event in events if isinstance(event, TabOpened)]
    assert NavigationRefused(opened, "", scheme) in events
    assert shown.tabs.tab(None) is tab
    await wait_until_only_the_page_shows(desktop, VIEWPORT)


async def test_the_makers_help_opens_in_no_tab(shown: Browser, desktop: Desktop, events: list[BrowserEvent]) -> None:
    await press(desktop, "F1")
    await wait_until(lambda: events.extend(shown.take_events()) or any(isinstance(one, TabClosed) for one in events))
    assert [event.host for event in events if isinstance(event, NavigationRefused)] == ["support.google.com"]
    assert len(shown.tabs.all) == 1


@pytest.mark.parametrize(
    ("address", "host", "scheme"),
    [
        ("{b}/other", "127.0.0.2:{port}", "http"),
        ("127.0.0.1:9/", "127.0.0.1:9", "http"),
        ("http://www.localhost:{port}/", "www.localhost:{port}", "http"),
        ("https://example.com/", "example.com", "https"),
        ("chrome://version", "", "chrome"),
        ("chrome://crash", "", "chrome"),
        ("about:about", "", "chrome"),
        ("view-source:{a}/green", "", "view-source"),
        ("file:///etc/passwd", "", "file"),
        ("/etc/passwd", "", "file"),
        ("devtools://devtools/bundled/inspector.html", "", "devtools"),
        ("mailto:ada@example.test", "", "mailto"),
    ],
)
async def test_an_address_that_is_typed_and_not_allowed_is_refused_and_noted(
    shown: Browser, desktop: Desktop, site: Site, events: list[BrowserEvent], address: str, host: str, scheme: str
) -> None:
    site.put("/other", "<title>Other</title>")
    tab = shown.tabs.tab(None)
    filled = {"a": site.url(""), "b": site.url("", "b"), "port": site.port}
    await go_to(desktop, address.format(**filled))
    await comes(shown, events, NavigationRefused(tab.tab_id, host.format(**filled), scheme))
    assert site.requests == []
    assert shown.tabs.all == (tab,)
    navigated = await shown.navigate(site.url("/green"))
    assert (navigated.title, navigated.status) == ("Green", 200)


@pytest.mark.parametrize("host", ["a", "c"])
async def test_an_address_that_is_typed_and_allowed_is_opened(
    shown: Browser, desktop: Desktop, site: Site, host: str
) -> None:
    await go_to(desktop, site.put("/other", "<title>Other</title>", host))
    await wait_until(lambda: shown.tabs.tab(None).page.url == site.url("/other", host))
    assert not [event for event in shown.take_events() if isinstance(event, NavigationRefused)]


async def test_a_script_that_is_typed_as_an_address_does_not_run(shown: Browser, desktop: Desktop) -> None:
    await go_to(desktop, "javascript:document.body.style.background='red'")
    await click_into_page(desktop)
    await press(desktop, "q")
    await wait_until_script(shown, "pressed.endsWith('q')")
    await wait_until_only_the_page_shows(desktop, VIEWPORT)


async def test_words_that_are_typed_are_not_searched_for(
    shown: Browser, desktop: Desktop, events: list[BrowserEvent]
) -> None:
    await go_to(desktop, "what is this")
    await wait_until(
        lambda: events.extend(shown.take_events()) or any(isinstance(one, NavigationRefused) for one in events)
    )


@pytest.mark.parametrize("chord", ["ctrl+t", "ctrl+n"])
async def test_a_tab_or_window_that_is_opened_is_blank_and_obeys_the_rules_too(
    shown: Browser, desktop: Desktop, site: Site, events: list[BrowserEvent], chord: str
) -> None:
    first = shown.tabs.tab(None)
    await press(desktop, chord)
    await wait_until(lambda: len(shown.tabs.all) == 2)
    other = shown.tabs.tab(None)
    assert other is not first
    await go_to(desktop, site.url("/other", "b"))
    await comes(shown, events, NavigationRefused(other.tab_id, f"127.0.0.2:{site.port}", "http"))
    assert events[0] == TabOpened(other.tab_id)
    assert (await shown.navigate(site.url("/green"))).status == 200
    assert (await shown.capture()).size.width_px == VIEWPORT[0]


async def test_what_a_page_opens_that_is_not_allowed_is_closed_and_noted(
    shown: Browser, site: Site, events: list[BrowserEvent]
) -> None:
    tab = shown.tabs.tab(None)
    await shown.navigate(site.put("/opens", "<a href='{b}/other' target=_blank>open</a>"))
    await tab.page.click("a")
    await wait_until(lambda: events.extend(shown.take_events()) or any(isinstance(one, TabClosed) for one in events))
    (opened,) = [event.tab_id for event in events if isinstance(event, TabOpened)]
    assert NavigationRefused(opened, f"127.0.0.2:{site.port}", "http") in events
    assert "/other" not in site.requests


async def test_a_link_to_what_is_not_allowed_is_not_followed(
    shown: Browser, site: Site, events: list[BrowserEvent]
) -> None:
    tab = shown.tabs.tab(None)
    await shown.navigate(site.put("/leads", "<a href='{b}/other'>go</a><iframe src='{b}/other'></iframe>"))
    await tab.page.click("a")
    await comes(shown, events, NavigationRefused(tab.tab_id, f"127.0.0.2:{site.port}", "http"))
    assert "/other" not in site.requests


@pytest.mark.parametrize(("x", "y"), [(100, 180), (100, 400)], ids=["a field for files", "a place for drops"])
async def test_a_file_that_is_dragged_in_from_another_program_does_not_reach_the_page(
    shown: Browser, desktop: Desktop, site: Site, events: list[BrowserEvent], tmp_path: Path, x: int, y: int
) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    await shown.navigate(site.put("/drop", DROPS))
    tab = shown.tabs.tab(None)
    left = str(VIEWPORT[0] + 20)
    source = await desktop.start_application([SYSTEM_PYTHON, str(DRAG_SOURCE), left, str(secret)])
    try:
        await desktop.perform(Drag(ScreenPoint(VIEWPORT[0] + 90, 110), ScreenPoint(x, y)))
        await comes(shown, events, SurfaceDenied(tab.tab_id, "files of this machine that were dropped on it"))
    finally:
        os.kill(source.pid, signal.SIGTERM)
        await source.wait()
    assert await shown.run_script("JSON.stringify(got)") == "[]"


PASTES = """<style>body { margin: 0 } textarea { width: 400px; height: 200px }</style><textarea autofocus></textarea>
<script>got = []; for (const kind of ['paste', 'beforeinput']) addEventListener(kind, (event) => {
  const cargo = event.clipboardData || event.dataTransfer;
  got.push([kind, ...[...(cargo ? cargo.files : [])].map((file) => file.type)].join());
}, true);
Event.prototype.stopImmediatePropagation = DataTransferItem.prototype.webkitGetAsEntry = () => null;</script>"""


async def test_a_file_that_was_copied_in_another_program_is_not_pasted_into_the_page_and_a_picture_is(
    shown: Browser, desktop: Desktop, site: Site, events: list[BrowserEvent], tmp_path: Path
) -> None:
    secret, picture = tmp_path / "image.png", tmp_path / "picture.png"
    secret.write_text("secret")
    Image.new("RGB", (9, 9), "red").save(picture)
    await shown.navigate(site.put("/paste", PASTES))
    tab = shown.tabs.tab(None)
    denied = SurfaceDenied(tab.tab_id, "files of this machine that were pasted into it")
    await shown.perform(ClickTarget(PagePoint(50, 50)))
    async with on_the_clipboard(desktop, "file", secret):
        await desktop.perform(PressKeys("ctrl+v"))
        await comes(shown, events, denied)
    assert await shown.run_script("JSON.stringify(got)") == "[]"
    async with on_the_clipboard(desktop, "picture", picture):
        await desktop.perform(PressKeys("ctrl+v"))
        await wait_for_script(tab, "got.length > 0")
    assert "paste,image/png" in await shown.run_script("got.join(' ')")


@asynccontextmanager
async def on_the_clipboard(desktop: Desktop, kind: str, path: Path) -> AsyncIterator[None]:
    source = await asyncio.create_subprocess_exec(
        sys.executable, str(CLIPBOARD_SOURCE), kind, str(path), env=dict(desktop.environment),
        stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert source.stdout is not None
    try:
        assert await source.stdout.readline() == b"ready\n"
        yield
    finally:
        source.kill()
        await source.wait()


async def test_closing_the_last_tab_leaves_a_blank_one_in_its_place(shown: Browser, site: Site) -> None:
    last = shown.tabs.tab(None)
    await shown.close_tab(last.tab_id)
    (state,) = await shown.tab_states()
    assert state.tab_id != last.tab_id
    assert (state.url, state.active) == ("about:blank", True)
    assert (await shown.navigate(site.url("/green"))).status == 200


@pytest.mark.long
async def test_the_browsers_own_list_says_what_the_rules_say(desktop: Desktop, site: Site) -> None:
    """Below a name but not the name itself, one scheme or port of a host, both where both are listed."""
    entries = [f"*.localhost:{site.port}", f"http://127.0.0.1:{site.port}", "*.both.localhost", "both.localhost"]
    site.put("/listed", "<title>Listed</title>")
    rules = BrowserRules(hosts=HostRules.of(entries))
    async with Browser.open(VIEWPORT, headless=False, rules=rules, environment=display_of(desktop)) as browser:
        page = browser.tabs.tab(None).page
        for host in ("www.localhost", "a.b.localhost", "127.0.0.1", "both.localhost", "a.both.localhost"):
            response = await page.goto(f"http://{host}:{site.port}/listed")
            assert response is not None, host
            assert response.status == 200, host
        for place in (f"http://localhost:{site.port}", f"https://127.0.0.1:{site.port}", "http://www.localhost:9999"):
            with pytest.raises(Error, match="ERR_BLOCKED_BY_ADMINISTRATOR"):
                await page.goto(f"{place}/listed")

"""A browser starts when it can, says what is missing when it cannot, and leaves nothing behind, however it ends."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import Error

from environments.browser.conftest import wait_until
from environments.browser.site import Site
from gui_environments.browser import Browser, ReadRequest
from gui_environments.browser.chromium import launching
from gui_environments.browser.chromium.command import find_chromium, resolver_rules
from gui_environments.browser.chromium.ending import open_launcher
from gui_environments.browser.chromium.launcher import PID_FILE
from gui_environments.desktop import Desktop
from gui_environments.errors import EnvironmentDied, EnvironmentUnavailable
from gui_environments.geometry import Size
from gui_environments.processes.proc import descendants, parent_of
from loopback import LOOPBACK_RULES

OWNER = """
import asyncio, sys
from gui_environments.browser import Browser
async def main():
    async with Browser.open() as browser:
        print("open", flush=True)
        gone = asyncio.Event()  # the test that started it, and with it the other end of the pipe
        asyncio.get_running_loop().add_reader(0, gone.set)
        await gone.wait()
asyncio.run(main())
"""


def private_directories() -> set[Path]:
    return set(Path(tempfile.gettempdir()).glob("gui-browser-*"))


def mentions(directory: Path) -> list[int]:
    """Processes that have the directory in their command line."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                command = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if os.fsencode(directory) in command:
                found.append(int(entry.name))
    return found


@pytest.fixture(autouse=True)
def before(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Iterator[set[Path]]:
    """The private directories there are: none, since each test has a place for them of its own."""
    tmp_path_factory.getbasetemp()  # pytest asks for its own place only once, and not for this one
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="t-") as place:
        monkeypatch.setattr(tempfile, "tempdir", place)
        monkeypatch.setenv("TMPDIR", place)
        yield private_directories()


def new_directory(before: set[Path]) -> Path:
    (directory,) = private_directories() - before
    return directory


async def test_it_opens_with_the_viewport_asked_for_and_device_pixels_one_to_one() -> None:
    async with Browser.open((640, 480), rules=LOOPBACK_RULES) as browser:
        page = browser.tabs.tab(None).page
        shown = await page.evaluate("[innerWidth, innerHeight, devicePixelRatio]")
        assert shown == [640, 480, 1]
        assert int(browser.version.split(".")[0]) > 100


async def test_on_leaving_no_process_and_no_file_is_left(before: set[Path]) -> None:
    async with Browser.open(rules=LOOPBACK_RULES) as browser:
        directory = new_directory(before)
        assert mentions(directory)
        await browser.tabs.open()
    assert not directory.exists()
    assert not mentions(directory)


async def test_it_writes_nothing_outside_its_private_directory(before: set[Path], site: Site, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    code = (
        "import asyncio\nfrom gui_environments.browser import Browser\nfrom gui_environments.browser.rules import *\n"
        "rules = BrowserRules(hosts=HostRules.of(['127.0.0.1']))\n"
        "async def main():\n    async with Browser.open(rules=rules) as browser:\n"
        f"        await browser.tabs.tab(None).page.goto({site.put('/home', 'home')!r})\nasyncio.run(main())"
    )
    environment = os.environ | {"HOME": str(home)} | {"PLAYWRIGHT_BROWSERS_PATH": str(tmp_path / "none")}
    owner = await asyncio.create_subprocess_exec(sys.executable, "-c", code, env=environment)
    assert await owner.wait() == 0
    assert list(home.rglob("*")) == []


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
async def test_when_its_process_is_killed_nothing_is_left(before: set[Path], sent: signal.Signals) -> None:
    pipe, null = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    owner = await asyncio.create_subprocess_exec(sys.executable, "-c", OWNER, stdin=pipe, stdout=pipe, stderr=null)
    assert owner.stdout is not None
    assert await owner.stdout.readline() == b"open\n"
    directory = new_directory(before)
    owner.send_signal(sent)
    await owner.wait()
    await wait_until(lambda: not directory.exists() and not mentions(directory))


async def test_when_the_opening_is_cancelled_nothing_is_left(before: set[Path]) -> None:
    async def open_browser() -> None:
        async with Browser.open(rules=LOOPBACK_RULES):
            raise AssertionError("it was to be cancelled before")

    task = asyncio.create_task(open_browser())
    await wait_until(lambda: any((one / PID_FILE).exists() for one in private_directories() - before))
    directory = new_directory(before)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not directory.exists()
    assert not mentions(directory)


async def test_when_the_connection_is_lost_the_browser_is_ended(before: set[Path], site: Site) -> None:
    async with Browser.open(rules=LOOPBACK_RULES) as browser:
        directory = new_directory(before)
        driver = parent_of(int((directory / PID_FILE).read_text()))
        assert driver is not None
        os.kill(driver, signal.SIGKILL)
        await wait_until(lambda: not mentions(directory))
        with pytest.raises(EnvironmentDied):
            await browser.tab_states()


async def test_when_chromium_dies_it_says_so_and_the_next_one_opens(before: set[Path]) -> None:
    async with Browser.open(rules=LOOPBACK_RULES) as browser:
        launcher = int((new_directory(before) / PID_FILE).read_text())
        chromium = descendants(launcher)[0]
        os.kill(chromium, signal.SIGKILL)
        await wait_until(lambda: browser.died)
        with pytest.raises(EnvironmentDied):
            await browser.tab_states()
        with pytest.raises(EnvironmentDied):
            await browser.read_page(ReadRequest())
    async with Browser.open(rules=LOOPBACK_RULES) as browser:
        assert await browser.tab_states()
    assert private_directories() == before


async def test_a_long_path_for_temporary_files_is_no_hindrance(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    place = tmp_path / ("long" * 20)
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    async with Browser.open(rules=LOOPBACK_RULES) as browser:
        assert len(await browser.tab_states()) == 1
    assert list(place.iterdir()) == []


async def test_a_chromium_that_is_not_there_is_an_error_that_says_how_to_get_one() -> None:
    with pytest.raises(EnvironmentUnavailable, match="apt-get install chromium"):
        async with Browser.open(chromium=Path("/nowhere/chromium"), rules=LOOPBACK_RULES):
            pass


async def test_a_program_that_is_no_chromium_is_an_error_with_its_output(before: set[Path]) -> None:
    with pytest.raises(EnvironmentUnavailable, match="did not start"):
        async with Browser.open(chromium=Path("/bin/false"), rules=LOOPBACK_RULES):
            pass
    assert private_directories() == before


async def test_a_machine_without_any_chromium_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EnvironmentUnavailable, match="playwright install chromium"):
        find_chromium(None, tmp_path / "absent")


async def test_names_that_are_not_reachable_are_never_looked_up_nor_connected_to(tmp_path: Path, site: Site) -> None:
    """By Chromium's own log of its network: its start, a page, and a few of its own services' occasions."""
    log = tmp_path / "net.json"
    async with Browser.open(
        arguments=[f"--log-net-log={log}", "--net-log-capture-mode=Everything"], rules=LOOPBACK_RULES
    ) as browser:
        page = browser.tabs.tab(None).page
        site.requests.clear()
        await page.goto(site.put("/quiet", "<input type=password><img src='http://www.example.com/x.png'>"))
        other = await browser.tabs.open()
        with pytest.raises(Error, match="ERR_BLOCKED_BY_CLIENT"):
            await other.page.goto("http://www.example.com/")
        await page.goto(site.url("/quiet"))
        await browser.read_page(ReadRequest())
    text = log.read_text()
    data = json.loads(text if text.rstrip().endswith("}") else text.rstrip().rstrip(",") + "]}")
    kinds = {number: name for name, number in data["constants"]["logEventTypes"].items()}
    peers = set()
    for event in data["events"]:
        kind = kinds[event["type"]]
        assert kind not in ("DNS_TRANSACTION", "HOST_RESOLVER_SYSTEM_TASK", "UDP_BYTES_SENT"), event
        address = event.get("params", {}).get("address")
        # Connecting a UDP socket, which Chromium does to learn whether there is a route, sends nothing.
        if kind == "TCP_CONNECT_ATTEMPT" and address:
            peers.add(address.rsplit(":", 1)[0])
    assert "127.0.0.1" in peers
    assert peers <= {"127.0.0.1", "127.0.0.2", "[::1]"}


def test_names_that_are_reachable_are_excepted_from_the_rules() -> None:
    assert "invalid" not in resolver_rules(["nobody.invalid"])
    assert resolver_rules(["*.example.com", "example.com"]).endswith("EXCLUDE *.example.com, EXCLUDE example.com")


async def test_the_environment_of_chromium_holds_no_key_of_ours(
    monkeypatch: pytest.MonkeyPatch, before: set[Path]
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "do-not-pass-on")
    async with Browser.open(rules=LOOPBACK_RULES):
        launcher = int((new_directory(before) / PID_FILE).read_text())
        for pid in descendants(launcher):
            assert b"do-not-pass-on" not in Path(f"/proc/{pid}/environ").read_bytes()


async def test_started_as_root_it_warns_that_there_is_no_sandbox(caplog: pytest.LogCaptureFixture) -> None:
    if os.geteuid() != 0:
        pytest.skip("not root: the sandbox is used")
    with caplog.at_level(logging.WARNING, logger=launching.__name__):
        async with Browser.open(rules=LOOPBACK_RULES):
            pass
    assert len([record for record in caplog.records if "sandbox" in record.message]) == 1


def test_a_number_in_the_launchers_file_that_is_another_process_is_not_taken_for_it(tmp_path: Path) -> None:
    (tmp_path / PID_FILE).write_text(str(os.getpid()))
    assert open_launcher(tmp_path) is None


async def test_on_a_screen_its_pages_have_the_viewport_asked_for_in_every_tab() -> None:
    async with (
        Desktop.open((1300, 900)) as desktop,
        Browser.open((1280, 800), headless=False, environment=display_of(desktop), rules=LOOPBACK_RULES) as browser,
    ):
        for tab in (browser.tabs.tab(None), await browser.tabs.open()):
            assert await tab.page.evaluate("[innerWidth, innerHeight, devicePixelRatio]") == [1280, 800, 1]


async def test_on_a_screen_a_page_that_opens_a_small_window_gets_the_viewport_too(site: Site) -> None:
    site.put("/small", "<style>body { margin: 0 }</style><button style='width: 60px; height: 40px'>1</button>")
    opener = site.put("/opener", "<button onclick=\"open('/small', '', 'width=200,height=150')\">open</button>")
    async with (
        Desktop.open((1000, 760)) as desktop,
        Browser.open((800, 600), headless=False, environment=display_of(desktop), rules=LOOPBACK_RULES) as browser,
    ):
        await browser.navigate(opener)
        await browser.tabs.tab(None).page.click("button")
        await wait_until(lambda: browser.tabs.tab(None).page.url.endswith("/small"))
        assert (await browser.capture()).size == Size(800, 600)
        assert await browser.run_script("[innerWidth, innerHeight].join()") == "800,600"


async def test_a_screen_that_is_too_small_for_the_window_is_an_error_with_both_sizes(before: set[Path]) -> None:
    async with Desktop.open((1280, 800)) as desktop:
        with pytest.raises(EnvironmentUnavailable, match=r"1280x800 is too small.*larger screen|cannot be made"):
            async with Browser.open((1280, 800), headless=False, environment=display_of(desktop), rules=LOOPBACK_RULES):
                pass
    assert private_directories() == before


def display_of(desktop: Desktop) -> dict[str, str]:
    return {name: value for name, value in desktop.environment.items() if name in ("DISPLAY", "XAUTHORITY")}

"""Downloads keep their name, made safe; nothing is written over, and nothing unfinished is left."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from environments.browser.conftest import PATIENCE_S, wait_for_script, wait_until
from environments.browser.odd_site import OddSite
from gui_environments.browser import Browser
from gui_environments.browser.events import BrowserEvent, DownloadCompleted, DownloadFailed, DownloadStarted
from gui_environments.browser.files.names import NAME_LIMIT_BYTES, numbered, safe_name
from gui_environments.browser.rules import BrowserRules
from gui_environments.browser.tabs.tab import Tab
from loopback import LOOPBACK

pytestmark = pytest.mark.asyncio(loop_scope="session")

DOWNLOADS = (DownloadStarted, DownloadCompleted, DownloadFailed)


@pytest.fixture(scope="module")
def odd() -> Iterator[OddSite]:
    site = OddSite()
    yield site
    site.close()


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("downloads") / "made when needed"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def keeping(directory: Path) -> AsyncIterator[Browser]:
    async with Browser.open(rules=BrowserRules(hosts=LOOPBACK, download_dir=directory)) as browser:
        yield browser


@pytest.fixture(autouse=True)
def emptied(directory: Path) -> Iterator[None]:
    yield
    for path in directory.glob("*"):
        path.unlink()


async def downloads_of(browser: Browser, count: int) -> list[BrowserEvent]:
    """The events of downloads, once `count` of them have come."""
    events: list[BrowserEvent] = []

    def there() -> bool:
        events.extend(event for event in browser.take_events() if isinstance(event, DOWNLOADS))
        return len(events) >= count

    await wait_until(there)
    return events


async def test_a_file_is_kept_whole_and_told_once(keeping: Browser, odd: OddSite, directory: Path) -> None:
    data = bytes(range(256)) * 4000
    url = odd.file("/file", "report.bin", data)
    keeping.take_events()
    await keeping.navigate(url)
    started, completed = await downloads_of(keeping, 2)
    assert isinstance(started, DownloadStarted)
    assert started == DownloadStarted(started.download_id, url, "report.bin")
    path = directory / "report.bin"
    assert completed == DownloadCompleted(started.download_id, url, "report.bin", path, len(data))
    assert path.read_bytes() == data
    assert list(directory.iterdir()) == [path]
    assert await downloads_of(keeping, 0) == []


async def test_it_is_complete_when_the_call_that_began_it_returns(keeping: Browser, odd: OddSite) -> None:
    keeping.take_events()
    await keeping.navigate(odd.file("/file", "report.bin", b"x" * 100_000))
    assert [type(event) for event in keeping.take_events() if isinstance(event, DOWNLOADS)] == list(DOWNLOADS[:2])


async def test_a_second_file_of_one_name_is_kept_beside_the_first(
    keeping: Browser, odd: OddSite, directory: Path
) -> None:
    directory.mkdir(exist_ok=True)
    (directory / "a.tar.gz").write_text("was there")
    for text in (b"one", b"two"):
        await keeping.navigate(odd.file("/file", "a.tar.gz", text))
        await downloads_of(keeping, 2)
    assert {path.name: path.read_text() for path in directory.iterdir()} == {
        "a.tar.gz": "was there",
        "a.tar (1).gz": "one",
        "a.tar (2).gz": "two",
    }


async def test_a_click_on_a_link_and_a_blob_of_the_page_are_kept(
    keeping: Browser, odd: OddSite, directory: Path
) -> None:
    odd.file("/linked", "linked.txt", b"linked")
    await keeping.navigate(
        odd.page(
            "/page",
            "<a href=/linked>get</a><a id=made download='made.txt'>made</a><script>made.href="
            "URL.createObjectURL(new Blob(['from the page']))</script>",
        )
    )
    page = keeping.tabs.tab(None).page
    keeping.take_events()
    await page.click("text=get")
    await downloads_of(keeping, 2)
    await page.click("#made")
    await downloads_of(keeping, 2)
    assert (directory / "linked.txt").read_text() == "linked"
    assert (directory / "made.txt").read_text() == "from the page"


async def test_a_name_of_a_page_leads_out_of_nowhere(keeping: Browser, odd: OddSite, directory: Path) -> None:
    script = "made.href = URL.createObjectURL(new Blob(['x'])); made.download = '../../.ssh/authorized_keys'"
    await keeping.navigate(odd.page("/page", f"<a id=made>made</a><script>{script}</script>"))
    keeping.take_events()
    await keeping.tabs.tab(None).page.click("#made")
    completed = (await downloads_of(keeping, 2))[1]
    assert isinstance(completed, DownloadCompleted)
    assert completed.path.parent == directory
    assert [path.name for path in directory.iterdir()] == [completed.name]


async def test_one_that_breaks_off_leaves_nothing(keeping: Browser, odd: OddSite, directory: Path) -> None:
    def answer(handler: object) -> None:
        handler.send_response(200)  # type: ignore[attr-defined]
        handler.send_header("Content-Disposition", "attachment; filename=half.bin")  # type: ignore[attr-defined]
        handler.send_header("Content-Length", "1000000")  # type: ignore[attr-defined]
        handler.end_headers()  # type: ignore[attr-defined]
        handler.wfile.write(b"x" * 1000)  # type: ignore[attr-defined]
        handler.close_connection = True  # type: ignore[attr-defined]

    keeping.take_events()
    await keeping.navigate(odd.on("/half", answer))
    _, failed = await downloads_of(keeping, 2)
    assert isinstance(failed, DownloadFailed)
    assert failed.error
    assert not list(directory.glob("*"))


async def test_without_a_directory_none_is_kept_and_that_is_told(browser: Browser, tab: Tab, odd: OddSite) -> None:
    browser.take_events()
    await browser.navigate(odd.file("/file", "a.txt", b"abc"))
    failed = (await downloads_of(browser, 2))[1]
    assert isinstance(failed, DownloadFailed)
    assert "No directory for downloads" in failed.error


async def test_a_directory_that_cannot_be_written_is_told(tmp_path: Path, odd: OddSite) -> None:
    (tmp_path / "file").write_text("in the way")
    async with Browser.open(rules=BrowserRules(hosts=LOOPBACK, download_dir=tmp_path / "file")) as browser:
        await browser.navigate(odd.file("/file", "a.txt", b"abc"))
        failed = (await downloads_of(browser, 2))[1]
        assert isinstance(failed, DownloadFailed)
        assert "could not be kept" in failed.error


@pytest.mark.parametrize(
    ("suggested", "name"),
    [
        ("report.pdf", "report.pdf"),
        ("Übersicht 2024.xlsx", "Übersicht 2024.xlsx"),
        ("../../etc/passwd", "passwd"),
        ("C:\\Windows\\x.exe", "x.exe"),
        (".bashrc", "_bashrc"),
        ("a\x00b\nc.txt", "a_b_c.txt"),
        ("invoice\u202efdp.exe", "invoicefdp.exe"),
        ("..", "download"),
        ("", "download"),
        ("name. . ", "name"),
        ("....", "download"),
        ("-rf", "_-rf"),
        ("~user", "_~user"),
        ("CON", "_CON"),
        ("aux.tar.gz", "_aux.tar.gz"),
        ("com1 .txt", "_com1.txt"),
        ("comet.txt", "comet.txt"),
        ("video.part", "video.part_"),
        ("a\u2028b\u00a0c\u200b.txt", "a b c.txt"),
        ("\ud83d.txt", "_txt"),
        ("\u0085\ufdd0\ue000x", "x"),
        ("x" * 300 + ".pdf", "x" * (NAME_LIMIT_BYTES - 4) + ".pdf"),
        ("ü" * 300 + ".pdf", "ü" * 98 + ".pdf"),
    ],
)
async def test_a_suggested_name_is_made_safe(suggested: str, name: str) -> None:
    assert safe_name(suggested) == name
    assert len(numbered(safe_name(suggested), 99).encode()) < 255


async def test_a_page_that_downloads_in_a_loop_is_held_up_and_the_session_goes_on(
    keeping: Browser, odd: OddSite, directory: Path
) -> None:
    odd.file("/many", "many.bin", b"x" * 100)
    loop = "for (let n = 0; n < 1000; n++) { const a = document.createElement('a'); a.href = '/many?' + n; a.click() }"
    address = odd.page("/loop", f'<button onclick="{loop}; done = true">go</button>')
    keeping.take_events()
    await keeping.navigate(address)
    tab = keeping.tabs.tab(None)
    await tab.page.click("button")
    await wait_for_script(tab, "window.done")
    events = await downloads_of(keeping, 2)
    assert (await keeping.navigate(address)).status == 200
    await keeping.watchers.downloads.wait(PATIENCE_S)
    events += await downloads_of(keeping, 0)
    started = [event for event in events if isinstance(event, DownloadStarted)]
    assert 1 <= len(started) <= 50
    assert len(events) == 2 * len(started)

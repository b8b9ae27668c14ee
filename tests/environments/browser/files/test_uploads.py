"""Files are checked first and given as they were then; no native window opens, and what a page keeps is told."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from environments.browser.conftest import wait_until
from environments.browser.site import Site
from gui_environments.browser import Browser, ReadRequest
from gui_environments.browser.events import FileChooserOpened
from gui_environments.browser.rules import BrowserRules
from gui_environments.errors import ActionFailed, ActionRefused
from loopback import LOOPBACK

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("uploads")
    (root / "a.txt").write_text("text of a")
    (root / "b.txt").write_text("text of b")
    (root / "below").mkdir()
    (root / "below" / "c.txt").write_text("text of c")
    return root


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def giving(root: Path) -> AsyncIterator[Browser]:
    async with Browser.open(rules=BrowserRules(hosts=LOOPBACK, upload_roots=(root,))) as browser:
        yield browser


async def reference_of(browser: Browser, name: str) -> str:
    reading = await browser.read_page(ReadRequest("all"))
    (line,) = [line for line in reading.lines if line.name.startswith(name) and line.reference]
    assert line.reference is not None
    return line.reference


READ = """async () => Promise.all([...document.querySelectorAll('input')].flatMap((input) => [...input.files])
    .map(async (file) => [file.name, await file.text()]))"""


async def test_a_file_field_gets_the_file_and_the_page_its_events(giving: Browser, site: Site, root: Path) -> None:
    await giving.navigate(
        site.put(
            "/upload",
            "<label>Photo<input type=file></label><script>seen=[];"
            "for (const kind of ['input', 'change']) document.querySelector('input')"
            ".addEventListener(kind, (event) => seen.push(event.type))</script>",
        )
    )
    outcome = await giving.upload_files(await reference_of(giving, "Photo"), [root / "a.txt"])
    assert outcome.notes == ("The page was given a.txt.",)
    page = giving.tabs.tab(None).page
    assert await page.evaluate(READ) == [["a.txt", "text of a"]]
    assert await page.evaluate("seen") == ["input", "change"]


async def test_a_hidden_field_is_reached_by_its_label(giving: Browser, site: Site, root: Path) -> None:
    await giving.navigate(
        site.put(
            "/upload", "<label for=f tabindex=0>Attach</label><input id=f type=file multiple style='display:none'>"
        )
    )
    reference = await reference_of(giving, "Attach")
    await giving.upload_files(reference, [root / "a.txt", Path("below/c.txt")])
    assert await giving.tabs.tab(None).page.evaluate(READ) == [["a.txt", "text of a"], ["c.txt", "text of c"]]


async def test_a_field_in_a_frame_of_another_site_gets_the_file(giving: Browser, site: Site, root: Path) -> None:
    site.put("/inner", "<input type=file aria-label=Inside>")
    await giving.navigate(site.put("/outer", "<iframe src='{b}/inner'></iframe>"))
    await giving.upload_files(await reference_of(giving, "Inside"), [root / "b.txt"])
    assert await giving.tabs.tab(None).page.frames[1].evaluate(READ) == [["b.txt", "text of b"]]


async def test_a_chooser_that_a_click_opened_is_served_by_the_next_upload(
    giving: Browser, site: Site, root: Path
) -> None:
    await giving.navigate(
        site.put(
            "/upload",
            "<button onclick='made = Object.assign(document.createElement(`input`), {type: `file`}); document.body."
            "append(made); made.hidden = true; made.click()'>Choose</button>",
        )
    )
    reference = await reference_of(giving, "Choose")
    with pytest.raises(ActionRefused, match="is no file field, and the page has not asked for files"):
        await giving.upload_files(reference, [root / "a.txt"])
    giving.take_events()
    page = giving.tabs.tab(None).page
    await page.click("button")
    events = []
    await wait_until(
        lambda: events.extend(giving.take_events()) or any(isinstance(e, FileChooserOpened) for e in events)
    )
    with pytest.raises(ActionRefused, match="asked for one file"):
        await giving.upload_files(reference, [root / "a.txt", root / "b.txt"])
    await giving.upload_files(reference, [root / "b.txt"])
    assert await page.evaluate(READ) == [["b.txt", "text of b"]]
    with pytest.raises(ActionRefused, match="has not asked for files"):
        await giving.upload_files(reference, [root / "a.txt"])


@pytest.mark.parametrize(
    ("field", "names", "words"),
    [
        ("<input type=file aria-label=Field disabled>", ["a.txt"], "is disabled"),
        ("<fieldset disabled><input type=file aria-label=Field></fieldset>", ["a.txt"], "is disabled"),
        ("<input type=file aria-label=Field>", ["a.txt", "b.txt"], "takes one file, not 2"),
        ("<input type=file webkitdirectory aria-label=Field>", ["a.txt"], "whole directory"),
        ("<input type=file aria-label=Field>", ["missing.txt"], "cannot be read: No such file"),
        ("<input type=file aria-label=Field>", ["below"], "not a plain file"),
        ("<input type=file aria-label=Field>", ["/etc/passwd"], "not in a directory"),
        ("<input type=file aria-label=Field>", ["../outside.txt"], "not in a directory"),
        ("<input type=file aria-label=Field>", [], "No file was named"),
    ],
)
async def test_a_refusal_says_why_and_gives_nothing(
    giving: Browser, site: Site, root: Path, field: str, names: list[str], words: str
) -> None:
    (root.parent / "outside.txt").write_text("outside")
    await giving.navigate(site.put("/upload", field))
    with pytest.raises(ActionRefused, match=words):
        await giving.upload_files(await reference_of(giving, "Field"), [root / name for name in names])
    assert await giving.tabs.tab(None).page.evaluate(READ) == []


async def test_a_page_that_drops_the_file_and_takes_another_is_told(giving: Browser, site: Site, root: Path) -> None:
    await giving.navigate(
        site.put(
            "/upload",
            "<input type=file aria-label=Field onchange='const other = new DataTransfer();"
            "other.items.add(new File([`x`], `other.txt`)); this.files = other.files'>",
        )
    )
    with pytest.raises(ActionFailed, match=r"kept other files.*other\.txt"):
        await giving.upload_files(await reference_of(giving, "Field"), [root / "a.txt"])


async def test_what_happens_to_a_file_after_the_check_changes_nothing(
    giving: Browser, site: Site, root: Path, tmp_path: Path
) -> None:
    path = root / "swapped.txt"
    path.write_text("checked")
    await giving.navigate(site.put("/upload", "<input type=file aria-label=Field>"))
    await giving.upload_files(await reference_of(giving, "Field"), [path])
    path.unlink()
    path.symlink_to("/etc/passwd")
    assert await giving.tabs.tab(None).page.evaluate(READ) == [["swapped.txt", "checked"]]

"""The browsers that one suite holds to one contract."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from environments.browser.site import Site
from gui_environments.browser import Browser
from gui_environments.browser.rules import BrowserRules
from gui_environments.desktop import Desktop
from gui_environments.protocols import BrowserEnvironment
from loopback import LOOPBACK

VIEWPORT = (800, 600)

SCREEN = (1000, 800)

REPORT = "a report of some length"

PAGE = """<title>Contract</title><style>
body { margin: 0 } button, input, a, p { display: block; height: 24px; margin: 0 }
#first { position: absolute; left: 100px; top: 200px; width: 40px; height: 40px; background: #f00; border: 0 }</style>
<script>
globalThis.seen = [];
for (const type of ['mousedown', 'mouseup', 'keydown', 'keyup', 'wheel', 'dblclick', 'contextmenu', 'auxclick'])
  addEventListener(type, (event) =>
    seen.push(type + ' ' + (event.key ?? [event.button, event.clientX, event.clientY])));
addEventListener('mousemove', (event) => { globalThis.last = [event.clientX, event.clientY, event.buttons].join(); });
</script>
<label>Name <input id=name></label>
<label>Colour <select><option>red</option><option>blue</option></select></label>
<label>Agreed <input type=checkbox></label>
<label>Files <input type=file id=files multiple></label>
<button onclick="document.querySelector('#name').value = 'saved'">Save</button>
<button onclick="alert('Hello there')">Greet</button>
<button disabled>Never</button>
<a href="/next">Next</a><a href="/next" target=_blank>Beside</a><a href="/report" download="report.txt">Report</a>
<button id=first aria-label=Red></button>
<iframe title=Frame src="{b}/framed" style="position: absolute; left: 400px; top: 300px; width: 300px; height: 150px">
</iframe><div style="height: 3000px"></div><button>Far below</button>"""

FRAMED = "<button onclick=\"this.textContent = 'Pressed'\">Inside</button><input aria-label=Note>"


@dataclass(frozen=True)
class BrowserUnderTest:
    """A browser without any rule but the folders that files come from and go to."""

    environment: BrowserEnvironment
    site: Site
    uploads: Path
    downloads: Path

    @property
    def page(self) -> str:
        return self.site.url("/contract")


OpenBrowser = Callable[[Path], AbstractAsyncContextManager[BrowserUnderTest]]


@asynccontextmanager
async def headless(folder: Path) -> AsyncIterator[BrowserUnderTest]:
    async with _opened(folder, headless=True, environment={}) as browser:
        yield browser


@asynccontextmanager
async def on_a_screen(folder: Path) -> AsyncIterator[BrowserUnderTest]:
    async with Desktop.open(SCREEN) as desktop:
        display = {"DISPLAY": desktop.display, "XAUTHORITY": str(desktop.xauthority)}
        async with _opened(folder, headless=False, environment=display) as browser:
            yield browser


@asynccontextmanager
async def _opened(folder: Path, *, headless: bool, environment: Mapping[str, str]) -> AsyncIterator[BrowserUnderTest]:
    uploads, downloads = folder / "uploads", folder / "downloads"
    for directory in (uploads, downloads):
        directory.mkdir()
    (uploads / "photo.txt").write_text("a photo")
    site = Site()
    site.put("/framed", FRAMED)
    site.put("/contract", PAGE)
    site.put("/next", "<title>Next</title><h1>The next page</h1>")
    site.put("/report", REPORT)
    rules = BrowserRules(hosts=LOOPBACK, upload_roots=(uploads,), download_dir=downloads)
    try:
        async with Browser.open(VIEWPORT, headless=headless, environment=environment, rules=rules) as browser:
            yield BrowserUnderTest(browser, site, uploads, downloads)
    finally:
        site.close()


BROWSERS: dict[str, OpenBrowser] = {"headless": headless, "on a screen": on_a_screen}

"""What nobody can answer here is denied at once, and noted; nothing native is ever shown."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from io import BytesIO

import pytest
from PIL import Image

from environments.browser.chromium.test_launch import display_of
from environments.browser.conftest import PATIENCE_S, POLL_S, wait_for_script, wait_until
from environments.browser.odd_site import OddSite, send
from environments.browser.site import Site
from gui_environments.browser import Browser
from gui_environments.browser.events import BrowserEvent, FileChooserOpened, SurfaceDenied
from gui_environments.browser.tabs.tab import Tab
from gui_environments.desktop import Desktop
from loopback import LOOPBACK_RULES

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture(scope="module")
def odd() -> Iterator[OddSite]:
    site = OddSite()
    yield site
    site.close()


def denied(browser: Browser) -> list[str]:
    return [event.what for event in browser.take_events() if isinstance(event, SurfaceDenied)]


async def denied_when_or_chosen(browser: Browser) -> list[BrowserEvent]:
    """The events read, once something was denied, or a page's wish for files caught."""
    found: list[BrowserEvent] = []
    kinds = (SurfaceDenied, FileChooserOpened)
    await wait_until(lambda: found.extend(browser.take_events()) or any(isinstance(event, kinds) for event in found))
    return found


async def denied_when(browser: Browser, words: str) -> list[str]:
    found: list[str] = []
    await wait_until(lambda: found.extend(denied(browser)) or any(words in what for what in found))
    return found


PAYMENT = "[{ supportedMethods: location.origin }], { total: { label: 'x', amount: { currency: 'EUR', value: '1' } } }"
PUBLIC_KEY = "{ publicKey: { challenge: new Uint8Array(16), rp: { name: 'x' }, pubKeyCredParams: [],"
PUBLIC_KEY += " user: { id: new Uint8Array(4), name: 'n', displayName: 'd' } } }"


@pytest.mark.parametrize(
    ("script", "value", "words"),
    [
        ("print() === undefined", "true", "printed"),
        (f"navigator.credentials.get({PUBLIC_KEY}).catch((e) => e.name)", "NotAllowedError", "passkey"),
        (f"navigator.credentials.create({PUBLIC_KEY}).catch((e) => e.name)", "NotAllowedError", "passkey"),
        (f"new PaymentRequest({PAYMENT}).show().catch((e) => e.name)", "AbortError", "payment"),
        ("showOpenFilePicker().catch((e) => e.name)", "AbortError", "files"),
        ("showSaveFilePicker().catch((e) => e.name)", "AbortError", "files"),
        ("showDirectoryPicker().catch((e) => e.name)", "AbortError", "files"),
        (
            "new Promise((r) => navigator.geolocation.getCurrentPosition(() => r('told'), (e) => r(e.code)))",
            "1",
            "location",
        ),
        (
            "navigator.mediaDevices.getUserMedia({ audio: true }).then(() => 'heard', () => 'denied')",
            "denied",
            "camera",
        ),
        ("navigator.clipboard.readText().catch((e) => e.name)", "NotAllowedError", "clipboard"),
        ("location.href = 'mailto:ada@example.test'; 1", "1", "another program, for a mailto: address"),
        ("location.href = 'custom+app:open'; 1", "1", r"another program, for a custom+app: address"),
    ],
)
async def test_it_is_denied_at_once_and_noted(
    browser: Browser, tab: Tab, site: Site, script: str, value: str, words: str
) -> None:
    address = site.put("/asks", "<p>asks", "c")  # a secure context with a name, as passkeys want
    await browser.navigate(address)
    await tab.page.click("p")
    browser.take_events()
    assert await browser.run_script(script) == value
    assert await denied_when(browser, words)
    assert tab.page.url == address


@pytest.mark.parametrize("member", ["navigator.usb", "navigator.hid", "navigator.serial", "navigator.bluetooth"])
async def test_there_are_no_choosers_of_devices(browser: Browser, tab: Tab, site: Site, member: str) -> None:
    await browser.navigate(site.put("/asks", "<p>asks", "c"))
    assert await browser.run_script(f"typeof {member}") == "undefined"


async def test_there_are_no_pictures_of_the_screen(browser: Browser, tab: Tab, site: Site) -> None:
    await browser.navigate(site.put("/asks", "<p>asks", "c"))
    assert await browser.run_script("typeof EyeDropper") == "undefined"
    assert await browser.run_script("typeof navigator.mediaDevices.getDisplayMedia") == "undefined"


async def test_http_authentication_is_not_given_and_the_page_of_the_refusal_shows(
    browser: Browser, tab: Tab, odd: OddSite
) -> None:
    address = odd.on(
        "/private", lambda handler: send(handler, 401, b"<p>members only", WWW_Authenticate='Basic realm="club"')
    )
    browser.take_events()
    navigated = await browser.navigate(address)
    assert navigated.status == 401
    assert await tab.page.inner_text("p") == "members only"
    assert await denied_when(browser, "HTTP authentication")


async def test_frames_of_other_sites_are_denied_too(browser: Browser, tab: Tab, site: Site) -> None:
    site.put("/inner", "<script>print()</script>")
    browser.take_events()
    await browser.navigate(site.put("/outer", "<iframe src='{b}/inner'></iframe>"))
    assert await denied_when(browser, "printed")


async def test_a_page_finds_nothing_of_ours_to_call(browser: Browser, tab: Tab, site: Site) -> None:
    await browser.navigate(site.put("/looks", "<script>found = typeof guiEnvironmentsSurface</script>"))
    assert await browser.run_script("found") == "undefined"
    assert await browser.run_script("String(print).includes('[native code]')") == "true"
    assert await browser.run_script("print.name") == "print"


async def test_one_that_asks_without_end_does_not_drown_the_rest(browser: Browser, tab: Tab, site: Site) -> None:
    browser.take_events()
    await browser.navigate(site.put("/asks", "<script>for (let n = 0; n < 200; n++) print(); alert('after')</script>"))
    events = browser.take_events()
    assert any(getattr(event, "message", "") == "after" for event in events)
    assert len([event for event in events if isinstance(event, SurfaceDenied)]) <= 20


async def test_of_the_windows_that_a_page_opens_in_a_loop_one_opens_for_a_click_and_none_without(
    browser: Browser, tab: Tab, site: Site
) -> None:
    site.put("/popup", "<title>Popup</title>")
    loop = "for (let n = 0; n < 200; n++) window.open('/popup');"
    address = site.put("/opener", f'<button onclick="{loop} done = 2">open</button><script>{loop} done = 1</script>')
    before = browser.tabs.all
    browser.take_events()
    await browser.navigate(address)
    await wait_for_script(tab, "window.done === 1")
    assert await denied_when(browser, "a new window without having been clicked")
    assert browser.tabs.all == before
    await tab.page.click("button")
    await wait_for_script(tab, "window.done === 2")
    await wait_until(lambda: len(browser.tabs.all) == len(before) + 1)
    assert len(denied(browser)) <= 20
    assert (await browser.navigate(site.url("/popup"), tab.tab_id)).title == "Popup"


async def test_on_a_screen_nothing_native_covers_the_page(site: Site) -> None:
    page = "<body style='margin:0;background:#0a0'><input type=file style='opacity:0'>"
    asks = (
        "print()",
        f"navigator.credentials.get({PUBLIC_KEY}).catch(() => {{}})",
        "showSaveFilePicker().catch(() => {})",
        "document.querySelector('input').click()",
        "navigator.geolocation.getCurrentPosition(() => {})",
        "void (location.href = 'custom+app:open')",
        "void (location.href = 'mailto:ada@example.test')",
        "print()",  # a window that the others opened late is seen now
    )
    async with (
        Desktop.open((1300, 900)) as desktop,
        Browser.open((1000, 600), headless=False, environment=display_of(desktop), rules=LOOPBACK_RULES) as browser,
    ):
        await browser.navigate(site.put("/green", page, "c"))
        for ask in asks:
            await browser.tabs.tab(None).page.mouse.click(500, 300)
            await browser.run_script(ask)
            assert await denied_when_or_chosen(browser)
            # What is native is a window of the desktop, and stays: the desktop's picture shows it, the page's does not.
            await wait_until_only_the_page_shows(desktop, (1000, 600))


async def wait_until_only_the_page_shows(desktop: Desktop, viewport: tuple[int, int]) -> None:
    """Waits until nothing but the page, which is green, is to be seen where the page is."""
    async with asyncio.timeout(PATIENCE_S):
        while await pixels_of(desktop, (0, 170, 0)) < 0.99 * viewport[0] * viewport[1]:  # noqa: ASYNC110 - has no event
            await asyncio.sleep(POLL_S)


async def pixels_of(desktop: Desktop, colour: tuple[int, int, int]) -> int:
    picture = Image.open(BytesIO((await desktop.capture()).data)).convert("RGB")
    return sum(count for count, found in picture.getcolors(1 << 24) if found == colour)

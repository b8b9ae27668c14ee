"""Pictures of a page: true to its pixels, rendered anew for a region, bounded whatever the page does."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from environments.browser.site import Site
from gui_environments.browser import Browser
from gui_environments.browser.cdp import CdpError, CdpSession
from gui_environments.browser.pages import capture
from gui_environments.browser.tabs.tab import Tab
from gui_environments.browser.values import PageRegion
from gui_environments.errors import ActionFailed, ActionRefused
from gui_environments.geometry import Size
from gui_environments.pictures import Picture

pytestmark = pytest.mark.asyncio(loop_scope="session")

CORNERS = """<style>body { margin: 0; background: white } div { position: fixed; width: 10px; height: 10px }</style>
<div style='top: 0; left: 0; background: #f00'></div><div style='bottom: 0; right: 0; background: #00f'></div>"""


def image_of(picture: Picture) -> Image.Image:
    return Image.open(BytesIO(picture.data)).convert("RGB")


async def test_it_is_the_viewport_pixel_by_pixel(browser: Browser, tab: Tab, site: Site) -> None:
    await browser.navigate(site.put("/corners", CORNERS))
    picture = await browser.capture()
    image = image_of(picture)
    assert (picture.size, image.size, picture.media_type) == (Size(1280, 800), (1280, 800), "image/png")
    assert [image.getpixel(at) for at in ((0, 0), (9, 9), (10, 10))] == [(255, 0, 0), (255, 0, 0), (255, 255, 255)]
    assert [image.getpixel(at) for at in ((1279, 799), (1270, 790))] == [(0, 0, 255), (0, 0, 255)]


@pytest.mark.parametrize("picture_format", ["png", "jpeg", "webp"])
async def test_it_is_scaled_and_encoded_as_asked(browser: Browser, tab: Tab, site: Site, picture_format: str) -> None:
    await browser.navigate(site.put("/corners", CORNERS))
    picture = await browser.capture(fit=Size(640, 400), picture_format=picture_format)
    assert (picture.media_type, image_of(picture).size) == (f"image/{picture_format}", (640, 400))
    red, green, blue = image_of(picture).getpixel((2, 2))
    assert red > 200
    assert green < 60
    assert blue < 60


async def test_a_page_that_is_not_drawn_yet_is_captured_once_it_is(
    browser: Browser, tab: Tab, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which a new page on a busy machine is now and then; here the browser's answer is put in the place of two."""
    await browser.navigate(site.put("/corners", CORNERS))
    send, refusals = CdpSession.send, [capture.NOT_DRAWN, f"{capture.NOT_DRAWN}."]

    async def refuse_twice(session: CdpSession, method: str, **parameters: object) -> dict[str, object]:
        if method == "Page.captureScreenshot" and refusals:
            raise CdpError(refusals.pop())
        return await send(session, method, **parameters)

    monkeypatch.setattr(CdpSession, "send", refuse_twice)
    image = image_of(await browser.capture())
    assert refusals == []
    assert image.getpixel((0, 0)) == (255, 0, 0)


async def test_a_region_is_rendered_anew_and_not_enlarged(browser: Browser, tab: Tab, site: Site) -> None:
    line = "<svg width=200 height=200 style='display:block'><rect x=100.25 y=50 width=.5 height=40 /></svg>"
    await browser.navigate(site.put("/fine", "<body style='margin: 0'>" + line))
    picture = await browser.capture(PageRegion(90, 40, 170, 90), fit=Size(640, 400))
    row = [image_of(picture).getpixel((x, 200))[0] for x in range(640)]
    assert picture.size == Size(640, 400)
    # Eight times as large, half a pixel is four whole ones, black to its edges.
    assert row.count(0) == 4
    assert row[82:86] == [0, 0, 0, 0]


async def test_a_region_of_a_scrolled_page_is_what_shows_there(browser: Browser, tab: Tab, site: Site) -> None:
    rows = "".join(f"<div style='height:100px;background:rgb({n},0,0)'></div>" for n in range(0, 250, 5))
    await browser.navigate(site.put("/tall", "<body style='margin:0'>" + rows))
    await tab.page.evaluate("scrollTo(0, 1250)")
    whole = image_of(await browser.capture())
    part = image_of(await browser.capture(PageRegion(200, 300, 360, 400), fit=Size(320, 200)))
    assert part.getpixel((5, 5)) == whole.getpixel((203, 303)) == (75, 0, 0)
    assert await tab.page.evaluate("[scrollY, innerWidth, innerHeight]") == [1250, 1280, 800]


@pytest.mark.parametrize("region", [PageRegion(-1, 0, 5, 5), PageRegion(0, 0, 1281, 5), PageRegion(0, 799, 5, 801)])
async def test_a_region_outside_is_refused(browser: Browser, tab: Tab, region: PageRegion) -> None:
    with pytest.raises(ActionRefused, match="not inside the viewport of 1280x800"):
        await browser.capture(region)


async def test_fonts_that_never_come_and_endless_animations_hold_nothing_up(
    browser: Browser, tab: Tab, site: Site
) -> None:
    await tab.page.route("**/never.woff2", lambda _: None)  # neither answered nor broken off
    await browser.navigate(
        site.put(
            "/restless",
            "<style>@font-face { font-family: never; src: url(/never.woff2) } p { font-family: never }"
            "@keyframes turn { to { transform: rotate(1turn) } } div { animation: turn .1s linear infinite }</style>"
            "<p>text<div>turning</div><script>(function again() { requestAnimationFrame(again) })()</script>",
        )
    )
    for _ in range(5):
        assert (await browser.capture()).size == Size(1280, 800)
    await tab.page.unroute("**/never.woff2")


async def test_a_page_that_hangs_fails_in_words_and_the_session_goes_on(
    browser: Browser, tab: Tab, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(capture, "CAPTURE_S", 0.5)
    await browser.navigate(site.put("/busy", "<p>busy"))
    await tab.page.evaluate("setTimeout(() => { for (;;) {} }); document.title = 'caught'")
    with pytest.raises(ActionFailed, match="could not be captured within"):
        await browser.capture()
    other = await browser.tabs.open()
    monkeypatch.undo()
    assert (await browser.capture(tab_id=other.tab_id)).size == Size(1280, 800)


async def test_a_tab_behind_another_is_captured_too(browser: Browser, tab: Tab, site: Site) -> None:
    await browser.navigate(site.put("/corners", CORNERS))
    await browser.tabs.open()
    assert image_of(await browser.capture(tab_id=tab.tab_id)).getpixel((0, 0)) == (255, 0, 0)

"""What a page shows of a secret is not in a picture of it: found by looking at the pixels, with secrets in red."""

from __future__ import annotations

import base64
import html
from io import BytesIO
from urllib.parse import quote

import pytest
from PIL import Image, ImageChops

from environments.browser.conftest import Read, wait_for_script
from environments.browser.site import Site
from gui_environments.browser import Browser
from gui_environments.browser.actions import SetField, TypeFilled
from gui_environments.browser.tabs.tab import Tab
from gui_environments.browser.values import PageRegion
from gui_environments.egress.entries import parse_entry
from gui_environments.errors import ActionFailed
from gui_environments.geometry import Size
from gui_environments.pictures import Picture
from gui_environments.secrets import Masking, SecretText

pytestmark = pytest.mark.asyncio(loop_scope="session")

VALUE = "kW7& canary <pass> 31"
TEXT = html.escape(VALUE)
EXPRESSIONS = Masking([("PASSWORD", VALUE)]).expressions
WIDTH, HEIGHT = 400, 50
"""Of the box in which a case is shown."""

STYLE = """<style>* { box-sizing: border-box } body { margin: 0; background: #fff; font: 16px monospace; color: #00f }
.case { position: absolute; width: 400px; height: 50px; overflow: hidden; color: #f00 }
.case * { color: #f00 } input, textarea, select, button { border: 0; background: #fff; font: inherit; width: 100% }
::placeholder { color: #f00; opacity: 1 } iframe { border: 0; width: 390px; height: 45px }
.after::after { content: attr(data-shown) } .label { color: #00f }</style>"""

SPLIT = "".join(f"<span>{html.escape(char)}</span>" for char in VALUE)
APART = "".join(f"<div style='float: left'>\n {html.escape(char)}\n</div>" for char in VALUE)
CLOSED = "class extends HTMLElement { connectedCallback() { this.attachShadow({mode: 'closed'}).innerHTML = shown } }"
IN_FRAME = f"<body style='margin: 0; background: #fff; font: 16px monospace; color: #f00'>{TEXT}"

CASES = {
    "text": TEXT,
    "text in capitals": f"<span style='text-transform: uppercase'>{TEXT}</span>",
    "text among other text": f"<p class=label>The password is <b>{TEXT}</b>, and so on.",
    "split into spans": SPLIT,
    "split into blocks": APART,
    "with marks that nobody sees": TEXT.replace(" ", "&shy; &#8203;").replace("can", "can<wbr>"),
    "broken into lines": f"<div style='width: 120px'>{TEXT}</div>",
    "in an address": quote(VALUE, safe=""),
    "in base64": base64.b64encode(VALUE.encode()).decode(),
    "in a link": f"<a href='/'>{TEXT}</a>",
    "turned": f"<div style='transform: rotate(4deg); transform-origin: 0 0'>{TEXT}</div>",
    "in a picture made of shapes": f"<svg width=390 height=40><text y=20 fill='#f00'>{TEXT}</text></svg>",
    "a field of text": f"<input value='{TEXT}'>",
    "a field for an address": f"<input type=url value='https://x.test/?p={quote(VALUE)}'>",
    "a button": f"<input type=button value='{TEXT}'>",
    "a hint": f"<input placeholder='{TEXT}'>",
    "a field of several lines": f"<textarea>so: {TEXT}</textarea>",
    "a choice": f"<select><option>{TEXT}</select>",
    "what is edited in place": f"<div contenteditable>{TEXT}</div>",
    "what a style sheet writes": f"<div class=after data-shown='{TEXT}'></div>",
    "words for a picture": f"<img src='/none.png' alt='{TEXT}' width=390 height=40>",
    "an open shadow root": f"<div><template shadowrootmode=open><b style='color: #f00'>{TEXT}</b></template></div>",
    "a closed shadow root": f"<script>shown = `<b style='color: #f00'>{TEXT}</b>`</script><x-closed></x-closed>",
    "a frame": "<iframe src='/frame'></iframe>",
    "a frame of another site": "<iframe src='{b}/frame'></iframe>",
    "a frame in a frame": "<iframe src='{c}/outer'></iframe>",
    "a frame without an address": f"<iframe srcdoc=\"{html.escape(IN_FRAME)}\"></iframe>",
}  # fmt: skip


def image_of(picture: Picture) -> Image.Image:
    return Image.open(BytesIO(picture.data)).convert("RGB")


def red_pixels(image: Image.Image) -> int:
    """That cannot be of the black, white and blue that all else is made of."""
    red, green, blue = image.split()
    return pixels_above(ImageChops.subtract(red, ImageChops.lighter(green, blue)))


def blue_pixels(image: Image.Image) -> int:
    red, green, blue = image.split()
    return pixels_above(ImageChops.subtract(blue, ImageChops.lighter(red, green)))


def pixels_above(channel: Image.Image, least: int = 40) -> int:
    return sum(channel.histogram()[least:])


@pytest.fixture
def covered(browser: Browser) -> object:
    """Pictures without the secret, until the test ends."""
    browser.keep_from_sight(EXPRESSIONS)
    yield
    browser.keep_from_sight(())


def page_of_cases() -> str:
    shown = "".join(
        f"<div class=case style='left: {WIDTH * (at % 3)}px; top: {HEIGHT * (at // 3)}px'>{body}</div>"
        for at, body in enumerate(CASES.values())
    )
    label = "<div class=label style='position: absolute; top: 700px'>What is no secret is shown.</div>"
    return f"{STYLE}<script>customElements.define('x-closed', {CLOSED})</script>{shown}{label}"


async def test_no_picture_shows_a_secret_wherever_in_a_page_it_stands(browser: Browser, tab: Tab, site: Site) -> None:
    site.put("/frame", IN_FRAME)
    site.put("/outer", f"<body style='margin: 0'>{CASES['a frame of another site']}".replace("{b}", site.url("", "b")))
    await tab.page.goto(site.put("/cases", page_of_cases()))
    boxes = [(WIDTH * (at % 3), HEIGHT * (at // 3)) for at in range(len(CASES))]
    browser.keep_from_sight(())
    plain = image_of(await browser.capture())
    unseen = [
        name
        for name, (x, y) in zip(CASES, boxes, strict=True)
        if not red_pixels(plain.crop((x, y, x + WIDTH, y + HEIGHT)))
    ]
    assert unseen == [], "these cases show nothing, so that they show nothing about covering"
    browser.keep_from_sight(EXPRESSIONS)
    try:
        pictures = {
            "a screenshot": await browser.capture(),
            "a smaller one": await browser.capture(fit=Size(640, 400), picture_format="jpeg"),
            "a zoom": await browser.capture(PageRegion(0, 0, 640, 400), fit=Size(1280, 800)),
            "a zoom of another part": await browser.capture(PageRegion(400, 150, 800, 400), fit=Size(1280, 800)),
        }
    finally:
        browser.keep_from_sight(())
    shown = image_of(pictures["a screenshot"])
    seen = [
        name for name, (x, y) in zip(CASES, boxes, strict=True) if red_pixels(shown.crop((x, y, x + WIDTH, y + HEIGHT)))
    ]
    assert seen == []
    assert {name: red_pixels(image_of(picture)) for name, picture in pictures.items()} == dict.fromkeys(pictures, 0)
    # What is no secret is as it was.
    bottom = (0, 690, 1280, 800)
    assert shown.crop(bottom).tobytes() == plain.crop(bottom).tobytes()
    assert blue_pixels(shown.crop(bottom)) > 0


@pytest.mark.usefixtures("covered")
async def test_what_moves_is_covered_where_it_is(browser: Browser, tab: Tab, read: Read) -> None:
    await read(
        f"{STYLE}<style>@keyframes go {{ to {{ transform: translate(700px, 500px) }} }} .moves {{ color: #f00; "
        f"position: absolute; animation: go 0.4s linear infinite alternate }}</style><div class=moves>{TEXT}</div>"
    )
    for _ in range(5):
        assert red_pixels(image_of(await browser.capture())) == 0


@pytest.mark.usefixtures("covered")
async def test_what_comes_and_goes_is_covered(browser: Browser, tab: Tab, read: Read) -> None:
    await read(
        f"{STYLE}<div id=d style='color: #f00'>{TEXT}</div><script>setInterval(() => d.hidden = !d.hidden, 20)</script>"
    )
    for _ in range(5):
        assert red_pixels(image_of(await browser.capture())) == 0


@pytest.mark.usefixtures("covered")
async def test_a_frame_that_does_not_answer_is_covered_whole(
    browser: Browser, tab: Tab, read: Read, site: Site
) -> None:
    loop = "<script>onmessage = () => { const end = Date.now() + 120000; while (Date.now() < end); }</script>"
    site.put("/busy", f"<body style='margin: 0; background: #f00'>{loop}")
    await read(f"{STYLE}<p>around</p><iframe id=i src='{{b}}/busy' style='width: 200px; height: 100px'></iframe>")
    assert red_pixels(image_of(await browser.capture())) > 15_000
    await tab.page.evaluate("i.contentWindow.postMessage(1, '*')")
    image = image_of(await browser.capture())
    assert red_pixels(image) == 0
    assert blue_pixels(image) > 0


@pytest.mark.usefixtures("covered")
async def test_of_a_page_that_does_not_answer_there_is_no_picture(browser: Browser, tab: Tab, read: Read) -> None:
    await read(f"<p>{TEXT}</p>")
    await tab.page.evaluate("setTimeout(() => { const end = Date.now() + 120000; while (Date.now() < end); })")
    with pytest.raises(ActionFailed, match=r"does not say where it shows secrets|could not be captured"):
        await browser.capture()


async def test_fields_that_a_secret_was_filled_into_are_covered_whatever_the_page_makes_of_it(
    browser: Browser, tab: Tab, read: Read
) -> None:
    spaced = "addEventListener('input', (e) => e.target.value = [...e.target.value.replaceAll('-', '')].join('-'))"
    reading = await read(
        f"{STYLE}<div class=case><input aria-label=f></div><div class=case style='top: 100px'>"
        f"<textarea aria-label=g></textarea></div><script>{spaced}</script>",
        "all",
    )
    secret = SecretText("PASSWORD", VALUE, (parse_entry("127.0.0.1"),))
    await tab.page.focus("[aria-label=f]")
    await browser.perform(TypeFilled((secret,)), tab.tab_id, settle_s=0)
    number = reading.split('"g" [')[1].split("]")[0]
    await browser.perform(SetField(number, (secret,)), tab.tab_id, settle_s=0)
    await wait_for_script(tab, "document.querySelector('[aria-label=g]').value.includes('k-W')")
    assert red_pixels(image_of(await browser.capture())) > 0
    browser.keep_from_sight(EXPRESSIONS)
    try:
        assert red_pixels(image_of(await browser.capture())) == 0
        sight = await browser.look(number, tab.tab_id)
    finally:
        browser.keep_from_sight(())
    # The small picture that whoever is asked about it is shown.
    (spot,) = sight.spots
    assert red_pixels(image_of(spot.picture)) == 0

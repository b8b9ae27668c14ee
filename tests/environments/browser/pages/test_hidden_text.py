"""Text that a person cannot see is not read, by whatever trick it is hidden, in readings and in the text of a page;
text that looks like such a trick and shows is read."""

from __future__ import annotations

import pytest

from environments.browser.acting.test_aiming import reference
from environments.browser.conftest import Read
from gui_environments.browser import Browser
from gui_environments.browser.acting.forms import set_field
from gui_environments.browser.actions import SetField
from gui_environments.browser.tabs.tab import Tab

pytestmark = pytest.mark.asyncio(loop_scope="session")

HIDDEN = {
    "transparent by degrees": "<div style='opacity:.2'><div style='opacity:.2'><p>SECRET",
    "transparent by a filter": "<div style='filter:opacity(0)'><p>SECRET",
    "masked away": "<div style='mask-image:linear-gradient(transparent,transparent)'><p>SECRET",
    "a polygon without area": "<div style='clip-path:polygon(0 0,0 0,0 0)'><p>SECRET",
    "an inset from one side": "<div style='clip-path:inset(0 100% 0 0)'><p>SECRET",
    "an inset in pixels": "<div style='clip-path:inset(500px)'><p>SECRET",
    "an inset that leaves another part": "<div style='clip-path:inset(0 0 0 50%);width:600px'><p>SECRET",
    "a path without area": "<div style='clip-path:path(\"M0 0\")'><p>SECRET",
    "its back to the viewer": "<p style='transform:rotateY(180deg);backface-visibility:hidden'>SECRET",
    "the back of a card": (
        "<div style='transform-style:preserve-3d'>"
        "<p style='transform:rotateY(180deg);backface-visibility:hidden'>SECRET</div>"
    ),
    "white as oklch": "<p style='color:oklch(1 0 0)'>SECRET",
    "white as color()": "<p style='color:color(srgb 1 1 1)'>SECRET",
    "on a gradient of one colour": "<div style='background:linear-gradient(#fff,#fff)'><p style='color:#fff'>SECRET",
    "white on half a white": "<div style='background:rgba(255,255,255,.5)'><p style='color:#fff'>SECRET",
    "white out of the flow": "<div style='position:absolute;top:20px;color:#fff'>SECRET",
    "inked by a background that is none": "<p style='color:transparent;background-clip:text'>SECRET",
    "a transparent shadow": "<p style='color:transparent;text-shadow:0 0 0 transparent'>SECRET",
    "in a box of no height that contains paint": "<div style='contain:strict;height:0'>SECRET",
    "under what is painted over it": (
        "<div style='position:relative'><p>SECRET</p>"
        "<div style='position:absolute;inset:0;background:#fff'></div></div>"
    ),
    "under what the mouse goes through": (
        "<div style='position:relative'><p>SECRET</p>"
        "<div style='position:absolute;inset:0;background:#fff;pointer-events:none'></div></div>"
    ),
    "under a deaf layer that was there before": (
        "<div style='position:relative'><div style='position:absolute;inset:0;background:#fff;z-index:2;"
        "pointer-events:none'></div><p style='position:relative;z-index:1'>SECRET</p></div>"
    ),
    "black on a black layer behind it": (
        "<div style='position:relative;z-index:0'><p style='color:#000'>SECRET</p>"
        "<div style='position:absolute;inset:0;background:#000;z-index:-1'></div></div>"
    ),
    "black on a black layer before it": (
        "<div style='position:relative'><div style='position:absolute;inset:0;background:#000'></div>"
        "<p style='color:#000;position:relative'>SECRET</p></div>"
    ),
    "behind what holds it": (
        "<div style='background:#fff;position:relative;z-index:0'><p style='position:relative;z-index:-1'>SECRET</p>"
        "<div style='background:#eee;position:absolute;inset:0'></div></div>"
    ),
    "what a style sheet adds without opacity": "<style>b::before{content:'SECRET';opacity:0}</style><b>x</b>",
    "what a style sheet adds far away": "<style>b::before{content:'SECRET';position:absolute;left:-9999px}</style><b>x",
    "what a style sheet adds without size": "<style>b::before{content:'SECRET';font-size:0}</style><b>x</b>",
    "what a style sheet adds in white": "<style>b::before{content:'SECRET';color:#fff}</style><b>x</b>",
    "what a style sheet adds invisibly": "<style>b::before{content:'SECRET';visibility:hidden}</style><b>x</b>",
    "drawn without ink": "<svg width=100 height=30><text y=20 fill=transparent>SECRET</text></svg>",
    "shown as dots": "<p style='-webkit-text-security:disc'>SECRET",
    "a field shown as dots": "<input style='-webkit-text-security:disc' value=SECRET>",
    "cut after an ellipsis": (
        "<div style='width:60px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap'>aaaa bbbb cccc SECRET</div>"
    ),
    "lines below the box": (
        "<div style='height:20px;line-height:20px;overflow:hidden;width:100px'>aaaa bbbb cccc dddd eeee SECRET</div>"
    ),
    "a frame of a pixel": "<iframe width=1 height=1 srcdoc='<p>SECRET'></iframe>",
}

SHOWN = {
    "the front of a card": (
        "<div style='transform-style:preserve-3d;transform:rotateY(180deg)'>"
        "<p style='transform:rotateY(180deg);backface-visibility:hidden'>SHOWN</div>"
    ),
    "ink from a gradient around it": (
        "<h1 style='color:transparent;background:linear-gradient(red,blue);background-clip:text'>"
        "<span>SHOWN</span></h1>"
    ),
    "white on a picture's place": (
        "<style>.b::before{content:'';position:absolute;inset:0;background:#c00;z-index:-1}</style>"
        "<div class=b style='position:relative;z-index:0;color:#fff'>SHOWN</div>"
    ),
    "white on a bar that is drawn": (
        "<svg width=100 height=30><rect width=100 height=30 fill=navy /><text y=20 fill=white>SHOWN</text></svg>"
    ),
    "under glass": (
        "<div style='position:relative'><p>SHOWN</p><div style='position:absolute;inset:0;background:rgba(0,0,0,.2)'>"
        "</div></div>"
    ),
    "over a deaf layer": (
        "<div style='position:relative;z-index:0'><p>SHOWN</p>"
        "<div style='position:absolute;inset:0;background:#fff;z-index:-1;pointer-events:none'></div></div>"
    ),
    "in a layer above a deaf one": (
        "<div style='position:relative;z-index:2'><p>SHOWN</p></div>"
        "<div style='position:fixed;inset:0;background:#fff;z-index:1;pointer-events:none'></div>"
    ),
    "placed after a deaf one": (
        "<div style='position:absolute;inset:0;background:#fff;pointer-events:none'></div>"
        "<p style='position:relative'>SHOWN</p>"
    ),
    "beside a deaf one": (
        "<div style='position:relative'><p>SHOWN</p><div style='position:absolute;left:400px;top:0;width:50px;"
        "height:50px;background:#fff;pointer-events:none'></div></div>"
    ),
    "in a dialog over a deaf one": (
        "<dialog id=d>SHOWN</dialog><div style='position:fixed;inset:0;background:#fff;z-index:99;pointer-events:none'>"
        "</div><script>d.showModal()</script>"
    ),
    "white on a black layer behind it": (
        "<div style='position:relative;z-index:0'><p style='color:#fff'>SHOWN</p>"
        "<div style='position:absolute;inset:0;background:#000;z-index:-1'></div></div>"
    ),
    "a shape that leaves it": "<div style='clip-path:polygon(0 0,100% 0,100% 100%,0 100%)'><p>SHOWN",
    "half transparent": "<div style='opacity:.5'><p style='opacity:.5'>SHOWN",
    "by scrolling its box": "<div style='height:20px;overflow:auto'>SHOWN<br>b<br>c<br>d</div>",
}


@pytest.mark.parametrize("way", HIDDEN)
async def test_text_that_is_hidden_is_not_read(browser: Browser, tab: Tab, read: Read, way: str) -> None:
    for elements in ("visible", "all"):
        text = await read(f"<body><p>before</p>{HIDDEN[way]}", elements)
        assert "before" in text
        assert "SECRET" not in text
    assert "SECRET" not in await browser.page_text()


@pytest.mark.parametrize("way", SHOWN)
async def test_text_that_shows_is_read(browser: Browser, tab: Tab, read: Read, way: str) -> None:
    assert "SHOWN" in await read(f"<body><p>before</p>{SHOWN[way]}")
    assert "SHOWN" in await browser.page_text()


async def test_what_lies_under_something_that_stays_in_place_is_read_with_all_only(
    browser: Browser, tab: Tab, read: Read
) -> None:
    page = "<p>under</p><div style='position:fixed;inset:0;background:#fff'>over</div>"
    assert "under" not in await read(page)
    assert "under" in await read(elements="all")
    assert "under" in await browser.page_text()


async def test_a_cut_text_says_so(read: Read) -> None:
    text = await read("<div style='width:60px;overflow:hidden;white-space:nowrap'>aaaa bbbb cccc dddd</div>")
    assert text.startswith('text "aaaa')
    assert text.endswith('…"')
    assert "dddd" not in text


async def test_a_password_that_was_one_when_it_was_read_never_comes_back(
    browser: Browser, tab: Tab, read: Read
) -> None:
    text = await read("<input type=password id=p aria-label=Key>")
    await set_field(tab, browser.references, SetField(reference(text, "Key"), "hunter2"))
    await tab.page.evaluate("p.type = 'text'")
    assert "hunter2" not in await read()
    assert "hunter2" not in await browser.page_text()
    outcome = await set_field(tab, browser.references, SetField(reference(text, "Key"), "hunter3"))
    assert "hunter" not in " ".join(outcome.notes)

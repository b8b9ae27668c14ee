"""Frames of every kind: of the same document's site, of another, inside each other, moving between the two."""

from __future__ import annotations

import asyncio
import re
from urllib.parse import urlsplit

import pytest

from environments.browser.conftest import PATIENCE_S, Read
from environments.browser.site import Site
from gui_environments.browser import Browser, ReadRequest, read_page
from gui_environments.browser.pages.mapping import viewport_quads
from gui_environments.browser.tabs.tab import Tab

pytestmark = pytest.mark.asyncio(loop_scope="session")


def bare(text: str) -> list[str]:
    return re.sub(r" \[ref_\d+\]", "", text).splitlines()


async def show(tab: Tab, browser: Browser, address: str, elements: str = "visible") -> str:
    await tab.page.goto(address)
    return (await read_page(tab, browser.references, ReadRequest(elements))).text


def frame(address: str, more: str = "") -> str:
    return f"<iframe src='{address}' width=400 height=200 title=F {more}></iframe>"


async def process_count(browser: Browser, tab: Tab) -> int:
    """Out-of-process frames of the tab that have sessions."""
    targets = await (await tab.frames.page_session()).send("Target.getTargets", filter=[{"type": "iframe"}])
    return len(targets["targetInfos"])


async def test_frames_of_other_sites_are_read_in_place(browser: Browser, tab: Tab, site: Site) -> None:
    site.put("/inner", "<button>inner</button>")
    text = await show(
        tab, browser, site.put("/outer", "<a href=#>before</a>" + frame("{b}/inner") + "<a href=#>after</a>")
    )
    assert await process_count(browser, tab) == 1
    assert bare(text) == ['link "before"', 'iframe "F"', '  button "inner"', 'link "after"']


@pytest.mark.parametrize("hosts", ["aaa", "aab", "abb", "aba", "abc", "abab", "aabba"])
async def test_nested_frames_are_read_wherever_they_run(browser: Browser, tab: Tab, site: Site, hosts: str) -> None:
    depth = len(hosts) - 1
    site.put(f"/{hosts}{depth}", "<button>innermost</button>")
    for level in range(depth - 1, -1, -1):
        site.put(f"/{hosts}{level}", f"<p>level {level}</p>" + frame("{" + hosts[level + 1] + f"}}/{hosts}{level + 1}"))
    text = await show(tab, browser, site.url(f"/{hosts}0", hosts[0]), "all")
    lines = bare(text)
    assert lines[-1] == "  " * depth + 'button "innermost"'
    assert [line.strip() for line in lines if "level" in line] == [f'text "level {level}"' for level in range(depth)]


async def test_a_frame_that_moves_to_another_site_and_back_is_read_each_time(
    browser: Browser, tab: Tab, site: Site, read: Read
) -> None:
    site.put("/inner", "<script>document.write('<button>on ' + location.hostname + '</button>')</script>")
    await show(tab, browser, site.put("/outer", frame("{a}/inner")))
    for host in ("b", "a", "c", "b", "a"):
        address = site.url("/inner", host)
        await tab.page.evaluate("url => { document.querySelector('iframe').src = url }", address)
        shown = f'button "on {urlsplit(address).hostname}"'
        async with asyncio.timeout(PATIENCE_S):
            while shown not in await read():  # noqa: ASYNC110 - a frame that changes its process shows the old page for a while
                await asyncio.sleep(0.01)


async def test_only_the_shown_part_of_a_frame_is_read(browser: Browser, tab: Tab, site: Site) -> None:
    rows = "".join(f"<p style='margin:0;height:20px'>row {n}</p>" for n in range(100))
    site.put("/tall", rows)
    address = site.put("/outer", f"<div style='height:100px;overflow:hidden'>{frame('{b}/tall')}</div>")
    text = await show(tab, browser, address)
    assert '"row 3"' in text
    assert '"row 8"' not in text
    assert '"row 90"' in await show(tab, browser, address, "all")


async def test_hidden_frames_are_not_read(browser: Browser, tab: Tab, site: Site) -> None:
    site.put("/inner", "<button>inner</button>")
    ways = ("style='display:none'", "style='visibility:hidden'", "style='opacity:0'", "aria-hidden=true")
    text = await show(
        tab, browser, site.put("/outer", "shown" + "".join(frame("{b}/inner", way) for way in ways)), "all"
    )
    assert bare(text) == ['text "shown"']


async def test_srcdoc_and_sandboxed_frames_are_read(browser: Browser, tab: Tab, site: Site) -> None:
    site.put("/inner", "<button>sandboxed</button>")
    body = "<iframe srcdoc='<button>srcdoc</button>'></iframe>"
    body += "<iframe sandbox srcdoc='<button>own origin</button>'></iframe>"
    text = await show(tab, browser, site.put("/outer", body + "<iframe sandbox src='{b}/inner'></iframe>"))
    assert [line.strip() for line in bare(text) if "button" in line] == [
        'button "srcdoc"',
        'button "own origin"',
        'button "sandboxed"',
    ]


STYLES = {
    "plain": "",
    "bordered and padded": "style='border:7px solid;padding:11px'",
    "rotated": "style='transform:rotate(20deg)'",
    "scaled": "style='transform:scale(.6,1.4)'",
    "in perspective": "style='transform:perspective(500px) rotateY(30deg)'",
    "zoomed": "style='zoom:1.5'",
}


@pytest.mark.parametrize("hosts", ["aa", "ab", "aba", "aab", "aaa"])
@pytest.mark.parametrize("style", STYLES)
async def test_an_element_is_where_its_quad_says_it_is(
    browser: Browser, tab: Tab, site: Site, hosts: str, style: str
) -> None:
    """A real click in the middle of the quad arrives at the element, and nowhere else."""
    depth = len(hosts) - 1
    site.put(
        f"/{hosts}{depth}",
        "<body style='margin:0'><button style='margin:81px 0 0 167px;width:24px;height:14px;padding:0' "
        "aria-label=target "
        'onclick=\'this.setAttribute("aria-label", "hit")\'></button>',
    )
    for level in range(depth - 1, -1, -1):
        inner = "{" + hosts[level + 1] + f"}}/{hosts}{level + 1}"
        site.put(f"/{hosts}{level}", f"<body style='margin:9px'>{frame(inner, STYLES[style])}")
    text = await show(tab, browser, site.url(f"/{hosts}0"), "all")
    reference = re.search(r'button "target" \[(ref_\d+)\]', text)
    assert reference
    element = await browser.references.resolve(tab, reference[1])
    (quad,) = await viewport_quads(element)
    loop = asyncio.get_running_loop()
    deadline = loop.time() + PATIENCE_S
    while 'button "hit"' not in (await read_page(tab, browser.references, ReadRequest("all"))).text:
        assert loop.time() < deadline, "the click went elsewhere"
        # Chromium finds its way into frames of other processes by what each has drawn last, which may be nothing yet.
        await tab.page.mouse.click(quad.center.x, quad.center.y)


async def test_an_element_without_a_box_has_no_quad(browser: Browser, tab: Tab, read: Read) -> None:
    text = await read("<button>b</button>")
    element = await browser.references.resolve(tab, text.split("[")[1].rstrip("]"))
    await tab.page.evaluate("document.querySelector('button').style.display = 'none'")
    assert await viewport_quads(element) == ()


async def test_an_element_broken_into_lines_has_a_quad_for_each(browser: Browser, tab: Tab, read: Read) -> None:
    text = await read("<div style='width:60px'><a href=#>one two three four</a></div>")
    element = await browser.references.resolve(tab, text.split("[")[1].rstrip("]"))
    assert len(await viewport_quads(element)) >= 2

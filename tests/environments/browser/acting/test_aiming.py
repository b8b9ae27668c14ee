"""Pressing an element: at a point where it is really hit, or not at all, with what is in the way by its name."""

from __future__ import annotations

import asyncio
import re

import pytest

from environments.browser.conftest import Read, wait_for_script
from environments.browser.site import Site
from gui_environments.browser import Browser
from gui_environments.browser.acting.aiming import Aim, aim_at, scroll_into_view
from gui_environments.browser.acting.mouse import click
from gui_environments.browser.acting.pressing import click_element
from gui_environments.browser.tabs.tab import Tab
from gui_environments.browser.values import PagePoint
from gui_environments.errors import ActionRefused

pytestmark = pytest.mark.asyncio(loop_scope="session")

REFUSED_WITHIN_S = 2.0
SPARE_S = 8.0
"""For a machine that is busy with other things."""


def reference(text: str, name: str) -> str:
    match = re.search(rf'"{re.escape(name)}" \[(ref_\d+)\]', text)
    assert match, text
    return match[1]


async def aim(browser: Browser, tab: Tab, text: str, name: str) -> Aim:
    return await aim_at(tab, browser.references, reference(text, name))


async def press(browser: Browser, tab: Tab, text: str, name: str) -> None:
    await click_element(tab, browser.references, reference(text, name))


async def refusal(browser: Browser, tab: Tab, text: str, name: str) -> str:
    with pytest.raises(ActionRefused) as refused:
        async with asyncio.timeout(REFUSED_WITHIN_S + SPARE_S):
            await aim(browser, tab, text, name)
    return str(refused.value)


HIT = "<script>globalThis.hits = []; addEventListener('click', e => hits.push(e.target.id), true)</script>"


async def hits(tab: Tab) -> list[str]:
    return await tab.page.evaluate("hits")


async def test_an_element_far_below_is_scrolled_to_and_hit(browser: Browser, tab: Tab, read: Read) -> None:
    text = await read(HIT + "<div style='height:5000px'></div><button id=far>far</button>", "all")
    await press(browser, tab, text, "far")
    assert await hits(tab) == ["far"]


async def test_an_element_in_a_scrolled_box_in_a_scrolled_box_is_hit(browser: Browser, tab: Tab, read: Read) -> None:
    box = "<div style='height:120px;width:300px;overflow:auto'><div style='height:900px'></div>"
    text = await read(HIT + box + box + "<button id=in>in</button></div></div>" * 2, "all")
    await press(browser, tab, text, "in")
    assert await hits(tab) == ["in"]


async def test_an_element_in_sight_is_not_scrolled(browser: Browser, tab: Tab, read: Read) -> None:
    text = await read("<button>here</button><div style='height:5000px'></div>")
    await aim(browser, tab, text, "here")
    assert await tab.page.evaluate("scrollY") == 0


async def test_smooth_scrolling_is_not_waited_for(browser: Browser, tab: Tab, read: Read) -> None:
    style = "<style>html{scroll-behavior:smooth}</style>"
    text = await read(HIT + style + "<div style='height:9000px'></div><button id=far>far</button>", "all")
    await press(browser, tab, text, "far")
    assert await hits(tab) == ["far"]


async def test_under_a_header_that_sticks_it_is_aligned_anew(browser: Browser, tab: Tab, read: Read) -> None:
    header = "<header style='position:fixed;top:0;left:0;right:0;height:120px;background:silver'>header</header>"
    text = await read(
        HIT + header + "<p style='height:700px'></p><button id=b>b</button><p style='height:3000px'>", "all"
    )
    await tab.page.evaluate("scrollTo(0, document.getElementById('b').offsetTop - 50)")
    await press(browser, tab, text, "b")
    assert await hits(tab) == ["b"]


async def test_a_covered_element_is_refused_with_what_covers_it(browser: Browser, tab: Tab, read: Read) -> None:
    banner = (
        "<div role=dialog aria-label=Cookies style='position:fixed;inset:0;background:silver'><button>ok</button></div>"
    )
    text = await read(HIT + "<button id=b>under</button>", "all")
    await tab.page.evaluate("banner => { document.body.insertAdjacentHTML('beforeend', banner) }", banner)
    words = await refusal(browser, tab, text, "under")
    match = re.search(r'covered by dialog "Cookies" \[(ref_\d+)\]', words)
    assert match, words
    assert await hits(tab) == []
    inside = await read(reference=match[1])
    await press(browser, tab, inside, "ok")


async def test_a_part_that_is_not_covered_is_pressed(browser: Browser, tab: Tab, read: Read) -> None:
    cover = "<div style='position:absolute;left:0;top:0;width:150px;height:60px;background:silver'></div>"
    text = await read(HIT + f"<body style='margin:0'><button id=b style='width:200px;height:50px'>half</button>{cover}")
    await press(browser, tab, text, "half")
    assert await hits(tab) == ["b"]


async def test_what_fades_away_is_waited_for(browser: Browser, tab: Tab, read: Read) -> None:
    text = await read(HIT + "<button id=b>under</button><div id=o style='position:fixed;inset:0'></div>")
    await tab.page.evaluate("setTimeout(() => o.remove(), 300)")
    await press(browser, tab, text, "under")
    assert await hits(tab) == ["b"]


REFUSALS = {
    "disabled": ("b.disabled = true", "is disabled"),
    "in a disabled fieldset": ("f.disabled = true", "is disabled"),
    "said to be disabled": ("b.setAttribute('aria-disabled', 'true')", "is disabled"),
    "in what is said to be disabled": ("f.setAttribute('aria-disabled', 'true')", "is disabled"),
    "not displayed": ("b.style.display = 'none'", "is hidden"),
    "in what is not displayed": ("f.style.display = 'none'", "is hidden"),
    "invisible": ("b.style.visibility = 'hidden'", "is hidden"),
    "without a size": ("b.style.cssText = 'width:0;height:0;padding:0;border:0;overflow:hidden'", "has no size"),
    "removed": ("b.remove()", "removed"),
    "inert": ("f.inert = true", "is inert"),
    "deaf to the mouse": ("b.style.pointerEvents = 'none'", "pointer-events"),
    "off the page": ("b.style.cssText = 'position:absolute;left:-5000px'", "outside"),
    "clipped away": ("f.style.cssText = 'height:0;overflow:clip;border:0;padding:0'", "not shown|covered"),
    "behind a dialog": ("d.showModal()", r'behind an open dialog, dialog "Sure\?" \[ref_\d+\]'),
}


@pytest.mark.parametrize("state", REFUSALS)
async def test_what_cannot_be_pressed_is_refused_with_the_reason(
    browser: Browser, tab: Tab, read: Read, state: str
) -> None:
    body = "<fieldset id=f><button id=b>target</button></fieldset><dialog id=d aria-label='Sure?'>sure</dialog>"
    text = await read(HIT + body)
    script, reason = REFUSALS[state]
    await tab.page.evaluate(script)
    assert re.search(reason, await refusal(browser, tab, text, "target"))
    assert await hits(tab) == []


async def test_a_disabled_element_can_be_pointed_at(browser: Browser, tab: Tab, read: Read) -> None:
    text = await read("<button disabled>off</button>")
    assert await aim_at(tab, browser.references, reference(text, "off"), enabled=False)


async def test_an_element_in_motion_is_hit_where_it_stops(browser: Browser, tab: Tab, read: Read) -> None:
    style = "<style>button{transition:transform .2s} .moved{transform:translate(300px,200px)}</style>"
    text = await read(HIT + style + "<button id=b>moving</button>")
    await tab.page.evaluate("b.getBoundingClientRect(), b.className = 'moved'")
    await press(browser, tab, text, "moving")
    assert await hits(tab) == ["b"]


async def test_an_element_that_moves_for_ever_is_hit_where_it_is(browser: Browser, tab: Tab, read: Read) -> None:
    style = "<style>@keyframes m{to{transform:translateX(200px)}} button{animation:m 2s infinite alternate}</style>"
    text = await read(HIT + style + "<button id=b style='width:120px'>dancing</button>")
    await press(browser, tab, text, "dancing")
    assert await hits(tab) == ["b"]


async def test_a_link_broken_into_lines_is_hit_on_one_of_them(browser: Browser, tab: Tab, read: Read) -> None:
    link = "<a id=l href='#x'>first line and then one more</a>"
    text = await read(HIT + f"<div style='width:120px;font:16px monospace'>some words {link}</div>")
    await press(browser, tab, text, "first line and then one more")
    assert await hits(tab) == ["l"]


async def test_what_is_inside_and_acts_itself_is_avoided(browser: Browser, tab: Tab, read: Read) -> None:
    inner = "<button id=inner style='position:absolute;left:100px;top:0;width:100px;height:100px'>inner</button>"
    style = "position:relative;width:300px;height:100px"
    text = await read(HIT + f"<div id=card role=button tabindex=0 aria-label=card style='{style}'>{inner}</div>")
    await press(browser, tab, text, "card")
    assert await hits(tab) == ["card"]


async def test_an_element_in_nested_shadow_roots_is_hit(browser: Browser, tab: Tab, read: Read) -> None:
    inner = "<template shadowrootmode=open><button onclick='hits.push(1)'>deep</button></template>"
    text = await read(
        "<script>globalThis.hits = []</script>"
        f"<div><template shadowrootmode=open><p><section>{inner}</section></p></template></div>"
    )
    await press(browser, tab, text, "deep")
    assert await hits(tab) == [1]


async def test_a_slotted_element_is_hit(browser: Browser, tab: Tab, read: Read) -> None:
    host = "<div><template shadowrootmode=open><b><slot></slot></b></template><button id=s>slotted</button></div>"
    text = await read(HIT + host)
    await press(browser, tab, text, "slotted")
    assert await hits(tab) == ["s"]


async def test_a_box_whose_label_alone_shows_is_pressed_through_it(browser: Browser, tab: Tab, read: Read) -> None:
    text = await read("<label><input type=checkbox id=c style='display:none'>tick me</label>")
    await press(browser, tab, text, "tick me")
    assert await tab.page.evaluate("c.checked")


async def test_a_box_drawn_by_the_page_is_pressed(browser: Browser, tab: Tab, read: Read) -> None:
    drawn = "<span style='position:absolute;inset:0;background:silver'></span>"
    box = "<input type=checkbox id=c style='opacity:0;width:20px;height:20px'>"
    text = await read(f"<label style='position:relative;display:inline-block'>{box}{drawn}</label>tick", "all")
    match = re.search(r"checkbox.*\[(ref_\d+)\]", text)
    assert match
    await click(tab, (await aim_at(tab, browser.references, match[1])).point)
    assert await tab.page.evaluate("c.checked")


async def test_an_option_of_a_drop_down_says_what_to_use(browser: Browser, tab: Tab, read: Read) -> None:
    text = await read("<select aria-label=list><option>one</option><option>two</option></select>")
    text = await read(reference=reference(text, "list"))
    words = await refusal(browser, tab, text, "two")
    assert re.search(r'form_input on ref_\d+ with the value "two"', words)


async def test_an_option_of_a_list_that_shows_is_pressed(browser: Browser, tab: Tab, read: Read) -> None:
    text = await read("<select id=s size=3 aria-label=list><option>one</option><option>two</option></select>")
    text = await read(reference=reference(text, "list"))
    await press(browser, tab, text, "two")
    assert await tab.page.evaluate("s.value") == "two"


async def test_pages_that_patch_built_ins_change_nothing(browser: Browser, tab: Tab, read: Read) -> None:
    patches = """<script>Array.prototype.map = Array.prototype.push = () => [];
    Element.prototype.getClientRects = Element.prototype.getBoundingClientRect = () => [{}];
    Document.prototype.elementFromPoint = () => document.body; JSON.stringify = () => 'x';
    Element.prototype.scrollIntoView = () => {}; globalThis.requestAnimationFrame = () => {};</script>"""
    text = await read(patches + "<p style='height:4000px'></p><button onclick='document.title = 1'>far</button>", "all")
    await press(browser, tab, text, "far")
    await wait_for_script(tab, "document.title === '1'")


FRAME = "<iframe src='{%s}/%s' style='width:500px;height:300px;margin:30px;border:5px solid;%s'></iframe>"


@pytest.mark.parametrize("hosts", ["aa", "ab", "aba", "aab", "aaa"])
@pytest.mark.parametrize("style", ["", "transform:rotate(10deg)", "zoom:1.3", "transform:scale(.7)"])
async def test_an_element_in_frames_is_hit(
    browser: Browser, tab: Tab, site: Site, read: Read, hosts: str, style: str
) -> None:
    depth = len(hosts) - 1
    site.put(f"/{hosts}{depth}", "<p style='height:900px'></p><button onclick='textContent = \"hit\"'>deep</button>")
    for level in range(depth - 1, 0, -1):
        frame = FRAME % (hosts[level + 1], f"{hosts}{level + 1}", style)
        site.put(f"/{hosts}{level}", "<p style='height:700px'></p>" + frame)
    outer = (FRAME % (hosts[1], f"{hosts}1", style)).replace("{a}", site.url("")).replace("{b}", site.url("", "b"))
    text = await read("<p style='height:1500px'></p>" + outer, "all")
    await press(browser, tab, text, "deep")
    await tab.page.frames[-1].wait_for_function("document.querySelector('button').textContent === 'hit'")


async def test_what_covers_a_frame_is_named(browser: Browser, tab: Tab, site: Site, read: Read) -> None:
    site.put("/inner", "<button>deep</button>")
    frame = (FRAME % ("b", "inner", "")).replace("{b}", site.url("", "b"))
    text = await read(frame)
    chat = "<div role=dialog aria-label=Chat style='position:fixed;inset:0;background:silver'>chat</div>"
    await tab.page.evaluate("chat => { document.body.insertAdjacentHTML('beforeend', chat) }", chat)
    assert re.search(r'covered by dialog "Chat" \[ref_\d+\]', await refusal(browser, tab, text, "deep"))


async def test_a_page_that_hangs_is_refused(browser: Browser, tab: Tab, read: Read) -> None:
    text = await read("<button>b</button>")
    await tab.page.evaluate("setTimeout(() => { for (;;) ; }, 0)")
    assert "does not answer" in await refusal(browser, tab, text, "b")


async def test_scrolling_to_an_element_brings_it_to_the_middle(browser: Browser, tab: Tab, read: Read) -> None:
    page = "<p style='height:3000px'></p><button id=b>far</button><p style='height:3000px'></p>"
    text = await read(page, "all")
    await scroll_into_view(tab, browser.references, reference(text, "far"))
    assert 300 < await tab.page.evaluate("b.getBoundingClientRect().top") < 500


async def test_in_another_tab_a_reference_is_refused(browser: Browser, tab: Tab, read: Read) -> None:
    text = await read("<button>b</button>")
    other = await browser.tabs.open()
    assert "belongs to" in await refusal(browser, other, text, "b")


async def test_after_a_reload_a_reference_is_refused(browser: Browser, tab: Tab, read: Read) -> None:
    text = await read("<button>b</button>")
    await tab.page.reload()
    assert "left or reloaded" in await refusal(browser, tab, text, "b")


async def test_an_area_of_a_picture_is_hit(browser: Browser, tab: Tab, read: Read) -> None:
    picture = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='200' height='100'/%3E"
    areas = "".join(
        f"<area id={name} alt={name} href='#{name}' shape={shape} coords='{coords}'>"
        for name, shape, coords in (
            ("left", "rect", "0,0,60,100"),
            ("middle", "circle", "100,50,20"),
            ("right", "poly", "140,0,200,0,200,100"),
        )
    )
    text = await read(HIT + f'<img usemap="#m" src="{picture}"><map name=m>{areas}</map>')
    for name in ("left", "middle", "right"):
        await press(browser, tab, text, name)
    assert await hits(tab) == ["left", "middle", "right"]


SNATCHING = """<button id=b style='width:120px'>wanted</button><script>
globalThis.other = [];
const lure = document.createElement('button');
lure.style.cssText = 'position:fixed;inset:0';
lure.textContent = 'lure';
for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'focus'])
  lure.addEventListener(type, () => other.push(type));
addEventListener('mousemove', () => { if (%s) document.body.append(lure); });
</script>"""


async def test_what_comes_over_an_element_at_the_last_moment_is_not_pressed(
    browser: Browser, tab: Tab, read: Read
) -> None:
    text = await read(HIT + SNATCHING % "true")
    with pytest.raises(ActionRefused, match='covered by button "lure"'):
        await press(browser, tab, text, "wanted")
    assert await tab.page.evaluate("other") == []
    await click(tab, PagePoint(300, 300))
    assert "click" in await tab.page.evaluate("other")


async def test_what_comes_over_an_element_for_a_moment_is_waited_out(browser: Browser, tab: Tab, read: Read) -> None:
    text = await read(HIT + SNATCHING % "!lure.gone")
    await tab.page.evaluate("() => { setTimeout(() => { lure.gone = true; lure.remove() }, 250) }")
    await press(browser, tab, text, "wanted")
    assert await tab.page.evaluate("other") == []
    assert (await hits(tab))[-1] == "b"


async def test_a_bent_line_is_hit_where_it_runs(browser: Browser, tab: Tab, read: Read) -> None:
    line = "<path d='M10 10 L200 10 L200 16 L16 16 L16 150 L10 150 Z' />"
    text = await read(f"<svg width=300 height=200><a href='#hit' aria-label=line>{line}</a></svg>")
    await press(browser, tab, text, "line")
    assert await tab.page.evaluate("location.hash") == "#hit"


async def test_under_a_column_that_sticks_it_is_aligned_anew(browser: Browser, tab: Tab, read: Read) -> None:
    sticking = "<td style='position:sticky;left:0;background:silver;min-width:230px'>name</td>"
    cells = "".join(f"<td><button id=b{n} style='width:40px'>b{n}</button></td>" for n in range(30))
    text = await read(
        HIT + f"<div style='width:300px;overflow:auto'><table><tr>{sticking}{cells}</tr></table></div>", "all"
    )
    for name in ("b15", "b3"):
        await press(browser, tab, text, name)
    assert await hits(tab) == ["b15", "b3"]


async def test_a_link_without_a_size_is_hit_where_its_content_shows(browser: Browser, tab: Tab, read: Read) -> None:
    content = "<span style='position:absolute;left:300px;top:200px'>shown</span>"
    text = await read(f"<a href='#hit' style='display:block;width:0;height:0'>{content}</a>")
    await press(browser, tab, text, "shown")
    assert await tab.page.evaluate("location.hash") == "#hit"


async def test_what_is_filled_by_something_that_does_another_thing_is_refused(
    browser: Browser, tab: Tab, read: Read
) -> None:
    inner = "<button id=inner style='position:absolute;inset:0;width:100%'>Delete</button>"
    card = "<div id=card role=button tabindex=0 style='position:relative;width:200px;height:60px'>"
    text = await read(HIT + f"{card}Open{inner}</div>")
    assert 'covered by button "Delete"' in await refusal(browser, tab, text, "Open Delete")
    assert await hits(tab) == []


async def test_what_is_filled_by_the_link_it_stands_for_is_pressed_through_it(
    browser: Browser, tab: Tab, read: Read
) -> None:
    text = await read(HIT + "<ul role=menu><li role=menuitem><a id=a href='#x' style='display:block'>Go</a></li></ul>")
    await press(browser, tab, text, "Go")
    assert await hits(tab) == ["a"]

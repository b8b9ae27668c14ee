"""The mouse in a page: clicks of every kind, buttons that stay down, the wheel, drags of both kinds."""

from __future__ import annotations

import asyncio

import pytest

from environments.browser.conftest import reaches, wait_for_script
from environments.browser.site import Site
from gui_environments.browser.acting.dragging import drag
from gui_environments.browser.acting.mouse import (
    click,
    move_mouse,
    press_left,
    release_left,
    require_inside,
    turn_wheel,
)
from gui_environments.browser.tabs.tab import Tab
from gui_environments.browser.values import PagePoint
from gui_environments.errors import ActionRefused
from gui_environments.geometry import Size

pytestmark = pytest.mark.asyncio(loop_scope="session")

AT = PagePoint(50, 40)

LOGGING = """<body style='margin:0;height:3000px;width:3000px'>
<div id=box style='width:200px;height:100px;background:silver'>words</div><script>
globalThis.log = [];
for (const type of ['mousemove', 'mousedown', 'mouseup', 'click', 'dblclick', 'auxclick', 'contextmenu', 'keydown',
    'keyup'])
  addEventListener(type, e => log.push([type, e.key ?? e.button, e.detail, e.buttons ?? 0,
    ['ctrl', 'shift', 'alt', 'meta'].filter(name => e[name + 'Key']).join(), e.isTrusted]), true);
</script>"""


async def show(tab: Tab, site: Site, body: str = LOGGING) -> None:
    await tab.page.goto(site.put("/mouse", body))


async def kinds(tab: Tab) -> list[str]:
    return await tab.page.evaluate("log.map(entry => entry[0])")


async def buttons_down(tab: Tab) -> int:
    """As the page sees them at the next motion."""
    await tab.page.evaluate("log.length = 0")
    await move_mouse(tab, PagePoint(70, 70))
    return await tab.page.evaluate("log[0][3]")


async def test_a_click_is_a_motion_a_press_and_a_release_that_the_page_trusts(tab: Tab, site: Site) -> None:
    await show(tab, site)
    await click(tab, AT)
    assert await tab.page.evaluate("log") == [
        ["mousemove", 0, 0, 0, "", True],
        ["mousedown", 0, 1, 1, "", True],
        ["mouseup", 0, 1, 0, "", True],
        ["click", 0, 1, 0, "", True],
    ]


async def test_a_double_click_is_one_and_selects_a_word(tab: Tab, site: Site) -> None:
    await show(tab, site)
    await click(tab, PagePoint(10, 8), count=2)
    assert await kinds(tab) == ["mousemove", *["mousedown", "mouseup", "click"] * 2, "dblclick"]
    assert await tab.page.evaluate("getSelection().toString()") == "words"


async def test_a_triple_click_counts_to_three(tab: Tab, site: Site) -> None:
    await show(tab, site)
    await click(tab, AT, count=3)
    assert await tab.page.evaluate("log.filter(entry => entry[0] === 'click').map(entry => entry[2])") == [1, 2, 3]


async def test_a_right_click_asks_for_a_menu(tab: Tab, site: Site) -> None:
    await show(tab, site)
    await click(tab, AT, "right")
    assert {"mousedown", "contextmenu", "mouseup"} <= set(await kinds(tab))
    assert "click" not in await kinds(tab)
    await click(tab, AT)
    assert "click" in await kinds(tab)


async def test_a_middle_click_is_no_click(tab: Tab, site: Site) -> None:
    await show(tab, site)
    await click(tab, AT, "middle")
    assert await tab.page.evaluate("log.slice(-1)[0].slice(0, 2)") == ["auxclick", 1]


async def test_modifiers_are_held_throughout_and_come_up(tab: Tab, site: Site) -> None:
    await show(tab, site)
    await click(tab, AT, modifiers="ctrl+shift")
    log = await tab.page.evaluate("log")
    assert [entry[0] for entry in log] == [
        "keydown",
        "keydown",
        "mousemove",
        "mousedown",
        "mouseup",
        "click",
        "keyup",
        "keyup",
    ]
    assert {entry[4] for entry in log[2:6]} == {"ctrl,shift"}


async def test_what_is_no_modifier_is_refused_before_anything_is_pressed(tab: Tab, site: Site) -> None:
    await show(tab, site)
    with pytest.raises(ActionRefused):
        await click(tab, AT, modifiers="ctrl+a")
    assert await kinds(tab) == []


async def test_a_button_stays_down_until_it_is_let_go(tab: Tab, site: Site) -> None:
    await show(tab, site)
    await press_left(tab, AT)
    assert await buttons_down(tab) == 1
    with pytest.raises(ActionRefused, match="left_mouse_up"):
        await click(tab, AT)
    with pytest.raises(ActionRefused, match="left_mouse_up"):
        await press_left(tab, AT)
    await release_left(tab, AT)
    assert await buttons_down(tab) == 0
    with pytest.raises(ActionRefused, match="left_mouse_down"):
        await release_left(tab, AT)


async def test_pointing_makes_a_page_show_what_it_shows_then(tab: Tab, site: Site) -> None:
    await show(tab, site, "<style>b{display:none} div:hover b{display:block}</style><div>menu<b>item</b></div>")
    await move_mouse(tab, PagePoint(20, 15))
    await wait_for_script(tab, "document.querySelector('b').offsetHeight > 0")


@pytest.mark.parametrize(
    ("direction", "x", "y"), [("down", 0, 300), ("right", 300, 0), ("up", 0, -300), ("left", -300, 0)]
)
async def test_a_notch_of_the_wheel_is_a_hundred_pixels(tab: Tab, site: Site, direction: str, x: int, y: int) -> None:
    await show(tab, site)
    await tab.page.evaluate("scrollTo(500, 500)")
    await turn_wheel(tab, AT, direction, 3)
    await wait_for_script(tab, f"scrollX === {500 + x} && scrollY === {500 + y}")


async def test_the_wheel_turns_what_is_under_the_point(tab: Tab, site: Site) -> None:
    inner = "<div style='height:80px;width:200px;overflow:auto' id=inner><div style='height:900px'></div></div>"
    await show(tab, site, inner + "<div style='height:3000px'></div>")
    await turn_wheel(tab, AT, "down", 2)
    await wait_for_script(tab, "inner.scrollTop === 200")
    assert await tab.page.evaluate("scrollY") == 0


async def test_the_wheel_turns_a_frame_of_another_site(tab: Tab, site: Site) -> None:
    site.put("/inner", "<body style='height:3000px'>")
    await show(tab, site, "<iframe src='{b}/inner' width=400 height=200></iframe>")
    await reaches(tab, tab.page.frames[1], AT)
    await turn_wheel(tab, AT, "down", 2)
    await tab.page.frames[1].wait_for_function("scrollY === 200")


async def test_a_drag_has_motion_in_between(tab: Tab, site: Site) -> None:
    await show(tab, site)
    await drag(tab, AT, PagePoint(400, 300))
    log = await tab.page.evaluate("log")
    moved = [entry for entry in log if entry[0] == "mousemove" and entry[3] == 1]
    assert len(moved) >= 6
    assert [entry[0] for entry in log if entry[0] in ("mousedown", "mouseup")] == ["mousedown", "mouseup"]
    assert await buttons_down(tab) == 0


async def test_a_drag_moves_a_slider(tab: Tab, site: Site) -> None:
    await show(tab, site, "<body style='margin:0'><input type=range id=r value=0 style='margin:0;width:300px'>")
    await drag(tab, PagePoint(8, 8), PagePoint(292, 8))
    assert await tab.page.evaluate("r.value") == "100"


async def test_a_drag_selects_text(tab: Tab, site: Site) -> None:
    await show(tab, site, "<body style='margin:0;font:20px monospace'>one two three")
    await drag(tab, PagePoint(1, 12), PagePoint(84, 12))
    assert await tab.page.evaluate("getSelection().toString()") == "one two"


DROPPING = """<body style='margin:0'><div draggable=true id=cargo style='width:100px;height:50px;background:teal'></div>
<div id=place style='margin:100px 0 0 200px;width:200px;height:100px;background:silver'></div><script>
globalThis.log = [];
for (const type of ['dragstart', 'dragenter', 'dragover', 'drop', 'dragend', 'mouseup', 'click'])
  addEventListener(type, e => { log.push(type);
    if (type === 'dragstart') e.dataTransfer.setData('text/plain', 'what is carried');
    if (e.target === place && /dragenter|dragover|drop/.test(type)) e.preventDefault();
    if (type === 'drop') place.textContent = e.dataTransfer.getData('text/plain'); });
</script>"""


async def test_what_a_page_makes_draggable_is_dropped(tab: Tab, site: Site) -> None:
    await show(tab, site, DROPPING)
    await drag(tab, PagePoint(20, 20), PagePoint(300, 200))
    assert await tab.page.evaluate("place.textContent") == "what is carried"
    log = await tab.page.evaluate("log")
    assert log[0] == "dragstart"
    assert log[-2:] == ["drop", "dragend"]
    assert "click" not in log


async def test_a_drop_where_none_is_taken_ends_the_drag(tab: Tab, site: Site) -> None:
    await show(tab, site, DROPPING)
    await drag(tab, PagePoint(20, 20), PagePoint(600, 60))
    await wait_for_script(tab, "log.at(-1) === 'dragend'")
    assert "drop" not in await tab.page.evaluate("log")
    await drag(tab, PagePoint(20, 20), PagePoint(300, 200))
    assert await tab.page.evaluate("place.textContent") == "what is carried"


async def test_a_cancelled_drag_leaves_no_button_down(tab: Tab, site: Site) -> None:
    await show(
        tab,
        site,
        LOGGING.replace(
            "globalThis.log",
            "addEventListener('mousemove', () => {"
            " const end = Date.now() + 60; while (Date.now() < end); });globalThis.log",
            1,
        ),
    )
    dragging = asyncio.create_task(drag(tab, AT, PagePoint(1000, 700)))
    await wait_for_script(tab, "log.some(entry => entry[0] === 'mousedown')")
    dragging.cancel()
    with pytest.raises(asyncio.CancelledError):
        await dragging
    assert await buttons_down(tab) == 0


@pytest.mark.parametrize("point", [(1280, 10), (10, 800), (-1, 10), (10, -0.5), (5000, 5000)])
async def test_points_outside_of_the_viewport_are_refused(point: tuple[float, float]) -> None:
    with pytest.raises(ActionRefused, match="outside"):
        require_inside(PagePoint(*point), Size(1280, 800))


async def test_the_edges_of_the_viewport_are_inside() -> None:
    for point in ((0, 0), (1279, 799)):
        require_inside(PagePoint(*point), Size(1280, 800))


async def test_input_in_a_tab_that_is_not_active_arrives(tab: Tab, site: Site) -> None:
    await show(tab, site)
    other = await tab.page.context.new_page()
    await other.bring_to_front()
    await click(tab, AT)
    assert "click" in await kinds(tab)

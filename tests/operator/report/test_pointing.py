"""Where a real browser's mouse went for elements that calls named, as the recording and the report have it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from anthropic.types.beta import BetaToolUseBlock

from environments.browser.site import Site
from gui_environments.browser import Browser, ReadRequest
from gui_environments.geometry import Size
from gui_operator.recording import Recording
from gui_operator.report.html import report_parts
from gui_operator.report.reading import read_run
from gui_operator.toolsets import BrowserToolset
from gui_operator.toolsets.scaling import ImageTier
from gui_operator.turn import Toolbox, run_turn
from loopback import LOOPBACK_RULES

from ..pages import by_ref, put_pages, reference_of

HALF = ImageTier(long_edge_px=640, visual_tokens=4784)
"""Screenshots of half the size, so that the two spaces of pixels differ."""


async def test_the_point_where_a_named_element_was_pressed_is_recorded_and_marked(tmp_path: Path) -> None:
    site = Site()
    try:
        async with Browser.open(viewport=Size(1280, 800), rules=LOOPBACK_RULES) as browser:
            await browser.navigate(put_pages(site))
            reading = (await browser.read_page(ReadRequest("all"))).text
            with Recording.open(tmp_path) as recording:
                toolset = BrowserToolset(browser, confirm=lambda _: True, tier=HALF, recording=recording)
                toolbox = Toolbox.of(toolset, recording=recording)

                def call(name: str, **given: Any) -> BetaToolUseBlock:
                    given_id = f"t{len(made)}"
                    made.append(given_id)
                    return BetaToolUseBlock(
                        type="tool_use", id=given_id, name=name, toolset_name="browser", input=given
                    )

                made: list[str] = []
                turn = [
                    call("screenshot"),
                    call("left_click", target=by_ref(reference_of(reading, "First"))),
                    call("left_click", target=by_ref(reference_of(reading, "Far below"))),
                    call("scroll_to", target=by_ref(reference_of(reading, "First"))),
                    call("left_click", target={"type": "coordinate", "x": 300, "y": 300}),
                    call("left_click", target=by_ref("ref_999999")),
                ]
                await run_turn(turn, toolbox)
    finally:
        site.close()
    run = read_run(tmp_path)
    shot, first, below, scrolled, named, unknown = run.calls
    assert [each.outcome for each in run.calls] == ["ok"] * 5 + ["refused"]
    assert first.pointed_at == (25, 10), "the middle of a button of 100x40 in the corner, at half the scale"
    assert below.pointed_at is not None
    assert 0 <= below.pointed_at[1] < 400
    assert [each.pointed_at for each in (shot, scrolled, named, unknown)] == [None] * 4
    page = "".join(report_parts(run))
    assert "of call 1, with (25, 10) marked, where the element was then; the page may have been scrolled to it." in page
    assert page.count('class="ring" cx="25" cy="10"') == 1

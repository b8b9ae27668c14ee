"""Pages that stay, and replace what they show time and again without ever navigating."""

from __future__ import annotations

import asyncio
import re

import pytest

from environments.browser.conftest import PATIENCE_S, POLL_S, Read
from environments.browser.site import Site
from gui_environments.browser import Browser
from gui_environments.browser.pages import frames as frames_module
from gui_environments.browser.pages import references as references_module
from gui_environments.browser.tabs.tab import Tab
from gui_environments.errors import ActionRefused

pytestmark = pytest.mark.asyncio(loop_scope="session")

VIEWS = """<nav><button>Show</button></nav><main></main><script>
let view = 0;
const show = () => {
  const shown = document.createElement('div');
  shown.innerHTML = `<h2>View ${++view}</h2>` + Array.from({ length: 40 },
    (_, n) => `<p><button>Do ${n}</button> <input aria-label="Value ${n}"></p>`).join('');
  shown.addEventListener('click', () => {});
  for (const button of shown.querySelectorAll('button')) button.addEventListener('mousedown', () => {});
  document.querySelector('main').replaceChildren(shown);
};
document.querySelector('nav button')?.addEventListener('click', show);
</script>"""


async def test_what_listened_and_was_removed_does_not_harm_later_readings(
    browser: Browser, tab: Tab, read: Read
) -> None:
    await read(VIEWS)
    for view in range(1, 9):
        await tab.page.evaluate("show()")
        assert f'heading "View {view}"' in await read()
        assert 'button "Do 39"' in await read(elements="all")
        await browser.find("the button Do 1", tab.tab_id)
    assert not tab.crashed


async def collect_garbage(tab: Tab) -> None:
    await (await tab.frames.page_session()).send("HeapProfiler.collectGarbage")


async def test_references_to_what_exists_no_more_are_let_go_and_refused_and_never_given_again(
    browser: Browser, tab: Tab, read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(references_module, "MANY", 100)
    seen: set[str] = set()
    shown: set[str] = set()
    gone = ""
    await read(VIEWS)
    for _ in range(12):
        await tab.page.evaluate("show()")
        shown = set(re.findall(r"ref_\d+", await read(elements="all")))
        assert len(shown - seen) > 80
        gone = gone or max(shown, key=lambda reference: int(reference[4:]))
        seen |= shown
        await collect_garbage(tab)
        await read()
        assert sum(one.tab_id == tab.tab_id for one in browser.references.all) < 400
    with pytest.raises(ActionRefused, match=f"The element of {gone}, or its page, is gone. Read the page again"):
        await browser.resolve(gone, tab.tab_id)
    assert len(seen) > 12 * 80
    for reference in shown:
        await browser.resolve(reference, tab.tab_id)


async def test_a_reference_that_was_never_given_is_refused_as_such(browser: Browser, tab: Tab, read: Read) -> None:
    await read(VIEWS)
    for reference in ("ref_999999999", "ref_0", "ref_01", "button", "ref_1 "):
        with pytest.raises(ActionRefused, match=r"no reference that was given\. Read the page again"):
            await browser.resolve(reference, tab.tab_id)


async def test_what_is_only_taken_out_of_the_page_keeps_its_reference(
    browser: Browser, tab: Tab, read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(references_module, "MANY", 10)
    text = await read("<main></main><button id=kept>Kept</button>" + VIEWS.partition("<main></main>")[2])
    (reference,) = re.findall(r'"Kept" \[(ref_\d+)\]', text)
    await tab.page.evaluate("kept = document.querySelector('#kept'); kept.remove()")
    for _ in range(4):
        await tab.page.evaluate("show()")
        await read(elements="all")
        await collect_garbage(tab)
    with pytest.raises(ActionRefused, match="removed from the page"):
        await browser.resolve(reference, tab.tab_id)
    await tab.page.evaluate("document.body.append(kept)")
    await browser.resolve(reference, tab.tab_id)


@pytest.mark.parametrize("host", ["a", "b"])
async def test_frames_that_come_and_go_are_let_go_of(
    browser: Browser, tab: Tab, read: Read, site: Site, monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    monkeypatch.setattr(frames_module, "MANY_WORLDS", 4)
    inner = site.put("/coming", "<button>In it</button>", host)
    await read("<main></main>")
    place = f"<iframe src='{inner}' width=300 height=100></iframe>"
    for _ in range(12):
        async with tab.page.expect_event("framenavigated"):
            await tab.page.evaluate("(place) => { document.querySelector('main').innerHTML = place }", place)
        async with asyncio.timeout(PATIENCE_S):
            while 'button "In it"' not in await read():  # noqa: ASYNC110
                # A frame of another site shows its document a while after it was announced.
                await asyncio.sleep(POLL_S)
        assert len(tab.frames.known_worlds) <= 6
    of_tab = [one for one in browser.references.all if one.tab_id == tab.tab_id]
    assert len(of_tab) <= 12 + 6, [(one.frame.frame_id[:4], one.frame.world.alive, one.element) for one in of_tab]

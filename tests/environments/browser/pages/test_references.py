"""References: bound to an element of a document of a tab, for ever or not at all."""

from __future__ import annotations

import re

import pytest
import pytest_asyncio

from environments.browser.conftest import Read
from environments.browser.site import Site
from gui_environments.browser import Browser, ReadRequest, read_page
from gui_environments.browser.tabs.tab import Tab
from gui_environments.errors import ActionRefused

pytestmark = pytest.mark.asyncio(loop_scope="session")

PAGE = "<button id=b>one</button><iframe src='{a}/inner' width=300 height=100></iframe>"


def references(text: str) -> list[str]:
    return re.findall(r"ref_\d+", text)


@pytest_asyncio.fixture(loop_scope="session")
async def first(read: Read, site: Site) -> str:
    """The reference of the button of PAGE, just read."""
    site.put("/inner", "<button>inner</button>")
    return references(await read(PAGE.replace("{a}", site.url(""))))[0]


async def refusal(browser: Browser, tab: Tab, reference: str) -> str:
    with pytest.raises(ActionRefused) as refused:
        await browser.references.resolve(tab, reference)
    assert "Read the page again" in str(refused.value)
    return str(refused.value)


async def test_a_reference_finds_its_element_again(browser: Browser, tab: Tab, first: str) -> None:
    element = await browser.references.resolve(tab, first)
    answer = await element.frame.session.send(
        "Runtime.callFunctionOn",
        objectId=element.object_id,
        functionDeclaration="function () { return this.id; }",
        returnByValue=True,
    )
    assert answer["result"]["value"] == "b"


async def test_after_a_navigation_it_is_refused(browser: Browser, tab: Tab, site: Site, first: str) -> None:
    await tab.page.goto(site.put("/other", "<button id=b>one</button>"))
    assert "left or reloaded" in await refusal(browser, tab, first)


async def test_after_a_reload_it_is_refused_and_the_new_reading_uses_new_numbers(
    browser: Browser, tab: Tab, first: str, read: Read
) -> None:
    await tab.page.reload()
    new = references(await read())
    assert first not in new
    await refusal(browser, tab, first)


async def test_after_going_back_it_is_refused(browser: Browser, tab: Tab, site: Site, first: str) -> None:
    await tab.page.goto(site.put("/other", "other"))
    await tab.page.go_back()
    await refusal(browser, tab, first)


async def test_of_a_removed_element_it_is_refused_and_works_again_when_the_element_returns(
    browser: Browser, tab: Tab, first: str
) -> None:
    await tab.page.evaluate("globalThis.kept = document.getElementById('b'); kept.remove()")
    assert "removed" in await refusal(browser, tab, first)
    await tab.page.evaluate("document.body.append(kept)")
    assert await browser.references.resolve(tab, first)


async def test_of_an_element_replaced_by_its_like_it_is_refused(browser: Browser, tab: Tab, first: str) -> None:
    await tab.page.evaluate("document.body.innerHTML = document.body.innerHTML")
    await refusal(browser, tab, first)


async def test_in_another_tab_it_is_refused(browser: Browser, tab: Tab, site: Site, first: str) -> None:
    other = await browser.tabs.open()
    await other.page.goto(tab.page.url)
    assert f"belongs to {tab.tab_id}" in await refusal(browser, other, first)


@pytest.mark.parametrize("text", ["ref_999999", "ref_0", "ref_", "2", "", "ref_1x", "ref_-1", "x" * 500])
async def test_what_was_never_given_is_refused(browser: Browser, tab: Tab, first: str, text: str) -> None:
    assert len(await refusal(browser, tab, text)) < 200


async def test_when_a_frame_navigates_only_its_references_are_refused(
    browser: Browser, tab: Tab, read: Read, site: Site, first: str
) -> None:
    inner = references(await read())[-1]
    assert await browser.references.resolve(tab, inner)
    site.put("/inner2", "<button>inner</button>")
    async with tab.page.expect_event("framenavigated"):
        await tab.page.evaluate("url => { frames[0].location = url }", site.url("/inner2"))
    await refusal(browser, tab, inner)
    assert await browser.references.resolve(tab, first)


async def test_when_a_frame_is_removed_its_references_are_refused(
    browser: Browser, tab: Tab, read: Read, first: str
) -> None:
    inner = references(await read())[-1]
    await tab.page.evaluate("document.querySelector('iframe').remove()")
    await refusal(browser, tab, inner)


async def test_numbers_are_never_used_twice_in_a_session(browser: Browser, tab: Tab, site: Site) -> None:
    seen: set[str] = set()
    other = await browser.tabs.open()
    for turn in range(6):
        for one in (tab, other):
            await one.page.goto(site.put("/page", f"<button>{turn}</button><a href=#>{turn}</a>"))
            given = references((await read_page(one, browser.references, ReadRequest())).text)
            assert len(given) == 2
            assert not seen.intersection(given)
            seen.update(given)


async def test_reading_below_a_stale_reference_is_refused(tab: Tab, read: Read, first: str) -> None:
    await tab.page.reload()
    with pytest.raises(ActionRefused, match="Read the page again"):
        await read(reference=first)


async def test_references_of_pages_that_are_gone_take_no_memory(browser: Browser, tab: Tab, site: Site) -> None:
    for turn in range(5):
        frame = f"<iframe src='{site.put('/inner', '<a href=#>inner</a>', 'b')}'></iframe>"
        await tab.page.goto(site.put("/page", "<button>b</button>" * 50 + frame + str(turn)))
        text = (await read_page(tab, browser.references, ReadRequest())).text
        assert 'link "inner"' in text
    of_tab = [one for one in browser.references.all if one.tab_id == tab.tab_id]
    assert len(of_tab) == 52
    await browser.tabs.close(tab)
    browser.references.forget_dead()
    assert not [one for one in browser.references.all if one.tab_id == tab.tab_id]

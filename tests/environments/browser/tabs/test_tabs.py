"""Tabs: ids that last, popups that are adopted, one that is active, and the limit."""

from __future__ import annotations

import pytest

from environments.browser.conftest import wait_until
from environments.browser.site import Site
from gui_environments.browser import Browser
from gui_environments.browser.events import PageNavigated, TabClosed, TabOpened
from gui_environments.browser.tabs import tab as tabs_module
from gui_environments.browser.tabs.tab import Tab
from gui_environments.errors import ActionRefused
from loopback import LOOPBACK_RULES

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_ids_are_never_used_again(browser: Browser, tab: Tab) -> None:
    first = await browser.tabs.open()
    await browser.tabs.close(first)
    second = await browser.tabs.open()
    assert second.tab_id != first.tab_id
    with pytest.raises(ActionRefused, match=f"no tab {first.tab_id}.*{second.tab_id}"):
        browser.tabs.tab(first.tab_id)


async def test_a_popup_is_adopted_reported_once_and_active(browser: Browser, tab: Tab, site: Site) -> None:
    site.put("/popup", "<title>Popup</title>")
    await tab.page.goto(site.put("/opener", "<a href='/popup' target=_blank>open</a>"))
    browser.take_events()
    await tab.page.click("a")
    await wait_until(lambda: browser.tabs.active is not tab)
    popup = browser.tabs.tab(None)
    await wait_until(lambda: popup.page.url.endswith("/popup"))
    events = browser.take_events()
    assert events.count(TabOpened(popup.tab_id)) == 1
    await popup.page.wait_for_load_state()
    states = {state.tab_id: state for state in await browser.tab_states()}
    assert states[popup.tab_id].title == "Popup"
    assert [state.tab_id for state in states.values() if state.active] == [popup.tab_id]


async def test_the_address_of_a_document_is_noted_and_each_event_told_once(
    browser: Browser, tab: Tab, site: Site
) -> None:
    browser.take_events()
    await tab.page.goto(site.put("/noted", "<iframe src='/framed'></iframe>"))
    await tab.page.evaluate("location.hash = 'part'")
    await wait_until(lambda: tab.page.url.endswith("#part"))
    address = site.url("/noted")
    assert browser.take_events() == (PageNavigated(tab.tab_id, address), PageNavigated(tab.tab_id, f"{address}#part"))
    assert browser.take_events() == ()


async def test_when_the_active_tab_closes_the_one_before_it_is_active(browser: Browser, tab: Tab) -> None:
    first = await browser.tabs.open()
    second = await browser.tabs.open()
    await browser.tabs.activate(tab)
    await browser.tabs.activate(first)
    await browser.tabs.close(second)
    assert browser.tabs.active is first
    await browser.tabs.close(first)
    assert browser.tabs.active is tab


async def test_a_tab_that_closes_itself_is_gone(browser: Browser, tab: Tab) -> None:
    async with tab.page.expect_popup() as popup:
        await tab.page.evaluate("void window.open('about:blank')")
    opened = browser.tabs.tab(None)
    assert opened.page is await popup.value
    async with opened.page.expect_event("close"):
        await tab.page.evaluate("window.close.call(window.open('', '_self')) || 0")
        await opened.page.evaluate("setTimeout(() => window.close())")
    assert opened.closed
    with pytest.raises(ActionRefused, match="closed"):
        opened.require_usable()
    assert TabClosed(opened.tab_id) in browser.take_events()


async def test_a_tab_is_opened_switched_to_and_closed_by_its_id(browser: Browser, tab: Tab, site: Site) -> None:
    opened = await browser.open_tab()
    assert (opened.active, opened.url) == (True, "about:blank")
    assert (await browser.switch_tab(tab.tab_id)).active
    assert [state.tab_id for state in await browser.tab_states() if state.active] == [tab.tab_id]
    await browser.close_tab(opened.tab_id)
    for act in (browser.close_tab, browser.switch_tab):
        with pytest.raises(ActionRefused, match=f"no tab {opened.tab_id}"):
            await act(opened.tab_id)


async def test_at_the_limit_a_new_tab_is_refused_and_popups_are_closed(
    browser: Browser, tab: Tab, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tabs_module, "TAB_LIMIT", len(browser.tabs.all))
    with pytest.raises(ActionRefused, match="Close some first"):
        await browser.tabs.open()
    await tab.page.goto(site.put("/opener", "<a href='/opener' target=_blank>open</a>"))
    async with browser.context.expect_event("page") as opened:
        await tab.page.click("a")
    popup = await opened.value
    await wait_until(popup.is_closed)
    assert browser.tabs.active is tab


async def test_without_any_tab_none_is_active() -> None:
    async with Browser.open(rules=LOOPBACK_RULES) as browser:
        await browser.tabs.close(browser.tabs.tab(None))
        assert await browser.tab_states() == ()
        with pytest.raises(ActionRefused, match="No tab is open"):
            browser.tabs.tab(None)
        opened = await browser.tabs.open()
        assert opened.tab_id == "tab_2"


async def test_states_are_told_while_a_page_hangs(browser: Browser, tab: Tab, site: Site) -> None:
    await tab.page.goto(site.put("/hang", "<title>Hang</title>"))
    await tab.page.evaluate("setTimeout(() => { for (;;) ; })")
    states = await browser.tab_states()
    assert [state.title for state in states if state.tab_id == tab.tab_id] == ["Hang"]

"""Dialogs are answered, whatever opens them, and what was asked and answered is noted."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from environments.browser.conftest import wait_for_script, wait_until
from environments.browser.site import Site
from gui_environments.browser import Browser
from gui_environments.browser.dialogs import DialogPolicy
from gui_environments.browser.events import DialogAnswered
from gui_environments.browser.tabs import Tab
from gui_environments.errors import ActionFailed

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture(autouse=True)
def policy(browser: Browser) -> Iterator[None]:
    before = browser.watchers.dialogs.policy
    yield
    browser.watchers.dialogs.policy = before


def answered(browser: Browser) -> list[DialogAnswered]:
    return [event for event in browser.take_events() if isinstance(event, DialogAnswered)]


async def test_every_kind_is_dismissed_and_noted(browser: Browser, tab: Tab, site: Site) -> None:
    browser.take_events()
    await tab.page.goto(
        site.put("/dialogs", "<script>alert('one'); said = [confirm('two'), prompt('three', 'suggested')]</script>")
    )
    assert await tab.page.evaluate("said") == [False, None]
    assert answered(browser) == [
        DialogAnswered(tab.tab_id, "alert", "one", accepted=False),
        DialogAnswered(tab.tab_id, "confirm", "two", accepted=False),
        DialogAnswered(tab.tab_id, "prompt", "three", accepted=False),
    ]


async def test_a_policy_accepts_and_answers(browser: Browser, tab: Tab, site: Site) -> None:
    browser.watchers.dialogs.policy = DialogPolicy({"confirm": "accept", "prompt": "accept"}, prompt_text="Ada")
    browser.take_events()
    await tab.page.goto(site.put("/dialogs", "<script>said = [confirm('sure?'), prompt('name?', 'x')]</script>"))
    assert await tab.page.evaluate("said") == [True, "Ada"]
    assert answered(browser)[1] == DialogAnswered(tab.tab_id, "prompt", "name?", accepted=True, text="Ada")


async def test_an_accepted_prompt_without_a_text_keeps_the_suggestion(browser: Browser, tab: Tab, site: Site) -> None:
    browser.watchers.dialogs.policy = DialogPolicy({"prompt": "accept"})
    await tab.page.goto(site.put("/dialogs", "<script>said = prompt('name?', 'suggested')</script>"))
    assert await tab.page.evaluate("said") == "suggested"


async def test_dialogs_of_timers_and_of_frames_of_other_sites_hold_nothing_up(
    browser: Browser, tab: Tab, site: Site
) -> None:
    site.put("/inner", "<script>setTimeout(() => { alert('from a frame'); parent.postMessage('past', '*') })</script>")
    browser.take_events()
    await tab.page.goto(
        site.put(
            "/outer",
            "<script>onmessage = () => framed = true;"
            "setTimeout(() => { alert('from a timer'); timed = true })</script><iframe src='{b}/inner'></iframe>",
        )
    )
    await wait_for_script(tab, "window.framed && window.timed")
    assert {event.message for event in answered(browser)} == {"from a frame", "from a timer"}
    assert (await browser.capture(tab_id=tab.tab_id)).data


async def test_a_page_that_asks_again_and_again_ends_no_call(browser: Browser, tab: Tab, site: Site) -> None:
    await browser.navigate(site.put("/nag", "<script>count = 0; while (count < 60) { alert(count); count++ }</script>"))
    assert await tab.page.evaluate("count") == 60


async def test_a_page_that_does_not_want_to_be_left_is_stayed_on(browser: Browser, tab: Tab, site: Site) -> None:
    page = site.put("/unsaved", "<input><script>onbeforeunload = (event) => event.preventDefault()</script>")
    other = site.put("/other", "<p>other")
    await browser.navigate(page)
    await tab.page.click("input")  # without a gesture the browser does not ask
    browser.take_events()
    for address in (other, "reload"):
        with pytest.raises(ActionFailed, match=r"asked whether to leave.*still shown"):
            await browser.navigate(address)
        assert [(event.kind, event.accepted) for event in answered(browser)] == [("beforeunload", False)]
        assert tab.page.url == page
    browser.watchers.dialogs.policy = DialogPolicy({"beforeunload": "accept"})
    assert (await browser.navigate(other)).url == other


async def test_closing_a_tab_does_not_ask(browser: Browser, tab: Tab, site: Site) -> None:
    await browser.navigate(site.put("/unsaved", "<input><script>onbeforeunload = (e) => e.preventDefault()</script>"))
    await tab.page.click("input")
    await browser.tabs.close(tab)
    assert tab.closed


async def test_a_dialog_in_a_popup_is_noted_with_its_tab(browser: Browser, tab: Tab, site: Site) -> None:
    site.put("/talking", "<script>alert('hello from the popup'); said = true</script>")
    await browser.navigate(site.put("/opener", "<a href='/talking' target=_blank>open</a>"))
    browser.take_events()
    await tab.page.click("a")
    await wait_until(lambda: browser.tabs.active is not tab)
    popup = browser.tabs.tab(None)
    await wait_for_script(popup, "window.said")
    assert [(event.tab_id, event.message) for event in answered(browser)] == [(popup.tab_id, "hello from the popup")]

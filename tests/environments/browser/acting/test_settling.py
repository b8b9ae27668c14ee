"""After an action: until the page is quiet, by what it does; an idle page costs little, a restless one not for ever."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler

import pytest

from environments.browser.conftest import PATIENCE_S, wait_until
from environments.browser.odd_site import OddSite, send
from environments.browser.site import Site
from gui_environments.browser import Browser
from gui_environments.browser.acting.mouse import click
from gui_environments.browser.acting.settling import Settled, watching
from gui_environments.browser.tabs.recurring import BEGINNINGS, LONG_S
from gui_environments.browser.tabs.tab import Tab
from gui_environments.browser.values import PagePoint

pytestmark = pytest.mark.asyncio(loop_scope="session")

QUIET = Settled(quiet=True, navigated=False, changed=False)


async def show(tab: Tab, site: Site, script: str, body: str = "") -> None:
    page = (
        f"<body style='margin:0;height:400px'>{body}<p id=p>before</p><script>onclick = () => {{ {script} }}</script>"
    )
    await tab.page.goto(site.put("/settling", page))


async def act(tab: Tab, settle_s: float = PATIENCE_S) -> Settled:
    async with watching(tab) as watch:
        await click(tab, PagePoint(300, 300))
        return await watch.settle(settle_s)


async def text(tab: Tab) -> str:
    return await tab.page.evaluate("document.body.innerText.trim()")


async def test_a_click_that_does_nothing_is_quiet_and_changes_nothing(tab: Tab, site: Site) -> None:
    await show(tab, site, "")
    assert await act(tab) == QUIET


async def test_what_a_click_changes_is_noticed(tab: Tab, site: Site) -> None:
    await show(tab, site, "p.textContent = 'after'")
    assert await act(tab) == Settled(quiet=True, navigated=False, changed=True)


async def test_a_response_in_frames_that_follow_each_other_is_waited_for(tab: Tab, site: Site) -> None:
    await show(
        tab, site, "let n = 0; (function next() { p.textContent = ++n; if (n < 12) requestAnimationFrame(next) })()"
    )
    assert (await act(tab)).quiet
    assert await text(tab) == "12"


async def test_what_a_page_asks_for_and_then_shows_is_waited_for(tab: Tab, site: Site) -> None:
    site.put("/answer", "shown")
    twice = (
        "fetch('/answer').then(() => fetch('/answer')).then(a => a.text()).then(t => { p.textContent = t.slice(-5) })"
    )
    await show(tab, site, twice)
    settled = await act(tab)
    assert settled.quiet
    assert await text(tab) == "shown"


async def test_a_transition_is_waited_for(tab: Tab, site: Site) -> None:
    moving = "<style>p { transition: margin-left .2s } .on { margin-left: 100px }</style>"
    await show(tab, site, "p.className = 'on'", moving)
    assert (await act(tab)).quiet
    assert await tab.page.evaluate("getComputedStyle(p).marginLeft") == "100px"


@pytest.mark.parametrize(
    "script", ["location = '/next'", "document.forms[0].submit()", "document.querySelector('a').click()"]
)
async def test_a_navigation_is_waited_for(tab: Tab, site: Site, script: str) -> None:
    site.put("/next", "<p>the next page</p><script>document.body.append('built')</script>")
    await show(tab, site, script, "<form action=/next></form><a href=/next></a>")
    settled = await act(tab)
    assert settled.navigated
    assert settled.quiet
    assert await text(tab) == "the next page\n\nbuilt"


async def test_a_navigation_within_the_document_is_no_navigation(tab: Tab, site: Site) -> None:
    await show(tab, site, "history.pushState(1, '', '/other'); location.hash = 'x'")
    settled = await act(tab)
    assert settled.quiet
    assert not settled.navigated


async def test_a_page_that_never_rests_is_waited_for_once(tab: Tab, site: Site) -> None:
    ticking = "<b id=b></b><script>(function next() { b.textContent = Math.random(); requestAnimationFrame(next) })()"
    await show(tab, site, "p.textContent = 'after'", ticking + "</script>")
    assert not (await act(tab)).quiet
    assert (await act(tab)).quiet
    assert "after" in await text(tab)


async def test_what_spins_for_ever_is_not_waited_for(tab: Tab, site: Site) -> None:
    spinning = "<style>@keyframes s { to { rotate: 1turn } } i { animation: s 1s infinite }</style><i>o</i>"
    await show(tab, site, "", spinning)
    assert (await act(tab)).quiet


POLLING = """<script>
  let poll;
  setInterval(() => {
    poll?.abort();
    poll = new AbortController();
    fetch('{0}?at=' + Date.now(), {signal: poll.signal}).catch(() => 0);
  }, 50);
</script>"""
"""One poll is always under way, and gives way to the next."""


@pytest.fixture
def odd() -> Iterator[OddSite]:
    odd = OddSite()
    yield odd
    odd.close()


async def show_polling(tab: Tab, site: Site, odd: OddSite, script: str) -> None:
    await show(tab, site, script, POLLING.replace("{0}", odd.hang("/poll")))
    await wait_until(lambda: len(odd.headers) >= BEGINNINGS)


async def test_a_page_that_polls_is_known_and_its_polls_are_not_waited_for(tab: Tab, site: Site, odd: OddSite) -> None:
    await show_polling(tab, site, odd, "")
    polls: list[object] = []
    tab.page.on("request", lambda request: polls.append(request))
    async with asyncio.timeout(2 * PATIENCE_S):
        # The machine may stop for longer than a pace bears: then the page has to be known anew.
        while True:
            known = len(polls) + 20
            await wait_until(lambda: len(polls) >= known)  # noqa: B023 - called before the next round
            before = len(polls)
            if await act(tab) == QUIET and len(polls) > before:
                break


async def test_what_a_click_asks_for_is_waited_for_on_a_page_that_polls(tab: Tab, site: Site, odd: OddSite) -> None:
    asked, let_go = threading.Event(), threading.Event()

    def answer(handler: BaseHTTPRequestHandler) -> None:
        asked.set()
        let_go.wait(PATIENCE_S)
        send(handler, body=b"shown", Access_Control_Allow_Origin="*")

    news = odd.on("/news", answer)
    try:
        await show_polling(tab, site, odd, f"fetch('{news}').then(a => a.text()).then(t => {{ p.textContent = t }})")
        acting = asyncio.create_task(act(tab))
        await wait_until(asked.is_set)
        assert not acting.done()
        let_go.set()
        await acting
        assert await text(tab) == "shown"
    finally:
        let_go.set()


async def test_a_long_poll_that_the_action_answers_is_not_waited_for_again(tab: Tab, site: Site, odd: OddSite) -> None:
    waiting, news = threading.Semaphore(0), threading.Semaphore(0)

    def wait_for_news(handler: BaseHTTPRequestHandler) -> None:
        waiting.release()
        while not odd.ended.is_set() and not news.acquire(timeout=0.05):
            pass
        send(handler, body=b"news", Access_Control_Allow_Origin="*")

    def tell(handler: BaseHTTPRequestHandler) -> None:
        news.release()
        send(handler, body=b"told", Access_Control_Allow_Origin="*")

    async def wait_long() -> None:
        """Only what took long may have waited for news."""
        begun = time.monotonic()
        await wait_until(lambda: time.monotonic() - begun > LONG_S)

    polling = f"(function wait() {{ fetch('{odd.on('/wait', wait_for_news)}').then(a => a.text()).then(wait) }})()"
    await show(tab, site, f"fetch('{odd.on('/tell', tell)}')", f"<script>{polling}</script>")
    assert await asyncio.to_thread(waiting.acquire, timeout=PATIENCE_S)
    await wait_long()
    async with asyncio.timeout(PATIENCE_S):
        while not (await act(tab)).quiet:
            await wait_long()
    assert await asyncio.to_thread(waiting.acquire, timeout=PATIENCE_S)


@pytest.mark.parametrize("opened", ["new EventSource('/answer')", "new WebSocket('ws://' + location.host + '/socket')"])
async def test_a_connection_for_news_is_not_waited_for(tab: Tab, site: Site, opened: str) -> None:
    await show(tab, site, f"{opened}; p.textContent = 'after'")
    assert (await act(tab)).quiet
    assert await text(tab) == "after"


async def test_the_bound_holds_on_a_page_that_hangs(tab: Tab, site: Site) -> None:
    await show(tab, site, "setTimeout(() => { for (;;) ; }, 0)")
    async with asyncio.timeout(PATIENCE_S):
        assert not (await act(tab, 1.0)).quiet


async def test_a_tab_that_closes_itself_is_quiet_at_once(browser: Browser, tab: Tab, site: Site) -> None:
    await tab.page.goto(site.put("/settling", "x"))
    site.put("/closing", "<body style='height:400px'><script>onclick = () => close()</script>")
    async with tab.page.expect_popup() as opening:
        await tab.page.evaluate("open('/closing')")
    page = await opening.value
    await page.wait_for_load_state()
    popup = Tab("tab_popup", page, type(tab.frames)(page.context, page), browser.tabs.traffic)
    page.on("close", lambda _: setattr(popup, "closed", True))
    settled = await act(popup)
    assert settled.changed


@pytest.mark.parametrize("opens", ["window.open('{0}')", "a.click()"])
async def test_a_tab_that_is_opened_is_waited_for_until_it_has_its_first_answer(
    browser: Browser, tab: Tab, site: Site, opens: str
) -> None:
    odd, asked, let_go = OddSite(), threading.Event(), threading.Event()
    try:
        address = odd.on("/popup", lambda handler: (asked.set(), let_go.wait(PATIENCE_S), send(handler))[2])
        await show(tab, site, opens.format(address), f"<a id=a href='{address}' target=_blank></a>")
        before = browser.tabs.all
        acting = asyncio.create_task(act(tab))
        await wait_until(asked.is_set)
        assert browser.tabs.all == before
        let_go.set()
        assert (await acting).quiet
        (opened,) = set(browser.tabs.all) - set(before)
        assert browser.tabs.active is opened
    finally:
        let_go.set()
        odd.close()


async def test_a_tab_that_never_answers_is_not_waited_for_for_ever(tab: Tab, site: Site) -> None:
    odd = OddSite()
    try:
        await show(tab, site, f"window.open('{odd.hang('/popup')}')")
        async with asyncio.timeout(PATIENCE_S):
            assert not (await act(tab, 0.5)).quiet
    finally:
        odd.close()

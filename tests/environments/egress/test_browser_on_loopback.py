"""A browser behind the proxy, on a machine as it is: what is listed of loopback works in every way, the rest not."""

from __future__ import annotations

import pytest
from playwright.async_api import Error

from environments.egress.certificates import Certificates
from environments.egress.hosts import wait_until
from environments.egress.web import Web
from gui_environments.browser import Browser
from gui_environments.browser.rules import BrowserRules
from gui_environments.egress import EgressEvent, EgressProxy, HostRules, RequestJudged

HEAR = """to => new Promise((resolve, reject) => {
    const socket = new WebSocket(to)
    socket.onmessage = event => resolve(event.data)
    socket.onerror = () => reject(new Error('it failed'))
})"""


async def test_what_is_listed_of_loopback_is_shown_and_talks_and_the_rest_is_refused(
    certificates: Certificates,
) -> None:
    web = Web(certificates.server())
    events: list[EgressEvent] = []
    plain, secure = await web.listen("127.0.0.1"), await web.listen("127.0.0.1", secure=True)
    unlisted, elsewhere = await web.listen("127.0.0.1"), await web.listen("127.0.0.2", plain)
    rules = HostRules.of([f"127.0.0.1:{plain}", f"https://localhost:{secure}"])
    trusted = f"--ignore-certificate-errors-spki-list={certificates.key_hash}"
    try:
        async with (
            EgressProxy.open(rules, on_event=events.append) as proxy,
            Browser.open(proxy=proxy.address, arguments=[trusted], rules=BrowserRules(hosts=rules)) as browser,
        ):
            page = browser.tabs.tab(None).page
            for scheme, place in (("http", f"127.0.0.1:{plain}"), ("https", f"localhost:{secure}")):
                assert (await browser.navigate(f"{scheme}://{place}/page")).status == 200
                assert await page.inner_text("p") == "/page"
                assert await page.evaluate(HEAR, f"{scheme.replace('http', 'ws')}://{place}/chat") == "hello"
            await page.goto(f"http://127.0.0.1:{plain}/page")
            for place in (f"127.0.0.1:{unlisted}", f"127.0.0.2:{elsewhere}", f"localhost:{secure}"):
                events.clear()
                assert (await browser.navigate(f"http://{place}/page")).status == 403
                assert "is not listed" in await page.inner_text("body")
                assert place in {f"{event.host}:{event.port}" for event in events if isinstance(event, RequestJudged)}
            with pytest.raises(Error):
                await page.goto(f"https://127.0.0.1:{secure}/page")
            await wait_until(lambda: len(web.arrivals) >= 5)
            served = {f"127.0.0.1:{plain}", f"localhost:{secure}"}
            assert {arrival.host for arrival in web.arrivals} == served
    finally:
        await web.stop()

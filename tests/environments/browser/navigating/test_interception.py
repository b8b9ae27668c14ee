"""Every way in which a page can ask for a host, in a browser that has no proxy: what is listed arrives, what is not is
refused before anybody is asked, and told. Names of hosts lead to one server of the tests', which sees who was asked.

SECURITY.md says of each route whether interception covers it; each is tested as it is stated there.
"""

from __future__ import annotations

import re
import ssl
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Page

from environments.browser.conftest import wait_until
from environments.egress.test_browser_routes import LISTED, ROUTES, SECURE_ROUTES, SITE, UNLISTED
from environments.egress.web import Web
from gui_environments.browser import Browser
from gui_environments.browser.events import BrowserEvent, NavigationRefused, RequestRefused
from gui_environments.browser.rules import BrowserRules
from gui_environments.browser.tabs.tab import Tab
from gui_environments.egress import HostRules

pytestmark = pytest.mark.asyncio(loop_scope="session")

SECURITY = (Path(__file__).parents[4] / "SECURITY.md").read_text(encoding="utf-8")

MORE_ROUTES = {
    "a window without an opener": "to => { open(to, '_blank', 'noopener') }",
    "a form that posts to a new tab": """to => {
        const form = document.body.appendChild(document.createElement('form'))
        form.method = 'post'; form.target = '_blank'; form.action = to; form.submit() }""",
    "a fetch that asks before": "to => { fetch(to, { headers: { 'X-Own': '1' } }).catch(() => {}) }",
    "a worker's worker": """to => {
        const inner = `fetch('${to}', { mode: 'no-cors' })`
        new Worker(URL.createObjectURL(new Blob([
            `new Worker(URL.createObjectURL(new Blob([${JSON.stringify(inner)}])))`]))) }""",
    "a blank frame's fetch": """to => {
        const frame = document.body.appendChild(document.createElement('iframe'))
        frame.contentWindow.fetch(to, { mode: 'no-cors' }).catch(() => {}) }""",
    "a blank window's fetch": "to => { open('').fetch(to, { mode: 'no-cors' }).catch(() => {}) }",
    "a frame of a frame that the page wrote": """to => {
        document.body.appendChild(document.createElement('iframe')).srcdoc = `<iframe src="${to}"></iframe>` }""",
    "a sandboxed frame's fetch": """to => {
        const frame = document.createElement('iframe'); frame.sandbox = 'allow-scripts'
        frame.srcdoc = `<script>fetch('${to}', { mode: 'no-cors' })</script>`; document.body.append(frame) }""",
    "a frame in a frame from a blob": """to => {
        const page = new Blob([`<iframe src='${to}'></iframe>`], { type: 'text/html' })
        document.body.appendChild(document.createElement('iframe')).src = URL.createObjectURL(page) }""",
    "a prefetch": """to => {
        const link = document.createElement('link'); link.rel = 'prefetch'; link.href = to
        document.head.append(link) }""",
    "a manifest": """to => {
        const link = document.createElement('link'); link.rel = 'manifest'; link.href = to
        document.head.append(link) }""",
    "a shared worker's script": "to => { new SharedWorker(URL.createObjectURL(new Blob([`importScripts('${to}')`]))) }",
    "a worklet": "to => { new OfflineAudioContext(1, 1, 8000).audioWorklet.addModule(to).catch(() => {}) }",
    "a redirect of a fetch that outlives the page": """to => {
        fetch('/to?' + to, { mode: 'no-cors', keepalive: true }).catch(() => {}); location.href = '/elsewhere' }""",
    "a redirect of a beacon": "to => { navigator.sendBeacon('/to?' + to, 'x'); location.href = '/elsewhere' }",
    "a redirect of a download": """to => {
        const a = document.body.appendChild(document.createElement('a'))
        a.href = '/to?' + to; a.download = 'x'; a.click() }""",
}
LEAVING = {
    *("a link", "a link to a download", "a form that posts", "a form that gets", "a redirect"),
    *("a redirect of a redirect", "a script that goes there", "a script that replaces the page", "a refresh"),
    *("a refresh by header", "a preload by header", "a fetch for later", "a redirect of a download"),
    *("a redirect of a fetch that outlives the page", "a redirect of a beacon", "a manifest"),
}
"""By which the page may be left, or which it does once only."""
ALL_ROUTES = {**ROUTES, **SECURE_ROUTES, **MORE_ROUTES}


def stated_of_interception() -> dict[str, str]:
    """What the table of SECURITY.md says, by route."""
    table = SECURITY.partition("| route |")[2].partition("\n\n")[0]
    stated = {}
    for row in re.findall(r"^\| (.*) \|$", table, re.MULTILINE)[1:]:
        routes, _, interception, *_ = row.split(" | ")
        stated |= dict.fromkeys(routes.split(", "), interception)
    return stated


class World:
    """The server, and a browser that finds it under every name."""

    def __init__(self, web: Web, browser: Browser) -> None:
        self.web = web
        self.browser = browser
        self.events: list[BrowserEvent] = []
        self._tab: Tab | None = None

    async def show(self, route: str) -> Page:
        """The page, in the only tab; where it is left, in a new one."""
        tab = self._tab
        if tab is None:
            tab = await self.browser.tabs.open()
            await tab.page.goto(f"http://{SITE}/page")
        for other in self.browser.tabs.all:
            if other is not tab:
                await self.browser.tabs.close(other)
        self._tab = None if route in LEAVING else tab
        return tab.page

    def refused(self, host: str) -> list[BrowserEvent]:
        self.events += self.browser.take_events()
        return [one for one in self.events if isinstance(one, NavigationRefused | RequestRefused) and one.host == host]


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def world() -> AsyncIterator[World]:
    web = Web(ssl.create_default_context(ssl.Purpose.CLIENT_AUTH))
    port = await web.listen("127.0.0.1")
    arguments = [
        f"--host-resolver-rules=MAP *.test 127.0.0.1:{port}",
        # For service workers, and for fetches for later.
        f"--unsafely-treat-insecure-origin-as-secure=http://{SITE},http://{LISTED},http://{UNLISTED}",
    ]
    rules = BrowserRules(hosts=HostRules.of([SITE, f"*.{SITE}"]))
    try:
        async with Browser.open(rules=rules, arguments=arguments) as browser:
            yield World(web, browser)
    finally:
        await web.stop()


@pytest.mark.parametrize("route", ALL_ROUTES)
async def test_a_page_reaches_a_listed_host_and_no_other_by(world: World, route: str) -> None:
    covered = stated_of_interception().get(route, "blocked, told") == "blocked, told"
    number = list(ALL_ROUTES).index(route)
    path = f"/{number}"
    # A host of its own: what routes before may still ask for is not taken for this one's.
    unlisted = UNLISTED if route in SECURE_ROUTES else f"way{number}.{UNLISTED}"
    world.events.clear()
    await (await world.show(route)).evaluate(ALL_ROUTES[route], f"http://{LISTED}{path}")
    await wait_until(lambda: world.web.has(LISTED, path))
    assert world.refused(LISTED) == []
    await (await world.show(route)).evaluate(ALL_ROUTES[route], f"http://{unlisted}{path}")
    if covered:
        await wait_until(lambda: bool(world.refused(unlisted)))
    else:
        # As SECURITY.md says: this is for the proxy to refuse.
        await wait_until(lambda: world.web.has(unlisted, path))
    assert world.web.has(unlisted, path) == (not covered)


async def test_a_service_worker_is_not_even_started_from_a_listed_host(world: World) -> None:
    world.events.clear()
    page = await world.show("a service worker")
    said = await page.evaluate("navigator.serviceWorker.register('/service.js').then(() => 'started', () => 'refused')")
    assert said == "refused"
    (event,) = world.refused(SITE)
    assert isinstance(event, RequestRefused)
    assert (event.what, event.reason) == ("service worker", "service workers are off")
    assert not world.web.has(SITE, "/service.js")


async def test_the_table_says_something_of_every_route() -> None:
    assert set(ROUTES | SECURE_ROUTES) <= set(stated_of_interception())
    assert set(stated_of_interception().values()) == {"blocked, told", "not covered: the proxy carries it"}

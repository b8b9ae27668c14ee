"""A browser behind the proxy, on a machine as it is: what is listed of loopback works in every way, the rest not, and
`navigate` says in words why a host could not be reached. The browser's own rules are wider here than the proxy's, so
that the proxy is asked."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass

import pytest
import pytest_asyncio
from playwright.async_api import Error

from environments.egress.certificates import Certificates
from environments.egress.hosts import Names, wait_until
from environments.egress.web import Web
from gui_environments.browser import Browser
from gui_environments.browser.rules import BrowserRules
from gui_environments.egress import EgressEvent, EgressProxy, HostRules, RequestJudged
from gui_environments.errors import ActionFailed, ActionRefused

pytestmark = pytest.mark.asyncio(loop_scope="session")

HEAR = """to => new Promise((resolve, reject) => {
    const socket = new WebSocket(to)
    socket.onmessage = event => resolve(event.data)
    socket.onerror = () => reject(new Error('it failed'))
})"""


@dataclass
class World:
    """`plain`, `secure` and `closed`, where nobody listens, are ports of the proxy's list; the others are served, and
    not on it."""

    browser: Browser
    web: Web
    events: list[EgressEvent]
    plain: int
    secure: int
    unlisted: int
    elsewhere: int
    closed: int


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def world(certificates: Certificates) -> AsyncIterator[World]:
    web = Web(certificates.server())
    events: list[EgressEvent] = []
    plain, secure = await web.listen("127.0.0.1"), await web.listen("127.0.0.1", secure=True)
    unlisted, elsewhere = await web.listen("127.0.0.1"), await web.listen("127.0.0.2", plain)
    names = Names(rebinding_test=["127.0.0.1"], localhost=["127.0.0.1"])
    taken = socket.socket()
    taken.bind(("127.0.0.1", 0))
    closed = taken.getsockname()[1]
    loopback = [f"127.0.0.1:{plain}", f"127.0.0.1:{closed}", f"https://localhost:{secure}"]
    listed = HostRules.of([*loopback, "rebinding.test", "unknown.test"])
    shown = HostRules.of(["127.0.0.1", "127.0.0.2", "localhost", "rebinding.test", "unknown.test"])
    trusted = f"--ignore-certificate-errors-spki-list={certificates.key_hash}"
    async with AsyncExitStack() as stack:
        stack.callback(taken.close)
        stack.push_async_callback(web.stop)
        proxy = await stack.enter_async_context(EgressProxy.open(listed, on_event=events.append, resolve=names))
        browser = await stack.enter_async_context(
            Browser.open(proxy=proxy.address, arguments=[trusted], rules=BrowserRules(hosts=shown))
        )
        yield World(browser, web, events, plain, secure, unlisted, elsewhere, closed)


async def test_what_is_listed_of_loopback_is_shown_and_talks(world: World) -> None:
    page = world.browser.tabs.tab(None).page
    for scheme, place in (("http", f"127.0.0.1:{world.plain}"), ("https", f"localhost:{world.secure}")):
        assert (await world.browser.navigate(f"{scheme}://{place}/page")).status == 200
        assert await page.inner_text("p") == "/page"
        assert await page.evaluate(HEAR, f"{scheme.replace('http', 'ws')}://{place}/chat") == "hello"


async def test_what_is_not_listed_is_refused_by_the_proxy_and_reaches_nobody(world: World) -> None:
    world.web.arrivals.clear()
    listed = f"http://127.0.0.1:{world.plain}/page"
    places = [f"http://127.0.0.1:{world.unlisted}", f"http://127.0.0.2:{world.elsewhere}"]
    places += [f"http://localhost:{world.secure}", f"https://127.0.0.1:{world.secure}"]
    for place in places:
        world.events.clear()
        assert (await world.browser.navigate(listed)).status == 200
        with pytest.raises(ActionFailed, match=r"is not listed\. Listed are: "):
            await world.browser.navigate(f"{place}/page")
        judged = {f"{event.host}:{event.port}" for event in world.events if isinstance(event, RequestJudged)}
        assert place.partition("//")[2] in judged
    await wait_until(lambda: len(world.web.arrivals) >= len(places))
    assert {arrival.host for arrival in world.web.arrivals} == {f"127.0.0.1:{world.plain}"}


@pytest.mark.parametrize("scheme", ["ws", "wss"])
async def test_a_websocket_to_what_is_not_listed_reaches_nobody(world: World, scheme: str) -> None:
    """Which the browser's own rules do not see."""
    await world.browser.navigate(f"http://127.0.0.1:{world.plain}/page")
    world.events.clear()
    with pytest.raises(Error, match="it failed"):
        await world.browser.tabs.tab(None).page.evaluate(HEAR, f"{scheme}://evil.test/chat")
    judged = [event for event in world.events if isinstance(event, RequestJudged) and event.host == "evil.test"]
    assert {event.verdict.rule for event in judged} == {"not listed"}


async def test_what_the_browsers_own_rules_refuse_the_proxy_is_not_asked_for(world: World) -> None:
    world.events.clear()
    with pytest.raises(ActionRefused, match=r"evil\.test is not listed"):
        await world.browser.navigate("http://evil.test/")
    assert all(event.host != "evil.test" for event in world.events)


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("rebinding.test", r"rebinding\.test was found at 127\.0\.0\.1, a loopback address"),
        ("unknown.test", r"The name unknown\.test is not known\."),
        ("127.0.0.1:{closed}", r"127\.0\.0\.1:[0-9]+ cannot be connected to"),
    ],
)
async def test_why_a_host_is_not_reached_is_told_in_words(world: World, scheme: str, place: str, words: str) -> None:
    with pytest.raises(ActionFailed, match=words):
        await world.browser.navigate(f"{scheme}://{place.format(closed=world.closed)}/")
    assert (await world.browser.navigate(f"http://127.0.0.1:{world.plain}/page")).status == 200

"""Every way in which a page can ask for a host, in a real browser: what is listed arrives, what is not is refused by
the proxy and reaches nobody. The network is the tests' own; every address in it is a server that would have seen it."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Iterator
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import pytest
from playwright.async_api import Error, Page, async_playwright

from environments.egress.certificates import Certificates
from environments.egress.hosts import Names, wait_until
from environments.egress.network import OwnNetwork, Packet
from environments.egress.web import Web
from gui_environments.browser import Browser
from gui_environments.browser.chromium.command import find_chromium
from gui_environments.browser.rules import BrowserRules
from gui_environments.egress import (
    EgressEvent,
    EgressProxy,
    HostRules,
    RequestJudged,
    chromium_switches,
    proxy_variables,
)
from gui_environments.errors import ActionFailed

pytestmark = [pytest.mark.usefixtures("own_network_possible"), pytest.mark.long]

SITE = "a.test"
"""The page's own host; what is below it is listed too."""
LISTED = "b.a.test"
UNLISTED = "evil.test"
PUBLIC_IP, UNLISTED_IP = "93.184.216.34", "93.184.216.99"
NAMES = {
    "a_test": [PUBLIC_IP],
    "b_a_test": [PUBLIC_IP],
    "evil_test": [UNLISTED_IP],
    "a_test_evil_test": [UNLISTED_IP],
    "private_test": ["10.0.0.5"],
    "rebinding_test": ["127.0.0.1"],
    "intranet_test": ["10.20.0.5"],
    "elsewhere_test": ["10.30.0.5"],
}
RULES = HostRules.of(
    [
        "a.test",
        "*.a.test",
        "private.test",
        "rebinding.test",
        "intranet.test=10.20.0.0/16",
        "elsewhere.test=10.20.0.0/16",
    ]
)
WIDER = HostRules.of(
    [*("localhost", "127.0.0.1", "0.0.0.0", "[::1]", "[::]", "[fe80::1]"), "[fd00::5]", "10.0.0.5", "169.254.169.254"],
    any_host=True,
)
"""The browser's own rules, so that all is asked of the proxy."""

MAY_BE_CONNECTED_TO = {PUBLIC_IP, "10.20.0.5"}


class World:
    """The network, its web, the proxy and a browser behind it."""

    def __init__(self, network: OwnNetwork, certificates: Certificates, browser_rules: HostRules = WIDER) -> None:
        self.network = network
        self._browser_rules = browser_rules
        self.web = Web(certificates.server())
        self.events: list[EgressEvent] = []
        self.names = Names(**NAMES)
        self.proxy: EgressProxy
        self.browser: Browser
        self.trusted = f"--ignore-certificate-errors-spki-list={certificates.key_hash}"
        self._open = AsyncExitStack()

    async def start(self) -> None:
        await self.web.start()
        self.proxy = await self._open.enter_async_context(
            EgressProxy.open(RULES, resolve=self.names, on_event=self.events.append)
        )
        self.browser = await self._open.enter_async_context(
            Browser.open(
                proxy=self.proxy.address, arguments=[self.trusted], rules=BrowserRules(hosts=self._browser_rules)
            )
        )

    async def stop(self) -> None:
        await self._open.aclose()
        await self.web.stop()

    async def show(self, url: str) -> Page:
        """In a tab that is new, and the only one: what was going on in others is over."""
        others = self.browser.tabs.all
        tab = await self.browser.tabs.open()
        for other in others:
            await self.browser.tabs.close(other)
        await tab.page.goto(url)
        return tab.page

    def refused(self, host: str) -> list[RequestJudged]:
        judged = (event for event in self.events if isinstance(event, RequestJudged))
        return [event for event in judged if event.host == host and not event.verdict.allowed]

    def astray(self) -> list[Packet]:
        """Packets to anybody but the proxy and the hosts that it may connect to."""
        proxy = self.proxy.address
        return [
            packet
            for packet in self.network.see()
            if packet.kind == "udp"
            or not ((packet.address, packet.port) == (proxy.host, proxy.port) or packet.address in MAY_BE_CONNECTED_TO)
        ]

    def require_nothing_went_astray(self) -> None:
        assert self.astray() == []
        assert {arrival.host for arrival in self.web.arrivals} <= {SITE, LISTED, "intranet.test"}
        assert {address for address, _ in self.web.connections} <= MAY_BE_CONNECTED_TO


@pytest.fixture(scope="module")
def world(certificates: Certificates) -> Iterator[World]:
    with OwnNetwork() as network:
        world = World(network, certificates)
        network.run(world.start())
        try:
            yield world
        finally:
            network.run(world.stop())


ROUTES = {
    # Each gets the address to ask for, with the scheme of the page.
    "a link": "to => { const a = document.body.appendChild(document.createElement('a')); a.href = to; a.click() }",
    "a link to a new tab": """to => {
        const a = document.body.appendChild(document.createElement('a'))
        a.href = to; a.target = '_blank'; a.click() }""",
    "a link to a download": """to => {
        const a = document.body.appendChild(document.createElement('a'))
        a.href = to; a.download = 'x'; a.click() }""",
    "a form that posts": """to => {
        const form = document.body.appendChild(document.createElement('form'))
        form.method = 'post'; form.action = to; form.innerHTML = '<input name=a value=secret>'; form.submit() }""",
    "a form that gets": """to => {
        const form = document.body.appendChild(document.createElement('form'))
        form.action = to; form.innerHTML = '<input name=a value=secret>'; form.submit() }""",
    "a redirect": "to => { location.href = '/to?' + to }",
    "a redirect of a redirect": """to => {
        location.href = '/to?' + location.protocol + '//b.a.test/to?' + to }""",
    "a redirect of a picture": "to => { new Image().src = '/to?' + to }",
    "a redirect of a fetch": "to => { fetch('/to?' + to, { mode: 'no-cors' }).catch(() => {}) }",
    "a script that goes there": "to => { location.href = to }",
    "a script that replaces the page": "to => { location.replace(to) }",
    "a refresh": """to => {
        document.head.insertAdjacentHTML('beforeend', `<meta http-equiv=refresh content="0;url=${to}">`) }""",
    "a refresh by header": "to => { location.href = '/refreshing?' + to }",
    "a window": "to => { window.open(to) }",
    "a frame": "to => { document.body.appendChild(document.createElement('iframe')).src = to }",
    "an object": "to => { document.body.appendChild(document.createElement('object')).data = to }",
    "an embedded one": "to => { document.body.appendChild(document.createElement('embed')).src = to }",
    "a picture in a frame of the page's own text": """to => {
        document.body.appendChild(document.createElement('iframe')).srcdoc = `<img src="${to}">` }""",
    "a frame in a frame from data": """to => {
        const frame = document.body.appendChild(document.createElement('iframe'))
        frame.src = 'data:text/html,' + encodeURIComponent(`<iframe src="${to}"></iframe>`) }""",
    "a fetch": "to => { fetch(to, { mode: 'no-cors' }).catch(() => {}) }",
    "a fetch that outlives the page": "to => { fetch(to, { mode: 'no-cors', keepalive: true }).catch(() => {}) }",
    "an XMLHttpRequest": "to => { const x = new XMLHttpRequest(); x.open('GET', to); x.send() }",
    "a beacon": "to => { navigator.sendBeacon(to, 'secret') }",
    "a picture": "to => { new Image().src = to }",
    "a script": "to => { document.head.appendChild(document.createElement('script')).src = to }",
    "a module": "to => { import(to).catch(() => {}) }",
    "a style": """to => {
        const link = document.createElement('link'); link.rel = 'stylesheet'; link.href = to
        document.head.appendChild(link) }""",
    "a picture in a style": "to => { document.body.style.background = `url(${to})` }",
    "a style in a style": """to => {
        document.head.appendChild(document.createElement('style')).textContent = `@import url(${to})` }""",
    "a picture in a drawing": """to => {
        document.body.insertAdjacentHTML('beforeend', `<svg><image href="${to}"></image></svg>`) }""",
    "a button's picture": """to => {
        document.body.insertAdjacentHTML('beforeend', `<input type=image src="${to}">`) }""",
    "a film's poster": "to => { document.body.appendChild(document.createElement('video')).poster = to }",
    "a font": """to => {
        new FontFace('x', `url(${to})`).load().catch(() => {}) }""",
    "a film": """to => {
        const film = document.body.appendChild(document.createElement('video')); film.src = to; film.load() }""",
    "a preload": """to => {
        const link = document.createElement('link'); link.rel = 'preload'; link.as = 'image'; link.href = to
        document.head.appendChild(link) }""",
    "a preload by header": "to => { location.href = '/preloading?' + to }",
    "an EventSource": "to => { new EventSource(to) }",
    "a WebSocket": "to => { new WebSocket(to.replace('http', 'ws')) }",
    "a worker's fetch": "to => { new Worker('/worker.js').postMessage(to) }",
    "a worker's WebSocket": """to => {
        const code = `new WebSocket('${to.replace('http', 'ws')}')`
        new Worker(URL.createObjectURL(new Blob([code]))) }""",
    "a worker's script": """to => {
        new Worker(URL.createObjectURL(new Blob([`importScripts('${to}')`]))) }""",
    "a module worker's import": """to => {
        new Worker(URL.createObjectURL(new Blob([`import '${to}'`], { type: 'text/javascript' })), { type: 'module' })
        }""",
    "a shared worker's fetch": "to => { new SharedWorker('/shared.js').port.postMessage(to) }",
    "a report of a violation": """to => {
        const frame = document.body.appendChild(document.createElement('iframe'))
        frame.onload = () => { frame.contentWindow.eval("new Image().src = '/forbidden'") }
        frame.src = '/reporting?' + to }""",
}
SECURE_ROUTES = {
    "a fetch for later": "to => { fetchLater(to, { mode: 'no-cors' }); location.href = '/gone' }",
}
BY_TUNNEL = (
    *("a link", "a form that posts", "a redirect", "a redirect of a redirect", "a redirect of a picture", "a refresh"),
    *("a frame", "a fetch", "a beacon", "a picture", "a WebSocket", "an EventSource", "a shared worker's fetch"),
)
"""Of the routes those that are tried with TLS as well, where the proxy sees names only."""
ALL_ROUTES = [("http", route) for route in ROUTES] + [("https", route) for route in [*BY_TUNNEL, *SECURE_ROUTES]]


@pytest.mark.parametrize(("scheme", "route"), ALL_ROUTES)
def test_a_page_reaches_a_listed_host_and_no_other_by(world: World, scheme: str, route: str) -> None:
    script = (ROUTES | SECURE_ROUTES)[route]
    path = f"/{ALL_ROUTES.index((scheme, route))}"

    async def take(host: str) -> None:
        page = await world.show(f"{scheme}://{SITE}/page")
        await page.evaluate(script, f"{scheme}://{host}{path}")

    async def look() -> None:
        await take(LISTED)
        await wait_until(lambda: world.web.has(LISTED, path))
        world.events.clear()
        await take(UNLISTED)
        await wait_until(lambda: bool(world.refused(UNLISTED)))
        world.require_nothing_went_astray()

    world.network.run(look())
    assert world.refused(UNLISTED)[0].verdict.rule == "not listed"
    assert UNLISTED not in world.names.looked_up


@pytest.fixture(scope="module")
def guarded(certificates: Certificates) -> Iterator[World]:
    """As in a session: the browser's own rules are the proxy's."""
    with OwnNetwork() as network:
        world = World(network, certificates, RULES)
        network.run(world.start())
        try:
            yield world
        finally:
            network.run(world.stop())


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_with_all_layers_no_way_is_left_and_each_refusal_is_told(guarded: World, scheme: str) -> None:
    def is_told() -> bool:
        told = [event for event in guarded.browser.take_events() if getattr(event, "host", "") == UNLISTED]
        return bool(told) or bool(guarded.refused(UNLISTED))

    async def look(script: str) -> None:
        page = await guarded.show(f"{scheme}://{SITE}/page")
        guarded.browser.take_events()
        guarded.events.clear()
        await page.evaluate(script, f"{scheme}://{UNLISTED}/all")
        await wait_until(is_told)
        guarded.require_nothing_went_astray()

    routes = ROUTES | SECURE_ROUTES if scheme == "https" else ROUTES
    for route, script in routes.items():
        try:
            guarded.network.run(look(script))
        except TimeoutError:
            raise AssertionError(f"{route} was not told") from None
    assert UNLISTED not in guarded.names.looked_up


@pytest.mark.parametrize(
    "address",
    [
        f"http://{UNLISTED}/",
        f"http://{UNLISTED_IP}/",
        f"http://{PUBLIC_IP}/",
        "http://a.test@evil.test/",
        "http://a.test:80@evil.test/",
        "http:\\\\evil.test/",
        "http:evil.test",
        "//evil.test/",
        "\\\\evil.test\\",
        " http://evil.test/",
        "ht\ntp://evil.test/",
        "http://a.test.evil.test/",
        "http://a.test./",
        "http://EVIL.test/",
        "http://ｅvil.test/",
        "http://xn--evil-test/",
        "http://localhost/",
        "http://LOCALHOST./",
        "http://127.0.0.1/",
        "http://127.0.0.1./",
        "http://0x7f.1/",
        "http://2130706433/",
        "http://0177.1/",
        "http://127.1/",
        "http://0/",
        "http://[::1]/",
        "http://[::]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[fe80::1]/",
        "http://[fd00::5]/",
        "http://10.0.0.5/",
        "http://169.254.169.254/latest/meta-data/",
        "http://private.test/",
        "http://rebinding.test/",
        "http://elsewhere.test/",
        "https://127.0.0.1/",
        "https://private.test/",
        "https://[::1]/",
    ],
)
def test_however_an_address_is_written_an_unlisted_host_is_not_reached(world: World, address: str) -> None:
    async def look() -> None:
        page = await world.show(f"http://{SITE}/page")
        world.events.clear()
        await page.evaluate(
            """to => {
                document.body.appendChild(document.createElement('iframe')).src = to
                open(to)
                return fetch(to, { mode: 'no-cors' }).then(() => {}, () => {})
            }""",
            address,
        )
        await wait_until(
            lambda: (
                address in STAYS_AT_HOME
                or any(isinstance(event, RequestJudged) and not event.verdict.allowed for event in world.events)
            )
        )
        world.require_nothing_went_astray()

    world.network.run(look())


SERVICE_WORKER = """async to => {
    await navigator.serviceWorker.register('/service.js')
    const registration = await navigator.serviceWorker.ready
    registration.active.postMessage(to)
}"""


def test_a_service_workers_fetch_is_refused_by_the_proxy_where_the_browser_lets_it_start(world: World) -> None:
    """Ours lets none start; this is the same Chromium with nothing but the proxy."""

    async def look() -> None:
        arguments = [*chromium_switches(world.proxy.address), world.trusted]
        async with async_playwright() as playwright:
            program = find_chromium(None, Path(playwright.chromium.executable_path))
            chromium = await playwright.chromium.launch(executable_path=program, args=arguments)
            page = await chromium.new_page()
            await page.goto(f"https://{SITE}/page")
            await page.evaluate(SERVICE_WORKER, f"https://{LISTED}/service")
            await wait_until(lambda: world.web.has(LISTED, "/service"))
            world.events.clear()
            await page.evaluate(SERVICE_WORKER, f"https://{UNLISTED}/service")
            await wait_until(lambda: bool(world.refused(UNLISTED)))
            await chromium.close()
        world.require_nothing_went_astray()

    world.network.run(look())


STAYS_AT_HOME = ("http:evil.test", "http://[::ffff:127.0.0.1]/", "http://LOCALHOST./")
"""Of the page's own scheme without slashes: a path on the page's own host. What cannot be listed, the browser's own
rules refuse already."""


@pytest.mark.parametrize(
    "address",
    [
        "javascript:document.title='ran'",
        "data:text/html,x",
        "file:///etc/passwd",
        "view-source:http://a.test/",
        "chrome://version",
    ],
)
def test_addresses_that_are_not_of_the_web_reach_nobody(world: World, address: str) -> None:
    async def look() -> None:
        page = await world.show(f"http://{SITE}/page")
        world.events.clear()
        await page.evaluate("to => { document.body.appendChild(document.createElement('iframe')).src = to }", address)
        await page.evaluate("to => fetch(to).then(() => {}, () => {})", address)
        # What comes after has arrived, so what came before has been asked for.
        await page.evaluate("fetch('/after')")
        assert all(event.verdict.allowed for event in world.events if isinstance(event, RequestJudged))
        world.require_nothing_went_astray()

    world.network.run(look())


def test_what_a_page_may_say_of_hosts_to_come_asks_nobody(world: World) -> None:
    """Prefetching of names, early connections, and pages fetched in advance."""

    async def look() -> None:
        page = await world.show(f"https://{SITE}/page")
        world.events.clear()
        await page.evaluate("""() => {
            for (const rel of ['dns-prefetch', 'preconnect', 'prefetch', 'prerender']) {
                const link = document.createElement('link'); link.rel = rel; link.href = 'https://evil.test/' + rel
                document.head.appendChild(link)
            }
            const rules = document.createElement('script'); rules.type = 'speculationrules'
            rules.textContent = JSON.stringify({ prefetch: [{ urls: ['https://evil.test/s'], eagerness: 'immediate' }],
                prerender: [{ urls: ['https://a.test/p'], eagerness: 'immediate' }] })
            document.head.appendChild(rules)
            const a = document.body.appendChild(document.createElement('a'))
            a.href = '#'; a.ping = 'https://evil.test/ping'; a.click()
        }""")
        await page.evaluate("fetch('/after')")
        world.require_nothing_went_astray()
        assert UNLISTED not in world.names.looked_up

    world.network.run(look())


GATHER = """async () => {
    const peer = new RTCPeerConnection({ iceServers: [
        { urls: ['stun:93.184.216.99:3478', 'stun:evil.test:3478'] },
        { urls: ['turn:93.184.216.99:3478?transport=udp', 'turn:93.184.216.99:443?transport=tcp'],
          username: 'u', credential: 'c' },
    ] })
    const found = []
    const done = new Promise(resolve => { peer.onicecandidate = event => {
        if (event.candidate) found.push(event.candidate.candidate)
        else resolve()
    } })
    peer.createDataChannel('x')
    await peer.setLocalDescription(await peer.createOffer())
    await done
    peer.close()
    return found
}"""


def test_webrtc_finds_no_way_round(world: World) -> None:
    async def look() -> None:
        page = await world.show(f"https://{SITE}/page")
        found = await page.evaluate(GATHER)
        assert not any(" udp " in candidate for candidate in found)
        world.require_nothing_went_astray()

    world.network.run(look())


def test_webtransport_finds_no_way_round(world: World) -> None:
    async def look() -> None:
        page = await world.show(f"https://{SITE}/page")
        outcome = await page.evaluate(
            """to => { const transport = new WebTransport(to)
            transport.closed.catch(() => {})
            return transport.ready.then(() => 'connected', () => 'failed') }""",
            f"https://{UNLISTED}/",
        )
        assert outcome == "failed"
        world.require_nothing_went_astray()

    world.network.run(look())


def test_without_the_proxy_the_same_browser_would_have_been_seen(certificates: Certificates) -> None:
    """That nothing went astray says something only where it would have been noticed."""

    async def look(network: OwnNetwork) -> None:
        web = Web(certificates.server())
        await web.start()
        try:
            rules = BrowserRules(hosts=HostRules.of(["127.0.0.1"], any_host=True))
            async with Browser.open(rules=rules) as browser:
                page = browser.tabs.tab(None).page
                await page.goto(f"http://{UNLISTED_IP}/")
                await page.goto("http://127.0.0.1/")
                gathering = asyncio.ensure_future(page.evaluate(GATHER))
                await wait_until(lambda: Packet("udp", UNLISTED_IP, 3478) in network.see())
            with suppress(Error):  # the browser has been closed meanwhile
                await gathering
            assert Packet("tcp", UNLISTED_IP, 80) in network.see()
            assert ("127.0.0.1", 80) in web.connections
        finally:
            await web.stop()

    with OwnNetwork() as network:
        network.run(look(network))


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_listed_page_is_shown_and_its_websocket_talks(world: World, scheme: str) -> None:
    async def look() -> None:
        page = await world.show(f"{scheme}://{SITE}/page")
        assert await page.inner_text("p") == "/page"
        heard = await page.evaluate(
            """to => new Promise((resolve, reject) => {
                const socket = new WebSocket(to)
                socket.onmessage = event => resolve(event.data)
                socket.onerror = () => reject(new Error('it failed'))
            })""",
            f"{scheme.replace('http', 'ws')}://{LISTED}/chat",
        )
        assert heard == "hello"

    world.network.run(look())


def test_a_name_listed_with_its_range_is_shown_from_there(world: World) -> None:
    async def look() -> None:
        page = await world.show("http://intranet.test/page")
        assert await page.inner_text("p") == "/page"
        assert world.web.arrivals[-1].address == "10.20.0.5" or world.web.has("intranet.test", "/page")

    world.network.run(look())


def test_a_person_who_goes_to_an_unlisted_host_reads_why_not(world: World) -> None:
    async def look() -> None:
        page = await world.show(f"http://{SITE}/page")
        with pytest.raises(ActionFailed, match=r"evil\.test is not listed\. Listed are: a\.test"):
            await world.browser.navigate(f"http://{UNLISTED}/")
        assert "evil.test is not listed. Listed are: a.test" in await page.inner_text("body")

    world.network.run(look())


def curl(world: World, url: str, *arguments: str) -> tuple[int, str]:
    """With the variables of the proxy, in the same network."""

    async def run() -> tuple[int, str]:
        process = await asyncio.create_subprocess_exec(
            *("curl", "-sS", "-m", "30", "-o", "/dev/null", "-w", "%{http_code}", *arguments, url),
            env=proxy_variables(world.proxy.address) | {"PATH": "/usr/bin:/bin"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        out, _ = await process.communicate()
        return process.returncode or 0, out.decode()

    return world.network.run(run())


def test_other_programs_are_sent_through_the_proxy_by_their_variables(world: World, certificates: Certificates) -> None:
    trusted = ("--cacert", str(certificates.authority))
    assert curl(world, f"http://{SITE}/curl") == (0, "200")
    assert curl(world, f"https://{SITE}/curl", *trusted) == (0, "200")
    assert curl(world, f"http://{UNLISTED}/curl") == (0, "403")
    assert curl(world, f"https://{UNLISTED}/curl", *trusted)[0] != 0
    assert curl(world, "http://127.0.0.1/curl") == (0, "403")
    assert curl(world, "http://localhost/curl") == (0, "403")
    world.require_nothing_went_astray()


def test_a_program_that_ignores_its_variables_is_not_held_by_them(certificates: Certificates) -> None:
    """As SECURITY.md says: only a network without another way out holds it."""
    with OwnNetwork() as network:
        world = World(network, certificates)

        async def start() -> None:
            await world.web.start()
            world.proxy = await world._open.enter_async_context(EgressProxy.open(RULES, resolve=world.names))

        network.run(start())
        try:
            assert curl(world, f"http://{UNLISTED_IP}/curl", "--noproxy", "*") == (0, "200")
            assert Packet("tcp", UNLISTED_IP, 80) in network.see()
        finally:
            network.run(world.stop())

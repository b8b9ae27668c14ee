"""What is refused, where, and how it is told: frames of other sites in each other, redirects on the way of `navigate`,
new tabs, floods, the rule for parts of pages; and that no page is left unwatched when judging fails."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass

import pytest
import pytest_asyncio

from environments.browser.conftest import wait_until
from environments.browser.odd_site import OddSite, send
from gui_environments.browser import Browser
from gui_environments.browser.events import BrowserEvent, NavigationRefused, RequestRefused, TabClosed, TabOpened
from gui_environments.browser.rules import BrowserRules
from gui_environments.browser.tabs.tab import Tab
from gui_environments.egress import HostRules
from gui_environments.egress.addresses import Address
from gui_environments.egress.rules import Purpose, Verdict
from gui_environments.errors import ActionFailed, EnvironmentDied

pytestmark = pytest.mark.asyncio(loop_scope="session")

FLOOD = 300


@dataclass
class Places:
    """Servers. Of `a` and `c`, another site on the same port, documents may be shown; of `parts` only what pages are
    made of; of `b`, another site, and of `other`, another port, nothing."""

    a: OddSite
    b: OddSite
    parts: OddSite
    other: OddSite

    @property
    def c(self) -> str:
        return f"http://localhost:{self.a.port}"

    @property
    def rules(self) -> HostRules:
        listed = [f"127.0.0.1:{self.a.port}", f"localhost:{self.a.port}"]
        return HostRules.of(listed, allow_resources=[f"127.0.0.2:{self.parts.port}"])

    def close(self) -> None:
        for site in (self.a, self.b, self.parts, self.other):
            site.close()


@pytest.fixture(scope="module")
def places() -> Iterator[Places]:
    places = Places(OddSite(), OddSite("127.0.0.2"), OddSite("127.0.0.2"), OddSite())
    places.a.page("/", "<title>Start</title><p>start")
    places.a.on("/picture", lambda handler: send(handler, body=b"<svg/>", media_type="image/svg+xml"))
    yield places
    places.close()


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def guarded(places: Places) -> AsyncIterator[Browser]:
    async with Browser.open(rules=BrowserRules(hosts=places.rules)) as browser:
        yield browser


@pytest_asyncio.fixture(loop_scope="session")
async def shown(guarded: Browser, places: Places) -> AsyncIterator[Tab]:
    """A tab with the first page; nobody else was asked anything."""
    tab = await guarded.tabs.open()
    for other in guarded.tabs.all:
        if other is not tab:
            await guarded.tabs.close(other)
    await guarded.navigate(places.a.url("/"))
    await guarded.tab_states()
    guarded.take_events()
    yield tab
    for site in (places.b, places.other):
        assert site.paths == []
    assert all(not path.startswith("/document") for path in places.parts.paths)


def refusals(events: list[BrowserEvent]) -> list[BrowserEvent]:
    return [event for event in events if isinstance(event, NavigationRefused | RequestRefused)]


async def told(browser: Browser, number: int = 1) -> list[BrowserEvent]:
    """What was refused, once something was, `number` times in all."""
    events: list[BrowserEvent] = []

    def enough() -> bool:
        events.extend(refusals(list(browser.take_events())))
        return sum(event.count for event in events if isinstance(event, NavigationRefused | RequestRefused)) >= number

    await wait_until(enough)
    return events


async def test_a_frame_is_refused_in_frames_of_other_sites_in_each_other(
    guarded: Browser, shown: Tab, places: Places
) -> None:
    """127.0.0.1 in localhost in 127.0.0.1, and in that a frame that is not listed: every process is another."""
    inner = places.a.page("/inner", f"<p>inner<iframe src='{places.b.url('/document', '127.0.0.2')}'></iframe>")
    places.a.page("/middle", f"<p>middle<iframe src='{inner}'></iframe>")
    places.a.page("/outer", f"<p>outer<iframe src='{places.c}/middle'></iframe>")
    assert (await guarded.navigate(places.a.url("/outer"))).status == 200
    host = f"127.0.0.2:{places.b.port}"
    assert await told(guarded) == [RequestRefused(shown.tab_id, "frame document", host, "not listed")]
    assert {frame.url.partition("?")[0] for frame in shown.page.frames} >= {inner, f"{places.c}/middle"}


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_in_a_frame_of_another_site_is_refused(
    guarded: Browser, shown: Tab, places: Places, status: int
) -> None:
    places.a.redirect("/away", places.b.url("/document", "127.0.0.2"), status)
    places.a.page("/framed", f"<iframe src='{places.c}/away'></iframe><iframe src='{places.c}/'></iframe>")
    await guarded.navigate(places.a.url("/framed"))
    host = f"127.0.0.2:{places.b.port}"
    assert await told(guarded) == [RequestRefused(shown.tab_id, "frame document", host, "not listed")]


async def test_what_frames_of_other_sites_are_made_of_is_refused(guarded: Browser, shown: Tab, places: Places) -> None:
    parts = f"<img src='{places.b.url('/x', '127.0.0.2')}'><link rel=stylesheet href='{places.other.url('/y')}'>"
    places.a.page("/parts", parts)
    places.a.page("/of-parts", f"<iframe src='{places.c}/parts'></iframe>")
    await guarded.navigate(places.a.url("/of-parts"))
    assert set(await told(guarded, 2)) == {
        RequestRefused(shown.tab_id, "picture", f"127.0.0.2:{places.b.port}", "not listed"),
        RequestRefused(shown.tab_id, "style sheet", f"127.0.0.1:{places.other.port}", "not listed"),
    }


@pytest.mark.parametrize(
    ("hops", "words"),
    [
        (["{b}"], r"127.0.0.1:\d+ redirects to 127.0.0.2:\d+, and that was refused: 127.0.0.2:\d+ is not listed"),
        (
            ["{c}", "{a}", "{b}"],
            r"redirects by way of localhost:\d+, 127.0.0.1:\d+ to 127.0.0.2:\d+ \(redirect 3\), and that was refused",
        ),
        (["{other}"], r"127.0.0.1:\d+ redirects to 127.0.0.1:\d+, and that was refused"),
    ],
)
async def test_navigate_says_which_hop_was_refused(
    guarded: Browser, shown: Tab, places: Places, hops: list[str], words: str
) -> None:
    hosts = {"{a}": places.a.url(""), "{b}": places.b.url("", "127.0.0.2"), "{c}": places.c}
    hosts["{other}"] = places.other.url("")
    for number, hop in enumerate(hops):
        places.a.redirect(f"/hop{number}", f"{hosts[hop]}/hop{number + 1}")
    with pytest.raises(ActionFailed, match=words):
        await guarded.navigate(places.a.url("/hop0"))
    (refused,) = await told(guarded)
    assert isinstance(refused, NavigationRefused)
    assert (refused.tab_id, refused.count) == (shown.tab_id, 1)
    assert (await guarded.navigate(places.a.url("/"))).title == "Start"


@pytest.mark.parametrize("features", ["", "noopener", "popup"])
async def test_a_new_tab_is_judged_from_its_first_request_on_and_closed(
    guarded: Browser, shown: Tab, places: Places, features: str
) -> None:
    to = places.b.url("/document", "127.0.0.2")
    await shown.page.evaluate("([to, features]) => { open(to, '_blank', features) }", [to, features])
    events: list[BrowserEvent] = []
    await wait_until(
        lambda: events.extend(guarded.take_events()) or any(isinstance(event, TabClosed) for event in events)
    )
    assert sum(isinstance(event, TabOpened) for event in events) == 1
    ((count, host),) = [(one.count, one.host) for one in events if isinstance(one, NavigationRefused)]
    assert (count, host) == (1, f"127.0.0.2:{places.b.port}")
    assert guarded.tabs.all == (shown,)


@pytest.mark.parametrize("place", ["127.0.0.2:{port}/document", "user:secret@127.0.0.2:{port}/d%20?a=%41#part"])
async def test_a_link_that_is_not_allowed_is_told_once(
    guarded: Browser, shown: Tab, places: Places, place: str
) -> None:
    to = "http://" + place.format(port=places.b.port)
    await shown.page.evaluate("to => { location.href = to }", to)
    await wait_until(lambda: shown.page.url.startswith("chrome-error:"))
    await guarded.watchers.landings.wait()
    assert await told(guarded) == [NavigationRefused(shown.tab_id, f"127.0.0.2:{places.b.port}", "http")]


async def test_a_host_for_parts_of_pages_gives_these_and_no_page(guarded: Browser, shown: Tab, places: Places) -> None:
    picture = places.parts.on("/picture", lambda handler: send(handler, body=b"<svg/>", media_type="image/svg+xml"))
    picture, document = (one.replace("127.0.0.1", "127.0.0.2") for one in (picture, places.parts.url("/document")))
    places.a.page("/mixed", f"<img src='{picture}'><iframe src='{document}'></iframe>")
    await guarded.navigate(places.a.url("/mixed"))
    host = f"127.0.0.2:{places.parts.port}"
    assert await told(guarded) == [RequestRefused(shown.tab_id, "frame document", host, "not listed")]
    await wait_until(lambda: "/picture" in places.parts.paths)
    with pytest.raises(ActionFailed, match="redirects to"):
        await guarded.navigate(places.a.redirect("/to-parts", document))
    prefetch = (
        "to => { document.head.append(Object.assign(document.createElement('link'), {rel: 'prefetch', href: to}))}"
    )
    await guarded.navigate(places.a.url("/"))
    guarded.take_events()
    await shown.page.evaluate(prefetch, document)
    assert await told(guarded) == [RequestRefused(shown.tab_id, "prefetched page", host, "not listed")]


async def test_what_is_asked_for_without_end_is_told_once_with_its_number(
    guarded: Browser, shown: Tab, places: Places
) -> None:
    await shown.page.evaluate(
        "([to, many]) => Promise.allSettled(Array.from({length: many}, (_, n) => fetch(to + n)))",
        [places.b.url("/x", "127.0.0.2"), FLOOD],
    )
    host = f"127.0.0.2:{places.b.port}"
    assert refusals(list(guarded.take_events())) == [
        RequestRefused(shown.tab_id, "script request", host, "not listed", FLOOD)
    ]
    await shown.page.evaluate(
        "many => Promise.allSettled(Array.from({length: many}, (_, n) => fetch(`http://host${n}.test/`)))", 100
    )
    events = refusals(list(guarded.take_events()))
    assert len(events) < 20
    assert sum(event.count for event in events if isinstance(event, RequestRefused)) == 100
    assert isinstance(events[-1], RequestRefused)
    assert events[-1].host == "other hosts"


async def test_scripts_of_whoever_drives_it_are_judged_too_also_in_a_new_tab_and_the_first(places: Places) -> None:
    to = places.b.url("/x", "127.0.0.2")
    async with Browser.open(rules=BrowserRules(hosts=places.rules)) as browser:
        for _ in range(2):
            said = await browser.run_script(f"fetch('{to}', {{mode: 'no-cors'}}).then(() => 'reached', () => 'not')")
            assert said == "not"
            (refused,) = refusals(list(browser.take_events()))
            assert isinstance(refused, RequestRefused)
            await browser.open_tab()
    assert places.b.paths == []


async def test_a_document_that_nobody_was_seen_to_ask_for_is_left_at_once(places: Places) -> None:
    """Where a document lands is looked at, whatever let it: here nothing is intercepted any more."""
    landed = OddSite("127.0.0.2")
    landed.page("/document", "<p>landed")
    to = landed.url("/document", "127.0.0.2")
    places.a.page("/framing", f"<iframe src='{to}'></iframe>")
    try:
        async with Browser.open(rules=BrowserRules(hosts=places.rules)) as browser:
            assert browser.interception is not None
            await browser.interception.session.send("Fetch.disable")
            await browser.navigate(places.a.url("/framing"))
            tab = browser.tabs.tab(None)
            host = f"127.0.0.2:{landed.port}"
            assert await told(browser) == [RequestRefused(tab.tab_id, "frame document", host, "not listed")]
            await wait_until(lambda: all(frame.url != to for frame in tab.page.frames))
            with pytest.raises(ActionFailed, match=rf"led to {host}, which is not allowed|{host} was refused"):
                await browser.navigate(places.a.redirect("/to-landed", to))
            await wait_until(lambda: tab.page.url == "about:blank")
            assert await told(browser) == [NavigationRefused(tab.tab_id, host, "http")]
        assert landed.paths.count("/document") == 2
    finally:
        landed.close()


async def test_a_lost_session_ends_the_browser(places: Places) -> None:
    async with Browser.open(rules=BrowserRules(hosts=places.rules)) as browser:
        assert browser.interception is not None
        await browser.interception.session.raw.detach()
        await wait_until(lambda: browser.died)
        with pytest.raises(EnvironmentDied):
            await browser.navigate(places.a.url("/"))


class FailingRules(HostRules):
    """They cannot judge a host of that name."""

    def judge(self, address: Address, purpose: Purpose) -> Verdict:
        if address.host == "localhost":
            raise RuntimeError("no verdict")
        return super().judge(address, purpose)


async def test_a_request_that_cannot_be_judged_is_not_made_and_ends_the_browser(places: Places) -> None:
    rules = FailingRules(places.rules.documents)
    asked = places.a.on("/unjudged", lambda handler: send(handler)).replace("127.0.0.1", "localhost")
    async with Browser.open(rules=BrowserRules(hosts=rules)) as browser:
        await browser.navigate(places.a.url("/"))
        await browser.tabs.tab(None).page.evaluate("to => { new Image().src = to }", asked)
        await wait_until(lambda: browser.died)
    assert "/unjudged" not in places.a.paths

"""Navigation is judged, ends when the document can be used, and says in words what came of it."""

from __future__ import annotations

import asyncio
import ssl
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from environments.browser.conftest import wait_until
from environments.browser.odd_site import OddSite, send
from gui_environments.browser import Browser
from gui_environments.browser.events import NavigationRefused
from gui_environments.browser.navigating.navigation import NavigationRules, navigate
from gui_environments.browser.tabs.tab import Tab
from gui_environments.browser.values import Navigated
from gui_environments.egress import HostRules
from gui_environments.errors import ActionFailed, ActionRefused
from loopback import LOOPBACK_HOSTS, NOBODY

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture(scope="module")
def odd() -> Iterator[OddSite]:
    site = OddSite()
    site.page("/", "<title>Start</title><p>start")
    site.page("/second", "<title>Second</title><p>second")
    yield site
    site.close()


async def go(browser: Browser, tab: Tab, address: str, *allowed: str, commit_s: float = 30.0) -> Navigated:
    rules = NavigationRules(HostRules.of(allowed or (*LOOPBACK_HOSTS, NOBODY)), commit_s)
    return await navigate(tab, address, browser.watchers.dialogs, browser.watchers.refusals, rules)


async def test_it_returns_a_usable_document_with_its_title_and_status(browser: Browser, tab: Tab, odd: OddSite) -> None:
    assert await go(browser, tab, odd.url("/")) == Navigated(odd.url("/"), "Start", 200)
    assert await tab.page.inner_text("p") == "start"


async def test_back_forward_and_reload(browser: Browser, tab: Tab, odd: OddSite) -> None:
    await go(browser, tab, odd.url("/"))
    await go(browser, tab, odd.url("/second"))
    assert (await go(browser, tab, "back")).title == "Start"
    assert (await go(browser, tab, " Forward ")).title == "Second"
    await tab.page.evaluate("mark = 1")
    assert (await go(browser, tab, "reload")).title == "Second"
    assert await tab.page.evaluate("typeof mark") == "undefined"


async def test_going_back_in_a_document_works_too(browser: Browser, tab: Tab, odd: OddSite) -> None:
    await go(browser, tab, odd.url("/"))
    await tab.page.evaluate("history.pushState(null, '', '/pushed')")
    assert (await go(browser, tab, "back")).url == odd.url("/")


async def test_where_there_is_no_history_it_is_refused(browser: Browser, tab: Tab) -> None:
    with pytest.raises(ActionRefused, match="no page to go back to"):
        await go(browser, tab, "back")
    with pytest.raises(ActionRefused, match="no page to go forward to"):
        await go(browser, tab, "forward")


async def test_redirects_end_where_they_lead_and_are_told(browser: Browser, tab: Tab, odd: OddSite) -> None:
    odd.redirect("/one", odd.redirect("/two", "/second", 307), 301)
    navigated = await go(browser, tab, odd.url("/one"))
    assert (navigated.url, navigated.status) == (odd.url("/second"), 200)
    assert f"led on to {odd.url('/second')}" in navigated.notes[0]


async def test_an_error_status_is_told_in_words(browser: Browser, tab: Tab, odd: OddSite) -> None:
    navigated = await go(browser, tab, odd.on("/gone", lambda handler: send(handler, 410, b"<title>Gone</title>")))
    assert navigated.status == 410
    assert navigated.notes == ("The server answered with status 410 (Gone).",)
    assert (await go(browser, tab, odd.on("/odd", lambda h: send(h, 599, b"odd")))).notes == (
        "The server answered with status 599.",
    )


async def test_an_answer_without_a_page_leaves_the_page(browser: Browser, tab: Tab, odd: OddSite) -> None:
    await go(browser, tab, odd.url("/"))
    navigated = await go(browser, tab, odd.on("/nothing", lambda handler: send(handler, 204)))
    assert (navigated.url, navigated.status) == (odd.url("/"), 204)
    assert "no page (status 204)" in navigated.notes[0]


async def test_a_file_is_told_and_leaves_the_page(browser: Browser, tab: Tab, odd: OddSite) -> None:
    await go(browser, tab, odd.url("/"))
    navigated = await go(browser, tab, odd.file("/file", "a.bin", b"abc"))
    assert navigated.url == odd.url("/")
    assert "file, which is downloaded" in navigated.notes[0]


@pytest.mark.parametrize(
    ("address", "words"),
    [
        (f"http://{NOBODY}/", r"name nobody\.invalid is not known"),
        ("http://127.0.0.1:1/", "do not connect to this port of 127.0.0.1:1"),
        ("http://127.0.0.1:{closed}/", "Nothing answers at 127.0.0.1:[0-9]+"),
        ("https://127.0.0.1:{port}/", "does not speak https"),
        ("http://127.0.0.1:{port}/circle", "redirects in a circle"),
        ("http://127.0.0.1:{port}/empty", "without an answer"),
    ],
)
async def test_errors_are_told_in_words(browser: Browser, tab: Tab, odd: OddSite, address: str, words: str) -> None:
    odd.redirect("/circle", "/circle")
    odd.on("/empty", lambda handler: setattr(handler, "close_connection", True))
    closed = OddSite()
    closed.close()
    with pytest.raises(ActionFailed, match=words):
        await go(browser, tab, address.format(port=odd.port, closed=closed.port))
    # Whatever the error left in the tab, it can be used at once.
    assert (await go(browser, tab, odd.url("/"))).title == "Start"


def make_certificate(key: Path, certificate: Path) -> None:
    files = ["-keyout", str(key), "-out", str(certificate)]
    request = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    subprocess.run(
        ["openssl", *request, "-addext", "subjectAltName=DNS:localhost", *files], check=True, capture_output=True
    )


async def test_a_certificate_that_is_not_trusted_is_told(browser: Browser, tab: Tab, tmp_path: Path) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    make_certificate(key, certificate)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server = ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
    # The handshake belongs to the connection's own thread, where its failure is nobody's error.
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    server.handle_error = lambda *_: None  # type: ignore[method-assign]
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        with pytest.raises(ActionFailed, match="not signed by an authority that is trusted"):
            await go(browser, tab, f"https://localhost:{server.server_address[1]}/")
    finally:
        server.shutdown()
        server.server_close()


async def test_a_server_that_says_nothing_ends_in_words(browser: Browser, tab: Tab, odd: OddSite) -> None:
    await go(browser, tab, odd.url("/"))
    with pytest.raises(ActionFailed, match=r"did not answer in time.*the tab shows http://127"):
        await go(browser, tab, odd.hang("/silent"), commit_s=0.5)
    assert (await go(browser, tab, odd.url("/second"))).title == "Second"


async def test_a_page_is_usable_before_its_last_picture(browser: Browser, tab: Tab, odd: OddSite) -> None:
    odd.hang("/picture.png")
    navigated = await go(browser, tab, odd.page("/slow", "<title>Slow</title><p>here<img src=/picture.png>"))
    assert navigated.title == "Slow"
    assert "still loading" in navigated.notes[0]


async def test_a_host_that_is_not_allowed_is_refused_before_anything_is_asked(
    browser: Browser, tab: Tab, odd: OddSite
) -> None:
    asked = len(odd.headers)
    with pytest.raises(ActionRefused, match=r"not allowed: localhost:[0-9]+ is not listed. Listed are: 127"):
        await go(browser, tab, odd.url("/", "localhost"), "127.0.0.1")
    assert len(odd.headers) == asked
    assert (await go(browser, tab, odd.url("/"), f"127.0.0.1:{odd.port}")).status == 200


async def test_a_redirect_to_a_host_that_is_not_allowed_is_not_followed(
    browser: Browser, tab: Tab, odd: OddSite
) -> None:
    browser.take_events()
    away = odd.redirect("/away", odd.url("/second", "127.0.0.3"))
    with pytest.raises(ActionFailed, match=r"redirects to 127\.0\.0\.3:[0-9]+, and that was refused: .* is not listed"):
        await go(browser, tab, away)
    assert NavigationRefused(tab.tab_id, f"127.0.0.3:{odd.port}", "http") in browser.take_events()
    assert (await go(browser, tab, odd.url("/"))).title == "Start"


async def test_where_it_led_is_judged_too(browser: Browser, tab: Tab, odd: OddSite) -> None:
    """By rules of its own, which are narrower here than those of the browser."""
    away = odd.redirect("/away", odd.url("/second", "localhost"))
    with pytest.raises(ActionFailed, match=r"led to localhost:[0-9]+, which is not allowed"):
        await go(browser, tab, away, "127.0.0.1")


async def test_history_that_is_not_allowed_is_not_gone_back_to(browser: Browser, tab: Tab, odd: OddSite) -> None:
    await go(browser, tab, odd.url("/", "localhost"))
    await go(browser, tab, odd.url("/second"))
    with pytest.raises(ActionRefused, match="not allowed"):
        await go(browser, tab, "back", "127.0.0.1")
    assert tab.page.url == odd.url("/second")


async def test_a_crashed_tab_is_refused_and_others_go_on(browser: Browser, tab: Tab, odd: OddSite) -> None:
    await go(browser, tab, odd.url("/"))
    async with tab.page.expect_event("crash"):
        session = await tab.page.context.new_cdp_session(tab.page)
        asked = asyncio.ensure_future(session.send("Page.crash"))  # what crashes never answers
    asked.cancel()
    await asyncio.gather(asked, return_exceptions=True)
    await wait_until(lambda: tab.crashed)
    with pytest.raises(ActionRefused, match="has crashed"):
        await go(browser, tab, odd.url("/"))
    with pytest.raises(ActionRefused, match="has crashed"):
        await browser.capture(tab_id=tab.tab_id)
    assert [state.crashed for state in await browser.tab_states() if state.tab_id == tab.tab_id] == [True]
    other = await browser.tabs.open()
    assert (await go(browser, other, odd.url("/second"))).title == "Second"

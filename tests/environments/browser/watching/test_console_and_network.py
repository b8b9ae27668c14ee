"""What pages log and request, since it was last read, one line an entry."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from environments.browser.conftest import wait_for_script, wait_until
from environments.browser.echo_sockets import EchoSockets
from environments.browser.odd_site import OddSite, send
from environments.browser.site import Site
from gui_environments.browser import Browser, ReadRequest
from gui_environments.browser.tabs import lagging
from gui_environments.browser.tabs.floods import Bound
from gui_environments.browser.tabs.tab import Tab
from gui_environments.browser.watching import console
from gui_environments.browser.watching.console import MISSED
from gui_environments.browser.watching.redaction import redact_text

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture(scope="module")
def odd() -> Iterator[OddSite]:
    site = OddSite()
    yield site
    site.close()


@pytest.fixture(scope="module")
def sockets() -> Iterator[EchoSockets]:
    sockets = EchoSockets()
    yield sockets
    sockets.close()


async def console_when(browser: Browser, *texts: str) -> list[str]:
    """The lines read until each of `texts` is in one."""
    lines: list[str] = []

    def there() -> bool:
        lines.extend(browser.watchers.console.read(None).splitlines())
        return all(any(text in line for line in lines) for text in texts)

    await wait_until(there)
    return [line for line in lines if not line.startswith("(nothing")]


async def test_messages_and_uncaught_errors_are_read_once(browser: Browser, tab: Tab, site: Site) -> None:
    script = "console.log('one', 2, {a: 3});\nconsole.warn('two\\nlines');\nconsole.error('three');"
    later = "setTimeout(() => { throw new TypeError('uncaught one') });"
    await browser.navigate(site.put("/talk.html", f"<script>{script}{later}</script>"))
    lines = await console_when(browser, "uncaught one")
    assert lines[0] == "log: one 2 {a: 3} (talk.html:1)"
    assert lines[1] == "warning: two\\nlines (talk.html:2)"
    assert lines[2] == "error: three (talk.html:3)"
    assert lines[3].startswith("uncaught error: TypeError: uncaught one")
    assert await browser.read_console() == "(nothing new in the console)"


async def test_repeated_and_long_messages_are_folded_and_cut(browser: Browser, tab: Tab, site: Site) -> None:
    script = "for (let n = 0; n < 50; n++) console.log('again'); console.log('y'.repeat(5000)); console.log('end')"
    await browser.navigate(site.put("/talk.html", f"<script>{script}</script>"))
    lines = await console_when(browser, "end")
    assert lines[0] == "log: again (talk.html:1) (50 times)"
    assert lines[1].startswith("log: " + "y" * 1000 + "...")
    assert "5,000 characters" in lines[1]


async def test_a_page_that_logs_without_end_keeps_the_newest(
    browser: Browser, tab: Tab, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lagging, "LATE_S", 1_000.0)  # however busy the machine is
    script = "for (let n = 0; n < 1500; n++) console.log('line', n); done = true"
    await browser.navigate(site.put("/talk.html", f"<script>{script}</script>"))
    await wait_for_script(tab, "window.done")
    logs = browser.watchers.console.logs
    await wait_until(lambda: any("line 1499" in message.text for message in logs.entries(tab)))
    lines = (await browser.read_console()).splitlines()
    # The browser itself may have written a line, of an icon that is not there.
    assert re.fullmatch(r"\(50\d older entries are left out\)", lines[0])
    assert any("line 1499" in line for line in lines[-2:])


async def test_a_page_that_floods_the_console_is_not_listened_to_for_a_while_and_what_is_missing_is_said(
    browser: Browser, tab: Tab, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(console, "BOUND", Bound(most=200, per_s=1.0))
    script = "for (let n = 0; n < 5000; n++) console.log('line', n); done = true"
    await browser.navigate(site.put("/talk.html", f"<script>{script}</script><p>shown"))
    await wait_for_script(tab, "window.done")
    await wait_until(lambda: any(str(message) == MISSED for message in browser.watchers.console.logs.entries(tab)))
    assert "shown" in (await browser.read_page(ReadRequest())).text
    monkeypatch.undo()
    await wait_until(lambda: browser.watchers.console.listening)
    await tab.page.evaluate("console.log('later')")
    await console_when(browser, "later")


async def test_a_credential_at_the_end_of_a_long_name_is_not_shown() -> None:
    assert redact_text("x" * 4000) == "x" * 4000
    assert redact_text("y" * 200 + "_password=hunter2") == "y" * 200 + "_password=[redacted]"


async def test_credentials_are_not_shown(browser: Browser, tab: Tab, site: Site) -> None:
    await browser.navigate(site.put("/talk.html", "<script>console.log('token=abc123', 'Bearer zyx987')</script>"))
    (line,) = await console_when(browser, "redacted")
    assert "abc123" not in line
    assert "zyx987" not in line


async def test_each_tab_has_a_log_of_its_own(browser: Browser, tab: Tab, site: Site) -> None:
    await browser.navigate(site.put("/talk.html", "<script>console.log('first tab')</script>"))
    other = await browser.tabs.open()
    assert await browser.read_console(other.tab_id) == "(nothing new in the console)"
    await wait_until(lambda: "first tab" in browser.watchers.console.read(tab.tab_id))


async def test_requests_are_told_with_what_became_of_them(browser: Browser, tab: Tab, odd: OddSite) -> None:
    odd.on("/data.json", lambda handler: send(handler, body=b"{}", media_type="application/json; charset=utf-8"))
    odd.redirect("/moved", "/data.json?token=abc")
    odd.on("/post", lambda handler: send(handler, 201, b"made", "text/plain"))
    address = odd.page(
        "/asks",
        "<script>(async () => { await fetch('/data.json?token=abc&q=1'); await fetch('/moved');"
        " await fetch('/post', { method: 'POST', body: 'password=hunter2' }); await fetch('/missing');"
        " await fetch('http://127.0.0.1:1/').catch(() => {}); done = true })()</script>",
    )
    await browser.navigate(address)
    await wait_for_script(tab, "window.done")
    lines = (await browser.read_network()).splitlines()
    base = odd.url("")
    for line in (
        f"GET {base}/asks -> 200 text/html [document]",
        f"GET {base}/data.json?token=[redacted]&q=1 -> 200 application/json [fetch]",
        f"GET {base}/moved -> 302 to {base}/data.json?token=[redacted] [fetch]",
        f"GET {base}/data.json?token=[redacted] -> 200 application/json [fetch]",
        f"POST {base}/post -> 201 text/plain [fetch]",
        f"GET {base}/missing -> 404 text/html [fetch]",
        "GET http://127.0.0.1:1/ -> failed (UNSAFE_PORT) [fetch]",
    ):
        assert line in lines
    assert "hunter2" not in "".join(lines)


async def test_what_has_no_answer_yet_is_told_again_when_it_has(browser: Browser, tab: Tab, odd: OddSite) -> None:
    address = odd.page("/waits", "<script>stop = new AbortController(); fetch('/held', stop).catch(() => {})</script>")
    odd.hang("/held")
    await browser.navigate(address)
    await wait_until(lambda: any("Host" in headers for headers in odd.headers[-1:]))
    assert f"GET {odd.url('/held')} -> no answer yet [fetch]" in await browser.read_network()
    await tab.page.evaluate("stop.abort()")
    await wait_until(lambda: "failed (ABORTED)" in browser.watchers.network.read(None))
    assert await browser.read_network() == "(no new requests)"


async def network_when(browser: Browser, *texts: str) -> list[str]:
    """The lines read until each of `texts` is in one."""
    lines: list[str] = []

    def there() -> bool:
        lines.extend(browser.watchers.network.read(None).splitlines())
        return all(any(text in line for line in lines) for text in texts)

    await wait_until(there)
    return lines


async def test_web_sockets_are_told_with_their_messages_counted(
    browser: Browser, tab: Tab, site: Site, sockets: EchoSockets
) -> None:
    script = (
        f"socket = new WebSocket('{sockets.url}/talk?token=abc'); got = 0;"
        "socket.onmessage = () => { got += 1; if (got === 2) socket.close() };"
        "socket.onopen = () => { socket.send('secret one'); socket.send('secret two') }"
    )
    await browser.navigate(site.put("/talks", f"<script>{script}</script>"))
    lines = await network_when(browser, "closed")
    closed = f"CONNECT {sockets.url}/talk?token=[redacted] -> closed, 2 sent, 2 received [websocket]"
    assert lines[-1] == closed
    assert "secret" not in "".join(lines)
    assert await browser.read_network() == "(no new requests)"


async def test_a_web_socket_that_is_open_is_told_again_only_when_something_was_said(
    browser: Browser, tab: Tab, site: Site, sockets: EchoSockets
) -> None:
    script = f"socket = new WebSocket('{sockets.url}/open'); socket.onopen = () => socket.send('x')"
    await browser.navigate(site.put("/talks", f"<script>{script}</script>"))
    await network_when(browser, "open, 1 sent, 1 received")
    assert await browser.read_network() == "(no new requests)"
    await tab.page.evaluate("socket.send('y')")
    await network_when(browser, "open, 2 sent, 2 received")


async def test_web_sockets_that_fail_are_told_with_the_reason(
    browser: Browser, tab: Tab, odd: OddSite, sockets: EchoSockets
) -> None:
    plain = odd.url("/plain").replace("http:", "ws:")
    script = f"new WebSocket('ws://127.0.0.1:1/'); new WebSocket('{plain}'); new WebSocket('{sockets.closed_url}')"
    await browser.navigate(odd.page("/talks", f"<script>{script}</script>"))
    await network_when(
        browser,
        "CONNECT ws://127.0.0.1:1/ -> failed (UNSAFE_PORT) [websocket]",
        f"CONNECT {sockets.closed_url} -> failed (CONNECTION_REFUSED) [websocket]",
        f"CONNECT {plain} -> failed (Error during WebSocket handshake: Unexpected response code: 404) [websocket]",
    )


async def test_frames_of_other_sites_and_workers_are_listened_to(
    browser: Browser, tab: Tab, site: Site, odd: OddSite, sockets: EchoSockets
) -> None:
    work = f"fetch('/of-worker'); new WebSocket('{sockets.url}/of-worker').onopen = (e) => e.target.send('x');"
    work += "console.log('worker says'); setTimeout(() => { throw new Error('worker threw') });"
    work += "Promise.reject(new Error('worker rejected'))"
    odd.on("/worker.js", lambda handler: send(handler, body=work.encode(), media_type="text/javascript"))
    inside = f"fetch('/of-frame'); new WebSocket('{sockets.url}/of-frame').onopen = (e) => e.target.send('x');"
    inside += "console.log('frame says'); setTimeout(() => { throw new Error('frame threw') });"
    inside += "Promise.reject('frame rejected')"
    site.put("/inner", f"<script>{inside}</script>")
    await browser.navigate(
        odd.page(
            "/outer",
            f"<iframe src='{site.url('/inner', 'b')}'></iframe><script>new Worker('/worker.js');"
            "navigator.sendBeacon('/beacon', 'x')</script>",
        )
    )
    await network_when(
        browser,
        f"GET {odd.url('/of-worker')} -> 404",
        f"GET {site.url('/of-frame', 'b')} -> 404",
        f"CONNECT {sockets.url}/of-worker -> open, 1 sent",
        f"CONNECT {sockets.url}/of-frame -> open, 1 sent",
        f"POST {odd.url('/beacon')} -> 404",
    )
    await console_when(
        browser,
        "log: worker says",
        "log: frame says",
        "uncaught error: Error: worker threw",
        "uncaught error: Error: worker rejected",
        "uncaught error: Error: frame threw",
        "uncaught error: frame rejected",
    )


async def test_the_first_request_of_a_tab_that_a_page_opens_is_told_in_that_tab(
    browser: Browser, tab: Tab, site: Site
) -> None:
    popup = site.put("/popped", "<title>Popped</title>")
    await browser.navigate(site.put("/opener", "<a href='/popped' target=_blank>open</a>"))
    await tab.page.click("a")
    await wait_until(lambda: browser.tabs.tab(None).page.url == popup)
    await network_when(browser, f"GET {popup} -> 200 text/html [document]")


async def test_the_hops_of_a_redirect_are_told_each_with_where_it_leads(
    browser: Browser, tab: Tab, odd: OddSite
) -> None:
    odd.page("/end", "<p>end")
    odd.redirect("/second", "/end", 303)
    address = odd.redirect("/first", "/second?password=hunter2", 307)
    await browser.navigate(address)
    lines = (await browser.read_network()).splitlines()
    base = odd.url("")
    assert lines[:3] == [
        f"GET {base}/first -> 307 to {base}/second?password=[redacted] [document]",
        f"GET {base}/second?password=[redacted] -> 303 to {base}/end [document]",
        f"GET {base}/end -> 200 text/html [document]",
    ]

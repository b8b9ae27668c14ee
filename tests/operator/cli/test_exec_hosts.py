"""What `exec` lets be reached: by its browser, by bash, by the applications of its desktop; and what is said of it."""

from __future__ import annotations

import json
import signal
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from environments.browser.site import Site

from ..pages import words_of
from .sessions import LONGEST_WAIT_S, ExecSession, bash, text_of

StartExec = Callable[..., ExecSession]


def statuses_of(*urls: str) -> str:
    """A command that asks for each, and prints the status of the answer."""
    return "; ".join(f"curl -sS -m 30 -o /dev/null -w '%{{http_code}} ' {url}" for url in urls)


ASKING = """<title>Asking</title><p id=said></p><script>
const places = ['{a}/listed-part', '{b}/unlisted-part', '{c}/unlisted-part'];
Promise.allSettled(places.map((to) => fetch(to, { mode: 'no-cors' }))).then((all) => {
  said.textContent = 'all of ' + all.map((one) => one.status).join(', ') });
</script>"""


@pytest.fixture(scope="module")
def pages() -> Iterator[Site]:
    site = Site()
    site.put("/asking", ASKING)
    site.put("/listed-part", "part")
    yield site
    site.close()


@pytest.fixture
def site(pages: Site) -> Site:
    pages.requests.clear()
    return pages


def browser(name: str, **given: Any) -> dict[str, Any]:
    return {"toolset_name": "browser", "name": name, "input": given}


def events_of(run: Path, kind: str) -> list[Mapping[str, Any]]:
    events = [json.loads(line) for line in (run / "events.jsonl").read_text().splitlines()]
    return [event for event in events if event["event"] == kind]


def is_listened_on(address: str) -> bool:
    place = urlsplit(address)
    try:
        socket.create_connection((place.hostname, place.port), LONGEST_WAIT_S).close()
    except OSError:
        return False
    return True


def read_until(session: ExecSession, words: str) -> str:
    """The page's text, once it has them."""
    end = time.monotonic() + LONGEST_WAIT_S
    while words not in (said := words_of(session.ask(browser("get_page_text"))["results"][0])):
        assert time.monotonic() < end, said
    return said


def test_pages_and_commands_reach_what_is_listed_and_the_recording_says_what_they_did_not(
    start_exec: StartExec, site: Site, tmp_path: Path
) -> None:
    listed, run = f"127.0.0.1:{site.port}", tmp_path / "run"
    session = start_exec("-v", "--environment", "browser", "--record", str(run), hosts=(listed,))
    session.read()
    (shown,) = session.ask(browser("navigate", url=site.url("/asking")))["results"]
    assert not shown.get("is_error"), words_of(shown)
    read_until(session, "all of fulfilled, rejected, rejected")
    assert session.bash(statuses_of(*(site.url("/curl", host) for host in "abc"))).split() == ["404", "403", "403"]
    proxy = session.bash("echo $http_proxy $HTTPS_PROXY").split()
    assert proxy[0] == proxy[1]
    assert is_listened_on(proxy[0])
    assert session.end() == 0
    assert not is_listened_on(proxy[0])
    assert [path for path in site.requests if path != "/favicon.ico"] == ["/asking", "/listed-part", "/curl"]
    refused = events_of(run, "egress_refused")
    assert {(event["host"], event["port"], event["rule"]) for event in refused} >= {
        ("127.0.0.2", site.port, "not listed"),
        ("localhost", site.port, "not listed"),
    }
    assert f"127.0.0.2:{site.port} refused [not listed]" in session.errors
    (finished,) = events_of(run, "egress_finished")
    reached = {place["host"]: place for place in finished["places"] if place["allowed"]}
    assert set(reached) == {"127.0.0.1"}
    assert reached["127.0.0.1"]["rule"] == listed
    assert reached["127.0.0.1"]["sent_bytes"] > 0
    assert reached["127.0.0.1"]["received_bytes"] > len(ASKING)


def test_with_nothing_listed_nothing_is_reached(start_exec: StartExec, site: Site, tmp_path: Path) -> None:
    run = tmp_path / "run"
    session = start_exec("-v", "--environment", "browser", "--record", str(run), hosts=())
    session.read()
    refused, went = session.ask(browser("navigate", url=site.url("/asking")), bash(statuses_of(site.url("/curl"))))[
        "results"
    ]
    assert refused["is_error"]
    assert "no host is, so nothing can be reached" in words_of(refused)
    assert text_of(went).split() == ["403"]
    assert session.interrupt(signal.SIGTERM) == 143
    assert site.requests == []
    decisions = {event["call"]: event for event in events_of(run, "call_decided")}
    assert (decisions[1]["allowed"], decisions[1]["rule"]) == (False, "hosts=nothing is listed")
    assert decisions[2]["allowed"]
    assert "no host is allowed" in session.errors


def test_any_host_is_any_public_one_and_what_is_listed(start_exec: StartExec, site: Site) -> None:
    rules = ("--allow-any-host", "--approve", "preset", "--approve", "bash=allow")
    session = start_exec("--environment", "browser", *rules, hosts=("127.0.0.2",))
    session.read()
    assert "navigation=ask" in session.errors
    for place, kind in (("localhost.", "this machine by name"), ("127.0.0.1", "a loopback address")):
        (refused,) = session.ask(browser("navigate", url=f"http://{place}:{site.port}/asking"))["results"]
        # By the rules, before anybody could be asked.
        assert f"is {kind}, which is reached only when it is listed" in words_of(refused)
    (asked,) = session.ask(browser("navigate", url=site.url("/asking", "b")))["results"]
    assert "nobody to ask" in words_of(asked)
    answers = session.bash(statuses_of(site.url("/curl"), site.url("/curl", "b"), "http://169.254.169.254/")).split()
    assert answers == ["403", "404", "403"]
    assert session.end() == 0
    assert site.requests == ["/curl"]


def test_applications_and_commands_of_a_desktop_are_sent_through_the_proxy_too(
    start_exec: StartExec, site: Site, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    script = tmp_path / "application.sh"
    asking = statuses_of(site.url("/application"), site.url("/application", "b"))
    script.write_text(f"({asking}) > {tmp_path}/said\n")
    session = start_exec("--record", str(run), "--app", f"sh {script}", hosts=(f"127.0.0.1:{site.port}",))
    session.read()
    assert (tmp_path / "said").read_text().split() == ["404", "403"]
    assert session.bash(statuses_of(site.url("/curl"), site.url("/curl", "b"))).split() == ["404", "403"]
    assert session.end() == 0
    assert site.requests == ["/application", "/curl"]
    assert [event["host"] for event in events_of(run, "egress_refused")] == ["127.0.0.2"]

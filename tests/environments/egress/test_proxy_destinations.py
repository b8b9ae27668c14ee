"""A name is resolved once, each of its addresses is judged, and the connection goes to one that was judged."""

from __future__ import annotations

import asyncio
import socket
import threading
from ipaddress import ip_address

import pytest

from environments.egress.hosts import Names, Session, answering, echoing, get, ok, proxied, started, wait_until
from gui_environments.egress import EgressLimits, EgressProxy, HostRules
from gui_environments.egress.ranges import LOOPBACK as LOOPBACK_RANGES
from gui_environments.egress.ranges import IpAddress
from gui_environments.egress.resolving import LOOKUPS_AT_ONCE, system_resolver

LOOPBACK = "127.0.0.0/8"


async def test_a_name_that_changes_its_address_after_it_was_judged_is_reached_where_it_was_judged() -> None:
    """Rebinding: the first answer is harmless, the next one is not."""
    names = Names(a_test=[["127.0.0.1"], ["127.0.0.2"]])
    async with (
        started(answering(ok(b"judged"), ok(b"judged"))) as host,
        started(echoing(), "127.0.0.2", host.port) as evil,
        proxied("a.test=127.0.0.1", names=names) as session,
    ):
        url = f"http://a.test:{host.port}/"
        _, body = await session.ask(get(url))
        assert body == b"judged"
        assert names.looked_up == ["a.test"]
        head, body = await session.ask(get(url))
        assert head.startswith(b"HTTP/1.1 403 ")
        assert b"Egress-Rule: a.test=127.0.0.1/32\r\n" in head
        assert b"found at 127.0.0.2" in body
        assert evil.connections == 0
        assert [event.addresses for event in session.judged] == [("127.0.0.1",), ("127.0.0.2",)]


async def test_for_requests_on_one_connection_a_name_is_not_looked_up_again() -> None:
    names = Names(a_test=[["127.0.0.1"], ["127.0.0.2"]])
    async with started(answering(ok(), ok())) as host, proxied("a.test=127.0.0.1", names=names) as session:
        async with session.client() as client:
            for _ in range(2):
                await client.send(get(f"http://a.test:{host.port}/"))
                assert (await client.read_answer())[1] == b"hello"
        assert names.looked_up == ["a.test"]


@pytest.mark.parametrize(
    "addresses",
    [
        ["127.0.0.1"],
        ["10.0.0.1"],
        ["169.254.169.254"],
        ["::1"],
        ["::ffff:127.0.0.1"],
        ["64:ff9b::7f00:1"],
        ["0.0.0.0"],
        ["93.184.216.34", "127.0.0.1"],
        ["127.0.0.1", "93.184.216.34"],
    ],
)
@pytest.mark.parametrize("rules", [HostRules.of(["a.test"]), HostRules(any_host=True)])
async def test_a_name_with_any_address_that_is_not_public_is_refused(rules: HostRules, addresses: list[str]) -> None:
    names = Names(a_test=addresses)
    async with started(echoing()) as host, proxied(rules=rules, names=names) as session:
        for request in (
            get(f"http://a.test:{host.port}/"),
            f"CONNECT a.test:{host.port} HTTP/1.1\r\nHost: x\r\n\r\n".encode(),
        ):
            head, body = await session.ask(request)
            assert head.startswith(b"HTTP/1.1 403 ")
            assert b"must be listed with its range" in body
        assert host.connections == 0
        assert all(event.addresses == tuple(str(ip_address(text)) for text in addresses) for event in session.judged)


async def test_where_one_address_does_not_answer_the_next_one_that_was_judged_is_tried() -> None:
    names = Names(a_test=["127.0.0.9", "127.0.0.8", "127.0.0.1"])
    async with started(answering(ok())) as host, proxied(f"a.test={LOOPBACK}", names=names) as session:
        _, body = await session.ask(get(f"http://a.test:{host.port}/"))
        assert body == b"hello"
        (ended,) = await session.wait_ended()
        assert ended.address == "127.0.0.1"


async def test_a_name_that_is_not_known_is_said_to_be_unknown() -> None:
    async with proxied("a.test") as session:
        head, body = await session.ask(get("http://a.test/"))
        assert head.startswith(b"HTTP/1.1 502 ")
        assert body == b"The name a.test is not known.\n"
        (judged,) = session.judged
        assert (judged.verdict.allowed, judged.addresses) == (True, ())
        (ended,) = await session.wait_ended()
        assert (ended.problem, ended.address) == ("The name a.test is not known.", None)


async def test_a_name_server_that_does_not_answer_is_not_waited_for_for_ever() -> None:
    async def never(name: str) -> list[IpAddress]:
        await asyncio.Event().wait()
        return []

    async with proxied("a.test", names=never, limits=EgressLimits(resolve_s=0.05)) as session:
        head, body = await session.ask(get("http://a.test/"))
        assert head.startswith(b"HTTP/1.1 504 ")
        assert b"could not be looked up in time" in body


async def test_a_host_that_takes_no_connection_is_said_to_take_none() -> None:
    async with started(echoing()) as host:
        port = host.port
    async with proxied("127.0.0.1") as session:
        for request in (
            get(f"http://127.0.0.1:{port}/"),
            f"CONNECT 127.0.0.1:{port} HTTP/1.1\r\nHost: x\r\n\r\n".encode(),
        ):
            head, body = await session.ask(request)
            assert head.startswith(b"HTTP/1.1 502 ")
            assert f"127.0.0.1:{port} cannot be connected to" in body.decode()
        for ended in await session.wait_ended(2):
            assert ended.problem
            assert ended.address is None


async def test_the_system_knows_localhost_without_asking_anybody() -> None:
    resolve = system_resolver()
    for name in ("localhost", "a.localhost"):
        found = await resolve(name)
        assert {ip.version for ip in found} == {4, 6}
        assert all(any(ip in network for network in LOOPBACK_RANGES) for ip in found)


async def test_the_system_is_asked_for_other_names_and_says_when_it_does_not_know() -> None:
    """The machine's own file of hosts and name servers; `.invalid` never exists."""
    resolve = system_resolver()
    with pytest.raises(OSError, match=r".+"):
        await resolve("nobody.invalid")
    with pytest.raises(OSError, match=r".+"):
        await resolve(f"{'a' * 70}.invalid")


async def test_however_many_lookups_are_given_up_only_so_many_go_on_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lookup cannot be cancelled: whoever starts one and leaves must not start another in its place."""
    may_end = threading.Event()
    going = 0

    def never_answered(*_: object, **__: object) -> list[object]:
        nonlocal going
        going += 1
        may_end.wait()
        return []

    monkeypatch.setattr(socket, "getaddrinfo", never_answered)
    resolve = system_resolver()
    try:
        for _ in range(2):
            lookups = [asyncio.ensure_future(resolve(f"n{number}.test")) for number in range(LOOKUPS_AT_ONCE)]
            await wait_until(lambda: going == LOOKUPS_AT_ONCE)
            for lookup in lookups:
                lookup.cancel()
            await asyncio.gather(*lookups, return_exceptions=True)
        assert going == LOOKUPS_AT_ONCE
    finally:
        may_end.set()
    assert await resolve("after.test") == []


async def test_localhost_that_is_listed_is_reached_by_its_name() -> None:
    async with started(answering(ok())) as host, proxied(f"localhost:{host.port}", names=system_resolver()) as session:
        _, body = await session.ask(get(f"http://localhost:{host.port}/"))
        assert body == b"hello"


@pytest.mark.parametrize("name", ["A.TEST", "%61.test", "a%E3%80%82test"])
async def test_a_name_is_resolved_in_the_spelling_it_was_judged_in(name: str) -> None:
    names = Names(a_test=["127.0.0.1"])
    async with started(answering(ok())) as host, proxied(f"a.test={LOOPBACK}", names=names) as session:
        assert (await session.ask(get(f"http://{name}:{host.port}/")))[1] == b"hello"
        assert names.looked_up == ["a.test"]


async def test_a_verdict_is_told_before_anything_is_connected_to() -> None:
    connections_when_told: list[int] = []
    async with started(answering(ok())) as host:
        rules = HostRules.of([f"127.0.0.1:{host.port}"])
        async with EgressProxy.open(rules, on_event=lambda _: connections_when_told.append(host.connections)) as proxy:
            session = Session(proxy, [])
            await session.ask(get(f"http://127.0.0.1:{host.port}/"))
    assert connections_when_told == [0, 1]

"""The proxy's life: many connections, peers that do harm, an end that leaves nothing."""

from __future__ import annotations

import asyncio
import stat
import tracemalloc
from contextlib import suppress
from pathlib import Path

import pytest

from environments.egress.garbage import throw_garbage
from environments.egress.hosts import (
    Client,
    Host,
    Names,
    Session,
    answering,
    close,
    echoing,
    get,
    ok,
    proxied,
    started,
    wait_until,
)
from environments.egress.openings import hello, upgrade
from gui_environments.egress import EgressEvent, EgressLimits, EgressProxy, HostRules

LOOPBACK = "127.0.0.0/8"


async def test_on_leaving_every_connection_is_ended_and_no_task_is_left() -> None:
    before = asyncio.all_tasks()
    async with started(echoing()) as host:
        async with proxied("127.0.0.1") as session:
            clients = [await open_client(session) for _ in range(4)]
            await clients[1].send(b"GET http://127")
            await clients[2].connect("127.0.0.1", host.port)
            await clients[3].connect("127.0.0.1", host.port)
            await clients[3].send(hello(None))
            await clients[3].reader.read(1)
            await wait_until(lambda: session.proxy.connections == 4)
            address = session.proxy.address
        for client in clients:
            await client.read_to_end()
            await close(client.writer)
        assert [ended.problem is not None for ended in session.ended] == [True, True]
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection(address.host, address.port)
        await wait_until(lambda: not host._tasks)
    # What is left is of the test's own server and streams, and goes with them.
    await wait_until(lambda: asyncio.all_tasks() == before)


async def open_client(session: Session) -> Client:
    return Client(*await asyncio.open_connection(session.proxy.address.host, session.proxy.address.port))


async def test_when_whoever_opened_it_is_cancelled_it_ends_as_well() -> None:
    opened: asyncio.Future[EgressProxy] = asyncio.get_running_loop().create_future()

    async def own() -> None:
        async with EgressProxy.open(HostRules()) as proxy:
            opened.set_result(proxy)
            await asyncio.Event().wait()

    owner = asyncio.create_task(own())
    proxy = await opened
    reader, writer = await asyncio.open_connection(proxy.address.host, proxy.address.port)
    await wait_until(lambda: proxy.connections == 1)
    owner.cancel()
    with pytest.raises(asyncio.CancelledError):
        await owner
    assert proxy.connections == 0
    assert await Client(reader, writer).read_to_end() == b""
    await close(writer)


async def test_two_hundred_tunnels_at_once_are_carried() -> None:
    whole = hello("a.test")
    names = Names(a_test=["127.0.0.1"])

    async def talk(number: int) -> None:
        async with session.client() as client:
            await client.connect("a.test", host.port)
            words = whole + b"%d" % number
            await client.send(words)
            assert await client.reader.readexactly(len(words)) == words
            met.append(number)
            # All are open at this moment.
            await wait_until(lambda: len(met) == 200)

    met: list[int] = []
    async with started(echoing()) as host, proxied(f"a.test={LOOPBACK}", names=names) as session:
        await asyncio.gather(*(talk(number) for number in range(200)))
        assert len(await session.wait_ended(200)) == 200
    assert host.connections == 200


async def test_more_connections_than_it_takes_are_told_so_and_the_others_go_on() -> None:
    async with (
        started(answering(ok(), ok())) as host,
        proxied("127.0.0.1", limits=EgressLimits(connections=2)) as session,
    ):
        url = f"http://127.0.0.1:{host.port}/"
        async with session.client() as one, session.client():
            await wait_until(lambda: session.proxy.connections == 2)
            async with session.client() as third:
                assert (await third.read_to_end()).startswith(b"HTTP/1.1 503 ")
            await one.send(get(url))
            assert (await one.read_answer())[1] == b"hello"
        await wait_until(lambda: session.proxy.connections == 0)
        assert (await session.ask(get(url)))[1] == b"hello"


@pytest.mark.parametrize("opening", [b"", b"GET http://127.0.0.1:PORT/ HTTP/1.1\r\nHost: x\r\n\r\n", b"CONNECT"])
async def test_a_connection_on_which_nothing_moves_is_ended(opening: bytes) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()

    limits = EgressLimits(idle_s=0.1)
    async with started(Host(serve)) as host, proxied("127.0.0.1", limits=limits) as session:
        async with session.client() as client:
            # It may also be ended before we come to this.
            with suppress(OSError, asyncio.IncompleteReadError):
                if opening == b"CONNECT":
                    await client.connect("127.0.0.1", host.port)
                    opening = hello(None)
                await client.send(opening.replace(b"PORT", str(host.port).encode()))
            assert await client.read_to_end() == b""
        await wait_until(lambda: session.proxy.connections == 0)


async def test_a_connection_of_which_one_side_is_closed_is_waited_for_less_long() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        await asyncio.Event().wait()

    limits = EgressLimits(half_closed_s=0.1)
    async with started(Host(serve)) as host, proxied("127.0.0.1", limits=limits) as session, session.client() as client:
        await client.connect("127.0.0.1", host.port)
        await client.send(hello(None))
        client.writer.write_eof()
        await session.wait_ended()


async def test_much_is_carried_without_being_kept() -> None:
    """Both ways at once, with a client that reads when it likes."""
    megabytes = 48
    block = b"x" * 2**20
    whole = hello(None)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readexactly(len(whole))
        for _ in range(megabytes):
            writer.write(block)
            await writer.drain()
        writer.write_eof()
        while await reader.read(65536):
            pass

    received = 0
    async with started(Host(serve)) as host, proxied("127.0.0.1") as session, session.client() as client:
        await client.connect("127.0.0.1", host.port)
        await client.send(whole)
        tracemalloc.start()
        try:

            async def send() -> None:
                for _ in range(megabytes):
                    await client.send(block)
                client.writer.write_eof()

            sending = asyncio.create_task(send())
            while data := await client.reader.read(65536):
                received += len(data)
            await sending
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        (ended,) = await session.wait_ended()
    assert received == ended.received_bytes == megabytes * 2**20
    assert ended.sent_bytes == megabytes * 2**20 + len(whole)
    assert peak < 12 * 2**20


async def test_a_listener_that_fails_ends_the_request_it_was_told_of_and_no_other(
    caplog: pytest.LogCaptureFixture,
) -> None:
    told: list[EgressEvent] = []

    def listen(event: EgressEvent) -> None:
        told.append(event)
        if len(told) == 1:
            raise RuntimeError("the recording is full")

    async with (
        started(answering(ok(), ok())) as host,
        EgressProxy.open(HostRules.of(["127.0.0.1"]), on_event=listen) as proxy,
    ):
        session = Session(proxy, [])
        request = get(f"http://127.0.0.1:{host.port}/")
        async with session.client() as client:
            await client.send(request)
            assert await client.read_to_end() == b""
        assert host.connections == 0
        assert (await session.ask(request))[1] == b"hello"
    assert "the recording is full" in caplog.text


async def test_on_a_unix_socket_it_serves_its_own_user_only_and_takes_the_socket_away(tmp_path: Path) -> None:
    path = tmp_path / "egress"
    async with started(answering(ok())) as host, EgressProxy.open(HostRules.of(["127.0.0.1"]), listen=path):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        client = Client(*await asyncio.open_unix_connection(path))
        await client.send(get(f"http://127.0.0.1:{host.port}/"))
        assert (await client.read_answer())[1] == b"hello"
        await close(client.writer)
    assert not path.exists()


async def test_it_listens_on_loopback_by_default() -> None:
    async with proxied() as session:
        assert session.proxy.address.host == "127.0.0.1"
        assert str(session.proxy.address) == f"http://127.0.0.1:{session.proxy.address.port}"


async def test_a_place_that_is_taken_is_an_error() -> None:
    async with proxied() as session:
        address = session.proxy.address
        with pytest.raises(OSError, match="in use"):
            async with EgressProxy.open(HostRules(), listen=(address.host, address.port)):
                pass


async def test_the_proxy_reached_through_itself_does_not_go_round_for_ever() -> None:
    async with proxied("127.0.0.1") as session:
        port = session.proxy.address.port
        head, _ = await session.ask(get(f"http://127.0.0.1:{port}/"))
        assert head.startswith(b"HTTP/1.1 400 ")
        async with session.client() as client:
            await client.connect("127.0.0.1", port)
            await client.send(upgrade(f"127.0.0.1:{port}"))
            assert (await client.read_to_end()).startswith(b"HTTP/1.1 400 ")


async def test_no_garbage_from_either_side_harms_it(caplog: pytest.LogCaptureFixture) -> None:
    """The same garbage in every run."""
    await throw_garbage(11, lambda rounds: rounds < 40)
    assert "ended by an error" not in caplog.text

"""CONNECT: a tunnel carries TLS for the host that was asked for, or a WebSocket to it, and nothing else."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from environments.egress.certificates import Certificates
from environments.egress.hosts import (
    Client,
    Host,
    Names,
    Session,
    answering,
    echoing,
    proxied,
    started,
    wait_until,
)
from environments.egress.openings import hello, upgrade
from gui_environments.egress import EgressLimits
from gui_environments.egress.openings import TUNNEL_CONTENT
from gui_environments.egress.peer import NO_LINGER

LOOPBACK = "127.0.0.0/8"
NAMES = {"a_test": ["127.0.0.1"], "b_test": ["127.0.0.1"]}


def names() -> Names:
    return Names(**NAMES)


SWITCHED = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nX-Kept: 1\r\n\r\n"


def switching() -> Host:
    """Switches, then sends back whatever comes."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        host.arrived += await reader.readuntil(b"\r\n\r\n")
        writer.write(SWITCHED)
        while data := await reader.read(65536):
            host.arrived += data
            writer.write(data)
            await writer.drain()

    host = Host(serve)
    return host


@asynccontextmanager
async def tunnel(session: Session, host: str, port: int) -> AsyncIterator[Client]:
    async with session.client() as client:
        assert (await client.connect(host, port)).startswith(b"HTTP/1.1 200 ")
        yield client


async def test_tls_to_a_listed_host_is_carried_whole_and_unread(certificates: Certificates) -> None:
    body = bytes(range(256)) * 8000
    async with (
        started(echoing(certificates.server())) as host,
        proxied(f"https://a.test:{host.port}=127.0.0.1", names=names()) as session,
    ):
        async with tunnel(session, "a.test", host.port) as client:
            await client.writer.start_tls(certificates.client(), server_hostname="a.test")
            sending = asyncio.create_task(client.send(body))
            assert await client.reader.readexactly(len(body)) == body
            await sending
        (ended,) = await session.wait_ended()
        assert ended.sent_bytes > len(body)
        assert ended.received_bytes > len(body)
        assert ended.address == "127.0.0.1"


@pytest.mark.parametrize("size", [1, 5, 100])
async def test_a_hello_in_pieces_is_understood(size: int) -> None:
    whole = hello("a.test")
    async with started(echoing()) as host, proxied(f"a.test={LOOPBACK}", names=names()) as session:
        async with tunnel(session, "a.test", host.port) as client:
            for at in range(0, len(whole), size):
                await client.send(whole[at : at + size])
                await asyncio.sleep(0)
            await client.send(b"and more")
            assert await client.reader.readexactly(len(whole) + 8) == whole + b"and more"
        assert host.arrived == whole + b"and more"


async def test_a_hello_cut_into_records_is_understood() -> None:
    """A handshake message may stand in several records."""
    message = hello("a.test")[5:]
    records = b"".join(
        b"\x16\x03\x01" + len(part).to_bytes(2, "big") + part
        for part in (message[at : at + 50] for at in range(0, len(message), 50))
    )
    async with (
        started(echoing()) as host,
        proxied(f"a.test={LOOPBACK}", names=names()) as session,
        tunnel(session, "a.test", host.port) as client,
    ):
        await client.send(records)
        assert await client.reader.readexactly(len(records)) == records


async def test_a_hello_sent_along_with_the_request_for_the_tunnel_is_understood() -> None:
    async with (
        started(echoing()) as host,
        proxied(f"a.test={LOOPBACK}", names=names()) as session,
        session.client() as client,
    ):
        await client.send(f"CONNECT a.test:{host.port} HTTP/1.1\r\nHost: x\r\n\r\n".encode() + hello("a.test"))
        await client.read_head()
        assert (await client.reader.read(1)) == b"\x16"


@pytest.mark.parametrize(
    "versions",
    [
        (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_2),
        (ssl.TLSVersion.TLSv1_3, ssl.TLSVersion.TLSv1_3),
    ],
)
async def test_which_version_of_tls_is_spoken_is_for_the_host_to_judge(
    versions: tuple[ssl.TLSVersion, ssl.TLSVersion],
) -> None:
    whole = hello("a.test", versions=versions)
    async with (
        started(echoing()) as host,
        proxied(f"a.test={LOOPBACK}", names=names()) as session,
        tunnel(session, "a.test", host.port) as client,
    ):
        await client.send(whole)
        assert await client.reader.readexactly(len(whole)) == whole


async def test_a_hello_to_an_address_names_no_host() -> None:
    whole = hello(None)
    async with (
        started(echoing()) as host,
        proxied("127.0.0.1") as session,
        tunnel(session, "127.0.0.1", host.port) as client,
    ):
        await client.send(whole)
        assert await client.reader.readexactly(len(whole)) == whole


@pytest.mark.parametrize("spelled", ["A.Test", "a.test"])
async def test_a_server_name_is_compared_as_names_are(spelled: str) -> None:
    async with (
        started(echoing()) as host,
        proxied(f"a.test={LOOPBACK}", names=names()) as session,
        tunnel(session, spelled.upper(), host.port) as client,
    ):
        await client.send(hello(spelled))
        assert await client.reader.read(1) == b"\x16"


OTHER = {
    "a hello for another host": hello("b.test"),
    "a hello for a host below": hello("x.a.test"),
    "a hello for no host": hello(None),
    "a hello for a name that is not ASCII": hello("a.test").replace(b"a.test", b"\xff.test"),
    "a hello for a name with a zero": hello("a.test").replace(b"a.test", b"a.tes\x00"),
    "nothing but a record's head": b"\x16\x03\x01\x02\x00",
    "a hello that broke off": hello("a.test")[:100],
    "a record that is no handshake": b"\x15\x03\x01\x00\x02\x01\x00",
    "a handshake that is no hello": b"\x16\x03\x03\x00\x04\x02\x00\x00\x00",
    "random bytes like a hello": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\xaa" * 600,
    "a hello of the first days": b"\x80\x2e\x01\x03\x01\x00\x15\x00\x00\x00\x10" + b"\x00" * 37,
    "an SSH banner": b"SSH-2.0-OpenSSH_9.2\r\n",
    "mail": b"EHLO evil.test\r\n",
    "zeros": b"\x00" * 100,
    "an HTTP request": b"GET / HTTP/1.1\r\nHost: a.test:PORT\r\n\r\n",
    "a post": b"POST / HTTP/1.1\r\nHost: a.test:PORT\r\nContent-Length: 6\r\n\r\nsecret",
    "a proxy's request": b"GET http://b.test:PORT/ HTTP/1.1\r\nHost: a.test:PORT\r\n\r\n",
    "another tunnel": b"CONNECT b.test:PORT HTTP/1.1\r\nHost: b.test:PORT\r\n\r\n",
    "an HTTP/2 preface": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "an upgrade for another host": upgrade("b.test:PORT"),
    "an upgrade for another port": upgrade("a.test:1"),
    "an upgrade for no port": upgrade("a.test"),
    "an upgrade of a whole address": upgrade("a.test:PORT", "http://b.test:PORT/"),
    "an upgrade to HTTP/2": upgrade("a.test:PORT", "/", "h2c"),
    "an upgrade to either": upgrade("a.test:PORT", "/", "websocket, h2c"),
    "an upgrade with a body": upgrade("a.test:PORT", "/", "websocket", "Content-Length: 5") + b"12345",
    "an upgrade with two hosts": upgrade("a.test:PORT", "/", "websocket", "Host: b.test:PORT"),
    "an upgrade with a host and more": upgrade("a.test:PORT@b.test"),
    "an upgrade that posts": upgrade("a.test:PORT").replace(b"GET", b"POST"),
    "an endless head": b"GET / HTTP/1.1\r\nHost: a.test\r\nX: " + b"y" * 100_000,
}


@pytest.mark.parametrize("what", OTHER)
async def test_a_tunnel_carries_nothing_else(what: str) -> None:
    async with started(echoing()) as host, proxied(f"a.test={LOOPBACK}", names=names()) as session:
        async with tunnel(session, "a.test", host.port) as client:
            await client.send(OTHER[what].replace(b"PORT", str(host.port).encode()))
            client.writer.write_eof()
            assert await client.read_to_end() == b""
        (ended,) = await session.wait_ended()
        assert host.arrived == b""
        assert (ended.sent_bytes, ended.received_bytes, ended.rule) == (0, 0, TUNNEL_CONTENT)
        assert ended.problem
        first, second = session.judged
        assert first.verdict.allowed
        assert (second.verdict.allowed, second.verdict.rule, second.number) == (False, TUNNEL_CONTENT, first.number)


async def test_a_hello_with_a_name_to_an_address_is_not_carried() -> None:
    async with started(echoing()) as host, proxied("127.0.0.1") as session:
        async with tunnel(session, "127.0.0.1", host.port) as client:
            await client.send(hello("a.test"))
            assert await client.read_to_end() == b""
        assert host.arrived == b""


async def test_a_tunnel_through_which_nothing_comes_is_closed() -> None:
    limits = EgressLimits(head_s=0.05)
    async with started(echoing()) as host, proxied("127.0.0.1", limits=limits) as session:
        async with tunnel(session, "127.0.0.1", host.port) as client:
            assert await client.read_to_end() == b""
        (ended,) = await session.wait_ended()
        assert ended.rule == TUNNEL_CONTENT


async def test_a_host_that_speaks_first_is_not_heard() -> None:
    """As mail, SSH and database servers do."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 ready\r\n")
        await reader.read()

    limits = EgressLimits(head_s=0.05)
    async with (
        started(Host(serve)) as host,
        proxied("127.0.0.1", limits=limits) as session,
        tunnel(session, "127.0.0.1", host.port) as client,
    ):
        assert await client.read_to_end() == b""


@pytest.mark.parametrize(
    ("entry", "opening"),
    [("https://a.test:PORT=127.0.0.1", upgrade("a.test:PORT")), ("http://a.test:PORT=127.0.0.1", hello("a.test"))],
)
async def test_a_host_listed_with_a_scheme_is_reached_by_that_scheme_only(entry: str, opening: bytes) -> None:
    async with started(echoing()) as host:
        port = str(host.port)
        async with proxied(entry.replace("PORT", port), names=names()) as session:
            async with tunnel(session, "a.test", host.port) as client:
                await client.send(opening.replace(b"PORT", port.encode()))
                assert await client.read_to_end() == b""
            assert host.arrived == b""
            assert [event.verdict.allowed for event in session.judged] == [True, False]
            assert "not listed" in session.judged[1].verdict.reason


async def test_a_websocket_is_carried_both_ways_after_the_host_has_switched() -> None:
    async with started(switching()) as host, proxied(f"a.test={LOOPBACK}", names=names()) as session:
        async with tunnel(session, "a.test", host.port) as client:
            await client.send(upgrade(f"a.test:{host.port}"))
            head = await client.read_head()
            assert head.startswith(b"HTTP/1.1 101 ")
            assert b"X-Kept: 1\r\n" in head
            assert b"Upgrade: websocket\r\n" in head
            await client.send(b"\x81\x05hello")
            assert await client.reader.readexactly(7) == b"\x81\x05hello"
        assert host.arrived.startswith(b"GET /chat HTTP/1.1\r\n")
        assert b"Sec-WebSocket-Key: AAAA\r\n" in host.arrived
        assert f"Host: a.test:{host.port}\r\n".encode() in host.arrived


async def test_a_websocket_to_the_usual_port_names_no_port(unused_loopback_port_80: str) -> None:
    host = switching()
    await host.start(unused_loopback_port_80, 80)
    try:
        async with (
            proxied(f"a.test={LOOPBACK}", names=Names(a_test=[unused_loopback_port_80])) as session,
            tunnel(session, "a.test", 80) as client,
        ):
            await client.send(upgrade("a.test"))
            assert (await client.read_head()).startswith(b"HTTP/1.1 101 ")
    finally:
        await host.stop()


@pytest.fixture
def unused_loopback_port_80() -> str:
    """An address of loopback on whose port 80 nobody listens."""
    for last in range(2, 250):
        address = f"127.77.0.{last}"
        with socket.socket() as probe:
            try:
                probe.bind((address, 80))
            except PermissionError:
                pytest.skip("port 80 is for root only")
            except OSError:
                continue
            return address
    pytest.skip("port 80 is taken everywhere")


async def test_what_follows_an_upgrade_is_held_back_until_the_host_has_switched() -> None:
    smuggled = b"GET / HTTP/1.1\r\nHost: b.test\r\n\r\n"
    async with (
        started(answering(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 2\r\n\r\nno")) as host,
        proxied(f"a.test={LOOPBACK}", names=names()) as session,
    ):
        async with tunnel(session, "a.test", host.port) as client:
            await client.send(upgrade(f"a.test:{host.port}") + smuggled)
            answer = await client.read_to_end()
            assert answer.startswith(b"HTTP/1.1 400 ")
            assert answer.endswith(b"no")
        await session.wait_ended()
    assert b"b.test" not in host.arrived


async def test_what_was_sent_before_the_host_switched_arrives_afterwards() -> None:
    async with (
        started(switching()) as host,
        proxied(f"a.test={LOOPBACK}", names=names()) as session,
        tunnel(session, "a.test", host.port) as client,
    ):
        await client.send(upgrade(f"a.test:{host.port}") + b"early")
        await client.read_head()
        assert await client.reader.readexactly(5) == b"early"


async def test_when_one_side_has_said_its_last_word_the_other_may_still_speak() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        received = await reader.read()
        writer.write(b"%d bytes, and goodbye" % len(received))

    whole = hello("a.test")
    async with started(Host(serve)) as host, proxied(f"a.test={LOOPBACK}", names=names()) as session:
        async with tunnel(session, "a.test", host.port) as client:
            await client.send(whole)
            client.writer.write_eof()
            assert await client.read_to_end() == b"%d bytes, and goodbye" % len(whole)
        (ended,) = await session.wait_ended()
        assert ended.problem is None


async def test_when_the_host_has_said_its_last_word_the_client_may_still_speak() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"only this")
        writer.write_eof()
        host.arrived = await reader.read()

    host = Host(serve)
    whole = hello("a.test")
    async with started(host), proxied(f"a.test={LOOPBACK}", names=names()) as session:
        async with tunnel(session, "a.test", host.port) as client:
            await client.send(whole)
            assert await client.read_to_end() == b"only this"
            await client.send(b"late")
            client.writer.write_eof()
            await session.wait_ended()
        assert host.arrived == whole + b"late"


async def test_a_connection_that_breaks_on_one_side_is_ended_on_the_other() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, NO_LINGER)
        writer.transport.abort()

    async with started(Host(serve)) as host, proxied(f"a.test={LOOPBACK}", names=names()) as session:
        async with tunnel(session, "a.test", host.port) as client:
            await client.send(hello("a.test"))
            with pytest.raises(ConnectionResetError):
                await client.reader.read()
        (ended,) = await session.wait_ended()
        assert ended.problem == "It broke off: the connection broke."


async def test_a_client_that_breaks_off_ends_the_connection_to_the_host() -> None:
    gone = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                writer.write(b"x" * 10_000)
                await writer.drain()
        finally:
            gone.set()

    async with started(Host(serve)) as host, proxied(f"a.test={LOOPBACK}", names=names()) as session:
        async with tunnel(session, "a.test", host.port) as client:
            await client.send(hello("a.test"))
            await client.reader.read(1)
            client.writer.transport.abort()
            async with asyncio.timeout(30):
                await gone.wait()
        (ended,) = await session.wait_ended()
        assert ended.problem == "It broke off: the connection broke."


async def test_who_does_not_read_is_not_sent_more_than_fits() -> None:
    """The host is made to wait; the proxy does not keep what its client does not take."""
    written = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal written
        await reader.read(1)
        for _ in range(2000):
            writer.write(b"x" * 100_000)
            await writer.drain()
            written += 100_000

    async with started(Host(serve)) as host, proxied(f"a.test={LOOPBACK}", names=names()) as session:
        async with tunnel(session, "a.test", host.port) as client:
            client.writer.transport.pause_reading()  # type: ignore[attr-defined]
            await client.send(hello("a.test"))
            before = -1
            # Until for many turns of the loop nothing moved any more.
            while before != written:
                before = written
                for _ in range(200):
                    await asyncio.sleep(0.001)
            assert written < 100_000_000
        await wait_until(lambda: session.proxy.connections == 0)

"""Plain HTTP through the egress proxy: what is allowed arrives as it should, what is not does not arrive at all."""

from __future__ import annotations

import asyncio

import pytest

from environments.egress.hosts import Host, Names, answering, echoing, get, ok, proxied, started, wait_until
from gui_environments.egress import EgressLimits, RequestJudged

LOOPBACK = "127.0.0.0/8"


async def test_a_request_for_a_listed_host_is_handed_on_and_answered() -> None:
    async with started(answering(ok(b"hello"))) as host, proxied(f"127.0.0.1:{host.port}") as session:
        head, body = await session.ask(get(f"http://127.0.0.1:{host.port}/a%20b?c=d"))
        assert head.startswith(b"HTTP/1.1 200 OK\r\n")
        assert body == b"hello"
        assert host.arrived.startswith(b"GET /a%20b?c=d HTTP/1.1\r\n")


async def test_the_host_that_was_judged_is_the_one_that_is_named_to_it() -> None:
    names = Names(a_test=["127.0.0.1"])
    async with started(answering(ok())) as host, proxied(f"a.test={LOOPBACK}", names=names) as session:
        await session.ask(get(f"http://A.test:{host.port}/", "X-Other: 1"))
        assert host.arrived.count(b"Host:") == 1
        assert f"Host: a.test:{host.port}\r\n".encode() in host.arrived
        assert b"whatever.test" not in host.arrived


async def test_headers_for_the_proxy_are_not_handed_on() -> None:
    async with (
        started(answering(ok(b"", b"Keep-Alive: timeout=5", b"X-Kept: 1"))) as host,
        proxied(f"127.0.0.1:{host.port}") as session,
    ):
        head, _ = await session.ask(
            get(
                f"http://127.0.0.1:{host.port}/",
                "Proxy-Connection: keep-alive",
                "Proxy-Authorization: Basic c2VjcmV0",
                "Connection: X-Dropped",
                "X-Dropped: 1",
                "X-Kept: 2",
                "Upgrade: h2c",
            )
        )
    for gone in (b"proxy-", b"secret", b"x-dropped", b"upgrade"):
        assert gone not in host.arrived.lower()
    assert b"X-Kept: 2\r\n" in host.arrived
    assert b"X-Kept: 1\r\n" in head
    assert b"keep-alive" not in head.lower()


async def test_a_host_cannot_speak_in_the_name_of_the_rules() -> None:
    async with (
        started(answering(ok(b"", b"Egress-Rule: forged"))) as host,
        proxied(f"127.0.0.1:{host.port}") as session,
    ):
        head, _ = await session.ask(get(f"http://127.0.0.1:{host.port}/"))
        assert b"forged" not in head


async def test_an_old_client_is_sent_what_it_knows() -> None:
    """No answers before the answer, no pieces, no headers behind them."""
    chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nT: 1\r\n\r\n"
    async with (
        started(answering(b"HTTP/1.1 103 Early Hints\r\n\r\n" + chunked)) as host,
        proxied(f"127.0.0.1:{host.port}") as session,
        session.client() as client,
    ):
        await client.send(f"GET http://127.0.0.1:{host.port}/ HTTP/1.0\r\n\r\n".encode())
        answer = await client.read_to_end()
        assert b"103" not in answer
        assert b"chunked" not in answer
        assert answer.endswith(b"\r\n\r\nhello")


async def test_a_host_that_is_not_listed_is_refused_in_words_and_nothing_is_looked_up() -> None:
    names = Names(evil_test=["127.0.0.1"])
    async with started(echoing()) as host, proxied("a.test", names=names) as session:
        head, body = await session.ask(get(f"http://evil.test:{host.port}/?secret"))
        assert head.startswith(b"HTTP/1.1 403 Forbidden\r\n")
        assert b"Egress-Rule: not listed\r\n" in head
        assert body.decode() == f"evil.test:{host.port} is not listed. Listed are: a.test.\n"
        assert host.connections == 0
        assert names.looked_up == []
        (judged,) = session.events
        assert isinstance(judged, RequestJudged)
        assert (judged.host, judged.port, judged.method) == ("evil.test", host.port, "GET")
        assert (judged.verdict.allowed, judged.verdict.rule) == (False, "not listed")


async def test_where_nothing_is_listed_nothing_is_reached() -> None:
    async with started(echoing()) as host, proxied() as session:
        for name in ("127.0.0.1", "localhost", "[::1]", "evil.test", "0x7f.1", "2130706433"):
            head, _ = await session.ask(get(f"http://{name}:{host.port}/"))
            assert head.startswith(b"HTTP/1.1 403 ")
            assert b"Egress-Rule: nothing is listed\r\n" in head
        assert host.connections == 0


async def test_a_refused_request_leaves_the_connection_for_the_next() -> None:
    async with (
        started(answering(ok())) as host,
        proxied(f"127.0.0.1:{host.port}") as session,
        session.client() as client,
    ):
        await client.send(get("http://evil.test/"))
        assert (await client.read_answer())[0].startswith(b"HTTP/1.1 403 ")
        await client.send(b"HEAD http://evil.test/ HTTP/1.1\r\nHost: evil.test\r\n\r\n")
        assert (await client.read_head()).startswith(b"HTTP/1.1 403 ")
        await client.send(get(f"http://127.0.0.1:{host.port}/"))
        assert (await client.read_answer())[1] == b"hello"


async def test_a_refused_request_with_a_body_gets_its_answer_although_the_body_is_not_read() -> None:
    async with proxied() as session, session.client() as client:
        body = b"x" * 300_000
        await client.send(
            b"POST http://evil.test/ HTTP/1.1\r\nHost: evil.test\r\nContent-Length: 300000\r\n\r\n" + body
        )
        answer = await client.read_to_end()
        assert answer.startswith(b"HTTP/1.1 403 ")
        assert b"Connection: close\r\n" in answer


async def test_requests_for_one_host_share_a_connection_and_another_host_gets_its_own() -> None:
    one, other = answering(ok(b"1"), ok(b"2")), answering(ok(b"3"))
    async with started(one), started(other), proxied("127.0.0.1") as session, session.client() as client:
        for host, body in ((one, b"1"), (one, b"2"), (other, b"3")):
            await client.send(get(f"http://127.0.0.1:{host.port}/"))
            assert (await client.read_answer())[1] == body
    assert (one.connections, other.connections) == (1, 1)
    assert len({event.number for event in session.judged}) == 3


async def test_what_is_told_at_the_end_counts_the_bytes_of_that_request() -> None:
    answer = ok(b"x" * 1000)
    async with started(answering(answer, answer)) as host, proxied(f"127.0.0.1:{host.port}") as session:
        async with session.client() as client:
            for _ in range(2):
                await client.send(get(f"http://127.0.0.1:{host.port}/"))
                await client.read_answer()
        first, second = await session.wait_ended(2)
        assert (first.host, first.port, first.address, first.problem) == ("127.0.0.1", host.port, "127.0.0.1", None)
        assert first.rule == f"127.0.0.1:{host.port}"
        assert first.received_bytes == second.received_bytes == len(answer)
        assert first.sent_bytes + second.sent_bytes == len(host.arrived)


@pytest.mark.parametrize(
    "answer",
    [
        ok(b"whole body"),
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nwhole\r\n5;x=y\r\n body\r\n0\r\nT: 1\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n\r\nwhole body",
        b"HTTP/1.0 200 OK\r\n\r\nwhole body",
        b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" + ok(b"whole body"),
    ],
)
async def test_an_answer_arrives_whole_however_its_host_delimits_it(answer: bytes) -> None:
    async with (
        started(answering(answer)) as host,
        proxied(f"127.0.0.1:{host.port}") as session,
        session.client() as client,
    ):
        await client.send(get(f"http://127.0.0.1:{host.port}/", "Connection: close"))
        read = await client.read_to_end()
    head, _, body = read.partition(b"HTTP/1.1 200 OK\r\n")[2].partition(b"\r\n\r\n")
    if b"chunked" in head.lower():
        body = b"".join(line for line in body.split(b"\r\n") if line.strip(b"0123456789abcdef"))
    # The trailing header of a body in chunks is kept too.
    assert body in (b"whole body", b"whole bodyT: 1", b"whole bodyt: 1")


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n64\r\nonly this",
    ],
)
async def test_an_answer_that_broke_off_is_seen_to_have_broken_off(answer: bytes) -> None:
    async with started(answering(answer)) as host, proxied(f"127.0.0.1:{host.port}") as session:
        async with session.client() as client:
            await client.send(get(f"http://127.0.0.1:{host.port}/"))
            read = await client.read_to_end()
        assert b"only this" in read
        assert not read.endswith(b"0\r\n\r\n")
        (ended,) = await session.wait_ended()
        assert ended.problem


@pytest.mark.parametrize("answer", [b"not http at all\r\n\r\n", b"", b"HTTP/1.1 999999 x\r\n\r\n", b"\x00" * 50])
async def test_a_host_that_does_not_answer_in_http_is_said_to_be_at_fault(answer: bytes) -> None:
    async with started(answering(answer)) as host, proxied(f"127.0.0.1:{host.port}") as session:
        head, body = await session.ask(get(f"http://127.0.0.1:{host.port}/"))
        assert head.startswith(b"HTTP/1.1 502 ")
        assert b"did not answer as it should" in body


async def test_an_answer_with_an_endless_head_is_cut_off() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\n")
        while True:
            writer.write(b"X: " + b"y" * 1000 + b"\r\n")
            await writer.drain()

    async with started(Host(serve)) as host, proxied(f"127.0.0.1:{host.port}") as session:
        head, _ = await session.ask(get(f"http://127.0.0.1:{host.port}/"))
        assert head.startswith(b"HTTP/1.1 502 ")


@pytest.mark.parametrize(
    ("method", "answer"),
    [
        ("HEAD", b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"),
        ("GET", b"HTTP/1.1 204 No Content\r\n\r\n"),
        ("GET", b"HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n"),
    ],
)
async def test_an_answer_without_a_body_ends_with_its_head(method: str, answer: bytes) -> None:
    async with (
        started(answering(answer, ok(b"next"))) as host,
        proxied(f"127.0.0.1:{host.port}") as session,
        session.client() as client,
    ):
        url = f"http://127.0.0.1:{host.port}/"
        await client.send(f"{method} {url} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        assert (await client.read_head()).split()[1] == answer.split()[1]
        await client.send(get(url))
        assert (await client.read_answer())[1] == b"next"


@pytest.mark.parametrize("chunked", [False, True])
async def test_a_body_is_handed_on_whole(chunked: bool) -> None:
    body = bytes(range(256)) * 20_000

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        assert (b"chunked" in head) is chunked
        received = b""
        if chunked:
            while size := int(await reader.readline(), 16):
                received += (await reader.readexactly(size + 2))[:-2]
            await reader.readline()
        else:
            received = await reader.readexactly(len(body))
        writer.write(ok(str(received == body).encode()))

    async with started(Host(serve)) as host, proxied(f"127.0.0.1:{host.port}") as session, session.client() as client:
        head = f"POST http://127.0.0.1:{host.port}/ HTTP/1.1\r\nHost: x\r\n"
        if chunked:
            await client.send(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())
            for at in range(0, len(body), 70_000):
                part = body[at : at + 70_000]
                await client.send(b"%x\r\n%s\r\n" % (len(part), part))
            await client.send(b"0\r\n\r\n")
        else:
            await client.send(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        assert (await client.read_answer())[1] == b"True"


async def test_of_two_lengths_of_a_body_the_host_is_told_one() -> None:
    async with started(answering(ok())) as host, proxied(f"127.0.0.1:{host.port}") as session:
        head = f"POST http://127.0.0.1:{host.port}/ HTTP/1.1\r\nHost: x\r\n"
        await session.ask(f"{head}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n".encode())
        assert b"Transfer-Encoding: chunked" in host.arrived
        assert b"content-length" not in host.arrived.lower()


async def test_a_client_that_waits_for_permission_to_send_gets_it_from_the_host() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        writer.write(ok(await reader.readexactly(4)))

    async with started(Host(serve)) as host, proxied(f"127.0.0.1:{host.port}") as session, session.client() as client:
        url = f"http://127.0.0.1:{host.port}/"
        await client.send(
            f"POST {url} HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n".encode()
        )
        assert (await client.read_head()).startswith(b"HTTP/1.1 100 ")
        await client.send(b"body")
        assert (await client.read_answer())[1] == b"body"


async def test_a_host_may_answer_before_it_has_the_whole_body() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\nConnection: close\r\n\r\nbig")
        await reader.read()

    async with started(Host(serve)) as host, proxied(f"127.0.0.1:{host.port}") as session, session.client() as client:
        await client.send(
            f"POST http://127.0.0.1:{host.port}/ HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\nx".encode()
        )
        head, body = await client.read_answer()
        assert head.startswith(b"HTTP/1.1 413 ")
        assert body == b"big"
        assert await client.read_to_end() == b""


async def test_a_client_that_leaves_in_the_middle_of_its_body_ends_the_request_at_the_host_too() -> None:
    broke_off = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.readuntil(b"\r\n\r\n")
            await reader.read()
        finally:
            broke_off.set()

    async with started(Host(serve)) as host, proxied(f"127.0.0.1:{host.port}") as session:
        async with session.client() as client:
            url = f"http://127.0.0.1:{host.port}/"
            await client.send(f"POST {url} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nx".encode())
            await wait_until(lambda: host.connections == 1)
        async with asyncio.timeout(30):
            await broke_off.wait()
        (ended,) = await session.wait_ended()
        assert ended.problem


@pytest.mark.parametrize(
    ("request_line", "words"),
    [
        ("GET / HTTP/1.1", "This is a proxy"),
        ("GET https://a.test/ HTTP/1.1", "This is a proxy"),
        ("GET ftp://a.test/ HTTP/1.1", "This is a proxy"),
        ("GET file:///etc/passwd HTTP/1.1", "This is a proxy"),
        ("GET http://a!b.test/ HTTP/1.1", "This is a proxy"),
        ("GET http://user:pw@a.test/ HTTP/1.1", "user name or password"),
        ("CONNECT a.test HTTP/1.1", "CONNECT takes HOST:PORT"),
        ("CONNECT a.test:0 HTTP/1.1", "CONNECT takes HOST:PORT"),
        ("CONNECT a.test:99999 HTTP/1.1", "CONNECT takes HOST:PORT"),
        ("CONNECT a.test:443/x:1 HTTP/1.1", "CONNECT takes HOST:PORT"),
        ("CONNECT user@a.test:443 HTTP/1.1", "CONNECT takes HOST:PORT"),
        ("CONNECT http://a.test:443 HTTP/1.1", "CONNECT takes HOST:PORT"),
        ("CONNECT :443 HTTP/1.1", "CONNECT takes HOST:PORT"),
    ],
)
async def test_what_a_proxy_is_not_asked_for_is_answered_in_words(request_line: str, words: str) -> None:
    names = Names(a_test=["127.0.0.1"])
    async with proxied(f"a.test={LOOPBACK}", names=names) as session:
        head, body = await session.ask(f"{request_line}\r\nHost: a.test\r\n\r\n".encode())
        assert head.startswith(b"HTTP/1.1 400 ")
        assert words in body.decode()
        assert names.looked_up == []
        assert session.events == []


@pytest.mark.parametrize(
    "garbage",
    [
        b"\x00\x01\x02\r\n\r\n",
        b"GET http://a.test/\r\n\r\n",
        b"GET http://a.test/ HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"GET http://a.test/ HTTP/1.1\r\nno colon\r\n\r\n",
        b"GET http://a.test/ HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\nHost: a\r\n\r\n",
        b"GET http://a.test/ HTTP/1.1\r\nX: " + b"y" * 200_000,
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 600,
    ],
)
async def test_garbage_is_answered_with_an_error_and_the_connection_is_closed(garbage: bytes) -> None:
    async with proxied("a.test") as session, session.client() as client:
        await client.send(garbage)
        client.writer.write_eof()
        answer = await client.read_to_end()
        assert answer.startswith(b"HTTP/1.1 4")
        assert session.events == []


async def test_a_head_that_does_not_come_to_its_end_is_not_waited_for_for_ever() -> None:
    async with proxied("a.test", limits=EgressLimits(head_s=0.05)) as session, session.client() as client:
        await client.send(b"GET http://a.test/ HTTP/1.1\r\n")
        answer = await client.read_to_end()
        assert answer.startswith(b"HTTP/1.1 408 ")


async def test_what_comes_in_small_pieces_is_understood() -> None:
    async with (
        started(answering(ok())) as host,
        proxied(f"127.0.0.1:{host.port}") as session,
        session.client() as client,
    ):
        for byte in get(f"http://127.0.0.1:{host.port}/"):
            await client.send(bytes([byte]))
            await asyncio.sleep(0)
        assert (await client.read_answer())[1] == b"hello"


async def test_requests_sent_before_the_answer_are_answered_in_order() -> None:
    async with (
        started(answering(ok(b"1"), ok(b"2"))) as host,
        proxied(f"127.0.0.1:{host.port}") as session,
        session.client() as client,
    ):
        url = f"http://127.0.0.1:{host.port}/"
        await client.send(get(url) + get("http://evil.test/") + get(url))
        answers = [(await client.read_answer())[0].split()[1] for _ in range(3)]
    assert answers == [b"200", b"403", b"200"]


async def test_a_connection_that_the_host_closed_meanwhile_is_not_used_again() -> None:
    async with (
        started(answering(ok(b"one"))) as host,
        proxied(f"127.0.0.1:{host.port}") as session,
        session.client() as client,
    ):
        for _ in range(3):
            await client.send(get(f"http://127.0.0.1:{host.port}/"))
            try:
                assert (await client.read_answer())[1] == b"one"
            except asyncio.IncompleteReadError:
                # The host closed it in the very moment; a client tries that again by itself, on a new connection.
                break

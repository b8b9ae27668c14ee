"""CONNECT: a way through to one host, for TLS to that host and for WebSockets."""

from __future__ import annotations

import asyncio

import h11

from gui_environments.egress.addresses import Address, address_of_host
from gui_environments.egress.destinations import Destination, connect
from gui_environments.egress.forwarding import carry_response
from gui_environments.egress.http_end import BrokenEnd, HttpEnd
from gui_environments.egress.openings import (
    TUNNEL_CONTENT,
    BadOpening,
    TlsOpening,
    UpgradeOpening,
    read_opening,
)
from gui_environments.egress.passages import Passage
from gui_environments.egress.peer import Peer
from gui_environments.egress.rules import Verdict
from gui_environments.egress.terms import Refused, Terms

SWITCHING = 101


def tunnel_candidates(request: h11.Request) -> tuple[Address, ...]:
    """The host and port of a CONNECT, with either scheme that may be spoken. Raises `Refused`."""
    host, colon, port = request.target.decode("ascii").rpartition(":")
    if colon and port.isdigit() and 0 < int(port) < 65536:
        candidates = (address_of_host(host, int(port), "https"), address_of_host(host, int(port), "http"))
        found = tuple(candidate for candidate in candidates if candidate is not None)
        if found:
            return found
    raise Refused(400, "CONNECT takes HOST:PORT.")


async def carry_tunnel(client: HttpEnd, destination: Destination, passage: Passage, terms: Terms) -> None:
    """Returns when both sides are done. Raises `Refused` before the client was told that it has a tunnel, afterwards
    `BrokenEnd`."""
    host = await connect(destination, terms)
    passage.connected_to(host)
    try:
        await client.send(h11.Response(status_code=200, headers=[], reason=b"Connection established"))
        opening = await _read_allowed_opening(client, destination, passage, terms)
        if isinstance(opening, TlsOpening):
            await host.send(opening.data)
            await carry_both_ways(client.peer, host)
        elif opening is not None:
            await _carry_upgrade(opening, host, terms)
        await host.close()
    except OSError as error:
        raise BrokenEnd(client, "the connection broke") from error
    finally:
        # On whichever side it broke, the other sees it too. Without effect on what was closed in order.
        host.reset()
        await host.wait_gone()


async def _read_allowed_opening(
    client: HttpEnd, destination: Destination, passage: Passage, terms: Terms
) -> TlsOpening | UpgradeOpening | None:
    """None when there is nothing to carry."""
    first = client.http.trailing_data[0]
    address = destination.address
    try:
        async with asyncio.timeout(terms.limits.head_s):
            opening = await read_opening(client.peer, first, address, terms.limits.head_bytes)
    except TimeoutError:
        passage.refuse(Verdict(False, TUNNEL_CONTENT, "Nothing that can be carried came through the tunnel in time."))
        return None
    except BadOpening as error:
        passage.refuse(Verdict(False, TUNNEL_CONTENT, str(error)))
        return None
    if opening is not None and not destination.verdicts[opening.scheme].allowed:
        passage.refuse(destination.verdicts[opening.scheme])
        return None
    return opening


async def _carry_upgrade(opening: UpgradeOpening, host: Peer, terms: Terms) -> None:
    """What the client sends behind its request is held back until the host has switched: else it could be a request for
    another host. An answer that does not switch is handed on, and that is the end."""
    host_end = HttpEnd(host, h11.CLIENT, terms.limits.head_bytes)
    request = opening.request
    await host_end.send(h11.Request(method=request.method, target=request.target, headers=request.headers.raw_items()))
    await host_end.send(h11.EndOfMessage())
    if not await _has_switched(host_end, opening.client):
        return
    client = opening.client.peer
    for end, other in ((opening.client, host), (host_end, client)):
        rest = end.http.trailing_data[0]
        if rest:
            await other.send(rest)
    await carry_both_ways(client, host)


async def _has_switched(host: HttpEnd, client: HttpEnd) -> bool:
    while True:
        event = await host.next_event()
        if not isinstance(event, h11.InformationalResponse):
            break
        # Handed on whole: these headers are what both sides agree upon.
        await client.send(event)
        if event.status_code == SWITCHING:
            return True
    await carry_response(host, client, event)
    return False


async def carry_both_ways(one: Peer, other: Peer) -> None:
    """Until both have said that they send no more. Raises `OSError` when a connection broke."""
    tasks = [asyncio.ensure_future(_carry(one, other)), asyncio.ensure_future(_carry(other, one))]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _carry(source: Peer, sink: Peer) -> None:
    while data := await source.read():
        await sink.send(data)
    sink.send_end()

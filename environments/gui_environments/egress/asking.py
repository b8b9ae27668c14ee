"""Asking the proxy itself what browsers do not hand on: why it opens no tunnel to a host."""

from __future__ import annotations

import asyncio

import h11

from gui_environments.egress.addresses import Address
from gui_environments.egress.http_end import BrokenEnd, HttpEnd
from gui_environments.egress.limits import EgressLimits
from gui_environments.egress.peer import CHUNK_BYTES, Peer
from gui_environments.egress.proxy import ProxyAddress

ANSWER_S = 5.0
"""How long the proxy may take. It has answered the same question a moment ago."""

ANSWER_BYTES = 4096

OPENED = 200


async def why_no_tunnel(proxy: ProxyAddress, address: Address) -> str | None:
    """The sentence with which the proxy refuses; None when it opens a tunnel now, which is not used, or says nothing
    that can be read."""
    try:
        async with asyncio.timeout(ANSWER_S):
            connection = await asyncio.open_connection(proxy.host, proxy.port, limit=CHUNK_BYTES)
            peer = Peer(*connection)
            try:
                return await _ask(HttpEnd(peer, h11.CLIENT, EgressLimits().head_bytes), address)
            finally:
                peer.abort()
                await peer.wait_gone()
    except (OSError, TimeoutError, BrokenEnd):
        return None


async def _ask(end: HttpEnd, address: Address) -> str | None:
    place = f"{address.host}:{address.port}".encode("ascii")
    await end.send(h11.Request(method=b"CONNECT", target=place, headers=[(b"Host", place)]))
    await end.send(h11.EndOfMessage())
    answer = b""
    while len(answer) < ANSWER_BYTES:
        match await end.next_event():
            case h11.Response(status_code=status) if status == OPENED:
                return None
            case h11.Data(data=data):
                answer += bytes(data)
            case h11.EndOfMessage() | h11.ConnectionClosed():
                break
            case _:
                continue
    return answer.decode("utf-8", "replace").strip() or None

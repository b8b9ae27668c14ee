"""One client's connection to the proxy: its requests one after another, each judged, each carried or answered."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from http import HTTPStatus

import h11

from gui_environments.egress.destinations import Destination, connect, judge_destination
from gui_environments.egress.forwarding import exchange, outgoing_request, requested_address
from gui_environments.egress.http_end import NO_RULE, RULE_HEADER, BrokenEnd, HttpEnd
from gui_environments.egress.passages import Passage
from gui_environments.egress.peer import Peer
from gui_environments.egress.terms import Refused, Terms
from gui_environments.egress.tunnels import carry_tunnel, tunnel_candidates

log = logging.getLogger(__name__)


class Connection:
    """Made for one client, and over when `serve` returns."""

    def __init__(self, client: Peer, terms: Terms) -> None:
        self._client = HttpEnd(client, h11.SERVER, terms.limits.head_bytes)
        self._terms = terms
        self._host: HttpEnd | None = None
        self._destination: Destination | None = None
        """Where `_host` leads, which the next request may use too."""
        self._is_head = False
        """Whether the last request was one whose answer has no body."""

    async def serve(self) -> None:
        """Raises what the listener to events raises; nothing that a peer does makes it raise."""
        client = self._client.peer
        try:
            while await self._serve_next():
                self._client.http.start_next_cycle()
            await client.close_after_answer()
        except BrokenEnd as error:
            log.debug("a connection of the proxy ended: %s", error)
        finally:
            self._leave_host()
            # What was cut off must not look as if it had come to its end. Without effect on what was closed in order.
            client.reset()
            await client.wait_gone()

    async def _serve_next(self) -> bool:
        """One request; whether another may follow."""
        if not await self._client.wait_for_data():
            return False
        try:
            request = await self._read_request()
            if request.method == b"CONNECT":
                return await self._tunnel(request)
            await self._forward(request)
        except Refused as refused:
            await self._answer(refused)
        return self._client.can_go_on

    async def _read_request(self) -> h11.Request:
        self._is_head = False
        try:
            async with asyncio.timeout(self._terms.limits.head_s):
                event = await self._client.next_event()
        except TimeoutError:
            raise Refused(408, "The request did not arrive in time.") from None
        except BrokenEnd as error:
            raise Refused(400, f"This is not a request that can be read: {error}.") from error
        if not isinstance(event, h11.Request):
            raise BrokenEnd(self._client, "it closed the connection")
        self._is_head = event.method == b"HEAD"
        return event

    async def _tunnel(self, request: h11.Request) -> bool:
        destination = await judge_destination(tunnel_candidates(request), self._terms)
        with Passage(self._terms, "CONNECT", destination) as passage:
            await carry_tunnel(self._client, destination, passage, self._terms)
        return False

    async def _forward(self, request: h11.Request) -> None:
        address = requested_address(request)
        kept = self._kept_for(address.host, address.port)
        destination = kept or await judge_destination([address], self._terms)
        with Passage(self._terms, request.method.decode("ascii"), destination) as passage:
            if kept is None or self._host is None:
                self._leave_host()
                self._host = HttpEnd(await connect(destination, self._terms), h11.CLIENT, self._terms.limits.head_bytes)
                self._destination = destination
            passage.connected_to(self._host.peer)
            await self._exchange(self._host, request, outgoing_request(request, address), reused=kept is not None)
        if self._host.can_go_on:
            self._host.http.start_next_cycle()
        else:
            self._leave_host()

    def _kept_for(self, host: str, port: int) -> Destination | None:
        """The destination of the connection that is open, when it leads there; its address was judged for that host."""
        kept = self._destination
        if self._host is None or kept is None or self._host.peer.ended:
            return None
        return kept if (kept.address.host, kept.address.port) == (host, port) else None

    async def _exchange(self, host: HttpEnd, request: h11.Request, outgoing: h11.Request, *, reused: bool) -> None:
        try:
            await exchange(self._client, host, request, outgoing)
        except BrokenEnd as error:
            answered = self._client.http.our_state is not h11.SEND_RESPONSE
            # A host may close a connection just as it is used again. Clients know that and try once more, when the
            # same happens to them.
            if error.end is not host or answered or reused:
                raise
            name = outgoing.headers[0][1].decode("ascii")
            raise Refused(502, f"{name} did not answer as it should: {error}.") from error

    async def _answer(self, refused: Refused) -> None:
        """With a sentence; the connection goes on when all of the request was read."""
        client = self._client.http
        if client.our_state not in (h11.SEND_RESPONSE, h11.IDLE):
            raise BrokenEnd(self._client, "it was answered already")
        if client.their_state is h11.SEND_BODY:
            # That nothing comes any more is an event too; anything else is a body, which is not read.
            with suppress(h11.RemoteProtocolError):
                client.next_event()
        body = f"{refused.reason}\n".encode()
        headers = [
            (b"Content-Type", b"text/plain; charset=utf-8"),
            (b"Content-Length", str(len(body)).encode("ascii")),
            (b"Cache-Control", b"no-store"),
            (RULE_HEADER, NO_RULE if refused.rule is None else refused.rule.encode("ascii", "backslashreplace")),
        ]
        if client.their_state is h11.SEND_BODY:
            headers.append((b"Connection", b"close"))
        await self._client.send(
            h11.Response(
                status_code=refused.status,
                headers=headers,
                reason=HTTPStatus(refused.status).phrase.encode("ascii"),
            )
        )
        if not self._is_head:
            await self._client.send(h11.Data(body))
        await self._client.send(h11.EndOfMessage())

    def _leave_host(self) -> None:
        if self._host is not None:
            self._host.peer.abort()
        self._host = None
        self._destination = None

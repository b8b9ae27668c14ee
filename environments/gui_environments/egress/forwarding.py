"""A plain HTTP request to its host, and the answer back, each body as it comes."""

from __future__ import annotations

import asyncio

import h11
from ada_url import URL

from gui_environments.egress.addresses import Address, address_of
from gui_environments.egress.http_end import BrokenEnd, HttpEnd, end_to_end, has_body, has_header
from gui_environments.egress.terms import Refused

NO_PROXY_REQUEST = "This is a proxy. It takes requests for whole http:// addresses, and CONNECT for everything else."


def requested_address(request: h11.Request) -> Address:
    """Raises `Refused`."""
    target = request.target.decode("ascii")
    address = address_of(target) if target.lower().startswith("http://") else None
    if address is None:
        raise Refused(400, NO_PROXY_REQUEST)
    parsed = URL(target)
    if parsed.username or parsed.password:
        raise Refused(400, "A user name or password in an address is not handed on.")
    return address


def outgoing_request(request: h11.Request, address: Address) -> h11.Request:
    """As the host is to see it: for the host that was judged, whatever the client wrote into its headers."""
    parsed = URL(address.href)
    dropped = {b"host"}
    if has_header(request, b"transfer-encoding"):
        # With both, hosts differ in which they believe.
        dropped.add(b"content-length")
    headers = [(name, value) for name, value in end_to_end(request) if name.lower() not in dropped]
    return h11.Request(
        method=request.method,
        target=parsed.pathname + parsed.search,
        headers=[(b"Host", address.host_and_port.encode("ascii")), *headers],
    )


async def exchange(client: HttpEnd, host: HttpEnd, request: h11.Request, outgoing: h11.Request) -> None:
    """Returns when the answer is complete; whether all of the request was sent, the states of both ends tell. Raises
    `BrokenEnd`."""
    await host.send(outgoing)
    if not has_body(request):
        await _carry_request_body(client, host)
        await carry_response(host, client)
        return
    sending = asyncio.create_task(_carry_request_body(client, host))
    try:
        await carry_response(host, client)
    except BrokenEnd:
        if sending.done() and not sending.cancelled():
            sending.result()  # when the client broke off, that is the reason for the rest
        raise
    finally:
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)


async def _carry_request_body(client: HttpEnd, host: HttpEnd) -> None:
    """Ends quietly when the host takes no more: then it has answered early, or its end tells why not."""
    while True:
        try:
            event = await client.next_event()
        except BrokenEnd:
            host.peer.reset()
            raise
        try:
            await host.send(event)
        except BrokenEnd:
            return
        if isinstance(event, h11.EndOfMessage):
            return


async def carry_response(host: HttpEnd, client: HttpEnd, first: h11.Event | None = None) -> None:
    """`first` is what was read of it already. Raises `BrokenEnd`."""
    while True:
        event, first = first or await host.next_event(), None
        match event:
            case h11.InformationalResponse():
                if not client.is_modern:
                    continue
                await client.send(
                    h11.InformationalResponse(
                        status_code=event.status_code, headers=end_to_end(event), reason=event.reason
                    )
                )
            case h11.Response():
                await client.send(
                    h11.Response(status_code=event.status_code, headers=end_to_end(event), reason=event.reason)
                )
            case h11.Data():
                await client.send(event)
            case h11.EndOfMessage():
                await client.send(event if client.is_modern else h11.EndOfMessage())
                return
            case _:
                raise BrokenEnd(host, "it closed the connection without an answer")

"""What a tunnel begins with: a TLS hello or an HTTP upgrade, for the host that was asked for. Anything else is not
carried."""

from __future__ import annotations

from dataclasses import dataclass

import h11

from gui_environments.egress.addresses import Address, address_of_host
from gui_environments.egress.hello import HANDSHAKE_RECORD, HelloReader, NoHello
from gui_environments.egress.http_end import BrokenEnd, HttpEnd, has_body, header_values
from gui_environments.egress.peer import Peer

TUNNEL_CONTENT = "what a tunnel carries"
"""The name of the rule that refuses the rest."""


class BadOpening(Exception):
    """The message is a sentence."""


@dataclass(frozen=True, slots=True)
class TlsOpening:
    """All bytes that came so far."""

    data: bytes
    scheme = "https"


@dataclass(frozen=True, slots=True)
class UpgradeOpening:
    """`client` is at the end of the request, and waits for the answer."""

    client: HttpEnd
    request: h11.Request
    scheme = "http"


async def read_opening(
    client: Peer, first: bytes, address: Address, head_bytes: int
) -> TlsOpening | UpgradeOpening | None:
    """None when the client sent nothing. `first` is what came with the request for the tunnel. Raises `BadOpening`, and
    `OSError` when the connection broke."""
    data = first or await client.read()
    if not data:
        return None
    if data[0] == HANDSHAKE_RECORD:
        return await _read_hello(client, data, address, head_bytes)
    return await _read_upgrade(client, data, address, head_bytes)


async def _read_hello(client: Peer, data: bytes, address: Address, head_bytes: int) -> TlsOpening:
    hello = HelloReader()
    try:
        complete = hello.take(data)
        while not complete:
            if len(data) > head_bytes:
                raise BadOpening("The TLS hello is too long.")
            more = await client.read()
            if not more:
                raise BadOpening("The TLS hello broke off.")
            data += more
            complete = hello.take(more)
    except NoHello as error:
        raise BadOpening(f"The tunnel does not begin with a TLS hello that can be read ({error}).") from error
    _require_server_name(hello.server_name, address)
    return TlsOpening(data)


def _require_server_name(server_name: str | None, address: Address) -> None:
    if address.ip is not None:
        if server_name is not None:
            raise BadOpening(f"The tunnel is to {address.host}, and its TLS hello asks for a host by name.")
        return
    if server_name is None:
        raise BadOpening(f"The tunnel is to {address.host}, and its TLS hello names no host.")
    # A dot at the end of a name stands in no hello.
    if server_name.lower() != address.host.removesuffix("."):
        raise BadOpening(f"The tunnel is to {address.host}, and its TLS hello asks for another host.")


async def _read_upgrade(client: Peer, data: bytes, address: Address, head_bytes: int) -> UpgradeOpening:
    end = HttpEnd(client, h11.SERVER, head_bytes)
    try:
        end.http.receive_data(data)
        request = await end.next_event()
    except BrokenEnd as error:
        raise BadOpening("The tunnel begins with neither a TLS hello nor an HTTP request.") from error
    if not isinstance(request, h11.Request):
        raise BadOpening("The tunnel begins with neither a TLS hello nor an HTTP request.")
    is_upgrade = (
        request.method == b"GET"
        and request.target.startswith(b"/")
        and b"upgrade" in header_values(request, b"connection")
        and header_values(request, b"upgrade") == [b"websocket"]
        and not has_body(request)
    )
    if not is_upgrade:
        raise BadOpening("Without TLS a tunnel carries WebSockets only; other requests are sent without one.")
    hosts = [value for name, value in request.headers if name == b"host"]
    if len(hosts) != 1 or _asked_for(hosts[0], address) != (address.host, address.port):
        raise BadOpening(f"The tunnel is to {address.host}, and the request in it asks for another host.")
    await end.next_event()  # the end of the request, which has no body
    return UpgradeOpening(end, request)


def _asked_for(host_header: bytes, address: Address) -> tuple[str, int] | None:
    """The host and port of a `Host` header, which names no port when it is the scheme's own."""
    text = host_header.decode("latin-1")
    bracket = text.rfind("]")
    host, _, port = text.rpartition(":") if ":" in text[bracket + 1 :] else (text, "", "80")
    if not port.isascii() or not port.isdigit() or not 0 < int(port) < 65536:
        return None
    asked = address_of_host(host, int(port), "http")
    return None if asked is None else (asked.host, asked.port)

"""What clients send first into a tunnel."""

from __future__ import annotations

import ssl
from contextlib import suppress


def hello(server_name: str | None, *, versions: tuple[ssl.TLSVersion, ssl.TLSVersion] | None = None) -> bytes:
    """Of a TLS client."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    if versions is not None:
        context.set_ciphers("ALL:@SECLEVEL=0")
        context.minimum_version, context.maximum_version = versions
    outgoing = ssl.MemoryBIO()
    end = context.wrap_bio(ssl.MemoryBIO(), outgoing, server_hostname=server_name)
    with suppress(ssl.SSLWantReadError):
        end.do_handshake()
    return outgoing.read()


def upgrade(host: str, target: str = "/chat", upgrade_to: str = "websocket", *headers: str) -> bytes:
    """Of a WebSocket's client."""
    lines = [f"GET {target} HTTP/1.1", f"Host: {host}", f"Upgrade: {upgrade_to}", "Connection: Upgrade"]
    return "\r\n".join([*lines, "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAA", *headers, "", ""]).encode()

"""A server on loopback for web sockets: it sends back what it is sent."""

from __future__ import annotations

import base64
import hashlib
import re
import socket
import socketserver
import threading

GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
"""Of the protocol: what a server adds to a client's key to show that it knows the protocol."""

CLOSE = 8


class EchoSockets:
    """Messages of up to 125 bytes."""

    def __init__(self) -> None:
        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Echo)
        self._server.daemon_threads = True
        self.url = f"ws://127.0.0.1:{self._server.server_address[1]}"
        # Bound and not listening: nobody else gets the port, and whoever connects is refused.
        self._closed = socket.socket()
        self._closed.bind(("127.0.0.1", 0))
        self.closed_url = f"ws://127.0.0.1:{self._closed.getsockname()[1]}/"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._closed.close()


class _Echo(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        try:
            self._greet()
            while self._answer():
                pass
        except (ConnectionError, EOFError):
            return  # the browser went away

    def _greet(self) -> None:
        request = b""
        while not request.endswith(b"\r\n\r\n"):
            request += self._read(1)
        key = re.search(rb"(?i)sec-websocket-key: (\S+)", request)
        assert key is not None
        accept = base64.b64encode(hashlib.sha1(key[1] + GUID.encode()).digest()).decode()
        self.wfile.write(
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Accept: {accept}\r\n\r\n".encode()
        )

    def _answer(self) -> bool:
        head, length = self._read(2)
        assert length & 0x80  # what a browser sends is masked
        length &= 0x7F
        assert length <= 125
        mask = self._read(4)
        data = bytes(byte ^ mask[at % 4] for at, byte in enumerate(self._read(length)))
        self.wfile.write(bytes([head, length]) + data)
        return head & 0x0F != CLOSE

    def _read(self, count: int) -> bytes:
        data: bytes = self.rfile.read(count)
        if len(data) < count:
            raise EOFError
        return data

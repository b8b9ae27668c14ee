"""HTTP/1.1 with one peer, parsed and written by h11. Judges nothing."""

from __future__ import annotations

import h11

from gui_environments.egress.peer import Peer

Header = tuple[bytes, bytes]
Message = h11.Request | h11.Response | h11.InformationalResponse

RULE_HEADER = b"Egress-Rule"
"""In every answer of the proxy's own; it names the rule where one refused. A host cannot say so in our place."""

NO_RULE = b"none"

HOP_BY_HOP = frozenset(
    {
        b"connection",
        b"keep-alive",
        b"proxy-authenticate",
        b"proxy-authorization",
        b"proxy-connection",
        b"te",
        b"upgrade",
        RULE_HEADER.lower(),
    }
)
"""Meant for the next peer only, and not handed on. How a body is delimited stays: h11 delimits it in the same way."""

ALWAYS_HANDED_ON = frozenset({b"content-length", b"transfer-encoding"})


class BrokenEnd(Exception):
    """A peer does not speak HTTP, or the connection to it broke."""

    def __init__(self, end: HttpEnd, words: str) -> None:
        super().__init__(words)
        self.end = end


class HttpEnd:
    """`role` is what we are to this peer: `h11.SERVER` to a client, `h11.CLIENT` to a host."""

    def __init__(self, peer: Peer, role: type[h11.CLIENT] | type[h11.SERVER], head_bytes: int) -> None:
        self.peer = peer
        self.http = h11.Connection(role, max_incomplete_event_size=head_bytes)

    async def next_event(self) -> h11.Event:
        """Raises `BrokenEnd`."""
        try:
            while True:
                event = self.http.next_event()
                if isinstance(event, h11.Event):
                    return event
                assert event is h11.NEED_DATA, "nobody reads on after the end of an exchange"
                self.http.receive_data(await self.peer.read())
        except h11.RemoteProtocolError as error:
            raise BrokenEnd(self, str(error)) from error
        except OSError as error:
            raise BrokenEnd(self, "the connection broke") from error

    async def wait_for_data(self) -> bool:
        """Until the first byte of what comes next; whether there is any."""
        if self.http.trailing_data[0]:
            return True
        try:
            data = await self.peer.read()
        except OSError as error:
            raise BrokenEnd(self, "the connection broke") from error
        self.http.receive_data(data)
        return bool(data)

    async def send(self, event: h11.Event) -> None:
        """Raises `BrokenEnd`."""
        try:
            data = self.http.send(event)
            if data:
                await self.peer.send(data)
        except h11.LocalProtocolError as error:
            # What the other peer sent, this one cannot be sent.
            raise BrokenEnd(self, str(error)) from error
        except OSError as error:
            raise BrokenEnd(self, "the connection broke") from error

    @property
    def is_modern(self) -> bool:
        """Whether the peer knows of more than one answer to a request, and of headers behind a body."""
        return self.http.their_http_version == b"1.1"

    @property
    def can_go_on(self) -> bool:
        """Whether both sides are done with one exchange and neither wants to close."""
        return self.http.our_state is h11.DONE and self.http.their_state is h11.DONE


def end_to_end(message: Message) -> list[Header]:
    """The headers to hand on, as they were written."""
    dropped = (HOP_BY_HOP | set(header_values(message, b"connection"))) - ALWAYS_HANDED_ON
    return [(name, value) for name, value in message.headers.raw_items() if name.lower() not in dropped]


def has_header(message: Message, name: bytes) -> bool:
    return any(key == name for key, _ in message.headers)


def header_values(message: Message, name: bytes) -> list[bytes]:
    """Each part of a header that is a list with commas, in lower case."""
    return [part.strip().lower() for key, value in message.headers if key == name for part in value.split(b",")]


def has_body(request: h11.Request) -> bool:
    return has_header(request, b"transfer-encoding") or any(
        length != b"0" for length in header_values(request, b"content-length")
    )

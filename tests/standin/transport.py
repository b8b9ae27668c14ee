"""HTTP responses that a framework does not offer: a stream of events that may break off, and no response at all."""

from __future__ import annotations

from collections.abc import AsyncIterator

from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send


class EventStream(StreamingResponse):
    """Server-sent events. `ConnectionAbortedError` from `events` drops the connection in the middle of the body."""

    def __init__(self, events: AsyncIterator[bytes], request_id: str) -> None:
        super().__init__(events, media_type="text/event-stream", headers={"request-id": request_id})

    async def stream_response(self, send: Send) -> None:
        try:
            await super().stream_response(send)
        except ConnectionAbortedError:
            # Left without its last chunk, the server closes the connection.
            return


class LostResponse(Response):
    """The connection ends before the first byte of an answer."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"100")]})
        await send({"type": "http.response.body", "body": b"{", "more_body": True})

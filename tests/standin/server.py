"""The stand-in for the Messages API: judges one request after another, plays a script instead of a model, holds
message threads, and counts what went wrong. `host` serves it."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Callable

from starlette.requests import Request as HttpRequest
from starlette.responses import JSONResponse, Response

from standin.conversation import SentReplies
from standin.ledger import Ledger
from standin.refusals import Refused, error_body
from standin.requests import Request
from standin.rules import check_headers, check_request
from standin.script import Answer, CutReply, Fault, HeldReply, Reply, Scripted, ThreadFault
from standin.streaming import encode_event, events_of, message_of
from standin.threads import Threads, lost_thread, unsupported_thread
from standin.transport import EventStream, LostResponse

_HELD_POLL_S = 0.005
_HELD_WITHIN_S = 20.0


class StandIn:
    """A server at `url` with a script. `requests` are those that broke no rule, in order."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.requests: list[Request] = []
        self.ledger = Ledger()
        self.sent = SentReplies()
        self._script: list[Scripted] = []
        self._threads = Threads()
        self._threaded_before = False
        self._numbers = itertools.count(1)

    def play(self, *answers: Scripted) -> None:
        """Line up answers, one a request that breaks no rule."""
        self._script.extend(answers)

    def expect(self, *, refusals: int = 0, fallbacks: int = 0) -> None:
        """Declare how many of each there will have been at the end."""
        self.ledger.expected_refusals, self.ledger.expected_fallbacks = refusals, fallbacks

    def allow_pruning(self) -> None:
        """The client starts new threads on purpose, to leave old pictures out: count them as that."""
        self.ledger.pruning_allowed = True

    def check(self) -> None:
        """Fail if anything happened that the test did not declare, or a scripted answer was never asked for."""
        problems = self.ledger.find_undeclared()
        if self._script:
            problems.append(f"{len(self._script)} scripted answers were never asked for")
        assert not problems, "; ".join(problems)

    async def answer(self, http: HttpRequest) -> Response:
        """Serve one `POST /v1/messages`."""
        request_id = f"req_{next(self._numbers):06}"
        try:
            raw = await http.body()
            betas = check_headers(http.headers)
            request = check_request(_parse(raw), betas, len(raw), self._threads, self.sent)
        except Refused as refused:
            self.ledger.refusals.append(refused.message)
            return _error(refused, request_id)
        self._note(request)
        if not self._script:
            self.ledger.unscripted += 1
            return _error(Refused("the script has no further answer", 500, "api_error"), request_id, retry=False)
        scripted = self._script.pop(0)
        answer = scripted if isinstance(scripted, Answer) else scripted(request)
        return self._respond(request, answer, request_id)

    def _note(self, request: Request) -> None:
        """Count the request if it sends again what a thread holds or could have held."""
        if request.replays:
            self.ledger.count_whole_conversation("a new thread was started with a conversation under way")
        if request.mode == "whole" and self._threaded_before:
            self.ledger.count_whole_conversation("a request left the thread")
        self._threaded_before = self._threaded_before or request.mode != "whole"
        self.requests.append(request)

    def _respond(self, request: Request, answer: Answer, request_id: str) -> Response:
        if isinstance(answer, Fault):
            return _error(Refused(answer.message, answer.status, answer.error_type), request_id, retry=answer.retry)
        if isinstance(answer, ThreadFault):
            return _error(_thread_refusal(request, answer), request_id, retry=False)
        message_id = f"msg_{next(self._numbers):06}"
        if request.body.get("stream"):
            return EventStream(self._stream(request, answer, message_id), request_id)
        if not isinstance(answer, Reply):
            assert isinstance(answer, CutReply), "only a streamed reply can be held"
            return LostResponse()
        self._finish(request, answer, message_id)
        message = message_of(answer, message_id, request.body["model"])
        return JSONResponse(message, headers={"request-id": request_id})

    async def _stream(
        self, request: Request, answer: Reply | CutReply | HeldReply, message_id: str
    ) -> AsyncIterator[bytes]:
        reply = answer if isinstance(answer, Reply) else answer.reply
        self._threads.start(request.body)
        held = True
        try:
            for index, event in enumerate(events_of(reply, message_id, request.body["model"])):
                if isinstance(answer, CutReply) and index == answer.after_events:
                    self.sent.record(list(reply.content), cut=True)
                    if answer.how == "lost":
                        raise ConnectionAbortedError
                    return
                if isinstance(answer, HeldReply) and index == answer.after_events:
                    await _wait_for(answer.until)
                if event["type"] == "message_stop":
                    self._finish(request, reply, message_id)
                    held = False
                yield encode_event(event)
        finally:
            if held:
                self._threads.release(request.body)

    def _finish(self, request: Request, reply: Reply, message_id: str) -> None:
        """A whole reply is about to leave. Refused turns are not held, and may not come back."""
        content = message_of(reply, message_id, request.body["model"])["content"]
        if reply.stop_reason == "refusal":
            self._threads.release(request.body)
            return
        self.sent.record(content, paused=reply.stop_reason == "pause_turn", cut=reply.stop_reason == "max_tokens")
        self._threads.hold(request.body, request.conversation, message_id, content)


def _parse(raw: bytes) -> object:
    try:
        return json.loads(raw)
    except ValueError as error:
        raise Refused(f"The request body is not valid JSON: {error}") from error


def _error(refused: Refused, request_id: str, *, retry: bool = False) -> JSONResponse:
    headers = {"request-id": request_id, "x-should-retry": "true" if retry else "false", "retry-after-ms": "1"}
    body = error_body(refused.error_type, refused.message, refused.details, request_id)
    return JSONResponse(body, refused.status, headers)


def _thread_refusal(request: Request, fault: ThreadFault) -> Refused:
    if fault.code == "thread_unsupported_request":
        return unsupported_thread(*fault.unsupported)
    return lost_thread(fault.code, request.body["thread"].get("previous_message_id", ""))


async def _wait_for(condition: Callable[[], bool]) -> None:
    """A client that goes away ends this too: its stream is then cancelled. What never comes breaks the stream off."""
    try:
        async with asyncio.timeout(_HELD_WITHIN_S):
            while not condition():  # noqa: ASYNC110 - what is waited for happens in another thread, unannounced
                await asyncio.sleep(_HELD_POLL_S)
    except TimeoutError as error:
        raise ConnectionAbortedError("what the script waited for did not come") from error

"""What is told of one request: that it was judged, and when it was allowed, how it ended."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from gui_environments.egress.destinations import Destination
from gui_environments.egress.events import RequestEnded, RequestJudged
from gui_environments.egress.http_end import BrokenEnd
from gui_environments.egress.peer import Peer
from gui_environments.egress.rules import Verdict
from gui_environments.egress.terms import Refused, Terms

CUT_OFF = "It was cut off: nothing moved on it any more, or the proxy was closed."


class Passage:
    """One request on its way to a host. To be entered once it was judged; raises `Refused` there when it is not
    allowed."""

    def __init__(self, terms: Terms, method: str, destination: Destination) -> None:
        self._terms = terms
        self._number = next(terms.numbers)
        self._method = method
        self._destination = destination
        self.host: Peer | None = None
        self._before = (0, 0)
        self._verdict = destination.verdict
        self.problem: str | None = None

    def __enter__(self) -> Self:
        self._tell_judged()
        if not self._verdict.allowed:
            raise Refused.by(self._verdict)
        return self

    def connected_to(self, host: Peer) -> None:
        self.host = host
        self._before = (host.sent_bytes, host.received_bytes)

    def refuse(self, verdict: Verdict) -> None:
        """After all: what came was not what had been asked for."""
        self._verdict = verdict
        self.problem = verdict.reason
        self._tell_judged()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self.problem is None and error is not None:
            self.problem = _problem(error)
        host, (sent, received) = self.host, self._before
        address = self._destination.address
        self._terms.tell(
            RequestEnded(
                self._number,
                address.host,
                address.port,
                self._verdict.rule,
                None if host is None else host.address,
                0 if host is None else host.sent_bytes - sent,
                0 if host is None else host.received_bytes - received,
                self.problem,
            )
        )

    def _tell_judged(self) -> None:
        address = self._destination.address
        self._terms.tell(
            RequestJudged(
                self._number,
                self._method,
                address.host,
                address.port,
                self._verdict,
                tuple(map(str, self._destination.ips)),
            )
        )


def _problem(error: BaseException) -> str:
    match error:
        case Refused():
            return error.reason
        case BrokenEnd():
            return f"It broke off: {error}."
        case Exception():
            return f"It was ended by an error: {error}"
        case _:
            return CUT_OFF

"""What the egress proxy tells, for the recording and the log: each refusal once, and in the end what went where. Never
changes what is allowed."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from gui_environments.egress.events import EgressEvent, RequestEnded, RequestJudged
from gui_operator.recording.recording import Recording

log = logging.getLogger(__name__)

KEPT_PLACES = 1000
"""Hosts, ports and rules that are told apart. A page can make up names without end; what is beyond is only counted."""


@dataclass(slots=True)
class _Traffic:
    """With one host on one port, by one rule."""

    allowed: bool
    requests: int = 0
    sent_bytes: int = 0
    received_bytes: int = 0


class EgressRecorder:
    """A listener to one proxy. Without a recording it only logs: refusals with -v, all else with -vv. Raises
    `RecordingFailed`, which ends the request that it was told of."""

    def __init__(self, recording: Recording | None) -> None:
        self._recording = recording
        self._traffic: dict[tuple[str, int, str], _Traffic] = {}
        self._beyond = _Traffic(allowed=False)

    def __call__(self, event: EgressEvent) -> None:
        match event:
            case RequestJudged():
                self._take_judged(event)
            case RequestEnded():
                self._take_ended(event)

    def close(self) -> None:
        """Write what went where. To be called when the proxy is closed."""
        if self._recording is None or self._recording.failure is not None:
            return
        places = [
            {"host": host, "port": port, "rule": rule, "allowed": traffic.allowed, **_counts(traffic)}
            for (host, port, rule), traffic in self._traffic.items()
        ]
        self._recording.write("egress_finished", {"places": places, "beyond": _counts(self._beyond)})

    def _take_judged(self, event: RequestJudged) -> None:
        verdict = event.verdict
        traffic, is_new = self._traffic_of(event.host, event.port, verdict.rule, allowed=verdict.allowed)
        traffic.requests += 1
        if verdict.allowed:
            log.debug("%s %s:%d allowed [%s]", event.method, event.host, event.port, verdict.rule)
            return
        level = logging.INFO if is_new else logging.DEBUG
        log.log(level, "%s %s:%d refused [%s] %s", event.method, event.host, event.port, verdict.rule, verdict.reason)
        if self._recording is not None and is_new:
            asked = {"host": event.host, "port": event.port, "method": event.method}
            judged = {"rule": verdict.rule, "reason": verdict.reason, "addresses": list(event.addresses)}
            self._recording.write("egress_refused", {**asked, **judged})

    def _take_ended(self, event: RequestEnded) -> None:
        traffic, _ = self._traffic_of(event.host, event.port, event.rule, allowed=True)
        traffic.sent_bytes += event.sent_bytes
        traffic.received_bytes += event.received_bytes
        log.debug(
            "%s:%d ended [%s], %d bytes sent, %d received%s",
            *(event.host, event.port, event.rule, event.sent_bytes, event.received_bytes),
            f": {event.problem}" if event.problem else "",
        )

    def _traffic_of(self, host: str, port: int, rule: str, *, allowed: bool) -> tuple[_Traffic, bool]:
        """And whether this is the first that is heard of it."""
        place = (host, port, rule)
        known = self._traffic.get(place)
        if known is not None:
            return known, False
        if len(self._traffic) >= KEPT_PLACES:
            return self._beyond, False
        self._traffic[place] = _Traffic(allowed)
        return self._traffic[place], True


def _counts(traffic: _Traffic) -> dict[str, int]:
    sent, received = traffic.sent_bytes, traffic.received_bytes
    return {"requests": traffic.requests, "sent_bytes": sent, "received_bytes": received}

"""What the egress proxy tells of each request, as it happens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gui_environments.egress.rules import Verdict


@dataclass(frozen=True, slots=True)
class RequestJudged:
    """One request, or one connection that CONNECT asked for. `number` is the same in all that is told of it. It is told
    a second time when it was allowed and what then came through it was not what had been asked for. `addresses` is what
    the name was resolved to; empty when it was not looked up."""

    number: int
    method: str
    host: str
    port: int
    verdict: Verdict
    addresses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RequestEnded:
    """After an allowed one. `address` is where the connection went, None where none came about. Bytes are those
    exchanged with the host; `problem` is a sentence when it did not end in order."""

    number: int
    host: str
    port: int
    rule: str
    address: str | None
    sent_bytes: int
    received_bytes: int
    problem: str | None = None


EgressEvent = RequestJudged | RequestEnded
EgressListener = Callable[[EgressEvent], None]
"""Called as things happen, and not to block. When it raises, the request that it was told of is ended."""

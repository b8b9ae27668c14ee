"""What all connections of one proxy share."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field

from gui_environments.egress.events import EgressListener
from gui_environments.egress.limits import EgressLimits
from gui_environments.egress.resolving import Resolve
from gui_environments.egress.rules import HostRules, Verdict


@dataclass(frozen=True, slots=True)
class Terms:
    rules: HostRules
    resolve: Resolve
    limits: EgressLimits
    tell: EgressListener
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))


class Refused(Exception):
    """A request is answered with this instead of being carried out."""

    def __init__(self, status: int, reason: str, rule: str | None = None) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason
        self.rule = rule

    @classmethod
    def by(cls, verdict: Verdict) -> Refused:
        return cls(403, verdict.reason, verdict.rule)

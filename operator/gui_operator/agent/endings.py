"""How a run ends: a status, and a sentence for a person. Values only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from gui_operator.recording.outcome import Status

EXIT_CODES: Mapping[Status, int] = MappingProxyType(
    {
        "succeeded": 0,
        "failed": 1,
        "limit reached": 3,
        "refused": 4,
        "needs a person": 5,
        "environment died": 6,
        "interrupted": 130,
    }
)


@dataclass(frozen=True, slots=True)
class Ending:
    """`result` is what the job asked for, where it has a schema for it; `words` the model's last ones."""

    status: Status
    reason: str
    result: object = None
    words: str = ""

    @property
    def exit_code(self) -> int:
        return EXIT_CODES[self.status]

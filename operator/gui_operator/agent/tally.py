"""What a run has used so far, and whether that has reached a limit of the job. Decides nothing else."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from gui_operator.agent.prices import Price
from gui_operator.agent.usage import Usage
from gui_operator.jobs.model import Limits


@dataclass(slots=True)
class Tally:
    """Counts up from the moment it is made. `price` None: what the run costs is unknown."""

    price: Price | None
    started_at_s: float = field(default_factory=time.monotonic)
    requests: int = 0
    turns: int = 0
    actions: int = 0
    usage: Usage = field(default_factory=Usage)
    model_s: float = 0.0
    environment_s: float = 0.0
    _dollars: float = 0.0

    def count_reply(self, usage: Usage, duration_s: float) -> None:
        self.turns += 1
        self.usage += usage
        self.model_s += duration_s
        if self.price is not None:
            self._dollars += self.price.dollars(usage)

    def count_actions(self, number: int, duration_s: float) -> None:
        self.actions += number
        self.environment_s += duration_s

    @property
    def dollars(self) -> float | None:
        return None if self.price is None else self._dollars

    @property
    def elapsed_s(self) -> float:
        return time.monotonic() - self.started_at_s

    def reached(self, limits: Limits) -> str | None:
        """Which limit leaves no room for another request, in words. Actions and seconds are looked at elsewhere: they
        may be reached in the middle of a turn."""
        if limits.turns is not None and self.turns >= limits.turns:
            return f"the limit of {limits.turns} turns"
        if limits.tokens is not None and self.usage.total_tokens >= limits.tokens:
            return f"the limit of {limits.tokens:,} tokens, with {self.usage.total_tokens:,} used"
        if limits.dollars is not None and self._dollars >= limits.dollars:
            return f"the limit of {limits.dollars:g} dollars, with {self._dollars:.4f} spent"
        return None

    def leaves_room_for(self, actions: int, limits: Limits) -> bool:
        return limits.actions is None or self.actions + actions <= limits.actions

"""What went wrong between a client and the stand-in, counted, against what the test said would."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Ledger:
    """`refusals`: requests that broke a rule, each with its message. `fallbacks`: requests that sent a whole
    conversation although a thread was there to continue. A client may hide both from its caller; a test may not."""

    refusals: list[str] = field(default_factory=list)
    fallbacks: list[str] = field(default_factory=list)
    prunes: int = 0
    unscripted: int = 0
    expected_refusals: int = 0
    expected_fallbacks: int = 0
    pruning_allowed: bool = False

    def count_whole_conversation(self, why: str) -> None:
        if self.pruning_allowed:
            self.prunes += 1
        else:
            self.fallbacks.append(why)

    def find_undeclared(self) -> list[str]:
        """What the test did not say would happen, a line each."""
        problems = []
        if len(self.refusals) != self.expected_refusals:
            problems.append(
                f"{len(self.refusals)} requests were refused, {self.expected_refusals} were declared: {self.refusals}"
            )
        if len(self.fallbacks) != self.expected_fallbacks:
            problems.append(
                f"{len(self.fallbacks)} fallbacks, {self.expected_fallbacks} were declared: {self.fallbacks}"
            )
        if self.unscripted:
            problems.append(f"{self.unscripted} requests came after the last line of the script")
        return problems

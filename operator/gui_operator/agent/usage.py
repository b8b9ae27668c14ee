"""The tokens of replies, added up as they are billed. Knows no prices."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Self

from anthropic.types.beta import BetaUsage


@dataclass(frozen=True, slots=True)
class Usage:
    """`input_tokens` are those that were neither read from the cache nor written to it."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_5m_tokens: int = 0
    cache_write_1h_tokens: int = 0

    @classmethod
    def of(cls, usage: BetaUsage) -> Self:
        """Of one reply. Writes that are not said to be for an hour are for five minutes."""
        written = usage.cache_creation_input_tokens or 0
        for_an_hour = usage.cache_creation.ephemeral_1h_input_tokens if usage.cache_creation else 0
        return cls(
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            cache_read_tokens=usage.cache_read_input_tokens or 0,
            cache_write_5m_tokens=max(0, written - for_an_hour),
            cache_write_1h_tokens=for_an_hour,
        )

    @property
    def prompt_tokens(self) -> int:
        """All that the model read, wherever it came from."""
        return self.input_tokens + self.cache_read_tokens + self.cache_write_5m_tokens + self.cache_write_1h_tokens

    @property
    def total_tokens(self) -> int:
        return self.prompt_tokens + self.output_tokens

    def __add__(self, other: Usage) -> Usage:
        sums = (getattr(self, field.name) + getattr(other, field.name) for field in fields(self))
        return Usage(*sums)

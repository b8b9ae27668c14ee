"""What a measurement is, and how times are taken."""

from __future__ import annotations

import inspect
import statistics
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

Work = Callable[[], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table. `floor` is the plain way to do the same work, in the same unit, or None where there is none;
    `limit` is what `product` must not exceed, or None where nothing was promised."""

    work: str
    product: float
    unit: str = "ms"
    floor: float | None = None
    limit: float | None = None
    goal: str = ""

    @property
    def met(self) -> bool | None:
        return None if self.limit is None else self.product <= self.limit


async def median_ms(
    work: Callable[[], Any],
    runs: int,
    before_each: Callable[[], Any] | None = None,
) -> float:
    """The median time of `work`, an ordinary or an async function, after one run that does not count. `before_each`
    is not timed."""
    times = []
    for _ in range(runs + 1):
        if before_each is not None:
            await _finish(before_each())
        start = time.perf_counter()
        await _finish(work())
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times[1:])


async def interleaved_ms(
    works: Sequence[Work],
    runs: int,
    before_each: Sequence[Work] = (),
) -> list[float]:
    """The median time of each work, taken in turns, so that what else the machine does falls on all of them. The first
    round does not count; what is to be done before each, in the same order, is not timed."""
    times: list[list[float]] = [[] for _ in works]
    for _ in range(runs + 1):
        for at, work in enumerate(works):
            if before_each:
                await before_each[at]()
            start = time.perf_counter()
            await work()
            times[at].append((time.perf_counter() - start) * 1000)
    return [statistics.median(taken[1:]) for taken in times]


async def _finish(result: Any | Awaitable[Any]) -> None:
    if inspect.isawaitable(result):
        await result

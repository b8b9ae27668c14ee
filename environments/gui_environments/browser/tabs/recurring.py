"""Which of a page's requests come again and again by themselves: polls, at their pace, and long polls, one after the
other. An action need not wait for those. Evidence only, of requests alike that no action was being waited for: what a
click asks for is never taken for a poll unless the page was asking for the very same at that pace before.
"""

from __future__ import annotations

import re
from collections import OrderedDict, deque
from dataclasses import dataclass, field

BEGINNINGS = 4
"""So many requests alike make a pace."""

KEPT = 8
"""Beginnings kept of each kind. What the browser tells may arrive late, and several at once."""

LEAST_PACE_S = 0.02
"""What comes faster is a burst: a page that loads, and asks for one thing several times."""

SLOW_PACE_S = 1.0
EARLY = 0.5
"""Of a slow pace: what comes sooner after the last one was asked for by somebody else. Of a quick one nobody can tell,
and the next of it is there soon."""

LATE = 4.0
LATE_S = 0.1
MOST_LATE_S = 3.0
"""Times the pace, and seconds on top for each one seen, up to a limit: after that the page has stopped polling."""

LONG_S = 1.0
"""A request that took this long may have waited for news."""

AT_ONCE_S = 0.25
"""So soon after its end the next long poll begins."""

KINDS = 200
"""Kinds of request remembered a document, the latest."""

URL_CHARACTERS, BODY_BYTES = 2_000, 4_000
"""What comes after is not looked at: a page may write as much as it likes."""

_TIMES = re.compile(r"\d{6,}")
_TOKEN = re.compile(r"(?=.*\d)(?=.*[a-z]).{8,}|.*[A-Z].*")
"""Times and counts of that many digits, and what looks made up, change from poll to poll. Small numbers (pages, items)
tell one request from another."""


@dataclass(slots=True)
class _Kind:
    """Requests alike. Times are of a clock that only goes forward."""

    begun: deque[float] = field(default_factory=lambda: deque(maxlen=KEPT))
    """Those of the page's own, one after the other."""
    count: int = 0
    """How many there were."""
    long_poll_end: float = float("-inf")

    @property
    def pace_s(self) -> float:
        return (self.begun[-1] - self.begun[0]) / (len(self.begun) - 1)

    def comes_now(self, now: float) -> bool:
        """Whether one of the page's own is due."""
        if now - self.long_poll_end <= AT_ONCE_S:
            return True
        if len(self.begun) < BEGINNINGS or self.pace_s < LEAST_PACE_S:
            return False
        too_early = self.pace_s >= SLOW_PACE_S and now - self.begun[-1] < EARLY * self.pace_s
        return not too_early and not self._too_late(now)

    def begin(self, now: float) -> None:
        """One of the page's own."""
        if len(self.begun) >= BEGINNINGS and self._too_late(now):
            self.begun.clear()
            self.count = 0
        self.begun.append(now)
        self.count += 1

    def _too_late(self, now: float) -> bool:
        return now - self.begun[-1] > LATE * self.pace_s + min(MOST_LATE_S, LATE_S * self.count)


class Recurrence:
    """What one document has asked for."""

    def __init__(self) -> None:
        self._kinds: OrderedDict[str, _Kind] = OrderedDict()

    def begin(self, alike: str, now: float, *, acting: bool) -> bool:
        """Whether the request that begins comes by itself again. `acting`: an action is being waited for."""
        kind = self._kinds.setdefault(alike, _Kind())
        self._kinds.move_to_end(alike)
        if len(self._kinds) > KINDS:
            self._kinds.popitem(last=False)
        recurs = kind.comes_now(now)
        if recurs or not acting:
            kind.begin(now)
        return recurs

    def answer(self, alike: str, begun: float, now: float) -> None:
        """One of the page's own was answered."""
        kind = self._kinds.get(alike)
        if kind is not None and now - begun >= LONG_S:
            kind.long_poll_end = now


def likeness(method: str, url: str, body: bytes | None) -> str:
    """The same for requests alike: what changes from poll to poll (times, tokens) left out, words and numbers kept."""
    place, _, query = url[:URL_CHARACTERS].partition("#")[0].partition("?")
    query = "&".join(_steady(pair) for pair in query.split("&"))
    steady_body = _TIMES.sub("0", (body or b"")[:BODY_BYTES].decode("latin-1"))
    return f"{method} {place}?{query} {steady_body}"


def _steady(pair: str) -> str:
    name, equals, value = pair.partition("=")
    return f"{name}{equals}{'*' if _TOKEN.fullmatch(value) else _TIMES.sub('0', value)}"

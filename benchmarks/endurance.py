"""A long session: the tour of fifty pages again and again in one worker, and by how much memory and the time of a turn
grow from the second round on. Every round asks for the same."""

from __future__ import annotations

import asyncio
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from benchmarks.measuring import Row
from benchmarks.memory import descendants_written_mib
from benchmarks.processor import descendants_processor_s
from benchmarks.tour.pages import PAGES, documents
from benchmarks.tour.site import HOSTS, TourSite
from benchmarks.tour.turns import OPTIONAL_MEMBERS, Ask, Call, Result, Tour

GROWTH_LIMIT = 1.05
"""Of what the second round took. The first fills caches."""

ROUNDS = 5
"""More than five hundred turns."""


@dataclass(slots=True)
class _Round:
    turns_ms: list[float] = field(default_factory=list)
    written_mib: list[float] = field(default_factory=list)
    processor_s: float = 0.0


async def measure_endurance(rounds: int) -> Sequence[Row]:
    # A session is talked to and measured turn by turn, with nothing else to do meanwhile.
    done = await asyncio.to_thread(_go_around, max(2, rounds))
    second, last = done[1], done[-1]
    turn_ms, turn_floor_ms = statistics.median(last.turns_ms), statistics.median(second.turns_ms)
    memory_mib, memory_floor_mib = statistics.median(last.written_mib), statistics.median(second.written_mib)
    goal = f"{GROWTH_LIMIT:g} x the second round"
    return [
        Row(f"turns in one session over {len(PAGES)} pages", sum(len(one.turns_ms) for one in done), "turns"),
        Row("a turn in the last round", turn_ms, floor=turn_floor_ms, limit=GROWTH_LIMIT * turn_floor_ms, goal=goal),
        Row("processor time of the last round", last.processor_s, "s", floor=second.processor_s),
        Row(
            "memory written by all processes, in the last round",
            memory_mib,
            "MiB",
            floor=memory_floor_mib,
            limit=GROWTH_LIMIT * memory_floor_mib,
            goal=goal,
        ),
    ]


def _go_around(rounds: int) -> list[_Round]:
    site = TourSite(documents())
    done: list[_Round] = []
    try:
        with _exec_session() as ask:

            def timed(calls: list[Call]) -> list[Result]:
                start = time.perf_counter()
                results = ask(calls)
                done[-1].turns_ms.append((time.perf_counter() - start) * 1000)
                return results

            tour = Tour(site, timed)
            done.append(_Round())
            tour.begin()
            for _ in range(rounds):
                before_s = descendants_processor_s()
                tour.round(lambda: done[-1].written_mib.append(descendants_written_mib()))
                done[-1].processor_s = descendants_processor_s() - before_s
                sys.stderr.write(f"round {len(done)} of {rounds}: {_in_words(done[-1])}\n")
                done.append(_Round())
    finally:
        site.close()
    return done[:-1]


def _in_words(one: _Round) -> str:
    turn_ms, written_mib = statistics.median(one.turns_ms), statistics.median(one.written_mib)
    return f"{turn_ms:.0f} ms a turn, {written_mib:.1f} MiB, {one.processor_s:.1f} s of processor time"


@contextmanager
def _exec_session() -> Iterator[Ask]:
    """A running worker, asked turn by turn; ended on leaving."""
    enabled = [word for member in OPTIONAL_MEMBERS for word in ("--enable", member)]
    allowed = [word for host in HOSTS.values() for word in ("--allow", host)]
    with subprocess.Popen(
        [sys.executable, "-m", "gui_operator", "exec", "-", "--environment", "browser", *allowed, *enabled],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        stdin, stdout = process.stdin, process.stdout
        stdout.readline()  # what the session has

        def ask(calls: list[Call]) -> list[Result]:
            stdin.write(json.dumps({"calls": calls}).encode() + b"\n")
            stdin.flush()
            answer: dict[str, list[Result]] = json.loads(stdout.readline())
            return answer["results"]

        yield ask

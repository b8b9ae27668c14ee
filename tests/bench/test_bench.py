"""The measurements run and report. What they measure is judged by people, not here: a test must not depend on time."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from benchmarks.measuring import Row, interleaved_ms, median_ms
from benchmarks.memory import descendants_pss_mib
from benchmarks.reporting import as_json, as_table, verdict

ROOT = Path(__file__).resolve().parents[2]

ROWS = [
    Row("within its limit", 5, floor=10, limit=6, goal="0.6 x floor"),
    Row("beyond it", 7, floor=10, limit=6, goal="0.6 x floor"),
    Row("without one", 64, "MiB"),
]


def test_a_row_says_whether_its_limit_was_kept() -> None:
    assert [row.met for row in ROWS] == [True, False, None]


def test_the_table_has_a_line_a_row_and_names_what_was_missed() -> None:
    lines = as_table(ROWS).splitlines()
    assert len({len(line) for line in lines}) == 1
    assert ["MISSED" in line for line in lines] == [False, False, False, True, False]
    assert "64.0 MiB" in lines[-1]


def test_the_verdict_names_what_was_missed() -> None:
    assert verdict(ROWS) == "MISSED, 1 of 2:\n- beyond it"
    assert verdict(ROWS[:1]) == "All 1 targets are met."


def test_the_json_holds_every_row_with_its_floor() -> None:
    content = json.loads(as_json("some", ROWS))
    assert content["bench"] == "some"
    assert [(row["work"], row["floor"], row["met"]) for row in content["rows"]] == [
        ("within its limit", 10, True),
        ("beyond it", 10, False),
        ("without one", None, None),
    ]


async def test_the_first_run_does_not_count_and_what_comes_before_each_is_done_before_each() -> None:
    done: list[str] = []

    async def work() -> None:
        done.append("work")

    await median_ms(work, 2, before_each=lambda: done.append("before"))
    assert done == ["before", "work"] * 3


async def test_works_are_taken_in_turns_each_after_what_is_to_be_done_before_it() -> None:
    done: list[str] = []

    async def note(what: str) -> None:
        done.append(what)

    works = [partial(note, "floor"), partial(note, "product")]
    times = await interleaved_ms(works, 1, [partial(note, "before floor"), partial(note, "before product")])
    assert done == ["before floor", "floor", "before product", "product"] * 2
    assert len(times) == 2


def test_memory_is_that_of_descendants_or_of_those_with_a_word_in_their_command() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()", "a-word-of-this-test"], stdin=subprocess.PIPE) as child:
        try:
            assert 0 < descendants_pss_mib("a-word-of-this-test") <= descendants_pss_mib()
            assert descendants_pss_mib("in no command line of a descendant") == 0
        finally:
            child.communicate(b"\n")


@pytest.mark.timeout(600)
@pytest.mark.long
@pytest.mark.parametrize(("bench", "limits"), [("desktop", 5), ("browser", 9), ("egress", 4), ("agent", 2)])
def test_a_bench_measures_every_piece_of_work_it_names(bench: str, limits: int, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks", bench, "--runs", "1", "--json", str(report)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    rows = json.loads(report.read_text())["rows"]
    assert len([row for row in rows if row["limit"] is not None]) == limits
    assert all(row["work"] in done.stdout for row in rows)
    # What is taken away from something, settling or memory, may come out as nothing.
    assert all(row["product"] > 0 for row in rows if not row["work"].startswith("settling") and row["unit"] != "MiB")

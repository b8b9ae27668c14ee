"""The bench of the egress proxy runs and reports; see `test_bench`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.timeout(300)
@pytest.mark.long
def test_the_egress_bench_measures_every_piece_of_work_it_names(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks", "egress", "--runs", "1", "--json", str(report)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    rows = json.loads(report.read_text())["rows"]
    assert len([row for row in rows if row["limit"] is not None]) == 4
    assert all(row["work"] in done.stdout for row in rows)
    assert all(row["product"] > 0 for row in rows if row["unit"] != "MiB")

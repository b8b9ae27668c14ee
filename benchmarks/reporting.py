"""Rows as a table for people and as JSON for machines."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.measuring import Row

MET = {True: "met", False: "MISSED", None: ""}


def machine() -> dict[str, Any]:
    """The kind of machine: enough to compare, nothing that names it."""
    model = next(
        (
            line.split(":", 1)[1].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if line.startswith("model name")
        ),
        platform.machine(),
    )
    return {
        "processor": model,
        "cores": os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
    }


def as_table(rows: Sequence[Row]) -> str:
    lines: list[tuple[str, ...]] = [("work", "floor", "product", "to reach", "")]
    for row in rows:
        floor = "" if row.floor is None else f"{_number(row.floor)} {row.unit}"
        lines.append((row.work, floor, f"{_number(row.product)} {row.unit}", row.goal, MET[row.met]))
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    lines.insert(1, tuple("-" * width for width in widths))
    return "\n".join(
        f"| {' | '.join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))} |" for line in lines
    )


def verdict(rows: Sequence[Row]) -> str:
    """Whether the targets were met, and by name which were not."""
    missed = [row.work for row in rows if row.met is False]
    promised = sum(row.met is not None for row in rows)
    if not missed:
        return f"All {promised} targets are met."
    return "\n".join([f"MISSED, {len(missed)} of {promised}:", *(f"- {work}" for work in missed)])


def as_json(name: str, rows: Sequence[Row]) -> str:
    content = {
        "bench": name,
        "date": datetime.now(UTC).date().isoformat(),
        "machine": machine(),
        "rows": [{**asdict(row), "met": row.met} for row in rows],
    }
    return json.dumps(content, indent=2) + "\n"


def _number(value: float) -> str:
    return f"{value:.2f}" if value < 1 else f"{value:.1f}" if value < 100 else f"{value:.0f}"

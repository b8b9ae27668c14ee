"""`python -m benchmarks NAME`: measure, print the table, and write JSON where asked."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path

from benchmarks.agent import measure_agent
from benchmarks.browser import measure_browser
from benchmarks.desktop import measure_desktop
from benchmarks.egress import measure_egress
from benchmarks.endurance import ROUNDS, measure_endurance
from benchmarks.measuring import Row
from benchmarks.reporting import as_json, as_table, machine, verdict

BENCHES: Mapping[str, Callable[[int], Awaitable[Sequence[Row]]]] = {
    "agent": measure_agent,
    "browser": measure_browser,
    "desktop": measure_desktop,
    "egress": measure_egress,
    "endurance": measure_endurance,
}

RUNS = 25
USUAL_RUNS = {"endurance": ROUNDS}


async def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__)
    parser.add_argument("name", choices=sorted(BENCHES))
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the rows there as well")
    parser.add_argument("--runs", type=int, metavar="N", help=f"runs a row, of which the median counts ({RUNS})")
    options = parser.parse_args()
    rows = await BENCHES[options.name](options.runs or USUAL_RUNS.get(options.name, RUNS))
    about = machine()
    print(f"{about['processor']}, {about['cores']} cores, Python {about['python']}\n")
    print(as_table(rows))
    print(f"\n{verdict(rows)}")
    if options.json is not None:
        options.json.write_text(as_json(options.name, rows))


asyncio.run(main())

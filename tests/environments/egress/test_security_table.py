"""SECURITY.md speaks of every route that is tested, and of no other."""

from __future__ import annotations

import re
from pathlib import Path

from environments.egress import test_browser_routes
from environments.egress.test_browser_routes import ROUTES, SECURE_ROUTES

TESTS = Path(__file__).parent
SECURITY = (TESTS.parents[2] / "SECURITY.md").read_text(encoding="utf-8")


def test_its_table_has_every_route_that_is_tried_and_no_other() -> None:
    table = SECURITY.partition("| route |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| (.*?) \|", table, re.MULTILINE)
    named = [name for row in rows[1:] for name in row.split(", ")]
    assert sorted(named) == sorted([*ROUTES, *SECURE_ROUTES])


def test_the_tests_that_it_names_are_there() -> None:
    table = SECURITY.partition("| otherwise |")[2].partition("\n\n")[0]
    tests = [*vars(test_browser_routes), *(path.stem for path in TESTS.glob("test_*.py"))]
    named = re.findall(r"`(test_\w+)", table)
    assert named
    for name in named:
        assert any(test.startswith(name) for test in tests), name

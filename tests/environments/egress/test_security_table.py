"""SECURITY.md speaks of every route that is tested, and of no other."""

from __future__ import annotations

import re
from pathlib import Path

from environments.egress.test_browser_routes import ROUTES, SECURE_ROUTES

TESTS = Path(__file__).parent
SECURITY = (TESTS.parents[2] / "SECURITY.md").read_text(encoding="utf-8")


def test_its_table_has_every_route_that_is_tried_and_no_other() -> None:
    table = SECURITY.partition("| route |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| (.*?) \|", table, re.MULTILINE)
    named = [name for row in rows[1:] for name in row.split(", ")]
    assert sorted(named) == sorted([*ROUTES, *SECURE_ROUTES])


def test_the_tests_that_it_names_are_there() -> None:
    files = list(TESTS.parents[1].rglob("test_*.py"))
    tests = {path.stem for path in files}
    tests |= {name for path in files for name in re.findall(r"def (test_\w+)", path.read_text(encoding="utf-8"))}
    named = re.findall(r"`(test_\w+)(\.\.\.)?[`(]", SECURITY)
    assert named
    for name, is_cut in named:
        assert any(test.startswith(name) for test in tests) if is_cut else name in tests, name
    for path in re.findall(r"`(tests/[\w/.]+)`", SECURITY):
        assert (TESTS.parents[2] / path).exists(), path

"""`gui-operator policy`: the verdict and the rule for each address."""

from __future__ import annotations

import json
import subprocess

import pytest

from .sessions import COMMAND


def policy(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, "policy", *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL)


def test_each_address_gets_its_verdict_its_rule_and_the_reason_in_words():
    done = policy("--allow", "*.example.com", "https://a.example.com/x?secret", "evil.test", "data:,x")
    assert done.stdout.splitlines() == [
        "allowed  https://a.example.com/x?secret  [*.example.com]  a.example.com is listed as *.example.com.",
        "refused  evil.test  [not listed]  evil.test is not listed. Listed are: *.example.com.",
        "refused  data:,x  [no web address]  Only http and https addresses are opened, not data: ones.",
    ]
    assert done.returncode == 1


def test_when_all_are_allowed_it_ends_well():
    assert policy("--allow", "127.0.0.1:8000", "http://127.0.0.1:8000/").returncode == 0


def test_without_a_list_nothing_is_allowed():
    done = policy("https://example.com/")
    assert "[nothing is listed]" in done.stdout
    assert done.returncode == 1


@pytest.mark.parametrize(
    ("arguments", "rule"),
    [
        (["--allow-any-host", "https://example.com/"], "any host"),
        (["--allow-any-host", "http://169.254.169.254/"], "not public"),
        (["--allow-any-host", "http://0x7f.1/"], "not public"),
        (["--allow", "a.test", "--allow-resources", "cdn.test", "https://cdn.test/"], "not listed"),
        (["--allow", "a.test", "--allow-resources", "cdn.test", "--as", "resource", "https://cdn.test/"], "cdn.test"),
        (["--subresources", "public", "--as", "resource", "https://cdn.test/"], "public resources"),
        (["--subresources", "public", "https://cdn.test/"], "nothing is listed"),
        (["--allow", "localhost", "--resolve", "http://localhost/"], "localhost"),
        (["--allow", "nobody.invalid", "--resolve", "http://nobody.invalid/"], "unknown name"),
    ],
)
def test_every_option_takes_part_in_the_verdict(arguments: list[str], rule: str):
    done = policy("--json", *arguments)
    verdict = json.loads(done.stdout)
    assert verdict["rule"] == rule, done.stdout
    assert verdict["url"] == arguments[-1]
    assert verdict["allowed"] is (done.returncode == 0)


def test_pages_and_what_they_are_made_of_are_told_apart_where_they_differ():
    options = ["--allow", "a.test", "--allow-resources", "cdn.test"]
    done = policy(*options, "https://a.test/", "https://cdn.test/x.js")
    page, part, as_part = done.stdout.splitlines()
    assert page.startswith("allowed  https://a.test/  [a.test]")
    assert part.startswith("refused  https://cdn.test/x.js  [not listed]")
    assert as_part.startswith("  as a part of a page: allowed  [cdn.test]")
    assert done.returncode == 1
    (verdict,) = map(json.loads, policy(*options, "--json", "https://cdn.test/x.js").stdout.splitlines())
    assert (verdict["allowed"], verdict["as_part"]["allowed"], verdict["as_part"]["rule"]) == (False, True, "cdn.test")
    assert policy(*options, "--as", "resource", "https://cdn.test/x.js").returncode == 0


def test_a_bad_entry_is_an_error_that_says_what_is_wrong_with_it():
    done = policy("--allow", "https://example.com/x", "https://example.com/")
    assert done.returncode == 2
    assert "'https://example.com/x' cannot be listed: a path cannot be listed, only hosts." in done.stderr
    assert done.stdout == ""


def test_what_has_no_place_on_a_terminal_is_written_out():
    done = policy("--allow", "a.test", "https://a.test/\x1b[2J")
    assert "\x1b" not in done.stdout
    assert "\\x1b[2J" in done.stdout

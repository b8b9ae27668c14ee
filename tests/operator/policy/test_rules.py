from __future__ import annotations

from typing import get_args

import pytest
from anthropic.types.beta import BetaBrowserMemberName, BetaComputerMemberName

from gui_operator.policy import CallRequest, Effect, RuleError, Rules
from gui_operator.policy.effects import MEMBER_EFFECTS, member_effect

CLICK = CallRequest("computer", "left_click", "pointer", {})
TYPE = CallRequest("computer", "type", "keyboard", {})
BROWSER_TYPE = CallRequest("browser", "type", "keyboard", {})
BASH = CallRequest(None, "bash", "shell", {})


def verdict(request: CallRequest, *options: str, otherwise: str = "allow") -> str:
    return Rules.parse(options, otherwise=otherwise).nearest(request).verdict  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "request_", "expected"),
    [
        ((), CLICK, "allow"),
        (("none",), CLICK, "deny"),
        (("ask",), CLICK, "ask"),
        (("none", "pointer=allow"), CLICK, "allow"),
        (("none", "pointer=allow"), TYPE, "deny"),
        (("pointer=deny", "left_click=allow"), CLICK, "allow"),
        (("left_click=allow", "computer.left_click=deny"), CLICK, "deny"),
        (("computer=deny", "keyboard=allow"), TYPE, "allow"),
        (("computer=deny",), BROWSER_TYPE, "allow"),
        (("computer.type=deny",), BROWSER_TYPE, "allow"),
        (("all", "bash=ask"), BASH, "ask"),
        (("shell=deny",), BASH, "deny"),
    ],
)
def test_the_nearest_rule_counts(options: tuple[str, ...], request_: CallRequest, expected: str) -> None:
    assert verdict(request_, *options) == expected


@pytest.mark.parametrize(
    "options", [("bash=deny", "bash=allow"), ("bash=allow", "bash=deny"), ("bash=ask", "bash=deny")]
)
def test_deny_wins_among_equally_near_rules_in_any_order(options: tuple[str, ...]) -> None:
    assert verdict(BASH, *options) == "deny"


def test_asking_wins_over_allowing_among_equally_near_rules() -> None:
    assert verdict(BASH, "bash=allow", "bash=ask") == "ask"
    assert verdict(CLICK, "all", "ask") == "ask"


def test_the_rule_that_decided_can_be_named() -> None:
    rules = Rules.parse(["all", "shell=deny"], otherwise="ask")
    assert str(rules.nearest(BASH)) == "shell=deny"
    assert str(rules.nearest(CLICK)) == "*=allow"
    assert str(Rules.parse([], otherwise="ask").nearest(BASH)) == "otherwise=ask"


NAVIGATE = CallRequest("browser", "navigate", "navigation", {})
NEW_TAB = CallRequest("browser", "new_tab", "navigation", {})
SCRIPT = CallRequest("browser", "javascript_exec", "script", {})
UPLOAD = CallRequest("browser", "file_upload", "file", {})
LOOK = CallRequest("computer", "screenshot", "read", {})
MINE = CallRequest(None, "order_status", "read", {})


@pytest.mark.parametrize("hosts_listed", [True, False])
def test_the_preset_lets_look_point_and_type_and_asks_about_scripts_files_and_commands(hosts_listed: bool) -> None:
    rules = Rules.parse(["preset"], otherwise="allow", hosts_listed=hosts_listed)
    assert {rules.nearest(request).verdict for request in (LOOK, CLICK, TYPE, NEW_TAB, MINE)} == {"allow"}
    assert {rules.nearest(request).verdict for request in (SCRIPT, UPLOAD, BASH)} == {"ask"}
    assert rules.nearest(NAVIGATE).verdict == ("allow" if hosts_listed else "ask")


@pytest.mark.parametrize(
    ("options", "request_", "expected"),
    [
        (("preset", "bash=allow"), BASH, "allow"),
        (("shell=allow", "preset"), BASH, "allow"),
        (("preset", "browser=deny"), NAVIGATE, "deny"),
        (("preset", "none"), LOOK, "deny"),
        (("preset", "pointer=ask"), CLICK, "ask"),
    ],
)
def test_what_is_said_counts_before_the_preset(options: tuple[str, ...], request_: CallRequest, expected: str) -> None:
    assert verdict(request_, *options) == expected


def test_rules_say_themselves_in_the_words_of_the_option() -> None:
    said = str(Rules.parse(["bash=deny", "preset"], otherwise="allow"))
    assert said.startswith("bash=deny, read=allow, ")
    assert said.endswith("shell=ask, otherwise=ask")


@pytest.mark.parametrize(
    ("option", "hint"),
    [
        ("left_clik=deny", "Did you mean left_click"),
        ("bash=maybe", "NAME=allow, NAME=deny, NAME=ask"),
        ("bash", "Write all, none, ask"),
        ("", "not a rule"),
        ("=deny", "no tool, member or kind of effect is called ''"),
        ("all=deny", "no tool, member or kind of effect is called 'all'"),
        ("computer.bash=deny", "no tool, member"),
        ("bash=allow=deny", "not a rule"),
        ("BASH=deny", "no tool, member"),
    ],
)
def test_a_rule_that_could_never_fit_is_an_error_that_says_what_is_allowed(option: str, hint: str) -> None:
    with pytest.raises(RuleError, match=hint):
        Rules.parse([option], otherwise="allow")


def test_tools_of_ones_own_can_be_named_once_they_are_declared() -> None:
    mine = CallRequest(None, "order_status", "read", {})
    rules = Rules.parse(["read=allow", "order_status=deny"], otherwise="allow", tools=["order_status"])
    assert rules.nearest(mine).verdict == "deny"


@pytest.mark.parametrize(
    ("toolset", "names"), [("computer", BetaComputerMemberName), ("browser", BetaBrowserMemberName)]
)
def test_every_member_the_sdk_knows_has_an_effect(toolset: str, names: object) -> None:
    table = MEMBER_EFFECTS[toolset]
    assert set(table) == set(get_args(names))
    assert set(table.values()) <= set(get_args(Effect))


def test_a_member_nobody_has_judged_counts_as_the_widest_effect() -> None:
    assert member_effect("browser", "summon") == "script"

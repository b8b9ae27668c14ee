"""The rules of `--approve`: their grammar, and which one counts for a call. Asks nobody and runs nothing."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

from gui_operator.policy.effects import MEMBER_EFFECTS, TOOL_EFFECTS
from gui_operator.policy.requests import CallRequest, Effect

Verdict = Literal["allow", "deny", "ask"]

# Among rules equally near, the most careful counts.
_MOST_CAREFUL_FIRST: tuple[Verdict, ...] = ("deny", "ask", "allow")

_WHOLE = {"all": "allow", "none": "deny", "ask": "ask"}

PRESET = "preset"
"""The word for rules that suit calls of a model: what looks, points and types may run, as may going to listed hosts;
somebody is asked about what runs scripts, files and commands."""


class RuleError(ValueError):
    """A rule that cannot be read. The message says what is allowed."""


@dataclass(frozen=True, slots=True)
class Rule:
    """`name` is `*`, an effect, a toolset, a tool or member, or `toolset.member`. `because` is why there is this rule,
    for whoever is refused by it; empty where nobody need know."""

    name: str
    verdict: Verdict
    because: str = ""

    def __str__(self) -> str:
        return f"{self.name}={self.verdict}"


@dataclass(frozen=True, slots=True)
class Rules:
    """Rules, and what counts where none fits.

    The nearest rule counts: `computer.type` before `type`, before the effect `keyboard`, before the toolset `computer`,
    before `*`. Among equally near ones deny wins, then ask. `beneath` are those of a preset, which count where none of
    `rules` fits.
    """

    rules: tuple[Rule, ...]
    otherwise: Verdict
    beneath: tuple[Rule, ...] = ()

    @classmethod
    def parse(
        cls, options: Iterable[str], *, otherwise: Verdict, tools: Iterable[str] = (), hosts_listed: bool = False
    ) -> Rules:
        """Rules from words as `--approve` takes them: `all`, `none`, `ask`, `preset`, or `NAME=allow|deny|ask`. `tools`
        are names of tools of your own; `hosts_listed`, whether only listed hosts can be gone to. Raises `RuleError` for
        anything else, unknown names included: a rule that never fits would be a promise that nobody keeps."""
        known = _known_names(tools)
        said = list(options)
        rules = tuple(_parse_rule(option, known) for option in said if option != PRESET)
        if PRESET not in said:
            return cls(rules, otherwise)
        return cls(rules, "ask", preset_rules(hosts_listed=hosts_listed))

    def nearest(self, request: CallRequest) -> Rule:
        for layer in (self.rules, self.beneath):
            for name in (request.title, request.name, request.effect, request.toolset, "*"):
                fitting = {rule.verdict: rule for rule in layer if rule.name == name}
                for verdict in _MOST_CAREFUL_FIRST:
                    if verdict in fitting:
                        return fitting[verdict]
        return Rule("otherwise", self.otherwise)

    def __str__(self) -> str:
        """All of them, the ones that count first first, as `--approve` takes them."""
        return ", ".join(map(str, (*self.rules, *self.beneath, Rule("otherwise", self.otherwise))))


def preset_rules(*, hosts_listed: bool) -> tuple[Rule, ...]:
    """The preset. Tabs can be opened and closed in any case: that goes nowhere."""
    allowed = ("read", "pointer", "keyboard", "new_tab", "switch_tab", "close_tab")
    asked = ("script", "file", "shell")
    navigation = Rule("navigation", "allow" if hosts_listed else "ask")
    return (*(Rule(name, "allow") for name in allowed), navigation, *(Rule(name, "ask") for name in asked))


def _known_names(tools: Iterable[str]) -> frozenset[str]:
    qualified = {f"{toolset}.{member}" for toolset, members in MEMBER_EFFECTS.items() for member in members}
    members = {member for table in MEMBER_EFFECTS.values() for member in table}
    return frozenset({"*", *get_args(Effect), *MEMBER_EFFECTS, *TOOL_EFFECTS, *members, *qualified, *tools})


def _parse_rule(option: str, known: frozenset[str]) -> Rule:
    name, equals, verdict = option.partition("=")
    if not equals and option in _WHOLE:
        name, verdict = "*", _WHOLE[option]
    elif not equals or verdict not in get_args(Verdict):
        raise RuleError(f"not a rule: {option!r}. Write all, none, ask, preset, or NAME=allow, NAME=deny, NAME=ask.")
    if name not in known:
        near = difflib.get_close_matches(name, sorted(known), n=3)
        hint = f" Did you mean {' or '.join(near)}?" if near else ""
        raise RuleError(
            f"no tool, member or kind of effect is called {name!r}.{hint} "
            f"Kinds of effect are {', '.join(get_args(Effect))}."
        )
    return Rule(name, verdict)  # type: ignore[arg-type] # checked above

"""What `exec` can be told about approvals, read once into a frozen value. Opens nothing."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import get_args

from gui_environments.browser.watching.dialog_rules import ANSWER_S as DIALOG_ANSWER_S
from gui_environments.egress.rules import HostRules
from gui_operator.policy import Effect, RuleError, Rules
from gui_operator.policy.gate import ANSWER_S

_LONGEST_ANSWER_S = 86_400.0


@dataclass(frozen=True, slots=True)
class ApprovalOptions:
    """`preset`: the rules beneath were asked for, and are said at start."""

    rules: Rules
    answer_s: float

    @property
    def preset(self) -> bool:
        return bool(self.rules.beneath)


def describe_approvals(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--approve",
        action="append",
        default=[],
        metavar="RULE",
        help="all, none, ask, preset, or NAME=allow|deny|ask for a tool, a member, a toolset or a kind of effect "
        f"({', '.join(get_args(Effect))}); may be repeated: the nearest counts, a member before its kind of effect, "
        "that before its toolset, that before all, none or ask, and deny before ask before allow; ask shows the call "
        "and what it would hit on /dev/tty, and denies where there is none; preset counts where nothing else does: "
        "read, pointer, keyboard and, without --allow-any-host, navigation run, all else asks (default: all, since a "
        "person wrote the calls)",
    )
    parser.add_argument(
        "--ask-within",
        dest="answer_s",
        type=_read_answer_s,
        metavar="SECONDS",
        help="how long an answer may take; none by then is no "
        f"(default: {ANSWER_S:.0f}, and {DIALOG_ANSWER_S:.0f} about a dialog, which holds its page up)",
    )


def read_approvals(arguments: argparse.Namespace, hosts: HostRules, parser: argparse.ArgumentParser) -> ApprovalOptions:
    """With any host allowed, a navigation is to no listed one: the preset has somebody asked about it."""
    try:
        rules = Rules.parse(arguments.approve, otherwise="allow", hosts_listed=not hosts.any_host)
    except RuleError as error:
        parser.error(f"--approve: {error}")
    return ApprovalOptions(rules, ANSWER_S if arguments.answer_s is None else arguments.answer_s)


def _read_answer_s(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 < seconds <= _LONGEST_ANSWER_S:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds up to {_LONGEST_ANSWER_S:.0f}")
    return seconds

"""`gui-operator policy URL...`: what the rules for hosts say of each address, and which rule says it. Opens nothing,
and looks no name up unless asked to."""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Mapping

from gui_environments.egress.addresses import Address, parse_address
from gui_environments.egress.resolving import system_resolver
from gui_environments.egress.rules import HostRules, Purpose, Verdict
from gui_environments.errors import ActionRefused
from gui_operator.cli import exit_codes
from gui_operator.cli.host_options import GRAMMAR, describe_hosts, read_hosts

NO_ADDRESS = "no web address"
"""The name of the rule that refuses what is not http or https, or cannot be read."""

UNKNOWN_NAME = "unknown name"


def describe(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Say what the rules for hosts make of each address, and which rule decides: as a page, and as a part of one "
        "(a picture, a script, a request of a page's) where that is another matter."
    )
    parser.epilog = (
        f"{GRAMMAR}\n  What a name is at, only --resolve can tell.\n\n"
        "exit codes:\n  0  every address is allowed, as a page or as what --as says\n  1  one or more are refused"
    )
    parser.add_argument("urls", metavar="URL", nargs="+", help="an address, as one would type it")
    parser.add_argument(
        "--as",
        dest="purpose",
        choices=["document", "resource"],
        help="judge them as pages only, or only as what pages are made of (default: both)",
    )
    parser.add_argument("--resolve", action="store_true", help="look names up, and judge what they resolve to as well")
    parser.add_argument("--json", action="store_true", help="one line of JSON for each")
    describe_hosts(parser)


def run(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    rules = read_hosts(arguments, parser)
    purposes: tuple[Purpose, ...] = (arguments.purpose,) if arguments.purpose else ("document", "resource")
    everything_allowed = True
    for url in arguments.urls:
        verdicts = {purpose: _judge(url, rules, purpose, resolve=arguments.resolve) for purpose in purposes}
        print(_as_json(url, verdicts) if arguments.json else _as_lines(url, verdicts))
        everything_allowed &= verdicts[purposes[0]].allowed
    return exit_codes.OK if everything_allowed else exit_codes.FAILED


def _judge(url: str, rules: HostRules, purpose: Purpose, *, resolve: bool) -> Verdict:
    try:
        address = parse_address(url)
    except ActionRefused as error:
        return Verdict(False, NO_ADDRESS, str(error))
    verdict = rules.judge(address, purpose)
    if not (resolve and verdict.allowed and address.ip is None):
        return verdict
    return asyncio.run(_judge_resolved(address, rules, purpose))


async def _judge_resolved(address: Address, rules: HostRules, purpose: Purpose) -> Verdict:
    try:
        ips = await system_resolver()(address.host)
    except OSError as error:
        return Verdict(False, UNKNOWN_NAME, f"The name {address.host} is not known: {error.strerror or error}.")
    verdicts = [rules.judge_ip(address, ip, purpose) for ip in ips]
    return next((verdict for verdict in verdicts if not verdict.allowed), verdicts[0])


def _as_lines(url: str, verdicts: Mapping[Purpose, Verdict]) -> str:
    first, *others = verdicts.values()
    line = f"{_word(first)}  {_shown(url)}  [{first.rule}]  {first.reason}"
    return "\n".join(
        [
            line,
            *(
                f"  as a part of a page: {_word(other)}  [{other.rule}]  {other.reason}"
                for other in others
                if other != first
            ),
        ]
    )


def _word(verdict: Verdict) -> str:
    return "allowed" if verdict.allowed else "refused"


def _as_json(url: str, verdicts: Mapping[Purpose, Verdict]) -> str:
    first, *others = (
        {"allowed": verdict.allowed, "rule": verdict.rule, "reason": verdict.reason} for verdict in verdicts.values()
    )
    return json.dumps({"url": url, **first, **({"as_part": others[0]} if others else {})})


def _shown(url: str) -> str:
    """What has no place on a terminal is written out."""
    return "".join(character if character.isprintable() else repr(character)[1:-1] for character in url)

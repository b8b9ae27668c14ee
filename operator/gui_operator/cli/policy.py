"""`gui-operator policy URL...`: what the rules for hosts say of each address, and which rule says it. Opens nothing,
and looks no name up unless asked to."""

from __future__ import annotations

import argparse
import asyncio
import json

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
    parser.description = "Say what the rules for hosts make of each address, and which rule decides."
    parser.epilog = (
        f"{GRAMMAR}\n  What a name is at, only --resolve can tell.\n\n"
        "exit codes:\n  0  every address is allowed\n  1  one or more are refused"
    )
    parser.add_argument("urls", metavar="URL", nargs="+", help="an address, as one would type it")
    parser.add_argument(
        "--as",
        dest="purpose",
        choices=["document", "resource"],
        default="document",
        help="judge them as pages (default), or as what pages are made of",
    )
    parser.add_argument("--resolve", action="store_true", help="look names up, and judge what they resolve to as well")
    parser.add_argument("--json", action="store_true", help="one line of JSON for each")
    describe_hosts(parser)


def run(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    rules = read_hosts(arguments, parser)
    verdicts = [_judge(url, rules, arguments.purpose, resolve=arguments.resolve) for url in arguments.urls]
    for url, verdict in zip(arguments.urls, verdicts, strict=True):
        print(_as_json(url, verdict) if arguments.json else _as_line(url, verdict))
    return exit_codes.OK if all(verdict.allowed for verdict in verdicts) else exit_codes.FAILED


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


def _as_line(url: str, verdict: Verdict) -> str:
    return f"{'allowed' if verdict.allowed else 'refused'}  {_shown(url)}  [{verdict.rule}]  {verdict.reason}"


def _as_json(url: str, verdict: Verdict) -> str:
    return json.dumps({"url": url, "allowed": verdict.allowed, "rule": verdict.rule, "reason": verdict.reason})


def _shown(url: str) -> str:
    """What has no place on a terminal is written out."""
    return "".join(character if character.isprintable() else repr(character)[1:-1] for character in url)

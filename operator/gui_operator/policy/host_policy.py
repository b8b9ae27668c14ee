"""The SDK's `url_policy`, by the rules for hosts: what is not listed is refused before anybody is asked about it."""

from __future__ import annotations

from collections.abc import Callable

from anthropic.tools import ToolError
from anthropic.tools.browser import BetaURLContext

from gui_environments.egress.addresses import parse_address
from gui_environments.egress.rules import HostRules
from gui_environments.errors import ActionRefused
from gui_operator.policy.requests import Decision

RULE = "hosts={}"
"""What a decision is recorded with."""

NO_ADDRESS = "no web address"


def host_policy(
    hosts: HostRules, on_decision: Callable[[Decision], None] | None = None
) -> Callable[[BetaURLContext, str], None]:
    """Judges the address that a model wrote, as the browser would read it. Where it leads to, the browser judges.
    `on_decision` is told each refusal; a call that is not refused here is decided by whoever comes next."""

    def judge(context: BetaURLContext, url: str) -> None:
        rule = NO_ADDRESS
        try:
            address = parse_address(url)
            rule = hosts.judge(address, "document").rule
            hosts.require_document(address)
        except ActionRefused as refused:
            if on_decision is not None:
                on_decision(Decision(False, "rule", RULE.format(rule), str(refused)))
            raise ToolError(str(refused)) from refused

    return judge

"""The SDK's `url_policy`, by the rules for hosts: what is not listed is refused before anybody is asked about it."""

from __future__ import annotations

from collections.abc import Callable

from anthropic.tools import ToolError
from anthropic.tools.browser import BetaURLContext

from gui_environments.egress.addresses import parse_address
from gui_environments.egress.rules import HostRules
from gui_environments.errors import ActionRefused


def host_policy(hosts: HostRules) -> Callable[[BetaURLContext, str], None]:
    """Judges the address that a model wrote, as the browser would read it. Where it leads to, the browser judges."""

    def judge(context: BetaURLContext, url: str) -> None:
        try:
            hosts.require_document(parse_address(url))
        except ActionRefused as refused:
            raise ToolError(str(refused)) from refused

    return judge

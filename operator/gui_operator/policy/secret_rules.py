"""What changes about the rules once a secret has been filled in: a script could read it and change it into what nobody
can find, so that no script runs unless somebody agrees. Asks nobody itself."""

from __future__ import annotations

from gui_operator.policy.gate import Policy
from gui_operator.policy.requests import CallRequest
from gui_operator.policy.rules import Rule
from gui_operator.policy.secrets import Secrets

BECAUSE = "a secret has been filled in, which a script could read"


class RulesWithSecrets:
    """Rules, as long as no secret is in use; then `javascript_exec` is asked about where it would be allowed."""

    def __init__(self, policy: Policy, secrets: Secrets) -> None:
        self._policy = policy
        self._secrets = secrets

    def nearest(self, request: CallRequest) -> Rule:
        rule = self._policy.nearest(request)
        if self._secrets.in_use and request.title == "browser.javascript_exec" and rule.verdict == "allow":
            return Rule("browser.javascript_exec", "ask", because=BECAUSE)
        return rule

"""The gate every call passes before it runs: rules, then a person where a rule says so.

Fails closed: rules or an approver that raise refuse the call. Never runs a call, and never looks at a result.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Protocol

from anthropic.tools import BetaComputerConfirmContext, BetaConfirmContext, ToolError

from gui_operator.policy.approver import Answer, Approver, NobodyToAsk
from gui_operator.policy.effects import member_effect
from gui_operator.policy.requests import CallRequest, Decision
from gui_operator.policy.rules import Rule, Rules

log = logging.getLogger(__name__)


class Policy(Protocol):
    """What says which rule counts for a call; `Rules` is one."""

    def nearest(self, request: CallRequest) -> Rule: ...


class Gate:
    """`Gate(rules, approver, on_decision=recording.decided)`.

    `confirm=gate.confirm` is how the SDK's toolsets take it; function tools call `decide`.
    """

    def __init__(
        self,
        policy: Policy,
        approver: Approver | None = None,
        *,
        on_decision: Callable[[Decision], None] | None = None,
    ) -> None:
        self._policy = policy
        self._approver: Approver = approver or NobodyToAsk()
        self._on_decision = on_decision

    @classmethod
    def allowing_all(cls, *, on_decision: Callable[[Decision], None] | None = None) -> Gate:
        """A gate that lets every call pass: for calls that a person wrote, and for a sealed environment."""
        return cls(Rules((), otherwise="allow"), on_decision=on_decision)

    async def decide(self, request: CallRequest) -> Decision:
        """The decision for one call, already told to `on_decision`."""
        decision = await self._decision(request)
        if self._on_decision is not None:
            self._on_decision(decision)
        return decision

    async def confirm(self, context: BetaComputerConfirmContext | BetaConfirmContext) -> bool:
        """The SDK's `confirm` hook: True, or a `ToolError` that says who refused the call and why."""
        request = member_request(context)
        decision = await self.decide(request)
        if not decision.allowed:
            raise ToolError(refusal_text(request, decision))
        return True

    async def _decision(self, request: CallRequest) -> Decision:
        rule: Rule | None = None
        try:
            rule = self._policy.nearest(request)
            if rule.verdict == "ask":
                return _decision_of(await self._approver.ask(request), rule)
            return Decision(rule.verdict == "allow", "rule", str(rule))
        except Exception:  # whatever a policy of one's own raises: no decision means no
            log.exception("the policy failed on %s; refusing the call", request.title)
            return Decision(False, "fault", str(rule) if rule else None, "the approval could not be decided")


def _decision_of(answer: Answer, rule: Rule) -> Decision:
    # Only a real True allows: an approver of one's own may return anything.
    return Decision(answer.allowed is True, answer.by, str(rule), answer.reason)


def member_request(context: BetaComputerConfirmContext | BetaConfirmContext) -> CallRequest:
    toolset = "computer" if isinstance(context, BetaComputerConfirmContext) else "browser"
    return CallRequest(
        toolset=toolset,
        name=context.member,
        effect=member_effect(toolset, context.member),
        input=context.input.to_dict(),
        tool_use_id=context.tool_use.id if context.tool_use else None,
    )


def refusal_text(request: CallRequest, decision: Decision) -> str:
    """What the model reads for a call that was not allowed."""
    who = {
        "rule": "This session's rules do not permit it",
        "person": "The person who was asked said no",
        "nobody": "It needs a person's approval, and there is nobody to ask",
        "callable": "It was not approved",
        "fault": "It needs an approval that could not be obtained",
    }[decision.by]
    reason = f": {decision.reason}" if decision.reason and decision.by == "person" else ""
    return f"'{request.name}' was not run. {who}{reason}. Do not retry it unless the user asks you to."

"""The gate every call passes before it runs: rules, then a person where a rule says so.

A yes is bound to what was shown: it is looked at again after the answer, and goes on to the environment, which holds
the action to it when it acts. Fails closed: rules or an approver that raise, or that do not answer in time, refuse the
call. Never runs a call, and never looks at a result.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from anthropic.tools import BetaComputerConfirmContext, BetaConfirmContext, ToolError

from gui_environments.errors import ActionFailed, ActionRefused
from gui_environments.secrets import Masking
from gui_environments.sights import Expectation, ScreenExpectation, Sight
from gui_operator.policy.approver import Answer, Approver, NobodyToAsk
from gui_operator.policy.effects import member_effect
from gui_operator.policy.judging import judged_call
from gui_operator.policy.masked_requests import masked_request
from gui_operator.policy.requests import CallRequest, Decision
from gui_operator.policy.rules import Rule, Rules

log = logging.getLogger(__name__)

ANSWER_S = 600.0
"""How long an answer may take."""

BLINK_S = 1.5
"""How long a caret may be away: it blinks every half second or so."""

LOOK_AGAIN_S = 0.03

CHANGED = "What it would act on changed while it was asked about"

ENDING_S = 1.0
"""How long an approver that is not waited for any more has to end."""


class Policy(Protocol):
    """What says which rule counts for a call; `Rules` is one."""

    def nearest(self, request: CallRequest) -> Rule: ...


class Gate:
    """`Gate(rules, approver, on_decision=recording.decided)`.

    `confirm=gate.confirm` is how the SDK's toolsets take it; function tools call `decide`. An answer that has not come
    after `answer_s` seconds is no. `masking` is for what an approver is shown of a call.
    """

    def __init__(
        self,
        policy: Policy,
        approver: Approver | None = None,
        *,
        on_decision: Callable[[Decision], None] | None = None,
        answer_s: float = ANSWER_S,
        masking: Masking | None = None,
    ) -> None:
        self._policy = policy
        self._approver: Approver = approver or NobodyToAsk()
        self._on_decision = on_decision
        self._answer_s = answer_s
        self._masking = masking
        self._allowed_again: set[tuple[str, str, Expectation | None]] = set()

    @classmethod
    def allowing_all(cls, *, on_decision: Callable[[Decision], None] | None = None) -> Gate:
        """A gate that lets every call pass: for calls that a person wrote, and for a sealed environment."""
        return cls(Rules((), otherwise="allow"), on_decision=on_decision)

    async def decide(self, request: CallRequest) -> Decision:
        """The decision for one call of a function tool, already told to `on_decision`."""
        return self._told(await self._decision(request, None))

    async def confirm(self, context: BetaComputerConfirmContext | BetaConfirmContext) -> bool:
        """The SDK's `confirm` hook: True, or a `ToolError` that says who refused the call and why."""
        request = member_request(context)
        decision = self._told(await self._decision(request, context))
        if not decision.allowed:
            raise ToolError(refusal_text(request, decision))
        return True

    def _told(self, decision: Decision) -> Decision:
        if self._on_decision is not None:
            self._on_decision(decision)
        return decision

    async def _decision(
        self, request: CallRequest, context: BetaComputerConfirmContext | BetaConfirmContext | None
    ) -> Decision:
        rule: Rule | None = None
        try:
            rule = self._policy.nearest(request)
            if rule.verdict == "ask":
                return replace(await self._asked(request, context, str(rule)), because=rule.because)
            return Decision(rule.verdict == "allow", "rule", str(rule), because=rule.because)
        except (ActionRefused, ActionFailed) as error:  # what the call would hit is not there: nobody need be asked
            return Decision(False, "environment", str(rule), str(error))
        except Exception:  # whatever a policy of one's own raises: no decision means no
            log.exception("the policy failed on %s; refusing the call", request.title)
            return Decision(False, "fault", str(rule) if rule else None, "the approval could not be decided")

    async def _asked(
        self, request: CallRequest, context: BetaComputerConfirmContext | BetaConfirmContext | None, rule: str
    ) -> Decision:
        sight = await _look(context)
        expected = None if sight is None else sight.expected
        key = (request.title, json.dumps(request.input, sort_keys=True, default=repr), expected)
        if key in self._allowed_again:
            _hold_to(expected)
            return Decision(True, "remembered", rule)
        shown = replace(request, sight=sight)
        answer = await self._answer(shown if self._masking is None else masked_request(shown, self._masking))
        if answer is None:
            return Decision(False, "late", rule, f"no answer came within {self._answer_s:g} s")
        # Only a real True allows: an approver of one's own may return anything.
        if answer.allowed is not True:
            return Decision(False, answer.by, rule, answer.reason)
        if not await _is_unchanged(context, expected):
            return Decision(False, "environment", rule, CHANGED)
        if answer.again is True:
            self._allowed_again.add(key)
        _hold_to(expected)
        return Decision(True, answer.by, rule, answer.reason)

    async def _answer(self, request: CallRequest) -> Answer | None:
        """None when none came in time. An approver that does not even end when it is cancelled is left behind."""
        asking = asyncio.ensure_future(self._approver.ask(request))
        try:
            done, _ = await asyncio.wait({asking}, timeout=self._answer_s)
        except asyncio.CancelledError:
            asking.cancel()
            await asyncio.wait({asking}, timeout=ENDING_S)
            raise
        if not done:
            asking.cancel()
            await asyncio.wait({asking}, timeout=ENDING_S)
            return None
        return asking.result()


async def _look(context: BetaComputerConfirmContext | BetaConfirmContext | None) -> Sight | None:
    """What the call being judged would hit now. Raises `ActionRefused`, `ActionFailed`."""
    call = judged_call()
    return None if call is None or context is None else await call.look(context.member, context.input)


async def _is_unchanged(
    context: BetaComputerConfirmContext | BetaConfirmContext | None, expected: Expectation | None
) -> bool:
    """Whether the call would hit the same still. Pixels may blink: they are given the time to be as they were."""
    loop = asyncio.get_running_loop()
    end = loop.time() + (BLINK_S if isinstance(expected, ScreenExpectation) else 0.0)
    while True:
        now = await _look(context)
        if (None if now is None else now.expected) == expected:
            return True
        if loop.time() >= end:
            return False
        await asyncio.sleep(LOOK_AGAIN_S)


def _hold_to(expected: Expectation | None) -> None:
    call = judged_call()
    if call is not None:
        call.expected = expected


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
    if decision.by == "environment":
        reason = decision.reason or CHANGED
        if reason == CHANGED:
            return f"'{request.name}' was not run. {reason}. Look at what is there now before you go on."
        return reason
    who = {
        "rule": "This session's rules do not permit it",
        "person": "The person who was asked said no",
        "remembered": "The person who was asked said no",
        "nobody": "It needs a person's approval, and there is nobody to ask",
        "late": "It needs a person's approval, and no answer came in time",
        "callable": "It was not approved",
        "fault": "It needs an approval that could not be obtained",
    }[decision.by]
    because = f" (since {decision.because})" if decision.because else ""
    reason = f": {decision.reason}" if decision.reason and decision.by == "person" else ""
    return f"'{request.name}' was not run. {who}{because}{reason}. Do not retry it unless the user asks you to."

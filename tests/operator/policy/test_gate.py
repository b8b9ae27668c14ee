from __future__ import annotations

from typing import Any

import pytest
from anthropic.tools import BetaComputerConfirmContext, ToolError, ToolsetUsageError
from anthropic.types.beta import BetaComputerTypeInput, BetaToolUseBlock

from gui_operator.policy import Answer, CallRequest, Decision, Gate, Rule, Rules

BASH = CallRequest(None, "bash", "shell", {"command": "ls"})


class Person:
    """Someone with one answer, who remembers what was asked."""

    def __init__(self, answer: Any) -> None:
        self._answer = answer
        self.asked: list[CallRequest] = []

    async def ask(self, request: CallRequest) -> Answer:
        self.asked.append(request)
        if isinstance(self._answer, Exception):
            raise self._answer
        return self._answer  # type: ignore[no-any-return]


class BrokenPolicy:
    def nearest(self, request: CallRequest) -> Rule:
        raise KeyError(request.name)


def type_call(text: str) -> BetaComputerConfirmContext:
    block = BetaToolUseBlock(type="tool_use", id="t1", name="type", toolset_name="computer", input={"text": text})
    return BetaComputerConfirmContext(tool_use=block, member="type", input=BetaComputerTypeInput(text=text))


async def test_a_rule_decides_without_asking_anyone() -> None:
    person = Person(Answer(False))
    gate = Gate(Rules.parse(["all"], otherwise="deny"), person)
    assert await gate.decide(BASH) == Decision(True, "rule", "*=allow")
    assert person.asked == []


async def test_a_person_is_asked_where_a_rule_says_so_and_the_answer_counts() -> None:
    person = Person(Answer(False, reason="not on a Sunday"))
    gate = Gate(Rules.parse(["shell=ask"], otherwise="allow"), person)
    assert await gate.decide(BASH) == Decision(False, "person", "shell=ask", "not on a Sunday")
    assert person.asked == [BASH]


async def test_with_nobody_to_ask_the_answer_is_no() -> None:
    gate = Gate(Rules.parse(["ask"], otherwise="allow"))
    assert await gate.decide(BASH) == Decision(False, "nobody", "*=ask")


@pytest.mark.parametrize("answer", [RuntimeError("lost"), None, "yes", Answer(allowed="yes")])  # type: ignore[arg-type]
async def test_an_approver_that_fails_or_answers_anything_but_true_refuses(answer: Any) -> None:
    gate = Gate(Rules.parse(["ask"], otherwise="allow"), Person(answer))
    assert (await gate.decide(BASH)).allowed is False


async def test_a_policy_that_fails_refuses() -> None:
    decision = await Gate(BrokenPolicy()).decide(BASH)
    assert (decision.allowed, decision.by) == (False, "fault")


async def test_every_decision_is_told() -> None:
    told: list[Decision] = []
    gate = Gate(Rules.parse(["bash=deny"], otherwise="allow"), on_decision=told.append)
    await gate.decide(BASH)
    await gate.confirm(type_call("x"))
    assert told == [Decision(False, "rule", "bash=deny"), Decision(True, "rule", "otherwise=allow")]


async def test_a_decision_that_cannot_be_told_stops_the_run_instead_of_refusing() -> None:
    def unable(decision: Decision) -> None:
        raise ToolsetUsageError("the disk is full")

    with pytest.raises(ToolsetUsageError, match="disk"):
        await Gate(Rules.parse([], otherwise="allow"), on_decision=unable).confirm(type_call("x"))


async def test_confirm_shows_the_member_its_input_and_its_effect() -> None:
    person = Person(Answer(True))
    gate = Gate(Rules.parse(["keyboard=ask"], otherwise="deny"), person)
    assert await gate.confirm(type_call("hello")) is True
    assert person.asked == [CallRequest("computer", "type", "keyboard", {"text": "hello"}, "t1")]


@pytest.mark.parametrize(
    ("gate", "text"),
    [
        (Gate(Rules.parse(["type=deny"], otherwise="allow")), "This session's rules do not permit it."),
        (Gate(Rules.parse(["ask"], otherwise="allow")), "there is nobody to ask"),
        (
            Gate(Rules.parse(["ask"], otherwise="allow"), Person(Answer(False, reason="wrong window"))),
            "said no: wrong window.",
        ),
        (Gate(BrokenPolicy()), "could not be obtained"),
    ],
)
async def test_the_model_reads_who_refused_and_why(gate: Gate, text: str) -> None:
    with pytest.raises(ToolError, match=text) as refusal:
        await gate.confirm(type_call("x"))
    assert str(refusal.value).startswith("'type' was not run. ")

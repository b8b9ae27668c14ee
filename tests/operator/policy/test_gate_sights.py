"""A yes is bound to what was shown, is remembered for exactly that, and comes in time or not at all."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

import pytest
from anthropic.tools import BetaComputerConfirmContext, ToolError
from anthropic.types.beta import BetaComputerKeyInput, BetaToolUseBlock

from gui_environments.errors import ActionRefused
from gui_environments.sights import ExpectedArea, ExpectedWindow, ScreenExpectation, Sight
from gui_operator.policy import Answer, CallRequest, Decision, Gate, Rules
from gui_operator.policy.judging import judging


def window(title: str) -> Sight:
    return Sight((("window", title),), ScreenExpectation(focus=ExpectedWindow(7, title, "Editor")))


@dataclass
class Screen:
    """What is to be seen, one look after the other; the last stays."""

    sights: list[Sight | Exception]
    looks: int = 0

    async def look(self, member: str, call_input: Any) -> Sight:
        self.looks += 1
        sight = self.sights.pop(0) if len(self.sights) > 1 else self.sights[0]
        if isinstance(sight, Exception):
            raise sight
        return sight


@dataclass
class Person:
    """Gives its answers in order."""

    answers: list[Answer]
    asked: list[CallRequest] = field(default_factory=list)

    async def ask(self, request: CallRequest) -> Answer:
        self.asked.append(request)
        return self.answers.pop(0)


def key_call(text: str = "Return", number: int = 1) -> BetaComputerConfirmContext:
    block = BetaToolUseBlock(
        type="tool_use", id=f"t{number}", name="key", toolset_name="computer", input={"text": text}
    )
    return BetaComputerConfirmContext(tool_use=block, member="key", input=BetaComputerKeyInput(text=text))


def gate_asking(person: Any, told: list[Decision] | None = None, **options: Any) -> Gate:
    on_decision = None if told is None else told.append
    return Gate(Rules.parse(["ask"], otherwise="allow"), person, on_decision=on_decision, **options)


async def test_whoever_is_asked_sees_what_the_call_would_hit_and_the_call_is_held_to_it() -> None:
    person, screen = Person([Answer(True)]), Screen([window("Letter")])
    with judging(screen.look) as call:
        assert await gate_asking(person).confirm(key_call())
    assert person.asked[0].sight == window("Letter")
    assert call.expected == window("Letter").expected


async def test_nothing_is_looked_at_and_held_to_where_a_rule_alone_decides() -> None:
    screen = Screen([window("Letter")])
    with judging(screen.look) as call:
        assert await Gate.allowing_all().confirm(key_call())
    assert (screen.looks, call.expected) == (0, None)


async def test_a_yes_counts_for_nothing_when_something_else_would_be_hit_by_then() -> None:
    told: list[Decision] = []
    screen = Screen([window("Letter"), window("Send to everybody")])
    with judging(screen.look) as call, pytest.raises(ToolError, match="changed while it was asked about"):
        await gate_asking(Person([Answer(True)]), told).confirm(key_call())
    assert call.expected is None
    assert [(decision.allowed, decision.by) for decision in told] == [(False, "environment")]


def pixels(digest: str) -> Sight:
    seen = ScreenExpectation((ExpectedArea(5, 5, ExpectedWindow(7, "Letter", "Editor"), digest),))
    return Sight((), seen)


async def test_a_caret_that_blinks_while_the_person_thinks_is_no_change() -> None:
    screen = Screen([pixels("with"), pixels("without"), pixels("without"), pixels("with")])
    with judging(screen.look) as call:
        assert await gate_asking(Person([Answer(True)])).confirm(key_call())
    assert call.expected == pixels("with").expected


async def test_nobody_is_asked_about_what_is_not_there() -> None:
    told: list[Decision] = []
    person, screen = Person([]), Screen([ActionRefused("ref_3 is covered.")])
    with judging(screen.look), pytest.raises(ToolError, match=r"^ref_3 is covered\.$"):
        await gate_asking(person, told).confirm(key_call())
    assert told == [Decision(False, "environment", "*=ask", "ref_3 is covered.")]


async def test_a_look_that_breaks_refuses() -> None:
    told: list[Decision] = []
    with judging(Screen([KeyError("x")]).look), pytest.raises(ToolError, match="could not be obtained"):
        await gate_asking(Person([Answer(True)]), told).confirm(key_call())
    assert [(decision.allowed, decision.by) for decision in told] == [(False, "fault")]


async def test_a_yes_to_this_same_call_in_this_same_place_is_remembered_and_to_nothing_else() -> None:
    told: list[Decision] = []
    person = Person([Answer(True, again=True), Answer(False), Answer(False), Answer(False)])
    gate = gate_asking(person, told)

    async def confirm(text: str, title: str) -> bool:
        with judging(Screen([window(title)]).look) as call:
            try:
                allowed = await gate.confirm(key_call(text, len(told) + 1))
            except ToolError:
                return False
            assert call.expected == window(title).expected
            return allowed

    assert await confirm("Return", "Letter")
    assert await confirm("Return", "Letter")
    assert (len(person.asked), told[-1].by, told[-1].rule) == (1, "remembered", "*=ask")
    assert not await confirm("Return", "Another letter")
    assert not await confirm("Escape", "Letter")
    bash = CallRequest(None, "bash", "shell", {"text": "Return"})
    assert not (await gate.decide(bash)).allowed
    assert len(person.asked) == 4


async def test_a_command_is_remembered_by_its_words() -> None:
    person = Person([Answer(True, again=True), Answer(False)])
    gate = gate_asking(person)
    assert (await gate.decide(CallRequest(None, "bash", "shell", {"command": "ls"}, "t1"))).allowed
    assert (await gate.decide(CallRequest(None, "bash", "shell", {"command": "ls"}, "t2"))).by == "remembered"
    assert not (await gate.decide(CallRequest(None, "bash", "shell", {"command": "ls "}, "t3"))).allowed


async def test_a_plain_yes_is_not_remembered() -> None:
    person = Person([Answer(True), Answer(False)])
    gate = gate_asking(person)
    call = CallRequest(None, "bash", "shell", {"command": "ls"})
    assert (await gate.decide(call)).allowed
    assert not (await gate.decide(call)).allowed


class Hanging:
    """Never answers, and does not even end when it is told to."""

    def __init__(self) -> None:
        self.released = asyncio.Event()

    async def ask(self, request: CallRequest) -> Answer:
        while not self.released.is_set():
            try:
                await self.released.wait()
            except asyncio.CancelledError:
                continue
        return Answer(True)


async def test_an_approver_that_hangs_is_a_no_once_its_time_is_over() -> None:
    approver = Hanging()
    gate = gate_asking(approver, answer_s=0.01)
    decision = await gate.decide(CallRequest(None, "bash", "shell", {"command": "ls"}))
    approver.released.set()
    assert (decision.allowed, decision.by) == (False, "late")


async def test_the_model_reads_that_no_answer_came_in_time() -> None:
    approver = Hanging()
    with pytest.raises(ToolError, match="no answer came in time"):
        await gate_asking(approver, answer_s=0.01).confirm(key_call())
    approver.released.set()

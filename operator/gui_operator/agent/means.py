"""All that the model of a run can call: the environment's toolsets and tools, those of the run itself, and the API's
own. Opens nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from anthropic.types.beta import BetaToolUseBlock

from gui_operator.agent.asking import ASK_PERSON, AskPersonTool
from gui_operator.agent.looking import Looks
from gui_operator.agent.results import REPORT_FAILURE, SUBMIT_RESULT, FailureTool, ResultTool
from gui_operator.agent.settings import RunSettings
from gui_operator.policy import CallRequest, Gate, Terminal
from gui_operator.policy.effects import member_effect
from gui_operator.policy.gate import Policy
from gui_operator.toolsets.single_computer import SingleComputerTool, member_of
from gui_operator.turn import Toolbox

OF_THE_RUN = frozenset({SUBMIT_RESULT, REPORT_FAILURE, ASK_PERSON})
"""Tools that do nothing to the environment."""


@dataclass(frozen=True, slots=True)
class Means:
    """`result` is None where the job asks for none."""

    toolbox: Toolbox
    looks: Looks
    failure: FailureTool
    person: AskPersonTool
    result: ResultTool | None
    declared: tuple[Any, ...]
    """The `tools` of a request, as the runner runs them."""

    needs_asking: Callable[[BetaToolUseBlock], bool]
    """Whether a call would not simply be allowed, or is one that must not begin before its reply is whole."""


def means_of(settings: RunSettings, toolbox: Toolbox, policy: Policy, terminal: Terminal, *, answer_s: float) -> Means:
    """`policy` is the one that the toolbox's gate has; `answer_s`, how long a person may take."""
    recording = toolbox.recording
    # Its own tools do nothing to the environment, so nobody is asked about them.
    gate = Gate.allowing_all(on_decision=recording.decided if recording is not None else None)
    single = [tool.toolset for tool in toolbox.tools.values() if isinstance(tool, SingleComputerTool)]
    looks = Looks([*toolbox.toolsets.values(), *single], lambda toolset: _may_look(toolset, policy), recording)
    failure = FailureTool(gate=gate, recording=recording)
    person = AskPersonTool(terminal, looks, answer_s=answer_s, gate=gate, recording=recording)
    schema = settings.result_schema
    result = ResultTool(schema, gate=gate, recording=recording) if schema is not None else None
    own = [tool for tool in (result, failure, person) if tool is not None]
    return Means(
        toolbox=toolbox,
        looks=looks,
        failure=failure,
        person=person,
        result=result,
        declared=(*toolbox.toolsets.values(), *toolbox.tools.values(), *own, *map(dict, settings.server_tools)),
        needs_asking=lambda call: _needs_asking(call, toolbox, policy),
    )


def _may_look(toolset: str, policy: Policy) -> bool:
    return policy.nearest(CallRequest(toolset, "screenshot", "read", {})).verdict == "allow"


def _needs_asking(call: BetaToolUseBlock, toolbox: Toolbox, policy: Policy) -> bool:
    toolset, name = member_of(call)
    if toolset is not None:
        effect = member_effect(toolset, name)
    else:
        tool = toolbox.tools.get(call.name)
        if tool is None:
            return True
        effect = getattr(tool, "effect", "script")
    return policy.nearest(CallRequest(toolset, name, effect, {})).verdict != "allow"

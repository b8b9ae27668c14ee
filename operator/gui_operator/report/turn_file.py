"""The calls of a run as a turn file, which `exec` runs again: one line for each turn that made any. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from gui_operator.policy.effects import MEMBER_EFFECTS, TOOL_EFFECTS
from gui_operator.policy.visible import bounded
from gui_operator.recording.redaction import MARK
from gui_operator.report.run import RecordedCall, RecordedTurn, Run

LONGEST_NOTE = 200
"""Characters."""


@dataclass(frozen=True, slots=True)
class TurnFile:
    """`lines` are without their ends. `warnings` say what cannot be run again as it was."""

    lines: tuple[str, ...]
    warnings: tuple[str, ...]


def turn_file(run: Run) -> TurnFile:
    warnings = tuple(warning for call in run.calls for warning in _warnings(call))
    lines = []
    for turn in run.turns:
        calls = [_call(call) for call in turn.calls if _is_of_exec(call) and not _has_dollar_objects(call.input)]
        if calls:
            lines.append(json.dumps({**_note(turn), "calls": calls}, ensure_ascii=True))
    return TurnFile(tuple(lines), warnings)


def _call(call: RecordedCall) -> dict[str, Any]:
    toolset = {"toolset_name": call.toolset} if call.toolset is not None else {}
    return {**toolset, "name": call.name, "input": dict(call.input)}


def _note(turn: RecordedTurn) -> dict[str, str]:
    """What the model said, for whoever reads the file."""
    said = " ".join(words.text for reply in turn.replies for words in reply.words if words.type == "text")
    folded = " ".join(said.split())
    return {"note": bounded(folded, LONGEST_NOTE)} if folded else {}


def _warnings(call: RecordedCall) -> Iterator[str]:
    place = f"call {call.number} ({call.title})"
    if not _is_of_exec(call):
        yield f"{place} is left out: exec has no such tool"
    elif _has_dollar_objects(call.input):
        yield f"{place} is left out: it holds an object that a turn file would fill in"
    elif any(MARK in text for text in _texts(call.input)):
        yield f"{place} holds {MARK} where a secret was"


def _is_of_exec(call: RecordedCall) -> bool:
    return call.toolset in MEMBER_EFFECTS if call.toolset is not None else call.name in TOOL_EFFECTS


def _has_dollar_objects(value: object) -> bool:
    if isinstance(value, Mapping):
        return any(str(key).startswith("$") or _has_dollar_objects(each) for key, each in value.items())
    return isinstance(value, list) and any(map(_has_dollar_objects, value))


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)

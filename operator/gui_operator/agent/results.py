"""How the model hands in what was asked for, or says that it cannot be had: two tools of the run's own. What is handed
in is held to the job's whole schema, keywords included that the API does not hold it to."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from anthropic import transform_schema
from anthropic.tools import ToolError
from anthropic.types.beta import BetaToolParam
from jsonschema import FormatChecker
from jsonschema.validators import Draft202012Validator, validator_for

from gui_operator.policy import Gate
from gui_operator.recording import Recording
from gui_operator.toolsets.fields import refuse_unknown, text_field
from gui_operator.toolsets.function_tool import FunctionTool

SUBMIT_RESULT = "submit_result"
REPORT_FAILURE = "report_failure"

WRAPPED = "result"
"""A tool's input is an object; a result that is none is handed in under this name."""

_PROBLEMS = 5
"""Of a result, told at once."""


class ResultTool(FunctionTool[object]):
    """`submit_result`. `accepted` is true once a result was handed in that the schema admits."""

    effect = "read"

    def __init__(self, schema: Mapping[str, Any], *, gate: Gate, recording: Recording | None = None) -> None:
        super().__init__(gate=gate, recording=recording)
        self._schema = schema
        self._is_wrapped = schema.get("type") != "object"
        self.accepted = False
        self.result: object = None
        self.refusals: list[str] = []

    def to_dict(self) -> BetaToolParam:
        input_schema, strict = declared_schema(self._schema, wrap=self._is_wrapped)
        declared: BetaToolParam = {
            "name": SUBMIT_RESULT,
            "description": "Hand in the result of the task, once, when the task is done and you have seen that it is. "
            "This ends the run.",
            "input_schema": input_schema,
        }
        if strict:
            declared["strict"] = True
        return declared

    def parse(self, call_input: Mapping[str, object]) -> object:
        value = call_input.get(WRAPPED) if self._is_wrapped else dict(call_input)
        problems = problems_of(value, self._schema)
        if problems:
            self.refusals.append("; ".join(problems))
            raise ToolError(
                "The result was not taken. "
                + " ".join(f"{problem}." for problem in problems)
                + " Hand it in once more."
            )
        return value

    async def perform(self, parsed: object) -> str:
        self.accepted, self.result = True, parsed
        return "The result was taken."

    def take_back(self) -> None:
        """It was handed in too early."""
        self.accepted, self.result = False, None


class FailureTool(FunctionTool[str]):
    """`report_failure`. `reason` is what the model said once it did."""

    effect = "read"

    def __init__(self, *, gate: Gate, recording: Recording | None = None) -> None:
        super().__init__(gate=gate, recording=recording)
        self.reason: str | None = None

    def to_dict(self) -> BetaToolParam:
        return {
            "name": REPORT_FAILURE,
            "description": "Say that the task cannot be done, and why, in a sentence or two. This ends the run.",
            "input_schema": {
                "type": "object",
                "properties": {"reason": {"type": "string"}},
                "required": ["reason"],
                "additionalProperties": False,
            },
            "strict": True,
        }

    def parse(self, call_input: Mapping[str, object]) -> str:
        refuse_unknown(call_input, ("reason",), REPORT_FAILURE)
        reason = text_field(call_input, "reason", REPORT_FAILURE).strip()
        if not reason:
            raise ToolError(f"{REPORT_FAILURE} needs a 'reason'.")
        return reason

    async def perform(self, parsed: str) -> str:
        self.reason = parsed
        return "The run ends here."


def problems_of(value: Any, schema: Mapping[str, Any]) -> list[str]:
    """What keeps a value from being a result, the first few, in words."""
    validator = validator_for(schema, default=Draft202012Validator)(schema, format_checker=FormatChecker())
    errors = sorted(validator.iter_errors(value), key=lambda error: list(map(str, error.absolute_path)))
    return [f"{error.json_path.replace('$', 'result', 1)}: {error.message[:300]}" for error in errors[:_PROBLEMS]]


def declared_schema(schema: Mapping[str, Any], *, wrap: bool) -> tuple[dict[str, Any], bool]:
    """The schema as the tool is declared with it, and whether the API can be asked to hold the model to it: only to
    what it knows, which is less than JSON Schema; the rest stands in descriptions."""
    whole = _wrapped(schema) if wrap else dict(copy.deepcopy(schema))
    if not _is_closed(whole):
        return whole, False
    try:
        return transform_schema(whole), True
    except (ValueError, AssertionError, AttributeError, TypeError):  # a form of schema that the SDK has no way to put
        return whole, False


def _wrapped(schema: Mapping[str, Any]) -> dict[str, Any]:
    inner: dict[str, Any] = dict(copy.deepcopy(schema))
    shared: dict[str, Any] = {key: inner.pop(key) for key in ("$defs", "definitions", "$schema") if key in inner}
    return {
        **shared,
        "type": "object",
        "properties": {WRAPPED: inner},
        "required": [WRAPPED],
        "additionalProperties": False,
    }


def _is_closed(schema: object) -> bool:
    """Whether every object in it names its fields: held to its fields alone, one that does not could only be empty."""
    if isinstance(schema, list):
        return all(map(_is_closed, schema))
    if not isinstance(schema, Mapping):
        return True
    if schema.get("type") == "object" and (not schema.get("properties") or schema.get("patternProperties")):
        return False
    if isinstance(schema.get("additionalProperties"), Mapping) or isinstance(schema.get("type"), list):
        return False
    return all(map(_is_closed, schema.values()))

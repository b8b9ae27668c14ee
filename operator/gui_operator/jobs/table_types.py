"""What the fields of a job take that are tables (approvals, dialogs, inputs), each with what editors are told about
it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, WithJsonSchema

from gui_operator.jobs.field_types import NAME, Misfit
from gui_operator.policy import RuleError, Rules

_DIALOG_KINDS = ("alert", "confirm", "prompt", "beforeunload")
_DIALOG_ACTIONS = r"dismiss|accept|ask"
_VERDICTS = ("allow", "deny", "ask")
_PRESET = "preset"
WHOLE_RULES = {"all": "allow", "none": "deny", "ask": "ask", _PRESET: _PRESET}
"""Words for all calls, and what they say of `*`. The preset is there anyway, beneath all that is said."""


def _rules(value: object) -> dict[str, str]:
    if isinstance(value, str):
        if value not in WHOLE_RULES:
            words = ", ".join(WHOLE_RULES)
            raise Misfit(f"{value!r} is not {words} or a mapping of names to allow, deny, ask")
        value = {"*": WHOLE_RULES[value]}
    if not isinstance(value, Mapping):
        raise Misfit(f"{value!r} is not a mapping of names to allow, deny or ask")
    rules = {name: verdict for name, verdict in value.items() if (name, verdict) != ("*", _PRESET)}
    for name, verdict in rules.items():
        if verdict not in _VERDICTS:
            raise Misfit(f"{verdict!r} is not allow, deny or ask", name)
        try:
            Rules.parse([f"{name}={verdict}"], otherwise="ask")
        except RuleError as error:
            raise Misfit(str(error), name) from None
    return rules


ApprovalTable = Annotated[
    Mapping[str, Literal["allow", "deny", "ask"]],
    BeforeValidator(_rules),
    WithJsonSchema(
        {
            "anyOf": [
                {"enum": list(WHOLE_RULES)},
                {
                    "type": "object",
                    "properties": {"*": {"enum": [*_VERDICTS, _PRESET]}},
                    "additionalProperties": {"enum": list(_VERDICTS)},
                },
            ]
        }
    ),
]
"""By the name of a member, a tool, a toolset, a kind of effect, or `*`."""


def _dialogs(value: object) -> dict[str, str]:
    table = value if isinstance(value, Mapping) else {"*": value}
    for kind, action in table.items():
        if kind not in (*_DIALOG_KINDS, "*"):
            raise Misfit(f"{kind!r} is not {', '.join(_DIALOG_KINDS)} or *", kind)
        answers = isinstance(action, str) and (
            re.fullmatch(_DIALOG_ACTIONS, action) or (kind == "prompt" and action.startswith("accept:"))
        )
        if not answers:
            raise Misfit(
                f"{action!r} is not dismiss, accept or ask, or for prompt accept:TEXT",
                *([kind] if isinstance(value, Mapping) else []),
            )
    return {str(kind): str(action) for kind, action in table.items()}


DialogTable = Annotated[
    Mapping[str, str],
    BeforeValidator(_dialogs),
    WithJsonSchema(
        {
            "anyOf": [
                {"enum": ["dismiss", "accept", "ask"]},
                {
                    "type": "object",
                    "additionalProperties": False,
                    "properties": {
                        kind: {"pattern": f"^({_DIALOG_ACTIONS}{'|accept:.*' if kind == 'prompt' else ''})$"}
                        | {"type": "string"}
                        for kind in (*_DIALOG_KINDS, "*")
                    },
                },
            ]
        }
    ),
]
"""By kind of dialog, or `*` for those not named."""


def _inputs(value: object) -> dict[str, Any]:
    """Texts, and mappings of them: `draft` has put what is written in the place of numbers and the like."""
    if not isinstance(value, Mapping):
        raise Misfit("inputs is a mapping of names to texts or to further mappings")
    checked: dict[str, Any] = {}
    for name, each in value.items():
        if not re.fullmatch(NAME, name):
            raise Misfit(f"{name!r} is not a name of letters, digits, _ and -", name)
        if isinstance(each, list):
            raise Misfit("an input is a text or a mapping of texts, not a list", name)
        try:
            checked[name] = _inputs(each) if isinstance(each, Mapping) else str(each)
        except Misfit as error:
            raise Misfit(str(error), name, *error.below) from None
    return checked


InputTree = Annotated[Mapping[str, Any], BeforeValidator(_inputs)]

INPUTS_JSON_SCHEMA = {
    "type": "object",
    "propertyNames": {"pattern": f"^{NAME}$"},
    "additionalProperties": {
        "anyOf": [{"type": ["string", "number", "boolean", "null"]}, {"$ref": "#/$defs/Inputs"}],
    },
}

"""Reads the fields of a function tool's input strictly. An unknown field is refused like a missing one: what was meant
by it would silently not happen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from anthropic.tools import ToolError


def refuse_unknown(call_input: Mapping[str, object], known: Iterable[str], title: str) -> None:
    allowed = tuple(known)
    unknown = sorted(str(field) for field, value in call_input.items() if field not in allowed and value is not None)
    if unknown:
        raise ToolError(f"{title} has no field {', '.join(map(repr, unknown))}; it takes {', '.join(allowed)}.")


def text_field(call_input: Mapping[str, object], field: str, title: str) -> str:
    value = call_input.get(field)
    if not isinstance(value, str):
        raise ToolError(f"{title} needs {field!r}, a text; {_what_came(call_input, field)}.")
    return value


def whole_number_field(call_input: Mapping[str, object], field: str, title: str) -> int:
    value = call_input.get(field)
    if not isinstance(value, int) or isinstance(value, bool):
        raise ToolError(f"{title} needs {field!r}, a whole number; {_what_came(call_input, field)}.")
    return value


_KINDS = ((bool, "true or false"), (int, "a number"), (float, "a number"), (str, "a text"), (list, "a list"))


def _what_came(call_input: Mapping[str, object], field: str) -> str:
    value = call_input.get(field)
    if value is None:
        return "none came"
    return f"what came is {next((name for kind, name in _KINDS if isinstance(value, kind)), 'an object')}"

"""A call on one line, for people: `left_click (238, 415)`, `form_input textbox "Name" = “Ada”`, `bash: cat a.json`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

WIDTH = 110
"""Characters. What is longer is cut."""


def describe_call(name: str, call_input: Mapping[str, Any]) -> str:
    given = dict(call_input)
    command = given.pop("command", None)
    words = [name if command is None else f"{name}: {_plain(command)}"]
    words += [_describe(name, value) for name, value in sorted(given.items(), key=lambda each: _place(each[0]))]
    line = " ".join(words).replace("\n", "⏎").replace("\t", "⇥")
    return line if len(line) <= WIDTH else f"{line[: WIDTH - 1]}…"


_FIRST = ("from", "target", "coordinate", "ref", "url", "query", "text", "value")


def _place(name: str) -> int:
    """What a call acts on comes first."""
    return _FIRST.index(name) if name in _FIRST else len(_FIRST)


def _describe(name: str, value: object) -> str:
    match name, value:
        case "coordinate", list():
            return _point(value)
        case (("target" | "from"), Mapping()):
            return _target(value)
        case "ref" | "url", str():
            return value
        case "text" | "query", str():
            return f"“{value}”"
        case "value", _:
            return f"= “{value}”" if isinstance(value, str) else f"= {json.dumps(value)}"
    return f"{name}={_plain(value)}"


def _target(target: Mapping[str, Any]) -> str:
    if target.get("type") == "ref":
        return _plain(target.get("ref"))
    if target.get("type") == "coordinate":
        return _point([target.get("x"), target.get("y")])
    return _plain(target)


def _point(numbers: list[Any]) -> str:
    return f"({', '.join(map(str, numbers))})"


def _plain(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

"""One input line of `exec`: an assistant turn as JSON, read strictly. Runs nothing.

A line is taken whole or refused whole: an unknown key, a bad expectation or a placeholder that cannot be filled is
found before the first call runs.
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from anthropic.types.beta import BetaToolUseBlock

from gui_operator.cli.expectations import Expectation
from gui_operator.cli.known import Keep
from gui_operator.cli.placeholders import VALUE_NAME, Filling, Unfilled, filled

_CALL_KEYS = {"type", "id", "toolset_name", "name", "input"}
_DEEPEST_LEVEL = 100
"""Objects and lists within each other. No tool takes nearly as many, and whoever handles them may recurse."""

# What the Messages API takes as an id.
_ID = re.compile(r"[a-zA-Z0-9_-]{1,256}")


class InvalidLine(Exception):
    """The line is not a turn. The message says where and what is allowed."""


class UnfilledLine(InvalidLine):
    """The line is a turn that leaves something open which is not known."""


@dataclass(frozen=True, slots=True)
class TurnLine:
    calls: tuple[BetaToolUseBlock, ...]
    expectations: tuple[Expectation, ...]
    keeps: tuple[Keep, ...]
    note: str
    """For whoever reads the file or follows it; empty where there is none."""


def read_turn_line(line: bytes, filling: Filling) -> TurnLine:
    """Raises `InvalidLine`."""
    parsed = _parse(line)
    _refuse_deep_nesting(parsed)
    turn = _object(parsed, "the line")
    _refuse_unknown_keys(turn, {"calls", "expect", "keep", "note"}, "the line")
    calls = tuple(
        _read_call(call, f"call {number}", filling)
        for number, call in enumerate(_list(turn, "calls", "the line"), start=1)
    )
    if not calls:
        raise InvalidLine("calls is empty; a turn has at least one call")
    seen: set[str] = set()
    for number, call in enumerate(calls, start=1):
        if call.id in seen:
            raise InvalidLine(f"call {number}: the id {call.id!r} is used twice in this turn")
        seen.add(call.id)
    return TurnLine(
        calls,
        tuple(_read_expectation(entry, where, len(calls), filling) for where, entry in _entries(turn, "expect")),
        tuple(_read_keep(entry, where, len(calls)) for where, entry in _entries(turn, "keep")),
        _read_note(turn),
    )


def _entries(turn: Mapping[str, Any], key: str) -> Sequence[tuple[str, object]]:
    """What the line lists under a key that may be left out, each with where it stands."""
    listed = _list(turn, key, "the line") if key in turn else ()
    return [(f"{key} {number}", entry) for number, entry in enumerate(listed, start=1)]


def _read_note(turn: Mapping[str, Any]) -> str:
    note = turn.get("note", "")
    if not isinstance(note, str):
        raise InvalidLine("note is a string")
    return note


def _read_call(value: object, where: str, filling: Filling) -> BetaToolUseBlock:
    call = _object(value, where)
    _refuse_unknown_keys(call, _CALL_KEYS, where)
    if call.get("type", "tool_use") != "tool_use":
        raise InvalidLine(f'{where}: type is "tool_use" or left out')
    toolset = call.get("toolset_name")
    if toolset is not None and not isinstance(toolset, str):
        raise InvalidLine(f"{where}: toolset_name is a string, null or left out")
    call_id = call.get("id")
    if "id" not in call:
        call_id = f"toolu_{uuid.uuid4().hex}"
    elif not isinstance(call_id, str) or not _ID.fullmatch(call_id):
        raise InvalidLine(f"{where}: id is a string of up to 256 letters, digits, _ and -, or left out")
    name = call.get("name")
    if not isinstance(name, str) or not name:
        raise InvalidLine(f"{where}: name is missing; it is a string")
    if "input" not in call:
        raise InvalidLine(f"{where}: input is missing; it is an object, {{}} when there is nothing to say")
    return BetaToolUseBlock(
        type="tool_use",
        id=call_id,
        name=name,
        toolset_name=toolset,
        input={name: _filled(each, filling, where) for name, each in _object(call["input"], f"{where}: input").items()},
    )


def _filled(value: object, filling: Filling, where: str) -> Any:
    try:
        return filled(value, filling)
    except Unfilled as error:
        raise UnfilledLine(f"{where}: {error}") from None


def _read_expectation(value: object, where: str, calls: int, filling: Filling) -> Expectation:
    entry = _object(value, where)
    _refuse_unknown_keys(entry, {"call", "error", "text"}, where)
    call = _call_number(entry, where, calls)
    error = entry.get("error")
    if "error" in entry and not isinstance(error, bool):
        raise InvalidLine(f"{where}: error is true or false")
    text = _filled(entry.get("text"), filling, where)
    if "text" in entry and (not isinstance(text, str) or not text):
        raise InvalidLine(f"{where}: text is a string that is not empty")
    if error is None and text is None:
        raise InvalidLine(f"{where}: says nothing; give error, text or both")
    return Expectation(call=call, error=error, text=text)


def _read_keep(value: object, where: str, calls: int) -> Keep:
    entry = _object(value, where)
    _refuse_unknown_keys(entry, {"call", "as", "pattern"}, where)
    name, pattern = entry.get("as"), entry.get("pattern")
    if not isinstance(name, str) or not VALUE_NAME.fullmatch(name):
        raise InvalidLine(f"{where}: as is a name of letters, digits and _, for ${{name}} in later lines")
    if not isinstance(pattern, str) or not pattern:
        raise InvalidLine(f"{where}: pattern is a regular expression, whose first group is kept, or all it matches")
    try:
        return Keep(name, _call_number(entry, where, calls), re.compile(pattern))
    except (re.error, RecursionError, OverflowError) as error:
        raise InvalidLine(f"{where}: pattern is not a regular expression: {error}") from None


def _call_number(entry: Mapping[str, Any], where: str, calls: int) -> int:
    call = entry.get("call")
    if not isinstance(call, int) or isinstance(call, bool) or not 1 <= call <= calls:
        raise InvalidLine(f"{where}: call is the number of a call of this turn, from 1 to {calls}")
    return call


def _parse(line: bytes) -> object:
    try:
        return json.loads(
            line.decode("utf-8"), object_pairs_hook=_refuse_repeated_keys, parse_constant=_refuse_constant
        )
    except UnicodeDecodeError as error:
        raise InvalidLine(f"the line is not UTF-8 (byte {error.start + 1})") from None
    except RecursionError:
        raise InvalidLine("the line is nested too deeply") from None
    except ValueError as error:
        raise InvalidLine(f"the line is not valid JSON: {error}") from None


def _refuse_repeated_keys(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        repeated = next(name for name in names if names.count(name) > 1)
        raise InvalidLine(f"the key {repeated!r} appears twice in one object")
    return found


def _refuse_constant(name: str) -> object:
    raise InvalidLine(f"{name} is not JSON")


def _refuse_deep_nesting(value: object) -> None:
    level = [value] if isinstance(value, (dict, list)) else []
    for _ in range(_DEEPEST_LEVEL):
        inner = (each for holder in level for each in (holder.values() if isinstance(holder, dict) else holder))
        level = [each for each in inner if isinstance(each, (dict, list))]
        if not level:
            return
    raise InvalidLine(f"the line is nested too deeply: more than {_DEEPEST_LEVEL} levels")


def _object(value: object, where: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise InvalidLine(f"{where} is not a JSON object")
    return value


def _list(holder: Mapping[str, Any], key: str, where: str) -> Sequence[object]:
    if key not in holder:
        raise InvalidLine(f"{where} has no {key}")
    value = holder[key]
    if not isinstance(value, list):
        raise InvalidLine(f"{key} is not a list")
    return value


def _refuse_unknown_keys(holder: Mapping[str, Any], known: set[str], where: str) -> None:
    unknown = sorted(set(holder) - known)
    if unknown:
        raise InvalidLine(f"{where}: unknown key {unknown[0]!r}; known are {', '.join(sorted(known))}")

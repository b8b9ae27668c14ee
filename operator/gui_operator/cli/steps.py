"""Turns the output of `exec` into lines that a person can follow, as they come: `python -m gui_operator.cli.steps`.

Reads the turn file for what was asked and standard input for what came of it. Ends with 1 when an expectation was not
met or a line was refused, so that a pipe into it cannot hide that.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from anthropic.types.beta import BetaToolUseBlock

from gui_operator.cli.expectations import result_text
from gui_operator.cli.placeholders import Described
from gui_operator.cli.turn_lines import InvalidLine, read_turn_line
from gui_operator.recording.journal import IMAGES_NAME

_WIDTH = 100
_MOST_RESULT_LINES = 30
# Their results are what a person wants to read; a member's "Clicked." is not.
_TOOLS_WHOSE_RESULTS_ARE_SHOWN = {"bash", "str_replace_based_edit_tool"}


class Steps:
    """Renders lines; `failed` once something went wrong. `pictures` is where a recording keeps its images."""

    def __init__(self, turns: Iterable[Sequence[BetaToolUseBlock]], pictures: Path | None) -> None:
        self._turns = iter(turns)
        self._pictures = pictures
        self._number = 0
        self.failed = False

    def render(self, line: Mapping[str, Any]) -> Iterator[str]:
        """What to print for one line of `exec`'s output."""
        if "environment" in line:
            yield from _describe_environment(line)
            return
        self._number += 1
        calls = next(self._turns, ())
        yield f"turn {self._number}"
        if "error" in line:
            self.failed = True
            yield f"  refused: {line['error']}"
            return
        for call, result in zip(calls, line["results"], strict=True):
            yield from self._describe_call(call, result)
        for sentence in line["unmet"]:
            self.failed = True
            yield f"  NOT AS EXPECTED: {sentence}"

    def _describe_call(self, call: BetaToolUseBlock, result: Mapping[str, Any]) -> Iterator[str]:
        failed = bool(result.get("is_error"))
        yield f"  {'failed' if failed else 'ok':6}  {describe_call(call)}"
        if failed or call.name in _TOOLS_WHOSE_RESULTS_ARE_SHOWN:
            lines = result_text(result).splitlines()
            yield from (f"            {line}" for line in lines[:_MOST_RESULT_LINES])
            if len(lines) > _MOST_RESULT_LINES:
                yield f"            ... {len(lines) - _MOST_RESULT_LINES} more lines"
        for path in _picture_files(result, self._pictures) if self._pictures is not None else ():
            yield f"            picture: {path}"


def describe_call(call: BetaToolUseBlock) -> str:
    """The call on one line: `left_click (238, 415)`, `type “Müller”`, `bash: cat orders.json`."""
    given = dict(call.input)
    command = given.pop("command", None)
    point = given.pop("coordinate", None)
    text = given.pop("text", None)
    words = [call.name if command is None else f"{call.name}: {command}"]
    if isinstance(point, list):
        words.append(f"({', '.join(map(str, point))})")
    if text is not None:
        words.append(f"“{text}”")
    words += [f"{name}={value if isinstance(value, str) else json.dumps(value)}" for name, value in given.items()]
    line = " ".join(words).replace("\n", "⏎").replace("\t", "⇥")
    return line if len(line) <= _WIDTH else f"{line[: _WIDTH - 1]}…"


def read_turns(lines: Iterable[bytes]) -> Iterator[Sequence[BetaToolUseBlock]]:
    """The calls of each line that is not blank; none for a line that `exec` refuses."""
    for line in lines:
        if not line.strip():
            continue
        try:
            yield read_turn_line(line, Described()).calls
        except InvalidLine:
            yield ()


def _describe_environment(line: Mapping[str, Any]) -> Iterator[str]:
    for kind, facts in line["environment"].items():
        yield f"{kind}: " + ", ".join(f"{name} {_short(value)}" for name, value in facts.items() if value is not None)


def _short(value: object) -> str:
    return "x".join(map(str, value)) if isinstance(value, list) else str(value)


def _picture_files(result: Mapping[str, Any], pictures: Path) -> Iterator[Path]:
    """The files in which a recording keeps the pictures of a result: their names begin with the content's SHA-256."""
    content = result.get("content", ())
    for block in content if isinstance(content, list) else ():
        if block["type"] == "image":
            digest = hashlib.sha256(base64.b64decode(block["source"]["data"])).hexdigest()
            yield from pictures.glob(f"{digest}.*")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m gui_operator.cli.steps", description=__doc__)
    parser.add_argument("turns", type=Path, help="the turn file that exec was given")
    parser.add_argument("--record", type=Path, metavar="DIR", help="the recording that exec was given")
    chosen = parser.parse_args(arguments)
    pictures = chosen.record / IMAGES_NAME if chosen.record is not None else None
    with chosen.turns.open("rb") as file:
        steps = Steps(read_turns(file), pictures)
        for line in sys.stdin.buffer:
            for shown in steps.render(json.loads(line)):
                print(shown, flush=True)
    return 1 if steps.failed else 0


if __name__ == "__main__":
    sys.exit(main())

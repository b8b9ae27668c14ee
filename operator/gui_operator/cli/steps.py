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
from gui_operator.cli.turn_lines import InvalidLine, TurnLine, read_turn_line
from gui_operator.recording.journal import IMAGES_NAME
from gui_operator.report.described_calls import describe_call

_MOST_RESULT_LINES = 30
_SHOWN_WHOLE = {
    "bash",
    "cursor_position",
    "find",
    "javascript_exec",
    "navigate",
    "read_console",
    "read_network",
    "str_replace_based_edit_tool",
}
"""Their results are what a person wants to read. Of other calls a first line such as "Clicked." is left out."""
_READINGS = {"read_page", "get_page_text"}
"""Too long to follow."""


class Steps:
    """Renders lines; `failed` once something went wrong. `pictures` is where a recording keeps its images."""

    def __init__(self, turns: Iterable[TurnLine | None], pictures: Path | None) -> None:
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
        turn = next(self._turns, None)
        yield f"turn {self._number}: {turn.note}" if turn is not None and turn.note else f"turn {self._number}"
        if "error" in line:
            self.failed = True
            yield f"  refused: {line['error']}"
            return
        for call, result in zip(turn.calls if turn is not None else (), line["results"], strict=True):
            yield from self._describe_call(call, result)
        yield from (f"  kept    {name}: {text}" for name, text in line.get("kept", {}).items())
        for sentence in line["unmet"]:
            self.failed = True
            yield f"  NOT AS EXPECTED: {sentence}"

    def _describe_call(self, call: BetaToolUseBlock, result: Mapping[str, Any]) -> Iterator[str]:
        failed = bool(result.get("is_error"))
        yield f"  {'failed' if failed else 'ok':6}  {describe_call(call.name, call.input)}"
        lines = result_text(result).splitlines()
        if call.name in _READINGS and not failed:
            yield f"            {len(lines)} lines, {sum(map(len, lines)) + len(lines) - 1} characters"
            lines = []
        elif call.name not in _SHOWN_WHOLE and not failed:
            del lines[:1]
        yield from (f"            {line}" for line in lines[:_MOST_RESULT_LINES])
        if len(lines) > _MOST_RESULT_LINES:
            yield f"            ... {len(lines) - _MOST_RESULT_LINES} more lines"
        for path in _picture_files(result, self._pictures) if self._pictures is not None else ():
            yield f"            picture: {path}"


def read_turns(lines: Iterable[bytes]) -> Iterator[TurnLine | None]:
    """The turn of each line that is not blank; None for a line that `exec` refuses."""
    for line in lines:
        if not line.strip():
            continue
        try:
            yield read_turn_line(line, Described())
        except InvalidLine:
            yield None


def _describe_environment(line: Mapping[str, Any]) -> Iterator[str]:
    for name, text in line.get("values", {}).items():
        yield f"{name}: {text}"
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

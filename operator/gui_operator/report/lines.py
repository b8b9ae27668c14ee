"""A run as lines for a terminal. Every character that cannot be seen, or that would tell the terminal something, is
spelled out. Pure."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterator, Mapping

from gui_operator.policy.visible import visible, visible_lines
from gui_operator.report.described_calls import describe_call
from gui_operator.report.elements import elements_of
from gui_operator.report.run import RecordedCall, RecordedReply, RecordedTurn, Run
from gui_operator.report.shown_texts import (
    cost_text,
    decision_text,
    duration_text,
    json_text,
    result_text,
)
from gui_operator.report.summary import summary_of

MOST_LINES = 12
"""Of one result."""

_NARROWEST, _WIDEST = 40, 100


def run_lines(run: Run) -> Iterator[str]:
    """Without line breaks in them."""
    for line in _lines(run):
        yield visible(line.replace("\t", "    "))


def _lines(run: Run) -> Iterator[str]:
    if run.task is not None:
        yield from _labelled("task", run.task)
    elements = elements_of(run.calls)
    for turn in run.turns:
        yield from _turn_lines(turn, elements)
    summary = summary_of(run)
    yield ""
    yield from _labelled(summary.status, summary.reason)
    if run.outcome is not None and run.outcome.result is not None:
        yield from _labelled("result", json_text(run.outcome.result))
    if run.outcome is not None and run.outcome.words:
        yield from _labelled("last words", run.outcome.words)
    for name, value in summary.facts:
        yield from _labelled(name.lower(), value)


def _turn_lines(turn: RecordedTurn, elements: Mapping[int, str]) -> Iterator[str]:
    yield ""
    took = f" ({duration_text(turn.duration_s)})" if turn.duration_s is not None else ""
    yield f"turn {turn.number}{took}" if turn.number is not None else "outside of turns"
    for reply in turn.replies:
        yield from _reply_lines(reply)
    for item in turn.items:
        if isinstance(item, RecordedCall):
            yield from _call_lines(item, elements.get(item.number))
        else:
            yield from _labelled("  note", item.text)


def _reply_lines(reply: RecordedReply) -> Iterator[str]:
    for words in reply.words:
        yield from _labelled("  thought" if words.type == "thinking" else "  said", words.text)
    if reply.stop_reason not in ("tool_use", "end_turn"):
        yield f"  the reply ended {'with ' + reply.stop_reason if reply.stop_reason else 'without its end'}"
    if reply.cost_dollars is not None:
        yield f"  cost so far {cost_text(reply.cost_dollars)}"


def _call_lines(call: RecordedCall, element: str | None) -> Iterator[str]:
    took = f" ({duration_text(call.duration_s)})" if call.duration_s is not None else ""
    yield f"  {call.number:4} {call.outcome:12} {describe_call(call.title, call.input)}{took}"
    if element is not None:
        yield f"       on {element}"
    if call.decision is not None and (not call.decision.allowed or call.decision.by != "rule"):
        yield f"       {decision_text(call.decision)}"
    lines = visible_lines(result_text(call)).split("\n") if call.texts else []
    yield from (f"       {line}" for line in lines[:MOST_LINES])
    if len(lines) > MOST_LINES:
        yield f"       ... {len(lines) - MOST_LINES} more lines"
    yield from (f"       picture: {picture.path}" for picture in call.pictures)


def _labelled(label: str, text: str) -> Iterator[str]:
    """`label: text`, the text wrapped beside it and its own line breaks kept."""
    head = f"{label}: "
    width = min(max(shutil.get_terminal_size((_WIDEST, 24)).columns, _NARROWEST), _WIDEST)
    margin = " " * min(len(head), 12)
    lines = [
        piece
        for line in visible_lines(text).split("\n")
        for piece in textwrap.wrap(line, width - len(margin), drop_whitespace=True) or [""]
    ]
    yield head + lines[0]
    yield from (margin + line for line in lines[1:])

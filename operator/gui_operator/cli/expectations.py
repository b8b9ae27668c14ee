"""What a turn file expects of the results of a turn, and in words what was not met. Changes nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from anthropic.types.beta import BetaToolUseBlock

# Of a result's text, in an explanation.
_SHOWN_CHARACTERS = 300


@dataclass(frozen=True, slots=True)
class Expectation:
    """`call` counts from 1. What is None is not looked at."""

    call: int
    error: bool | None = None
    text: str | None = None


def unmet_expectations(
    expectations: Sequence[Expectation], calls: Sequence[BetaToolUseBlock], results: Sequence[Mapping[str, Any]]
) -> list[str]:
    """One sentence for each expectation that the results do not meet, in order."""
    sentences = []
    for expected in expectations:
        call, result = calls[expected.call - 1], results[expected.call - 1]
        failed, text = bool(result.get("is_error")), result_text(result)
        name = f"{call.toolset_name} {call.name}" if call.toolset_name else call.name
        where = f"call {expected.call} ({name})"
        if expected.error is False and failed:
            sentences.append(f"{where} was to succeed and failed: {_quote(text)}")
        if expected.error is True and not failed:
            sentences.append(f"{where} was to fail and succeeded: {_quote(text)}")
        if expected.text is not None and expected.text not in text:
            sentences.append(f"{where} was to say {_quote(expected.text)} and said {_quote(text)}")
    return sentences


def result_text(result: Mapping[str, Any]) -> str:
    """The text blocks of a `tool_result`, one after the other."""
    content = result.get("content", ())
    if isinstance(content, str):
        return content
    return "\n".join(block["text"] for block in content if block["type"] == "text")


def _quote(text: str) -> str:
    if not text:
        return "nothing"
    return f"“{text}”" if len(text) <= _SHOWN_CHARACTERS else f"“{text[:_SHOWN_CHARACTERS]}…”"

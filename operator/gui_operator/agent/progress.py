"""What a run prints while it goes on: one line a reply. What comes from the model is spelled out where it could not be
seen, and cut."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from anthropic.types.beta import BetaToolUseBlock

from gui_operator.agent.replies import Reply
from gui_operator.agent.tally import Tally
from gui_operator.policy.visible import visible

_LONGEST_CALL = 60
_LONGEST_WORDS = 100


def reply_line(reply: Reply, tally: Tally) -> str:
    cost = "cost unknown" if tally.dollars is None else f"${tally.dollars:.4f}"
    return f"turn {tally.turns}, {tally.elapsed_s:.0f} s, {cost}: {_what(reply)}"


def _what(reply: Reply) -> str:
    if reply.broken is not None:
        return reply.broken
    return _calls_in_words(reply.calls) or _cut(visible(" ".join(reply.text.split())), _LONGEST_WORDS) or "(nothing)"


def _calls_in_words(calls: Sequence[BetaToolUseBlock]) -> str:
    return "; ".join(_cut(visible(_call_in_words(call)), _LONGEST_CALL) for call in calls)


def _call_in_words(call: BetaToolUseBlock) -> str:
    title = f"{call.toolset_name}.{call.name}" if call.toolset_name else call.name
    given: Any = call.input
    values = given.values() if isinstance(given, dict) else [given]
    said = " ".join(value if isinstance(value, str) else json.dumps(value, default=str) for value in values)
    return f"{title} {' '.join(said.split())}".strip()


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 1]}…"

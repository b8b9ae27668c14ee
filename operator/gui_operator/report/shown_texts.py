"""How the values of a run are said to a person, on the terminal and in the report. Pure. Whoever shows the texts spells
out what cannot be seen in them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime

from gui_operator.policy.visible import bounded
from gui_operator.report.run import RecordedCall, RecordedDecision

LONGEST_TEXT = 4_000
"""Characters of one result. Pages read as 50,000; all of it stands in the events."""


def result_text(call: RecordedCall) -> str:
    return bounded("\n".join(call.texts), LONGEST_TEXT)


def decision_text(decision: RecordedDecision) -> str:
    """`Allowed by rule (read=allow).`"""
    who = {
        "rule": "by rule",
        "person": "by a person",
        "remembered": "by a person, earlier",
        "nobody": "since there was nobody to ask",
        "late": "since no answer came in time",
        "environment": "since what it would act on was not there any more",
        "fault": "since it could not be decided",
        "callable": "by the program",
    }.get(decision.by, f"by {decision.by}")
    rule = f" ({decision.rule})" if decision.rule else ""
    reason = f": {decision.reason}" if decision.reason else "."
    return f"{'Allowed' if decision.allowed else 'Refused'} {who}{rule}{reason}"


def duration_text(seconds: float) -> str:
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 100:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"


def cost_text(dollars: float) -> str:
    return f"${dollars:,.2f}" if dollars >= 1 else f"${dollars:.4f}"


def time_text(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M:%S} UTC"


def tokens_text(usage: Mapping[str, int]) -> str:
    """`input 1,200, output 80`: what is not nothing."""
    counted = {name.removesuffix("_tokens").replace("_", " "): count for name, count in usage.items()}
    said = [f"{name} {count:,}" for name, count in counted.items() if isinstance(count, int) and count]
    return ", ".join(said)


def json_text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)

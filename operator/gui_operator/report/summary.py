"""What became of a run, in a line and a few facts; the same on the terminal and in the report. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from gui_operator.recording.outcome import Outcome
from gui_operator.report.run import UNFINISHED, Run
from gui_operator.report.shown_texts import cost_text, duration_text, time_text, tokens_text

Tone = Literal["good", "bad", "open"]


@dataclass(frozen=True, slots=True)
class Summary:
    """`facts` are names and values. `tone` is what a colour says beside the words."""

    status: str
    reason: str
    tone: Tone
    facts: tuple[tuple[str, str], ...]


def summary_of(run: Run) -> Summary:
    status, reason, tone = _status(run)
    return Summary(status, reason, tone, tuple(_facts(run)))


def _status(run: Run) -> tuple[str, str, Tone]:
    if run.outcome is not None:
        return run.outcome.status, run.outcome.reason, "good" if run.outcome.status == "succeeded" else "bad"
    if run.outcome_problem is not None:
        return "unknown", run.outcome_problem, "open"
    if not run.ended:
        return "not ended", "The recording has no end: the run goes on, or was killed. This is what there is.", "open"
    if run.task is not None:
        return "unknown", "The recording was closed, but there is no result.json that says how the run ended.", "open"
    wrong = [call for call in run.calls if call.outcome != "ok"]
    if not wrong:
        return "done", "Every call was carried out.", "good"
    return "done", f"{len(wrong)} of {len(run.calls)} calls were not carried out, or not to their end.", "open"


def _facts(run: Run) -> Iterator[tuple[str, str]]:
    if run.model:
        yield "Model", run.model
    if run.started_at is not None:
        yield "Started", time_text(run.started_at)
    if run.outcome is not None:
        yield "Took", duration_text(run.outcome.timings.duration_s)
    elif run.started_at is not None and run.last_at is not None:
        yield "Took", duration_text((run.last_at - run.started_at).total_seconds())
    yield "Turns", f"{sum(turn.number is not None for turn in run.turns):,}"
    yield "Calls", _calls_text(run)
    if run.cost_dollars is not None:
        yield "Cost", cost_text(run.cost_dollars)
    if run.outcome is not None:
        yield from _facts_of_outcome(run.outcome)


def _facts_of_outcome(outcome: Outcome) -> Iterator[tuple[str, str]]:
    usage = outcome.usage.model_dump()
    tokens = tokens_text({name: count for name, count in usage.items() if name.endswith("_tokens")})
    if tokens:
        yield "Tokens", tokens
    if outcome.timings.model_s is not None:
        yield "Waited for the model", duration_text(outcome.timings.model_s)
    if outcome.timings.environment_s is not None:
        yield "Calls took", duration_text(outcome.timings.environment_s)
    yield "Exit code", str(outcome.exit_code)
    if outcome.versions:
        yield "Versions", ", ".join(f"{name} {version}" for name, version in outcome.versions.items())


def _calls_text(run: Run) -> str:
    counts: dict[str, int] = {}
    for call in run.calls:
        counts[call.outcome] = counts.get(call.outcome, 0) + 1
    order = ("ok", "refused", "failed", "not executed", "cancelled", UNFINISHED)
    named = [f"{counts[name]:,} {name}" for name in (*order, *sorted(counts.keys() - set(order))) if name in counts]
    return f"{len(run.calls):,}" + (f": {', '.join(named)}" if named else "")

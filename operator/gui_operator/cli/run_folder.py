"""The folder of a run, `RUN`: its recording while it goes on, its result and its report when it has ended."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from gui_operator.agent.endings import Ending
from gui_operator.agent.tally import Tally
from gui_operator.jobs import Job
from gui_operator.recording import Recording, RecordingExists
from gui_operator.recording.outcome import Outcome, Timings, Usage, write_outcome
from gui_operator.recording.redaction import Redact

RUNS = Path("runs")
"""Where runs go that nobody named a folder for, below the current folder."""

_ATTEMPTS = 100


def open_recording(directory: Path | None, redact: Redact) -> Recording:
    """In `directory`, or in a new folder below `RUNS`. Raises `RecordingExists`, `RecordingFailed`."""
    if directory is not None:
        return Recording.open(directory, redact=redact)
    stem = f"{datetime.now():%Y%m%d-%H%M%S}"  # noqa: DTZ005 - a name that the person at this machine recognises
    for attempt in range(1, _ATTEMPTS):
        try:
            return Recording.open(RUNS / (stem if attempt == 1 else f"{stem}-{attempt}"), redact=redact)
        except RecordingExists:  # of a run that was started in the same second
            continue
    raise RecordingExists(f"{RUNS} is full of runs of this second; name a folder with --record")


def outcome_of(job: Job, ending: Ending, tally: Tally, started_at: datetime, exit_code: int) -> Outcome:
    return Outcome(
        status=ending.status,
        reason=ending.reason,
        exit_code=exit_code,
        result=ending.result,
        words=ending.words,
        model=job.model,
        usage=Usage(requests=tally.turns, turns=tally.turns, actions=tally.actions, **asdict(tally.usage)),
        cost_dollars=tally.dollars,
        timings=Timings(
            started_at=started_at,
            ended_at=datetime.now(UTC),
            duration_s=round(tally.elapsed_s, 3),
            model_s=round(tally.model_s, 3),
            environment_s=round(tally.environment_s, 3),
        ),
        versions=_versions(),
        job=job.public(),
    )


def close_folder(directory: Path, outcome: Outcome, redact: Redact) -> None:
    """Write what there is to be written when all else is closed. Raises `OSError`."""
    # Only now: it is not needed to start.
    from gui_operator.report.html import write_report

    write_outcome(directory, outcome, redact=redact)
    write_report(directory)


def _versions() -> Mapping[str, str]:
    return {
        "gui-operator": version("gui-operator"),
        "anthropic": version("anthropic"),
        "python": platform.python_version(),
    }

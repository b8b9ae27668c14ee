"""What a run with a model records beside its calls: the task, what the model said, what is worth knowing of the
conversation. Events of their own in the same file, in the order in which they happened; redacted as everything is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from gui_operator.recording.recording import Recording

RUN_STARTED = "run_started"
MODEL_REPLIED = "model_replied"
NOTICED = "noticed"
SCREENSHOT_ADDED = "screenshot_added"
POINTED = "pointed"
"""Where a call pointed that named an element and no point, in pixels of the screenshot."""


@dataclass(frozen=True, slots=True)
class Words:
    """A block of a reply that is for reading: the model's text, or the summary of its thinking."""

    type: Literal["text", "thinking"]
    text: str


@dataclass(frozen=True, slots=True)
class Reply:
    """One reply, its calls apart. `stop_reason` None: it ended without its end. `usage` is this request's, by the names
    of the outcome's; `cost_dollars` is that of the run so far, None where no price is known; `duration_s` from asking
    to the last word."""

    words: Sequence[Words]
    stop_reason: str | None
    usage: Mapping[str, int]
    cost_dollars: float | None
    duration_s: float


def record_run_started(recording: Recording, *, task: str, model: str, job: Mapping[str, Any]) -> None:
    """To be called once, before anything runs. `task` has its inputs in it; `job` is without secrets."""
    recording.write(RUN_STARTED, {"task": task, "model": model, "job": dict(job)})


def record_reply(recording: Recording, reply: Reply) -> None:
    """To be called within the turn that it begins, before its calls run where they wait for it."""
    words = [asdict(each) for each in reply.words]
    recording.write(
        MODEL_REPLIED,
        {
            "words": words,
            "stop_reason": reply.stop_reason,
            "usage": dict(reply.usage),
            "cost_dollars": reply.cost_dollars,
            "duration_s": reply.duration_s,
        },
    )


def record_notice(recording: Recording, text: str) -> None:
    """A sentence about the run: a history was pruned, threads are not to be had, a limit was reached."""
    recording.write(NOTICED, {"text": text})

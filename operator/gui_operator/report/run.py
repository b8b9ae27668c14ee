"""A run as it can be read back from its folder: turns, calls, words, pictures and the outcome, as frozen values. What a
run that was killed at any moment left is read up to its last whole event. Never writes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from gui_operator.recording.outcome import Outcome

UNFINISHED = "unfinished"
"""The outcome of a call whose end was not recorded."""


@dataclass(frozen=True, slots=True)
class RecordedPicture:
    """`path` is relative to the run's folder, where it may be missing."""

    path: str
    media_type: str


@dataclass(frozen=True, slots=True)
class RecordedDecision:
    """`by` and `rule` are the policy's words."""

    allowed: bool
    by: str
    rule: str | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """`number` counts the calls of the run. `tab` is the tab that it named, or that was active when it began, and
    `shown_tab` that of its pictures, as far as results told. `outcome` is one of the recording's, or `UNFINISHED`.
    `pointed_at` is where the pointer went for a call that named an element, in pixels of the screenshot."""

    number: int
    toolset: str | None
    name: str
    input: Mapping[str, Any]
    tab: str | None = None
    shown_tab: str | None = None
    decision: RecordedDecision | None = None
    outcome: str = UNFINISHED
    is_error: bool = False
    duration_s: float | None = None
    pointed_at: tuple[int, int] | None = None
    texts: tuple[str, ...] = ()
    pictures: tuple[RecordedPicture, ...] = ()

    @property
    def title(self) -> str:
        return f"{self.toolset}.{self.name}" if self.toolset else self.name


@dataclass(frozen=True, slots=True)
class Happening:
    """What happened beside the calls, in a sentence; its texts may be a page's."""

    text: str


@dataclass(frozen=True, slots=True)
class SpokenWords:
    """`type` is `text` or `thinking`."""

    type: str
    text: str


@dataclass(frozen=True, slots=True)
class RecordedReply:
    """What the model said before, or without, its calls. `cost_dollars` is that of the run up to here."""

    words: tuple[SpokenWords, ...]
    stop_reason: str | None
    usage: Mapping[str, int]
    cost_dollars: float | None
    duration_s: float | None


@dataclass(frozen=True, slots=True)
class RecordedTurn:
    """`number` None: what was recorded outside of any turn. `replies` is empty where there was no model."""

    number: int | None
    replies: tuple[RecordedReply, ...] = ()
    items: tuple[RecordedCall | Happening, ...] = ()
    duration_s: float | None = None

    @property
    def calls(self) -> tuple[RecordedCall, ...]:
        return tuple(item for item in self.items if isinstance(item, RecordedCall))


@dataclass(frozen=True, slots=True)
class Run:
    """`ended`: the recording was closed in order. `outcome` None: there is none, or, with an `outcome_problem`, none
    that can be read. `task` and `model` are None where no model was asked."""

    directory: Path
    started_at: datetime | None = None
    last_at: datetime | None = None
    ended: bool = False
    task: str | None = None
    model: str | None = None
    job: Mapping[str, Any] = field(default_factory=dict)
    outcome: Outcome | None = None
    outcome_problem: str | None = None
    turns: tuple[RecordedTurn, ...] = ()

    @property
    def calls(self) -> tuple[RecordedCall, ...]:
        return tuple(call for turn in self.turns for call in turn.calls)

    @property
    def cost_dollars(self) -> float | None:
        """As the outcome has it, else up to the last reply."""
        if self.outcome is not None:
            return self.outcome.cost_dollars
        costs = [reply.cost_dollars for turn in self.turns for reply in turn.replies if reply.cost_dollars is not None]
        return costs[-1] if costs else None


IMAGE_PATH = re.compile(r"images/[0-9a-f]{64}\.(?:png|jpg|webp|gif)")
"""What the recorder names pictures. Nothing else is opened for one, whatever the events say."""

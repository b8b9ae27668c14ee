"""One call while it runs: what the layers below say about it before its result is known.

The call in progress travels in a context variable, since the SDK's pipeline between `tool_result` and a member carries
nothing of ours.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Literal

Outcome = Literal["ok", "refused", "failed", "not executed", "cancelled"]
"""`refused`: nothing of it was done. `failed`: it began, or may have, and did not come to its end. `not executed`: an
earlier call of its toolset had failed. `cancelled`: it was broken off from outside."""


@dataclass(slots=True)
class CallInProgress:
    """`number` counts the calls of a recording from 1."""

    number: int = 0
    started_at_s: float = 0.0
    decided: bool = False
    failed: bool = False
    is_error: bool = False
    content: object = None

    def answer(self, content: object, *, is_error: bool = False) -> None:
        """What the call's result will be."""
        self.content = content
        self.is_error = is_error

    @property
    def outcome(self) -> Outcome:
        if not self.is_error:
            return "ok"
        return "failed" if self.failed else "refused"


_in_progress: ContextVar[CallInProgress | None] = ContextVar("call_in_progress", default=None)


def call_in_progress() -> CallInProgress | None:
    return _in_progress.get()


@contextlib.contextmanager
def in_progress(call: CallInProgress) -> Iterator[None]:
    token = _in_progress.set(call)
    try:
        yield
    finally:
        _in_progress.reset(token)


def note_failed() -> None:
    """Something of the call in progress was carried out, or may have been: its error is a failure, not a refusal."""
    call = _in_progress.get()
    if call is not None:
        call.failed = True

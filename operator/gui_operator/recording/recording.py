"""The recording of a run: what was asked, decided, done and answered, in order, as it happens.

Written before and after each call. When it cannot be written any more it raises `RecordingFailed`, then and for every
call after that: nothing runs unrecorded. Never changes what a call does or answers.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from anthropic.tools import ToolError, ToolsetUsageError

from gui_operator.recording.calls import CallInProgress, Outcome, call_in_progress, in_progress
from gui_operator.recording.content import recordable_content
from gui_operator.recording.journal import Journal
from gui_operator.recording.redaction import Redact, redacted

FORMAT = 1
"""The version in the first event. It grows when a reader of the last one would misread."""


class RecordingExists(Exception):
    """The folder already holds a recording; none is ever added to or written over."""


class RecordingFailed(ToolsetUsageError):
    """The recording can no longer be written, so nothing more may run. A `ToolsetUsageError`, since that is the only
    kind of error that the SDK's runner lets out of a toolset's member."""


class Decided(Protocol):
    """What a decision says of itself; the policy's `Decision` is one."""

    @property
    def allowed(self) -> bool: ...
    @property
    def by(self) -> str: ...
    @property
    def rule(self) -> str | None: ...
    @property
    def reason(self) -> str | None: ...


class Recording:
    """`with Recording.open(directory) as recording:`. One run writes one; turns and calls are numbered from 1."""

    def __init__(self, journal: Journal, redact: Redact) -> None:
        self._journal = journal
        self._redact = redact
        self._events = 0
        self._turns = 0
        self._turn: int | None = None
        self._calls = 0
        self._ids_of_calls: set[str] = set()
        self.failure: RecordingFailed | None = None

    @classmethod
    def open(cls, directory: Path, *, redact: Redact | None = None) -> Recording:
        """Begin a recording in `directory`, made when missing. `redact` is applied to every text of a call, its
        decision and its result before it is written.

        Raises `RecordingExists` where there is one, `RecordingFailed` where none can be written.
        """
        try:
            journal = Journal.create(directory)
        except FileExistsError:
            raise RecordingExists(f"{directory} already holds a recording; name another folder") from None
        except OSError as error:
            raise RecordingFailed(f"no recording can be written in {directory}: {error}") from error
        recording = cls(journal, redact or (lambda text: text))
        try:
            recording.write("recording_started", {"format": FORMAT})
        except RecordingFailed:
            journal.close()
            raise
        return recording

    @property
    def directory(self) -> Path:
        return self._journal.directory

    def fileno(self) -> int:
        """The descriptor that events are written to."""
        return self._journal.fileno()

    def write(self, event: str, fields: Mapping[str, object]) -> None:
        """One event of any kind. `fields` are JSON values; every text in them is redacted."""

        def append() -> None:
            safe = redacted(fields, self._redact)
            assert isinstance(safe, dict)
            self._append(event, safe)

        self._attempt(append)

    def write_content(self, event: str, fields: Mapping[str, object], content: object) -> None:
        """An event with blocks as a result has them, in `result`: pictures become files."""

        def append() -> None:
            safe = redacted(fields, self._redact)
            assert isinstance(safe, dict)
            self._append(
                event, {**safe, "result": recordable_content(content, self._journal.store_image, self._redact)}
            )

        self._attempt(append)

    def require_writable(self) -> None:
        """Raises the failure that stopped this recording, if one did."""
        if self.failure is not None:
            raise self.failure

    @contextlib.contextmanager
    def turn(self) -> Iterator[None]:
        """One assistant turn; what is recorded inside belongs to it."""
        self._turns += 1
        self._turn = self._turns
        started_at_s = time.monotonic()
        completed = False
        self.write("turn_started", {})
        try:
            yield
            completed = True
        finally:
            ending = contextlib.nullcontext() if completed else contextlib.suppress(RecordingFailed)
            with ending:
                self.write("turn_finished", {"completed": completed, "duration_s": _seconds_since(started_at_s)})
            self._turn = None

    @contextlib.contextmanager
    def call(
        self, *, toolset: str | None, name: str, call_input: object, tool_use_id: str | None
    ) -> Iterator[CallInProgress]:
        """One call, from before it is judged until its result is known: the body says which with `answer`, or raises.

        Raises `RecordingFailed` before the body when the call cannot be recorded.
        """
        call = self._call_started(toolset, name, call_input, tool_use_id)
        try:
            with in_progress(call):
                yield call
        except RecordingFailed:
            raise
        except ToolError as error:
            call.answer(error.content, is_error=True)
            self._call_finished(call, call.outcome)
            raise
        except Exception as error:
            call.answer(f"{type(error).__name__}: {error}", is_error=True)
            self._call_finished(call, "failed")
            raise
        except BaseException:
            # Cancellation goes on whatever becomes of its event; the failure stands and stops the next call.
            with contextlib.suppress(RecordingFailed):
                self._call_finished(call, "cancelled")
            raise
        self._call_finished(call, call.outcome)

    def call_not_run(
        self, *, toolset: str | None, name: str, call_input: object, tool_use_id: str, outcome: Outcome, content: object
    ) -> None:
        """A call that never reached a toolset or a tool: halted, or addressed to something that does not exist."""
        call = self._call_started(toolset, name, call_input, tool_use_id)
        call.answer(content, is_error=True)
        self._call_finished(call, outcome)

    def has_call(self, tool_use_id: str) -> bool:
        """Whether a call with this id was recorded."""
        return tool_use_id in self._ids_of_calls

    def decided(self, decision: Decided) -> None:
        """The policy's word on the call in progress."""
        call = call_in_progress()
        if call is not None:
            call.decided = True
        words = {"allowed": decision.allowed, "by": decision.by, "rule": decision.rule, "reason": decision.reason}
        self.write("call_decided", {"call": call.number if call is not None else None, **words})

    def close(self) -> None:
        """Write the last event and close the files. Idempotent."""
        if self._journal.closed:
            return
        try:
            if self.failure is None:
                self.write("recording_finished", {})
        finally:
            self._journal.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _call_started(
        self, toolset: str | None, name: str, call_input: object, tool_use_id: str | None
    ) -> CallInProgress:
        self._calls += 1
        call = CallInProgress(self._calls, time.monotonic())
        asked = {"call": call.number, "id": tool_use_id, "toolset": toolset, "name": name, "input": call_input}
        self.write("call_started", asked)
        if tool_use_id is not None:
            self._ids_of_calls.add(tool_use_id)
        return call

    def _call_finished(self, call: CallInProgress, outcome: Outcome) -> None:
        duration_s = _seconds_since(call.started_at_s)
        fields = {"call": call.number, "outcome": outcome, "is_error": call.is_error, "duration_s": duration_s}

        def append() -> None:
            # Redacted before pictures are stored, since the names of their files are not text of the call.
            content = recordable_content(call.content, self._journal.store_image, self._redact)
            self._append("call_finished", {**fields, "result": content})

        self._attempt(append)

    def _append(self, event: str, fields: Mapping[str, object]) -> None:
        self._events += 1
        head: dict[str, object] = {"event": event, "number": self._events, "time": datetime.now(UTC).isoformat()}
        if self._turn is not None:
            head["turn"] = self._turn
        self._journal.append({**head, **fields})

    def _attempt(self, write: Callable[[], None]) -> None:
        self.require_writable()
        try:
            write()
        except (OSError, ValueError, TypeError, RecursionError) as error:
            # Other than OSError: something that JSON cannot hold, which would otherwise go unrecorded.
            self.failure = RecordingFailed(f"the recording in {self.directory} cannot be written: {error}")
            raise self.failure from error


def _seconds_since(started_at_s: float) -> float:
    return round(time.monotonic() - started_at_s, 6)

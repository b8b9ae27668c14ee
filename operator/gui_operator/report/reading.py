"""Makes a `Run` of a run's folder. The one place that knows what each event means to a reader; events that it does not
know are passed over. Never writes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from gui_operator.recording.journal import EVENTS_NAME
from gui_operator.recording.outcome import NotAnOutcome, Outcome, read_outcome
from gui_operator.recording.reading import NotARecording, read_events
from gui_operator.recording.run_events import MODEL_REPLIED, POINTED, RUN_STARTED, SCREENSHOT_ADDED
from gui_operator.report.happenings import happening_text
from gui_operator.report.run import (
    IMAGE_PATH,
    Happening,
    RecordedCall,
    RecordedDecision,
    RecordedPicture,
    RecordedReply,
    RecordedTurn,
    Run,
    SpokenWords,
)

Event = Mapping[str, Any]


def read_run(directory: Path) -> Run:
    """Raises `NotARecording` where there is none, or one that this version did not write."""
    outcome, problem = _outcome(directory)
    if _ended_before_its_first_event(directory):
        return Run(directory, outcome=outcome, outcome_problem=problem)
    builder = _Builder()
    for event in read_events(directory):
        try:
            builder.take(event)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise NotARecording(f"event {event.get('number')} of {directory} cannot be meant: {error!r}") from None
    return builder.run(directory, outcome, problem)


def _outcome(directory: Path) -> tuple[Outcome | None, str | None]:
    try:
        return read_outcome(directory), None
    except NotAnOutcome as error:
        return None, str(error)


_FIRST_EVENT = b'{"event":"recording_started",'


def _ended_before_its_first_event(directory: Path) -> bool:
    """Killed right after the file was made."""
    try:
        with (directory / EVENTS_NAME).open("rb") as stream:
            line = stream.readline(2**16)
    except OSError:
        return False  # whoever reads the events says what is wrong
    return not line.endswith(b"\n") and (line.startswith(_FIRST_EVENT) or _FIRST_EVENT.startswith(line))


@dataclass(slots=True)
class _OpenTurn:
    number: int | None
    replies: list[RecordedReply] = field(default_factory=list)
    items: list[RecordedCall | Happening] = field(default_factory=list)
    duration_s: float | None = None

    def closed(self) -> RecordedTurn:
        return RecordedTurn(self.number, tuple(self.replies), tuple(self.items), self.duration_s)


class _Builder:
    """Takes the events in order."""

    def __init__(self) -> None:
        self._head = Run(Path())
        self._turns: list[_OpenTurn] = []
        self._places: dict[int, tuple[_OpenTurn, int]] = {}
        """Where each call stands, by its number."""
        self._numbers: dict[str, int] = {}
        """The numbers of calls, by the ids that the model gave them."""
        self._active_tab: str | None = None

    def take(self, event: Event) -> None:
        at = _time(event.get("time"))
        self._head = replace(self._head, started_at=self._head.started_at or at, last_at=at or self._head.last_at)
        taker = _TAKERS.get(event["event"])
        if taker is not None:
            taker(self, event)
            return
        text = happening_text(event)
        if text is not None:
            self._turn(event).items.append(Happening(text))

    def run(self, directory: Path, outcome: Outcome | None, problem: str | None) -> Run:
        turns = tuple(turn.closed() for turn in self._turns)
        return replace(self._head, directory=directory, outcome=outcome, outcome_problem=problem, turns=turns)

    def take_run_started(self, event: Event) -> None:
        task, model, job = event.get("task"), event.get("model"), event.get("job")
        job = job if isinstance(job, Mapping) else {}
        self._head = replace(self._head, task=str(task or ""), model=str(model or ""), job=job)

    def take_recording_finished(self, event: Event) -> None:
        self._head = replace(self._head, ended=True)

    def take_turn_started(self, event: Event) -> None:
        self._turn(event)

    def take_turn_finished(self, event: Event) -> None:
        self._turn(event).duration_s = _number(event.get("duration_s"))

    def take_reply(self, event: Event) -> None:
        words = tuple(SpokenWords(str(each["type"]), str(each["text"])) for each in event.get("words", ()))
        usage = {str(name): count for name, count in (event.get("usage") or {}).items() if isinstance(count, int)}
        cost_dollars, duration_s = _number(event.get("cost_dollars")), _number(event.get("duration_s"))
        self._turn(event).replies.append(
            RecordedReply(words, _text(event.get("stop_reason")), usage, cost_dollars, duration_s)
        )

    def take_call_started(self, event: Event) -> None:
        turn = self._turn(event)
        given = event.get("input")
        call_input = given if isinstance(given, Mapping) else {"input": given}
        tab = _named_tab(call_input) or self._active_tab
        number = event["call"]
        if not isinstance(number, int):
            raise TypeError("a call has no number")
        self._places[number] = (turn, len(turn.items))
        if isinstance(event.get("id"), str):
            self._numbers[event["id"]] = number
        turn.items.append(RecordedCall(number, _text(event.get("toolset")), str(event.get("name")), call_input, tab))

    def take_call_decided(self, event: Event) -> None:
        rule, reason = _text(event.get("rule")), _text(event.get("reason"))
        decision = RecordedDecision(bool(event.get("allowed")), str(event.get("by")), rule, reason)
        self._change(event, decision=decision)

    def take_pointed(self, event: Event) -> None:
        x, y = event.get("at") or (None, None)
        if isinstance(x, int) and isinstance(y, int):
            self._change(event, pointed_at=(x, y))

    def take_call_finished(self, event: Event) -> None:
        blocks = [block for block in event.get("result", ()) if isinstance(block, Mapping)]
        self._active_tab = next(_active_tabs(blocks), self._active_tab)
        self._change(
            event,
            outcome=str(event.get("outcome")),
            is_error=bool(event.get("is_error")),
            duration_s=_number(event.get("duration_s")),
            texts=tuple(str(block.get("text")) for block in blocks if block.get("type") == "text"),
            pictures=tuple(_pictures(blocks)),
        )

    def take_screenshot_added(self, event: Event) -> None:
        """One that the model got with the result of a call, without having asked for it."""
        number = self._numbers.get(str(event.get("id")))
        if number is None:
            self._turn(event).items.append(Happening("The model was shown what was there."))
            return
        turn, index = self._places[number]
        call = turn.items[index]
        assert isinstance(call, RecordedCall)
        blocks = [block for block in event.get("result", ()) if isinstance(block, Mapping)]
        turn.items[index] = replace(call, pictures=(*call.pictures, *_pictures(blocks)))

    def _turn(self, event: Event) -> _OpenTurn:
        given = event.get("turn")
        number = given if isinstance(given, int) else None
        if not self._turns or self._turns[-1].number != number:
            self._turns.append(_OpenTurn(number))
        return self._turns[-1]

    def _change(self, event: Event, **changed: Any) -> None:
        place = self._places.get(event["call"]) if isinstance(event.get("call"), int) else None
        if place is None:
            return
        turn, index = place
        call = turn.items[index]
        assert isinstance(call, RecordedCall)
        shown_tab = _named_tab(call.input) or self._active_tab
        turn.items[index] = replace(call, **{"shown_tab": shown_tab, **changed})


_TAKERS: Mapping[str, Callable[[_Builder, Event], None]] = {
    RUN_STARTED: _Builder.take_run_started,
    "recording_finished": _Builder.take_recording_finished,
    "turn_started": _Builder.take_turn_started,
    "turn_finished": _Builder.take_turn_finished,
    MODEL_REPLIED: _Builder.take_reply,
    "call_started": _Builder.take_call_started,
    "call_decided": _Builder.take_call_decided,
    POINTED: _Builder.take_pointed,
    "call_finished": _Builder.take_call_finished,
    SCREENSHOT_ADDED: _Builder.take_screenshot_added,
}


def _named_tab(call_input: Mapping[str, Any]) -> str | None:
    named = call_input.get("tab_id")
    return named if isinstance(named, str) and named else None


def _pictures(blocks: list[Mapping[str, Any]]) -> Iterator[RecordedPicture]:
    for block in blocks:
        source = block.get("source")
        if block.get("type") != "image" or not isinstance(source, Mapping):
            continue
        path = str(source.get("path"))
        if source.get("type") == "file" and IMAGE_PATH.fullmatch(path):
            yield RecordedPicture(path, str(source.get("media_type")))


def _active_tabs(blocks: list[Mapping[str, Any]]) -> Iterator[str]:
    for block in blocks:
        if block.get("type") == "browser_state":
            for tab in block.get("tabs", ()):
                if isinstance(tab, Mapping) and tab.get("active"):
                    yield str(tab.get("tab_id"))


def _number(value: object) -> float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _time(text: object) -> datetime | None:
    try:
        return datetime.fromisoformat(str(text))
    except ValueError:
        return None

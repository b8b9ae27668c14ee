"""A run laid out for the page: which picture goes with which call, and what is said of it. Texts are left as they are;
the page escapes them. Pure, but for looking at the sizes of pictures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gui_operator.report.described_calls import describe_call
from gui_operator.report.elements import elements_of
from gui_operator.report.marks import Marks, Scene, marks_of, scenes_of
from gui_operator.report.pictures import PictureFile, PictureFiles
from gui_operator.report.run import (
    Happening,
    RecordedCall,
    RecordedPicture,
    RecordedReply,
    RecordedTurn,
    Run,
)
from gui_operator.report.shown_texts import (
    cost_text,
    decision_text,
    duration_text,
    json_text,
    result_text,
    tokens_text,
)
from gui_operator.report.summary import Summary, summary_of

OPEN_FIGURES = 60
"""Up to so many pictures are shown at once; where there are more, each is opened when it is wanted."""

SHORT_LINES = 8
SHORT_CHARACTERS = 600
"""A result that is longer is opened when it is wanted."""


@dataclass(frozen=True, slots=True)
class Figure:
    """`file` None: the picture is missing. `arrow`: the points are the ends of a drag. `radius_px` is that of a mark,
    in pixels of the picture."""

    number: int
    summary: str
    caption: str
    file: PictureFile | None
    marks: Marks
    arrow: bool = False

    @property
    def radius_px(self) -> int:
        assert self.file is not None
        return max(8, max(self.file.width_px, self.file.height_px) // 45)


@dataclass(frozen=True, slots=True)
class CallView:
    number: int
    description: str
    element: str
    outcome: str
    decision: str
    duration: str
    text: str
    text_is_short: bool
    input_json: str
    figures: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class ReplyView:
    words: tuple[str, ...]
    thinking: tuple[str, ...]
    facts: str


@dataclass(frozen=True, slots=True)
class TurnView:
    heading: str
    anchor: str
    replies: tuple[ReplyView, ...]
    items: tuple[CallView | Happening, ...]
    facts: str


@dataclass(frozen=True, slots=True)
class ReportView:
    """`wrong` are the calls that did not go well, by number and description."""

    title: str
    task: str | None
    summary: Summary
    result_json: str | None
    last_words: str
    job_json: str | None
    turns: tuple[TurnView, ...]
    wrong: tuple[CallView, ...]
    files: tuple[PictureFile, ...]
    reduced: bool
    open_figures: bool


class _Layout:
    def __init__(self, run: Run, files: PictureFiles) -> None:
        self._files = files
        self._scenes = scenes_of(run.calls)
        self._elements = elements_of(run.calls)
        self._figures = 0

    def turn(self, turn: RecordedTurn, place: int) -> TurnView:
        heading = f"Turn {turn.number}" if turn.number is not None else "Outside of turns"
        duration = "" if turn.duration_s is None else f"took {duration_text(turn.duration_s)}"
        items = tuple(self._call(item) if isinstance(item, RecordedCall) else item for item in turn.items)
        return TurnView(heading, f"turn-{place}", tuple(map(_reply, turn.replies)), items, duration)

    def _call(self, call: RecordedCall) -> CallView:
        text = result_text(call)
        return CallView(
            number=call.number,
            description=describe_call(call.title, call.input),
            element=self._elements.get(call.number, ""),
            outcome=call.outcome,
            decision=decision_text(call.decision) if call.decision is not None else "",
            duration=duration_text(call.duration_s) if call.duration_s is not None else "",
            text=text,
            text_is_short=len(text) <= SHORT_CHARACTERS and text.count("\n") < SHORT_LINES,
            input_json=json_text(dict(call.input)),
            figures=tuple(self._figures_of(call)),
        )

    def _figures_of(self, call: RecordedCall) -> Iterator[Figure]:
        marks, scene = marks_of(call), self._scenes.get(call.number)
        if marks and scene is not None:
            yield self._figure(scene.picture, "Where it acted", _before(scene, marks, call), marks)
        for picture in call.pictures:
            yield self._figure(picture, "What it showed", f"The picture that call {call.number} gave.", Marks())

    def _figure(self, picture: RecordedPicture, summary: str, caption: str, marks: Marks) -> Figure:
        self._figures += 1
        file = self._files.by_path.get(picture.path)
        if file is None:
            caption = f"The picture {picture.path} is missing, or cannot be read."
        return Figure(self._figures, summary, caption, file, marks, arrow=len(marks.points) > 1)

    @property
    def figures(self) -> int:
        return self._figures


def report_view(run: Run, files: PictureFiles) -> ReportView:
    layout = _Layout(run, files)
    turns = tuple(layout.turn(turn, place) for place, turn in enumerate(run.turns, start=1))
    calls = [item for turn in turns for item in turn.items if isinstance(item, CallView)]
    summary = summary_of(run)
    outcome = run.outcome
    return ReportView(
        title=f"Run: {summary.status}",
        task=run.task,
        summary=summary,
        result_json=json_text(outcome.result) if outcome is not None and outcome.result is not None else None,
        last_words=outcome.words if outcome is not None else "",
        job_json=json_text(dict(run.job)) if run.job else None,
        turns=turns,
        wrong=tuple(call for call in calls if call.outcome != "ok"),
        files=tuple(files.by_path.values()),
        reduced=files.reduced,
        open_figures=layout.figures <= OPEN_FIGURES,
    )


def _reply(reply: RecordedReply) -> ReplyView:
    facts = [tokens_text(reply.usage)]
    if reply.duration_s is not None:
        facts.append(duration_text(reply.duration_s))
    if reply.cost_dollars is not None:
        facts.append(f"{cost_text(reply.cost_dollars)} so far")
    if reply.stop_reason not in ("tool_use", "end_turn"):
        facts.append(f"ended with {reply.stop_reason}" if reply.stop_reason else "ended without its end")
    return ReplyView(
        words=tuple(words.text for words in reply.words if words.type != "thinking"),
        thinking=tuple(words.text for words in reply.words if words.type == "thinking"),
        facts=", ".join(filter(None, facts)),
    )


def _before(scene: Scene, marks: Marks, call: RecordedCall) -> str:
    where = " to ".join(f"({x}, {y})" for x, y in marks.points)
    if marks.region is not None:
        where = f"the region {', '.join(map(str, marks.region))}"
    caption = f"The last picture before it, of call {scene.taken_by}, with {where} marked"
    if call.pointed_at is not None:
        return f"{caption}, where the element was then; the page may have been scrolled to it."
    return f"{caption}."

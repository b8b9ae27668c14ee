from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from gui_operator.policy import Decision
from gui_operator.recording import Recording
from gui_operator.recording.outcome import OUTCOME_NAME
from gui_operator.recording.reading import NotARecording
from gui_operator.recording.run_events import record_reply
from gui_operator.report.html import report_parts
from gui_operator.report.lines import run_lines
from gui_operator.report.reading import read_run
from gui_operator.report.run import UNFINISHED, Happening, Run
from gui_operator.report.summary import summary_of
from gui_operator.report.turn_file import turn_file

from .runs import invoice_run, make_call, outcome, picture_block, png, reply


def shown_whole(run: Run) -> str:
    """Everything that is made of a run, so that a test sees that all of it can be made."""
    turn_file(run)
    return "\n".join(run_lines(run)) + "".join(report_parts(run))


def test_a_run_is_read_back_as_it_was_recorded(tmp_path: Path) -> None:
    run = read_run(invoice_run(tmp_path))
    assert (run.task, run.model, run.ended) == ("Enter the invoice A-17.", "claude-sonnet-5-5", True)
    assert run.outcome == outcome()
    assert [turn.number for turn in run.turns] == [1, 2, None]
    assert [(call.number, call.title, call.outcome) for call in run.calls] == [
        (1, "browser.screenshot", "ok"),
        (2, "browser.read_page", "ok"),
        (3, "browser.left_click", "ok"),
        (4, "browser.form_input", "ok"),
        (5, "bash", "refused"),
        (6, "browser.key", "failed"),
    ]
    first, second, last = run.turns
    assert [(words.type, words.text) for words in first.replies[0].words] == [
        ("thinking", "A form is likely."),
        ("text", "I look first."),
    ]
    assert first.calls[0].pictures[0].path.startswith("images/")
    decision = second.calls[2].decision
    assert decision is not None
    assert (decision.allowed, decision.by, decision.rule, decision.reason) == (
        False, "person", "shell=ask", "not on this machine",
    )  # fmt: skip
    assert Happening("The page's confirm “Send it?” was accepted, by rule.") in second.items
    assert last.items == (Happening("A limit was near."),)
    assert run.cost_dollars == 0.0123


def test_what_happened_is_told_in_sentences(tmp_path: Path) -> None:
    with Recording.open(tmp_path) as recording:
        recording.write(
            "navigation_refused", {"tab_id": "tab_1", "host": "evil.example", "scheme": "https", "count": 3}
        )
        recording.write("navigation_refused", {"tab_id": "tab_1", "host": "", "scheme": "file", "count": 1})
        recording.write(
            "request_refused",
            {"tab_id": "", "what": "picture", "host": "ads.example", "reason": "not listed", "count": 1},
        )
        recording.write("egress_refused", {"host": "evil.example", "port": 443, "reason": "not listed."})
        recording.write(
            "dialog_answered",
            {"tab_id": "tab_1", "kind": "prompt", "message": "Who?", "accepted": True, "text": "Ada", "by": "person"},
        )
        recording.write("something_of_another_version", {"text": "unknown"})
    (turn,) = read_run(tmp_path).turns
    assert [item.text for item in turn.items if isinstance(item, Happening)] == [
        "Going to evil.example was refused, 3 times.",
        "Going to a file address was refused.",
        "A picture from ads.example was refused (not listed).",
        "A connection to evil.example:443 was refused: not listed.",
        "The page's prompt “Who?” was accepted with “Ada”, by a person.",
    ]


def state(active: str) -> dict[str, object]:
    tabs = [{"tab_id": tab, "title": "", "url": "", "active": tab == active} for tab in ("tab_1", "tab_2")]
    return {"type": "browser_state", "tabs": tabs}


def test_a_call_is_of_the_tab_that_it_names_or_that_was_active(tmp_path: Path) -> None:
    with Recording.open(tmp_path) as recording, recording.turn():
        make_call(recording, "browser.screenshot", [picture_block(png()), state("tab_1")])
        make_call(recording, "browser.left_click", [state("tab_2")])
        make_call(recording, "browser.left_click", [state("tab_2")], tab_id="tab_1")
        make_call(recording, "browser.key", [state("tab_1")], tab_id="")
        make_call(recording, "browser.key", "no", error=True)
    calls = read_run(tmp_path).calls
    assert [(call.tab, call.shown_tab) for call in calls] == [
        (None, "tab_1"),
        ("tab_1", "tab_2"),
        ("tab_1", "tab_1"),
        ("tab_2", "tab_1"),
        ("tab_1", "tab_1"),
    ]


def test_calls_that_did_not_end_are_unfinished(tmp_path: Path) -> None:
    recording = Recording.open(tmp_path)
    running = recording.call(toolset="computer", name="wait", call_input={"duration": 9}, tool_use_id="t1")
    running.__enter__()
    run = read_run(tmp_path)
    assert [call.outcome for call in run.calls] == [UNFINISHED]
    assert summary_of(run).status == "not ended"
    assert "unfinished" in shown_whole(run)
    running.__exit__(None, None, None)
    recording.close()
    assert [call.outcome for call in read_run(tmp_path).calls] == ["ok"]


async def test_a_call_that_was_broken_off_is_cancelled(tmp_path: Path) -> None:
    recording = Recording.open(tmp_path)

    async def hang() -> None:
        with recording.turn(), recording.call(toolset=None, name="bash", call_input={"command": "x"}, tool_use_id=None):
            await asyncio.Event().wait()

    task = asyncio.ensure_future(hang())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    recording.close()
    (call,) = read_run(tmp_path).calls
    assert call.outcome == "cancelled"


def test_a_run_that_was_killed_at_any_moment_is_read_up_to_its_last_whole_event(tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    with Recording.open(whole) as recording, recording.turn():
        record_reply(recording, reply(("text", "Grüße, 日本"), cost_dollars=0.1))
        make_call(recording, "browser.screenshot", [picture_block(png(size=(8, 8)))], decision=Decision(True, "rule"))
        make_call(recording, "bash", "ok", command="ls")
    written = (whole / "events.jsonl").read_bytes()
    ends = [index + 1 for index, byte in enumerate(written) if byte == ord("\n")]
    first_line, tail = range(ends[0] + 2), range(ends[-4], len(written) + 1)
    cut = tmp_path / "cut"
    cut.mkdir()
    calls = 0
    for length in sorted({*first_line, *ends, *tail}):
        (cut / "events.jsonl").write_bytes(written[:length])
        run = read_run(cut)
        assert len(run.calls) in (calls, calls + 1)
        calls = len(run.calls)
        assert run.ended is (length == len(written))
        if length in ends:
            shown = shown_whole(run)
            assert ("not ended" in shown) is not run.ended
            # The picture was not brought over: of a machine that died, a file may be missing too.
            assert ("is missing" in shown) is (calls > 0 and bool(run.calls[0].pictures))
    assert calls == 2


def test_a_run_without_events_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(NotARecording, match="no recording can be read"):
        read_run(tmp_path)
    (tmp_path / "events.jsonl").write_text("something else\n")
    with pytest.raises(NotARecording, match="does not begin like a recording"):
        read_run(tmp_path)
    (tmp_path / "events.jsonl").write_text('{"event":"recording_started","format":99}\n')
    with pytest.raises(NotARecording, match="format 99"):
        read_run(tmp_path)


@pytest.mark.parametrize("data", [b"", b"{", b'{"format":1,"status":"won"}', b"[]", b'{"format":2}', b"\xff"])
def test_an_outcome_that_cannot_be_read_is_said_and_the_rest_is_shown(tmp_path: Path, data: bytes) -> None:
    invoice_run(tmp_path)
    (tmp_path / OUTCOME_NAME).write_bytes(data)
    run = read_run(tmp_path)
    assert run.outcome is None
    summary = summary_of(run)
    assert summary.status == "unknown"
    assert OUTCOME_NAME in summary.reason
    assert "I look first." in shown_whole(run)
    assert run.cost_dollars == 0.0123


def test_a_run_that_was_killed_before_its_outcome_says_so(tmp_path: Path) -> None:
    invoice_run(tmp_path)
    (tmp_path / OUTCOME_NAME).unlink()
    assert summary_of(read_run(tmp_path)).reason.startswith("The recording was closed, but there is no result.json")


def test_a_session_of_exec_is_done_and_counts_what_went_wrong(tmp_path: Path) -> None:
    with Recording.open(tmp_path / "good") as recording, recording.turn():
        make_call(recording, "bash", "ok", command="ls")
    with Recording.open(tmp_path / "bad") as recording, recording.turn():
        make_call(recording, "bash", "ok", command="ls")
        make_call(recording, "bash", "no", error=True, command="ls")
    good, bad = summary_of(read_run(tmp_path / "good")), summary_of(read_run(tmp_path / "bad"))
    assert (good.status, good.tone) == ("done", "good")
    assert (bad.status, bad.tone) == ("done", "open")
    assert "1 of 2 calls" in bad.reason
    assert dict(bad.facts)["Calls"] == "2: 1 ok, 1 refused"


@pytest.mark.parametrize("status", ["failed", "limit reached", "refused", "needs a person", "environment died"])
def test_the_outcome_s_words_are_the_run_s(tmp_path: Path, status: str) -> None:
    with Recording.open(tmp_path):
        pass
    (tmp_path / OUTCOME_NAME).write_text(outcome(status=status, reason="For a reason.").model_dump_json())
    summary = summary_of(read_run(tmp_path))
    assert (summary.status, summary.reason, summary.tone) == (status, "For a reason.", "bad")


def test_only_pictures_named_as_the_recorder_names_them_are_opened(tmp_path: Path) -> None:
    outside = tmp_path / "outside.png"
    outside.write_bytes(png(size=(8, 8)))
    invoice_run(tmp_path / "run")
    events = tmp_path / "run/events.jsonl"
    (image,) = (tmp_path / "run/images").iterdir()
    for path in ("../outside.png", str(outside), "images/../../outside.png"):
        lines = events.read_text(encoding="utf-8").replace(f"images/{image.name}", path)
        (tmp_path / "bent").mkdir(exist_ok=True)
        (tmp_path / "bent/events.jsonl").write_text(lines, encoding="utf-8")
        run = read_run(tmp_path / "bent")
        assert all(not call.pictures for call in run.calls)
        assert "data:image" not in shown_whole(run)


@pytest.mark.parametrize(
    "event",
    [
        {"event": "call_started", "call": None},
        {"event": "call_started"},
        {"event": "call_finished", "call": 99, "result": "text"},
        {"event": "call_finished", "call": 1, "result": [None, 3, {"type": "image", "source": "x"}, {"type": "text"}]},
        {"event": "call_decided", "call": "x"},
        {"event": "model_replied", "words": [{"type": "text"}]},
        {"event": "model_replied", "words": 3},
        {"event": "run_started", "job": 3},
        {"event": "turn_finished", "duration_s": "soon"},
        {"event": "dialog_answered"},
    ],
)
def test_events_that_no_recorder_writes_are_refused_or_shown_but_never_break_the_reader(
    tmp_path: Path, event: dict[str, object]
) -> None:
    with Recording.open(tmp_path) as recording, recording.turn():
        make_call(recording, "bash", "ok", command="ls")
    with (tmp_path / "events.jsonl").open("a") as file:
        file.write(json.dumps(event) + "\n")
    try:
        run = read_run(tmp_path)
    except NotARecording:
        return
    shown_whole(run)

"""Recordings for the tests of this folder, written by the recorder itself."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from PIL import Image

from gui_operator.policy import Decision
from gui_operator.recording import Recording
from gui_operator.recording.calls import note_failed
from gui_operator.recording.outcome import Outcome, Timings, Usage, write_outcome
from gui_operator.recording.run_events import Reply, Words, record_notice, record_reply, record_run_started

Act = Callable[[Recording], None]

GREY = (200, 200, 200)
SCREEN = (1280, 800)

HOSTILE = (
    "</pre></p><script>document.title = 'taken over'</script>"
    "\"'><img src=x onerror=\"document.title = 'taken over'\"><b id=call-1>"
    "{{ 7 * 6 }} ${x} &amp; \u202egnp.exe\u202c a\u200bb \x1b[31mred\x07 \x00 \ud800 end"
)
"""What a page or a model may say to a report, or to a terminal."""


def png(colour: tuple[int, int, int] = GREY, size: tuple[int, int] = SCREEN) -> bytes:
    made = io.BytesIO()
    Image.new("RGB", size, colour).save(made, "PNG")
    return made.getvalue()


def picture_block(data: bytes) -> dict[str, Any]:
    source = {"type": "base64", "media_type": "image/png", "data": base64.b64encode(data).decode()}
    return {"type": "image", "source": source}


def text_block(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def make_call(
    recording: Recording,
    title: str,
    answer: Any = "done",
    *,
    decision: Decision | None = None,
    error: bool = False,
    failed: bool = False,
    **given: Any,
) -> None:
    """`title` as `computer.left_click` or `bash`; `answer` is the content of its result."""
    toolset, _, name = title.rpartition(".")
    with recording.call(toolset=toolset or None, name=name, call_input=given, tool_use_id=None) as call:
        if decision is not None:
            recording.decided(decision)
        if failed:
            note_failed()
        call.answer(answer, is_error=error)


def reply(*words: tuple[str, str], stop_reason: str | None = "tool_use", cost_dollars: float | None = None) -> Reply:
    said = [Words(type="thinking" if kind == "thinking" else "text", text=text) for kind, text in words]
    return Reply(said, stop_reason, {"input_tokens": 1200, "output_tokens": 80}, cost_dollars, 2.5)


def outcome(**changed: Any) -> Outcome:
    now = datetime(2026, 11, 30, 12, 0, 0, tzinfo=UTC)
    fields: dict[str, Any] = {
        "status": "succeeded",
        "reason": "The model brought the result.",
        "exit_code": 0,
        "result": {"confirmation": "K-47"},
        "words": "The invoice is entered.",
        "model": "claude-sonnet-5-5",
        "usage": Usage(requests=2, turns=2, actions=5, input_tokens=2400, output_tokens=160),
        "cost_dollars": 0.0123,
        "timings": Timings(started_at=now, ended_at=now, duration_s=75.0, model_s=60.0, environment_s=3.0),
        "versions": {"gui-operator": "0.1.0"},
        "job": {"task": "Enter the invoice."},
    }
    return Outcome(**(fields | changed))


def invoice_run(directory: Path) -> Path:
    """A run with a model: two turns, a refused and a failed call, a dialog, a result."""
    allowed = Decision(True, "rule", "pointer=allow")
    with Recording.open(directory) as recording:
        record_run_started(
            recording, task="Enter the invoice A-17.", model="claude-sonnet-5-5", job={"task": "Enter the invoice."}
        )
        with recording.turn():
            record_reply(
                recording, reply(("thinking", "A form is likely."), ("text", "I look first."), cost_dollars=0.004)
            )
            make_call(
                recording, "browser.screenshot", [picture_block(png())], decision=Decision(True, "rule", "read=allow")
            )
            make_call(recording, "browser.read_page", [text_block('textbox "Number" [ref_1]\nbutton "Send" [ref_2]')])
        with recording.turn():
            record_reply(recording, reply(("text", "I enter it."), cost_dollars=0.0123))
            target = {"type": "coordinate", "x": 320, "y": 200}
            make_call(recording, "browser.left_click", "Clicked.", decision=allowed, target=target)
            make_call(recording, "browser.form_input", "Set.", target={"type": "ref", "ref": "ref_1"}, value="A-17")
            recording.write(
                "dialog_answered",
                {
                    "tab_id": "tab_1",
                    "kind": "confirm",
                    "message": "Send it?",
                    "accepted": True,
                    "text": None,
                    "by": "rule",
                },
            )
            make_call(
                recording,
                "bash",
                "not run",
                error=True,
                decision=Decision(False, "person", "shell=ask", "not on this machine"),
                command="rm -r /",
            )
            make_call(recording, "browser.key", "The tab crashed.", error=True, failed=True, text="Return")
        record_notice(recording, "A limit was near.")
    write_outcome(directory, outcome())
    return directory

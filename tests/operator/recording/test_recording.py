from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from anthropic.tools import ToolError, ToolsetUsageError

from gui_operator.policy import Decision
from gui_operator.recording import Recording, RecordingExists, RecordingFailed, Redaction
from gui_operator.recording.calls import note_failed
from gui_operator.recording.reading import NotARecording, read_events

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


@pytest.fixture
def recording(tmp_path: Path) -> Iterator[Recording]:
    with Recording.open(tmp_path / "run") as recording:
        yield recording


def events(recording: Recording, kind: str | None = None) -> list[dict[str, Any]]:
    return [event for event in read_events(recording.directory) if kind in (None, event["event"])]


def call(recording: Recording, **changed: Any) -> Any:
    asked = {"toolset": "computer", "name": "type", "call_input": {"text": "hi"}, "tool_use_id": "t1", **changed}
    return recording.call(**asked)


def picture_block(data: bytes) -> dict[str, Any]:
    source = {"type": "base64", "media_type": "image/png", "data": base64.b64encode(data).decode()}
    return {"type": "image", "source": source}


def test_the_first_event_gives_the_format_and_the_last_one_the_end(tmp_path: Path) -> None:
    with Recording.open(tmp_path) as recording:
        pass
    first, last = read_events(recording.directory)
    assert (first["event"], first["format"]) == ("recording_started", 1)
    assert last["event"] == "recording_finished"
    assert (first["number"], last["number"]) == (1, 2)


def test_a_call_is_in_the_file_before_it_runs(recording: Recording) -> None:
    with call(recording):
        (asked,) = events(recording, "call_started")
        assert (asked["toolset"], asked["name"], asked["input"], asked["id"]) == (
            "computer",
            "type",
            {"text": "hi"},
            "t1",
        )
        assert events(recording, "call_finished") == []


def test_an_answered_call_is_recorded_with_its_text(recording: Recording) -> None:
    with call(recording) as running:
        running.answer([{"type": "text", "text": "Typed."}])
    (finished,) = events(recording, "call_finished")
    assert (finished["call"], finished["outcome"], finished["is_error"]) == (1, "ok", False)
    assert finished["result"] == [{"type": "text", "text": "Typed."}]
    assert finished["duration_s"] >= 0


def test_an_error_is_a_refusal_unless_something_was_done(recording: Recording) -> None:
    with call(recording) as running:
        running.answer("no", is_error=True)
    with call(recording) as running:
        note_failed()
        running.answer("broke off", is_error=True)
    with pytest.raises(ToolError), call(recording):
        raise ToolError("not permitted")
    with pytest.raises(RuntimeError), call(recording):
        raise RuntimeError("boom")
    finished = events(recording, "call_finished")
    assert [event["outcome"] for event in finished] == ["refused", "failed", "refused", "failed"]
    assert [event["result"][0]["text"] for event in finished] == [
        "no",
        "broke off",
        "not permitted",
        "RuntimeError: boom",
    ]


async def test_a_call_broken_off_is_recorded_as_cancelled_and_cancellation_goes_on(recording: Recording) -> None:
    async def hang() -> None:
        with call(recording):
            await asyncio.Event().wait()

    task = asyncio.ensure_future(hang())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    (finished,) = events(recording, "call_finished")
    assert finished["outcome"] == "cancelled"


def test_a_decision_belongs_to_the_call_it_was_made_for(recording: Recording) -> None:
    with call(recording) as running:
        recording.decided(Decision(False, "person", "*=ask", "not now"))
        assert running.decided
        running.answer("no", is_error=True)
    (decided,) = events(recording, "call_decided")
    assert (decided["call"], decided["allowed"], decided["by"], decided["rule"], decided["reason"]) == (
        1, False, "person", "*=ask", "not now",
    )  # fmt: skip


def test_a_turn_holds_the_calls_made_in_it(recording: Recording) -> None:
    for _ in range(2):
        with recording.turn(), call(recording) as running:
            running.answer("ok")
    with call(recording) as running:
        running.answer("ok")
    assert [(event["event"], event.get("turn")) for event in events(recording)][1:] == [
        ("turn_started", 1), ("call_started", 1), ("call_finished", 1), ("turn_finished", 1),
        ("turn_started", 2), ("call_started", 2), ("call_finished", 2), ("turn_finished", 2),
        ("call_started", None), ("call_finished", None),
    ]  # fmt: skip


def test_pictures_are_files_named_by_their_content_and_equal_ones_share_one(recording: Recording) -> None:
    for _ in range(2):
        with call(recording) as running:
            running.answer([picture_block(PIXEL), {"type": "text", "text": "seen"}])
    first, second = events(recording, "call_finished")
    source = first["result"][0]["source"]
    assert source == second["result"][0]["source"]
    assert source["path"] == f"images/{hashlib.sha256(PIXEL).hexdigest()}.png"
    assert (recording.directory / source["path"]).read_bytes() == PIXEL
    assert list((recording.directory / "images").iterdir()) == [recording.directory / source["path"]]
    assert base64.b64encode(PIXEL) not in (recording.directory / "events.jsonl").read_bytes()


def test_only_the_owner_can_read_a_recording(recording: Recording) -> None:
    with call(recording) as running:
        running.answer([picture_block(PIXEL)])
    for path in [recording.directory, *recording.directory.rglob("*")]:
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path


def test_a_folder_that_holds_a_recording_is_refused_and_left_as_it_is(recording: Recording) -> None:
    before = (recording.directory / "events.jsonl").read_bytes()
    with pytest.raises(RecordingExists, match="already holds a recording"):
        Recording.open(recording.directory)
    assert (recording.directory / "events.jsonl").read_bytes() == before


def test_a_folder_that_cannot_be_made_is_an_error_that_stops_the_run(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "file" / "run"):
        with pytest.raises(RecordingFailed, match="no recording can be written"):
            Recording.open(folder)


def test_a_folder_that_was_no_good_can_be_used_once_it_is_mended(tmp_path: Path) -> None:
    (tmp_path / "images").write_text("in the way")
    with pytest.raises(RecordingFailed):
        Recording.open(tmp_path)
    (tmp_path / "images").unlink()
    with Recording.open(tmp_path) as recording, call(recording) as running:
        running.answer([picture_block(PIXEL)])


def fill_disk(recording: Recording) -> None:
    """From here on the recording writes to a device that is always full."""
    full = os.open("/dev/full", os.O_WRONLY)
    os.dup2(full, recording.fileno())
    os.close(full)


def test_when_the_disk_is_full_the_call_is_not_run_and_neither_is_any_later_one(tmp_path: Path) -> None:
    recording = Recording.open(tmp_path)
    fill_disk(recording)
    ran = []
    for _ in range(2):
        with pytest.raises(RecordingFailed, match="No space left"), call(recording):
            ran.append(1)
    assert ran == []
    assert issubclass(RecordingFailed, ToolsetUsageError)
    recording.close()


def test_when_the_disk_fills_up_during_a_call_its_result_is_not_given(tmp_path: Path) -> None:
    recording = Recording.open(tmp_path)
    running = call(recording)
    running.__enter__().answer("ok")
    fill_disk(recording)
    with pytest.raises(RecordingFailed):
        running.__exit__(None, None, None)
    recording.close()


async def test_a_cancelled_call_stays_cancelled_when_the_disk_is_full(tmp_path: Path) -> None:
    recording = Recording.open(tmp_path)

    async def hang() -> None:
        with call(recording):
            fill_disk(recording)
            await asyncio.Event().wait()

    task = asyncio.ensure_future(hang())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert recording.failure is not None
    recording.close()


def test_a_deleted_recording_stops_the_run(tmp_path: Path) -> None:
    recording = Recording.open(tmp_path / "run")
    shutil.rmtree(tmp_path / "run")
    with pytest.raises(RecordingFailed, match="deleted"), call(recording):
        pytest.fail("the call ran unrecorded")
    recording.close()


def test_a_picture_that_cannot_be_stored_stops_the_run(tmp_path: Path) -> None:
    recording = Recording.open(tmp_path)
    running = call(recording)
    running.__enter__().answer([picture_block(PIXEL)])
    shutil.rmtree(tmp_path / "images")
    with pytest.raises(RecordingFailed):
        running.__exit__(None, None, None)
    recording.close()


def test_what_json_cannot_hold_stops_the_run_instead_of_going_unrecorded(tmp_path: Path) -> None:
    recording = Recording.open(tmp_path)
    with pytest.raises(RecordingFailed), call(recording, call_input={"text": object()}):
        pytest.fail("the call ran unrecorded")
    recording.close()


def test_a_number_that_no_json_can_say_is_recorded_by_its_name(recording: Recording) -> None:
    with call(recording, call_input=json.loads('{"duration": 1e999, "more": [-1e999, NaN, 1.5]}')) as running:
        running.answer("no", is_error=True)
    (asked,) = events(recording, "call_started")
    assert asked["input"] == {"duration": "inf", "more": ["-inf", "nan", 1.5]}


def test_nothing_is_recorded_after_the_end(tmp_path: Path) -> None:
    recording = Recording.open(tmp_path)
    recording.close()
    recording.close()
    with pytest.raises(RecordingFailed, match="closed"), call(recording):
        pytest.fail("the call ran unrecorded")


def test_text_that_has_no_bytes_of_its_own_is_kept_readable(recording: Recording) -> None:
    with call(recording, call_input={"text": "a\ud800b\x00\u2028"}) as running:
        running.answer("ok")
    (asked,) = events(recording, "call_started")
    assert asked["input"] == {"text": "a\ud800b\x00\u2028"}
    assert len((recording.directory / "events.jsonl").read_bytes().splitlines()) == len(events(recording))


SECRETS = ['pa"ss\\wörd\n1', "hunter2", "90471188", "</script>", "hunter2-long"]


def test_a_secret_appears_nowhere_in_any_spelling(tmp_path: Path) -> None:
    with Recording.open(tmp_path, redact=Redaction(SECRETS)) as recording:
        for secret in SECRETS:
            held = {"text": f"x{secret}y", secret: [secret, {"deep": secret}], "inside": json.dumps({"p": secret})}
            with call(recording, name=f"tool-{secret}", call_input=held) as running:
                recording.decided(Decision(False, "person", "*=ask", f"because {secret}"))
                running.answer([{"type": "text", "text": json.dumps([secret], ensure_ascii=False) + secret}])
            with pytest.raises(ToolError), call(recording):
                raise ToolError(f"the page said {secret}")
        with call(recording, call_input={"pin": 90471188}) as running:
            running.answer([picture_block(PIXEL)])
    raw = (tmp_path / "events.jsonl").read_text()
    decoded = "\n".join(_texts(list(read_events(tmp_path))))
    for secret in SECRETS:
        for spelling in (secret, json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]):
            assert spelling not in raw.replace(hashlib.sha256(PIXEL).hexdigest(), "")
            assert spelling not in decoded.replace(hashlib.sha256(PIXEL).hexdigest(), "")


def test_redaction_leaves_the_path_of_a_picture_alone(tmp_path: Path) -> None:
    part_of_the_name = hashlib.sha256(PIXEL).hexdigest()[:4]
    with Recording.open(tmp_path, redact=Redaction([part_of_the_name])) as recording, call(recording) as running:
        running.answer([picture_block(PIXEL)])
    (finished,) = [event for event in read_events(tmp_path) if event["event"] == "call_finished"]
    assert (tmp_path / finished["result"][0]["source"]["path"]).read_bytes() == PIXEL


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    else:
        yield str(value)


@pytest.mark.parametrize("cut", [1, 10, 60])
def test_a_recording_cut_in_mid_line_is_read_up_to_the_last_whole_event(tmp_path: Path, cut: int) -> None:
    with Recording.open(tmp_path) as recording, call(recording) as running:
        running.answer("ok")
    path = tmp_path / "events.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    assert [event["event"] for event in read_events(tmp_path)] == ["recording_started", "call_started", "call_finished"]


@pytest.mark.parametrize(
    "content",
    [b"", b"{}\n", b"not json\n", b'{"event":"call_started"}\n', b'{"event":"recording_started","format":99}\n'],
)
def test_a_file_that_is_no_recording_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "events.jsonl").write_bytes(content)
    with pytest.raises(NotARecording):
        list(read_events(tmp_path))


def test_a_folder_without_a_recording_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotARecording, match="no recording can be read"):
        list(read_events(tmp_path))

from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import ValidationError
from tests.operator.report.runs import outcome

from gui_operator.recording import Redaction
from gui_operator.recording.outcome import OUTCOME_NAME, NotAnOutcome, read_outcome, replace_file, write_outcome


def test_an_outcome_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    written = outcome(result={"a": [1, None, "Grüße"]}, words="a\ud800b")
    assert write_outcome(tmp_path, written) == tmp_path / OUTCOME_NAME
    read = read_outcome(tmp_path)
    assert read is not None
    assert read.result == {"a": [1, None, "Grüße"]}
    assert read == written.model_copy(update={"words": "a?b"})


def test_it_is_json_for_programs_with_all_that_the_run_was(tmp_path: Path) -> None:
    write_outcome(tmp_path, outcome())
    said = json.loads((tmp_path / OUTCOME_NAME).read_text(encoding="utf-8"))
    assert (said["format"], said["status"], said["exit_code"], said["result"]) == (
        1,
        "succeeded",
        0,
        {"confirmation": "K-47"},
    )
    assert said.keys() >= {"reason", "usage", "cost_dollars", "timings", "versions", "job", "model", "words"}
    assert said["timings"]["started_at"] == "2026-11-30T12:00:00Z"


def test_where_there_is_none_that_is_no_error(tmp_path: Path) -> None:
    assert read_outcome(tmp_path) is None


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"format": 2}', '{"format": 1, "status": "won"}'])
def test_what_is_no_outcome_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / OUTCOME_NAME).write_text(text)
    with pytest.raises(NotAnOutcome, match=OUTCOME_NAME):
        read_outcome(tmp_path)


def test_an_outcome_cannot_be_changed() -> None:
    with pytest.raises(ValidationError):
        outcome().status = "failed"


def test_only_the_owner_can_read_it_and_nothing_else_stays(tmp_path: Path) -> None:
    write_outcome(tmp_path, outcome())
    write_outcome(tmp_path, outcome(status="failed"))
    (file,) = tmp_path.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert (read_outcome(tmp_path) or outcome()).status == "failed"


def test_secrets_are_taken_out_of_all_that_is_not_ours(tmp_path: Path) -> None:
    held = {"hunter2": ["x hunter2"], "number": 4711}
    secret = outcome(reason="hunter2!", words="it is hunter2", result=held, job={"task": "hunter2"}, exit_code=1)
    write_outcome(tmp_path, secret, redact=Redaction(["hunter2", "4711", "1"]))
    text = (tmp_path / OUTCOME_NAME).read_text(encoding="utf-8")
    assert "hunter2" not in text
    assert "4711" not in text
    read = read_outcome(tmp_path)
    assert read is not None
    assert (read.exit_code, read.words) == (1, "it is [secret]")


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    file = tmp_path / "page"
    file.write_bytes(b"old")

    def broken_off() -> Iterator[bytes]:
        yield b"ne"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        replace_file(file, broken_off())
    assert file.read_bytes() == b"old"
    replace_file(file, [b"n", b"ew"])
    assert file.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [file]


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_outcome(tmp_path / "gone", outcome())

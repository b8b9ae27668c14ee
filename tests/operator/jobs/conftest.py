"""Job files in a folder of the test's own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gui_operator.jobs import Job, JobError, read_job

WriteJob = Callable[[str], Path]


@pytest.fixture
def write_job(tmp_path: Path) -> WriteJob:
    def write(text: str) -> Path:
        file = tmp_path / "job.yaml"
        file.write_text(text, encoding="utf-8")
        return file

    return write


@pytest.fixture
def read(write_job: WriteJob) -> Callable[[str], Job]:
    return lambda text: read_job(write_job(text))


@pytest.fixture
def refusals(write_job: WriteJob) -> Callable[[str], list[str]]:
    """What is said of each problem, from the line on: `2: limits.turns: ...`."""

    def refuse(text: str) -> list[str]:
        file = write_job(text)
        with pytest.raises(JobError) as refused:
            read_job(file)
        assert str(refused.value).splitlines() == list(refused.value.sentences)
        prefix = f"{file}:"
        assert all(sentence.startswith(prefix) for sentence in refused.value.sentences)
        return [sentence.removeprefix(prefix) for sentence in refused.value.sentences]

    return refuse

"""Sessions of the real command, which end with their test."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from .sessions import COMMAND, LONGEST_WAIT_S, ExecSession


@pytest.fixture
def start_exec(tmp_path: Path) -> Iterator[Callable[..., ExecSession]]:
    """Starts `gui-operator exec - ARGUMENTS`; what still runs after the test is told to end."""
    started: list[subprocess.Popen[bytes]] = []

    def start(*arguments: str, source: str = "-", variables: Mapping[str, str] | None = None) -> ExecSession:
        errors = tmp_path / f"errors-{len(started)}"
        with errors.open("wb") as error_file:
            process = subprocess.Popen(
                [*COMMAND, "exec", source, *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=error_file,
                env=os.environ | dict(variables or {}),
                # Without a terminal of ours: nothing may wait for an answer from whoever runs the tests.
                start_new_session=True,
            )
        started.append(process)
        return ExecSession(process, errors)

    yield start
    for process in started:
        for stream in (process.stdin, process.stdout):
            if stream is not None and not stream.closed:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()
        if process.poll() is None:
            process.terminate()
            process.wait(LONGEST_WAIT_S)

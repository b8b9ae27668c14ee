"""Sessions of the real command, which end with their test."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from loopback import LOOPBACK_HOSTS, allowing

from .sessions import COMMAND, LONGEST_WAIT_S, ExecSession
from .terminals import AskedSession


@pytest.fixture
def start_exec(tmp_path: Path) -> Iterator[Callable[..., ExecSession]]:
    """Starts `gui-operator exec - ARGUMENTS` with the hosts of the tests' sites allowed; what still runs after the test
    is told to end."""
    started: list[subprocess.Popen[bytes]] = []

    def start(
        *arguments: str,
        source: str = "-",
        variables: Mapping[str, str] | None = None,
        hosts: tuple[str, ...] = LOOPBACK_HOSTS,
    ) -> ExecSession:
        errors = tmp_path / f"errors-{len(started)}"
        with errors.open("wb") as error_file:
            process = subprocess.Popen(
                [*COMMAND, "exec", source, *allowing(hosts), *arguments],
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


@pytest.fixture
def start_asked(tmp_path: Path) -> Iterator[Callable[..., AskedSession]]:
    """Starts `exec` with a terminal, as `AskedSession` says; what still runs after the test is told to end."""
    started: list[AskedSession] = []

    def start(*arguments: str, **options: Any) -> AskedSession:
        started.append(AskedSession(tmp_path, *arguments, **options))
        return started[-1]

    yield start
    for session in started:
        session.close()

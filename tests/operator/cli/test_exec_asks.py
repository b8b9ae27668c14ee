"""`--approve ask` on a real terminal: it asks there, and never on the input that carries the calls."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import select
import subprocess
import termios
from collections.abc import Iterator

import pytest

from .sessions import COMMAND, LONGEST_WAIT_S, bash, text_of


@pytest.fixture
def terminal() -> Iterator[tuple[int, int]]:
    """Both ends: the person's and the program's."""
    person, program = pty.openpty()
    yield person, program
    os.close(person)
    os.close(program)


def read_until(person: int, words: bytes) -> None:
    shown = b""
    while words not in shown:
        ready, _, _ = select.select([person], [], [], LONGEST_WAIT_S)
        assert ready, f"the terminal shows {shown!r}"
        shown += os.read(person, 4096)


@pytest.mark.parametrize(
    ("answer", "is_error", "words"), [(b"y\n", False, "ran"), (b"n not on a Sunday\n", True, "not on a Sunday")]
)
def test_a_person_at_the_terminal_decides_while_the_calls_come_on_standard_input(terminal, answer, is_error, words):
    person, program = terminal
    with subprocess.Popen(
        [*COMMAND, "exec", "-", "--approve", "bash=ask"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(program, termios.TIOCSCTTY, 0),
        pass_fds=[program],
    ) as process:
        process.stdout.readline()
        turn = {"calls": [bash("echo ran")]}
        # Lines that look like an answer are waiting on standard input; they are turns, and bad ones.
        process.stdin.write(json.dumps(turn).encode() + b"\nn\n")
        process.stdin.flush()
        read_until(person, b"echo ran")
        os.write(person, answer)
        (result,) = json.loads(process.stdout.readline())["results"]
        assert result.get("is_error", False) is is_error
        assert words in text_of(result)
        assert set(json.loads(process.stdout.readline())) == {"error"}
        process.stdin.close()
        assert process.wait(LONGEST_WAIT_S) == 0

"""The real command `exec` with a terminal of its own, and the person at it."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import subprocess
import sys
import termios
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from loopback import LOOPBACK_HOSTS, allowing

from .sessions import COMMAND, LONGEST_WAIT_S, ExecSession

IN_BACKGROUND = (
    sys.executable,
    "-c",
    "import subprocess, sys; sys.exit(subprocess.Popen(sys.argv[1:], process_group=0).wait())",
)
"""As `command &` of a shell does; the shell is in the foreground."""

NO_VARIABLES: Mapping[str, str] = {}

WHAT_ARE_YOU = b"\x1b[c"
HAS_SIXELS = b"\x1b[?62;4c"


class AskedSession(ExecSession):
    """`gui-operator exec - ARGUMENTS` on a pseudo-terminal that understands no graphics, unless it has `sixels`."""

    def __init__(
        self,
        folder: Path,
        *arguments: str,
        variables: Mapping[str, str] = NO_VARIABLES,
        background: bool = False,
        hosts: tuple[str, ...] = LOOPBACK_HOSTS,
        sixels: bool = False,
    ) -> None:
        """`background`: the terminal belongs to it, but it is not in the foreground there."""
        self._person, program = pty.openpty()
        self._shown = b""
        self._sixels = sixels
        errors = folder / "errors-asked"
        with errors.open("wb") as error_file:
            process = subprocess.Popen(
                [*(IN_BACKGROUND if background else ()), *COMMAND, "exec", "-", *allowing(hosts), *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=error_file,
                env=os.environ | {"TERM": "xterm" if sixels else "dumb"} | dict(variables),
                start_new_session=True,
                preexec_fn=lambda: fcntl.ioctl(program, termios.TIOCSCTTY, 0),
                pass_fds=[program],
            )
        os.close(program)
        super().__init__(process, errors)

    def question(self, *calls: Mapping[str, Any]) -> str:
        """Ask for a turn, and return what the terminal shows once it has put a question."""
        self.send(*calls)
        return self.next_question()

    def next_question(self, prompt: bytes = b"a reason: ") -> str:
        while prompt not in self._shown:
            ready, _, _ = select.select([self._person], [], [], LONGEST_WAIT_S)
            assert ready, f"the terminal shows {self._shown!r}; standard error says {self.errors}"
            self._shown += os.read(self._person, 65536)
            if self._sixels and WHAT_ARE_YOU in self._shown:
                self._shown = self._shown.replace(WHAT_ARE_YOU, b"")
                os.write(self._person, HAS_SIXELS)
        question, _, self._shown = self._shown.partition(prompt)
        return question.decode()

    def type(self, line: str) -> None:
        os.write(self._person, line.encode() + b"\n")

    def answer(self, line: str) -> dict[str, Any]:
        """Type an answer; the only result of the turn."""
        self.type(line)
        (result,) = self.read()["results"]
        return dict(result)

    def has_asked(self) -> bool:
        """Whether a question is on the terminal that was not read. What was typed is there too."""
        while select.select([self._person], [], [], 0)[0]:
            self._shown += os.read(self._person, 65536)
        return b"?" in self._shown

    def close(self) -> None:
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None and not stream.closed:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(LONGEST_WAIT_S)
        os.close(self._person)


def facts_of(question: str) -> dict[str, str]:
    """The lines `  label: text` of a question."""
    return dict(re.findall(r"^  ([^:\r\n]+): (.*?)\r?$", question, re.MULTILINE))

"""The real command `exec`, talked to through its standard streams."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

COMMAND = [sys.executable, "-m", "gui_operator"]
# Generous: it bounds a hang and is never waited for.
LONGEST_WAIT_S = 60


class ExecSession:
    """A running `gui-operator exec -`. Reading and ending are bounded by the test's own time-out."""

    def __init__(self, process: subprocess.Popen[bytes], errors: Path) -> None:
        self.process = process
        self._errors = errors

    def send_line(self, line: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def send(self, *calls: Mapping[str, Any], expect: list[Mapping[str, Any]] | None = None) -> None:
        turn: dict[str, Any] = {"calls": list(calls)}
        if expect is not None:
            turn["expect"] = expect
        self.send_line(json.dumps(turn).encode())

    def read(self) -> dict[str, Any]:
        """The next line of output, which is JSON or fails the test."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line.endswith(b"\n"), f"the output ended; standard error says:\n{self.errors}"
        answer: dict[str, Any] = json.loads(line)
        return answer

    def ask(self, *calls: Mapping[str, Any], expect: list[Mapping[str, Any]] | None = None) -> dict[str, Any]:
        self.send(*calls, expect=expect)
        return self.read()

    def bash(self, command: str) -> str:
        """The text of one command's result."""
        (result,) = self.ask(bash(command))["results"]
        return text_of(result)

    def end(self) -> int:
        """Close the input, see that nothing more is printed, and return the exit code."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        assert self.process.stdout.read() == b""
        return self.process.wait(LONGEST_WAIT_S)

    def interrupt(self, number: signal.Signals) -> int:
        self.process.send_signal(number)
        return self.process.wait(LONGEST_WAIT_S)

    @property
    def errors(self) -> str:
        return self._errors.read_text(encoding="utf-8")


def bash(command: str) -> dict[str, Any]:
    return {"name": "bash", "input": {"command": command}}


def computer(name: str, **given: Any) -> dict[str, Any]:
    return {"toolset_name": "computer", "name": name, "input": given}


def text_of(result: Mapping[str, Any]) -> str:
    content = result["content"]
    if isinstance(content, str):
        return content
    return "\n".join(block["text"] for block in content if block["type"] == "text")

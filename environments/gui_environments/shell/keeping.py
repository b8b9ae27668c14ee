"""The worker's end of the keeper: starts it, asks it, and hears from it that the shell ended.

Never kills anything itself, except when the keeper was killed: then it finds what the keeper had in its care by the
shell's session and by a mark in the environment.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import secrets
import sys
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gui_environments.errors import EnvironmentUnavailable
from gui_environments.shell.processes import kill_all, marked_processes

MARK_NAME = "GUI_OPERATOR_SHELL"
ANSWER_LIMIT_S = 20.0
"""More than the keeper takes to give up on what cannot be killed."""


class KeeperGoneError(Exception):
    """The keeper ended, and the shell with it."""


class ShellProcess:
    """A running shell: its pid, and its exit status once it has ended."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.ended: asyncio.Future[int | None] = asyncio.get_running_loop().create_future()

    @property
    def is_running(self) -> bool:
        return not self.ended.done()

    def note_end(self, status: int | None) -> None:
        if not self.ended.done():
            self.ended.set_result(status)


class Keeping:
    """One keeper process, with at most one shell."""

    def __init__(self, process: asyncio.subprocess.Process, mark: str) -> None:
        self._process = process
        self._mark = mark
        self._asked: deque[asyncio.Future[dict[str, Any]]] = deque()
        self._shell: ShellProcess | None = None
        self._is_closing = False
        self._listening = asyncio.create_task(self._listen(), name="shell keeper")

    @classmethod
    async def start(cls) -> Keeping:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", "-m", "gui_environments.shell.keeper"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env={"PATH": os.defpath},
            start_new_session=True,
        )
        return cls(process, secrets.token_hex(16))

    @property
    def is_running(self) -> bool:
        return not self._listening.done()

    async def start_shell(self, arguments: list[str], environment: Mapping[str, str], directory: Path) -> ShellProcess:
        marked = {**environment, MARK_NAME: self._mark}
        answer = await self.ask("start", arguments=arguments, environment=marked, directory=str(directory))
        if "error" in answer:
            raise EnvironmentUnavailable(f"The shell could not be started: {answer['error']}.")
        self._shell = ShellProcess(answer["pid"])
        return self._shell

    async def ask(self, what: str, **details: Any) -> dict[str, Any]:
        """Have the keeper do something; returns when it is done."""
        if not self.is_running or self._process.stdin is None:
            raise KeeperGoneError
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._asked.append(answer)
        self._process.stdin.write(json.dumps({"do": what, **details}).encode() + b"\n")
        async with asyncio.timeout(ANSWER_LIMIT_S):
            return await answer

    async def close(self) -> None:
        """End the keeper, which ends everything in its care first. May be called again."""
        self._is_closing = True
        if self._process.stdin is not None:
            self._process.stdin.close()
        await asyncio.wait({self._listening}, timeout=ANSWER_LIMIT_S)
        if not self._listening.done():
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
        await self._listening
        await self._process.wait()

    async def _listen(self) -> None:
        assert self._process.stdout is not None
        while line := await self._process.stdout.readline():
            message = _message(line)
            if "did" in message and self._asked:
                answer = self._asked.popleft()
                if not answer.done():
                    answer.set_result(message)
            elif "status" in message and self._shell is not None:
                self._shell.note_end(message["status"])
        if not self._is_closing:
            self._kill_orphans()
        for answer in self._asked:
            if not answer.done():
                answer.set_exception(KeeperGoneError())
        if self._shell is not None:
            self._shell.note_end(None)

    def _kill_orphans(self) -> None:
        """The keeper was killed. The kernel ended the shell with it, but not what the shell had started."""
        if self._shell is not None:
            session, mark = self._shell.pid, f"{MARK_NAME}={self._mark}".encode()
            kill_all(lambda: marked_processes(mark, session))


def _message(line: bytes) -> dict[str, Any]:
    """What the keeper says. A line that a command of root's put among its lines says nothing."""
    try:
        message = json.loads(line)
    except ValueError:
        return {}
    return message if isinstance(message, dict) else {}

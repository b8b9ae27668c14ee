"""The processes of one environment: one supervisor process starts them all and ends them all, daemons and grandchildren
included, when the tree is closed, and just the same when this process crashes, is killed or is interrupted.

Never a shell, never a signal to a process that does not belong to the tree. For one event loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import signal
import socket
import subprocess
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from gui_environments.errors import EnvironmentDied
from gui_environments.processes import messages
from gui_environments.processes.killing import kill_all
from gui_environments.processes.proc import descendants, marked_processes
from gui_environments.processes.program import start_program

MARK_NAME = "GUI_OPERATOR_TREE"
"""In the environment of all that is started, to find it by when the supervisor was killed."""

START_LIMIT_S = 10.0
"""For the supervisor to start a process. It takes milliseconds; one that does not answer has been stopped."""

CLOSE_LIMIT_S = 30.0
"""After the grace. More than the supervisor takes to give up on what cannot be killed."""


class SupervisedProcess:
    """One process the supervisor started, in a session and process group of its own (the pid is the number of both)."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        """Set by the tree to the return code, negative for the signal that ended it. To be waited for, not awaited: a
        cancelled `await` would cancel it for all."""

    @property
    def returncode(self) -> int | None:
        """None while it runs."""
        return self.ended.result() if self.ended.done() else None

    async def wait(self) -> int:
        return await asyncio.shield(self.ended)

    def has_ended(self, returncode: int) -> None:
        """Said by the tree."""
        if not self.ended.done():
            self.ended.set_result(returncode)


class ProcessTree:
    """Made by `ProcessTree.open`, or by `begin` where the owner calls `close`."""

    def __init__(self, supervisor: subprocess.Popen[bytes], control: socket.socket, close_limit_s: float) -> None:
        self._supervisor = supervisor
        self._control = control
        self._close_limit_s = close_limit_s
        self._mark = secrets.token_hex(16)
        self._processes: dict[int, SupervisedProcess] = {}
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._requests = 0
        self._lost = False
        self._closing = False

    @classmethod
    @asynccontextmanager
    async def open(cls, *, grace_s: float = 2.0) -> AsyncIterator[ProcessTree]:
        """`grace_s`: how long a process may take to end after SIGTERM before SIGKILL."""
        tree = cls.begin(grace_s=grace_s)
        try:
            yield tree
        finally:
            await tree.close()

    @classmethod
    def begin(cls, *, grace_s: float, program: str = "gui_environments.processes.supervisor") -> ProcessTree:
        """`program` is the module of the supervisor, or of one that does more and is asked for it with `ask`."""
        supervisor, control = start_program(program, grace_s)
        tree = cls(supervisor, control, grace_s + CLOSE_LIMIT_S)
        asyncio.get_running_loop().add_reader(control, tree._take_message)
        return tree

    @property
    def is_alive(self) -> bool:
        return not self._lost and not self._closing

    async def start(
        self,
        argv: Sequence[str],
        *,
        environment: Mapping[str, str],
        workdir: Path | None = None,
        stdin: int = -1,
        stdout: int = -1,
        stderr: int = -1,
        ended_last: bool = False,
    ) -> SupervisedProcess:
        """`argv[0]` is looked up in the PATH of `environment`, which, with a mark, is all the process gets. The streams
        are descriptors, of which the caller keeps and closes its own; -1 is /dev/null.

        `ended_last`: ended after all the others when the tree closes. Raises OSError (`filename` says what could not
        be found or entered) when it cannot be run.
        """
        null = os.open(os.devnull, os.O_RDWR)
        try:
            async with asyncio.timeout(START_LIMIT_S):
                answer = await self._ask(
                    {
                        "do": "start",
                        "argv": list(argv),
                        "environment": {**environment, MARK_NAME: self._mark},
                        "workdir": None if workdir is None else str(workdir),
                        "ended_last": ended_last,
                    },
                    [null if fd == -1 else fd for fd in (stdin, stdout, stderr)],
                )
        except TimeoutError:
            raise EnvironmentDied("The supervisor of the environment's processes does not answer.") from None
        finally:
            os.close(null)
        process: SupervisedProcess = answer["process"]
        return process

    async def ask(self, do: str, **details: Any) -> None:
        """Have the supervisor do something; returns when it is done."""
        await self._ask({"do": do, **details})

    async def remove_at_end(self, directory: Path) -> None:
        """Have `directory` removed once every process has ended."""
        await self.ask("remove at end", path=str(directory))

    async def remove_after(self, process: SupervisedProcess, file: Path) -> None:
        """Have `file`, as it is now, removed when `process` has ended. One that took its name since is left alone."""
        await self.ask("remove after", pid=process.pid, path=str(file))

    async def tell_ends(self) -> None:
        """When this returns, every process that had ended before the call says so."""
        await self.ask("tell ends")

    def members(self) -> list[int]:
        """The pids of all that is alive in the tree, parents before their children."""
        return descendants(self._supervisor.pid)

    async def close(self) -> None:
        """End everything and wait until it has ended. Idempotent. Cancelled, it is not waited for, but happens."""
        if self._control.fileno() == -1:
            return
        self._closing = True
        # From here on the supervisor ends its tree, whatever happens to this coroutine; also if it was stopped.
        with contextlib.suppress(OSError):
            self._control.shutdown(socket.SHUT_WR)
        self._supervisor.send_signal(signal.SIGCONT)
        try:
            await asyncio.to_thread(self._await_supervisor)
            while not self._lost and self._take_message():
                pass
            if self._supervisor.returncode != 0:
                self._kill_orphans()
        finally:
            self._lose()
            self._control.close()

    def _await_supervisor(self) -> None:
        try:
            self._supervisor.wait(self._close_limit_s)
        except subprocess.TimeoutExpired:
            self._supervisor.kill()
            self._supervisor.wait()

    async def _ask(self, request: dict[str, Any], fds: Sequence[int] = ()) -> dict[str, Any]:
        if not self.is_alive:
            raise EnvironmentDied("The environment's processes have been ended.")
        future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._answers[self._requests + 1] = future
        self._tell(request, fds)
        answer = await future
        if "errno" in answer:
            raise OSError(answer["errno"], os.strerror(answer["errno"]), answer["about"])
        return answer

    def _tell(self, request: dict[str, Any], fds: Sequence[int] = ()) -> None:
        self._requests += 1
        try:
            messages.send(self._control, request | {"request": self._requests}, fds)
        except ConnectionError:
            self._lose()

    def _take_message(self) -> bool:
        """One at a time: the event loop calls again while there are more. Whether there was one."""
        try:
            message, _ = messages.receive(self._control, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return False
        if message is None:
            self._lose()
            return False
        if "ended" in message:
            self._processes.pop(message["ended"]).has_ended(message["returncode"])
            return True
        if "pid" in message:
            message["process"] = self._processes[message["pid"]] = SupervisedProcess(message["pid"])
        future = self._answers.pop(message["request"], None)
        if future is None:
            return True
        if not future.done():
            future.set_result(message)
        elif "pid" in message and not self._closing:
            # Whoever asked was cancelled before the answer came, and cannot know of the process.
            self._tell({"do": "kill", "pid": message["pid"]})
        return True

    def _lose(self) -> None:
        """The supervisor is gone, and what it started with it."""
        if self._lost:
            return
        self._lost = True
        asyncio.get_running_loop().remove_reader(self._control)
        if not self._closing:
            self._kill_orphans()
        for process in self._processes.values():
            process.has_ended(-signal.SIGKILL)
        self._processes.clear()
        for future in self._answers.values():
            if not future.done():
                future.set_exception(EnvironmentDied("The supervisor of the environment's processes has ended."))
        self._answers.clear()

    def _kill_orphans(self) -> None:
        """The supervisor was killed. The kernel ends what it had started with it, but not what those had started."""
        mark = f"{MARK_NAME}={self._mark}".encode()
        # A session's number is not given to another one while its first process is there.
        sessions = set(self._processes)
        kill_all(lambda: marked_processes(mark, sessions))

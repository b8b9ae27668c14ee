"""Processes of one environment, ended with it: one supervisor process (`supervisor.py`) starts them all and ends them
all, daemons and grandchildren included, when the tree is closed, and just the same when this process crashes, is
killed or is interrupted. Never a shell, never a signal to a process that is not below the supervisor. Linux only.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from gui_environments.errors import EnvironmentDied, EnvironmentUnavailable
from gui_environments.supervisor import MESSAGE_BYTES, descendants


class SupervisedProcess:
    """One process the supervisor started, in a session and process group of its own (the pid is the number of both)."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        """None while it runs; negative for the signal that ended it."""
        self._ended = asyncio.Event()

    async def wait(self) -> int:
        await self._ended.wait()
        assert self.returncode is not None
        return self.returncode

    def has_ended(self, returncode: int) -> None:
        """Said by the tree."""
        self.returncode = returncode
        self._ended.set()


class ProcessTree:
    """Made by `ProcessTree.open`."""

    def __init__(self, supervisor: subprocess.Popen[bytes], control: socket.socket) -> None:
        self._supervisor = supervisor
        self._control = control
        self._processes: dict[int, SupervisedProcess] = {}
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._requests = 0
        self._lost = False

    @classmethod
    @asynccontextmanager
    async def open(cls, *, grace_s: float = 2.0) -> AsyncIterator[ProcessTree]:
        """`grace_s`: how long a process may take to end after SIGTERM before SIGKILL."""
        tree = cls(*_start_supervisor(grace_s))
        asyncio.get_running_loop().add_reader(tree._control, tree._take_message)
        try:
            yield tree
        finally:
            await tree.close()

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
        """`argv[0]` is looked up in the PATH of `environment`, which is all the process gets. The streams are
        descriptors, of which the caller keeps and closes its own; -1 is /dev/null.

        `ended_last`: ended after all the others when the tree closes. Raises OSError (`filename` says what could not
        be found or entered) when it cannot be run.
        """
        null = os.open(os.devnull, os.O_RDWR)
        try:
            answer = await self._ask(
                {
                    "do": "start",
                    "argv": list(argv),
                    "environment": dict(environment),
                    "workdir": None if workdir is None else str(workdir),
                    "ended_last": ended_last,
                },
                [null if fd == -1 else fd for fd in (stdin, stdout, stderr)],
            )
        finally:
            os.close(null)
        if "errno" in answer:
            raise OSError(answer["errno"], os.strerror(answer["errno"]), answer["about"])
        process: SupervisedProcess = answer["process"]
        return process

    async def remove_at_end(self, directory: Path) -> None:
        """Have `directory` removed once every process has ended."""
        await self._ask({"do": "remove", "path": str(directory)})

    async def remove_after(self, process: SupervisedProcess, file: Path) -> None:
        """Have `file`, as it is now, removed when `process` has ended. One that took its name since is left alone."""
        await self._ask({"do": "remove after", "pid": process.pid, "path": str(file)})

    def members(self) -> list[int]:
        """The pids of all that is alive in the tree, parents before their children."""
        return descendants(self._supervisor.pid)

    async def close(self) -> None:
        """End everything and wait until it has ended. Idempotent. Cancelled, it is not waited for, but happens."""
        if self._control.fileno() == -1:
            return
        # From here on the supervisor ends its tree, whatever happens to this coroutine.
        with contextlib.suppress(OSError):
            self._control.shutdown(socket.SHUT_WR)
        try:
            await asyncio.to_thread(self._supervisor.wait)
            while not self._lost:
                self._take_message()
        finally:
            self._lose()
            self._control.close()

    async def _ask(self, request: dict[str, Any], fds: Sequence[int] = ()) -> dict[str, Any]:
        if self._lost or self._control.fileno() == -1:
            raise EnvironmentDied("The environment's processes have been ended.")
        future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._answers[self._requests + 1] = future
        self._tell(request, fds)
        return await future

    def _tell(self, request: dict[str, Any], fds: Sequence[int] = ()) -> None:
        self._requests += 1
        data = json.dumps(request | {"request": self._requests}).encode()
        try:
            socket.send_fds(self._control, [data], fds) if fds else self._control.send(data)
        except BrokenPipeError:
            self._lose()

    def _take_message(self) -> None:
        """One at a time: the event loop calls again while there are more."""
        try:
            data = self._control.recv(MESSAGE_BYTES, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return
        except ConnectionError:
            data = b""
        if not data:
            self._lose()
            return
        message = json.loads(data)
        if "ended" in message:
            self._processes.pop(message["ended"]).has_ended(message["returncode"])
            return
        if "pid" in message:
            message["process"] = self._processes[message["pid"]] = SupervisedProcess(message["pid"])
        future = self._answers.pop(message["request"], None)
        if future is None:
            return
        if not future.done():
            future.set_result(message)
        elif "pid" in message:
            # Whoever asked was cancelled before the answer came, and cannot know of the process.
            self._tell({"do": "kill", "pid": message["pid"]})

    def _lose(self) -> None:
        """The supervisor is gone, and what it started with it."""
        asyncio.get_running_loop().remove_reader(self._control)
        self._lost = True
        for process in self._processes.values():
            process.has_ended(-signal.SIGKILL)
        self._processes.clear()
        for future in self._answers.values():
            if not future.done():
                future.set_exception(EnvironmentDied("The supervisor of the environment's processes has ended."))
        self._answers.clear()


def _start_supervisor(grace_s: float) -> tuple[subprocess.Popen[bytes], socket.socket]:
    if sys.platform != "linux":
        raise EnvironmentUnavailable("Processes can be supervised on Linux only.")
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    program = Path(__file__).with_name("supervisor.py")
    try:
        with theirs:
            supervisor = subprocess.Popen(
                # Isolated and without site: nothing but the standard library, and a start in a few milliseconds.
                [sys.executable, "-I", "-S", str(program), str(theirs.fileno()), str(os.getpid()), str(grace_s)],
                # Empty, since what it starts can read it.
                env={},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                # Out of reach of the Ctrl-C and the hang-up of our terminal.
                start_new_session=True,
            )
    except BaseException:
        ours.close()
        raise
    return supervisor, ours

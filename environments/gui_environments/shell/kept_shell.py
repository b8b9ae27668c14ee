"""A running shell in the care of a keeper: started, fed one command at a time, stopped, replaced.

Knows when a command is over and how; never reads what a command prints.
"""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gui_environments.errors import EnvironmentDied, EnvironmentUnavailable
from gui_environments.finishing import to_its_end
from gui_environments.processes.tree import ProcessTree, SupervisedProcess
from gui_environments.shell import feed
from gui_environments.shell.pipes import Reports, path_of

KEEPER = "gui_environments.shell.keeper"

ANSWER_LIMIT_S = 20.0
"""More than the keeper takes to give up on what cannot be killed."""

START_LIMIT_S = 10.0
GIVE_UP_LIMIT_S = 2.0
"""How long a shell has to give up the rest of a command before it is killed itself."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a command ended. `shell_lives` is False when the session needs a new shell."""

    exit_status: int | None
    timed_out: bool = False
    shell_lives: bool = True


class KeptShell:
    """One shell at a time. The owner calls `close`, and makes no two calls at once."""

    def __init__(self, workdir: Path, environment: Mapping[str, str]) -> None:
        self._workdir = workdir
        self._environment = environment
        self._command_file = -1
        self._feed = -1

    async def open(self) -> None:
        self._keeper = ProcessTree.begin(grace_s=0.0, program=KEEPER)
        self._command_file = os.memfd_create("command")
        self._reports = Reports()
        self._marking: asyncio.Task[None] | None = None
        await self._start()

    async def still_runs(self) -> bool:
        try:
            await self._ask("tell ends")
        except EnvironmentDied:
            return False
        return self._process.returncode is None

    async def run(self, text: bytes, output_path: str, limit_s: float) -> Ending:
        """Run the command. When this returns or raises, the command is over and so is everything it had started, unless
        it came to its own end: then its background processes go on."""
        process, token = self._process, secrets.token_hex(16)
        await self._earlier_processes_known()
        over = self._reports.expect(token)
        os.ftruncate(self._command_file, 0)
        os.pwrite(self._command_file, text, 0)
        self._feed_lines(feed.command_lines(path_of(self._command_file), output_path, self._reports.path, token))
        try:
            await _either(over, process.ended, limit_s)
        except asyncio.CancelledError:
            await to_its_end(self._stop(process, over))
            raise
        if over.done():
            self._marking = asyncio.create_task(self._mark())
            return Ending(over.result())
        if process.ended.done():
            return Ending(self._exit_status(process), shell_lives=False)
        return await to_its_end(self._stop(process, over))

    async def replace(self) -> None:
        """Start a new shell in place of one that ended. Processes in the background go on."""
        if not self._keeper.is_alive:
            await self._keeper.close()
            self._keeper = ProcessTree.begin(grace_s=0.0, program=KEEPER)
        await self._start()

    async def restart(self) -> None:
        """End the shell and every process of the session, and start a new shell."""
        try:
            await self._ask("clear")
        except EnvironmentDied:
            pass
        else:
            await self._process.wait()
        await self.replace()

    async def close(self) -> None:
        """End every process of the session. May be called again."""
        if self._command_file < 0:
            return
        await self._keeper.close()
        await self._earlier_processes_known()
        self._reports.close()
        os.close(self._command_file)
        self._command_file = -1
        self._close_feed()

    async def _start(self) -> None:
        self._close_feed()
        script, self._feed = os.pipe()
        token = secrets.token_hex(16)
        ready = self._reports.expect(token)
        try:
            self._process = await self._start_process([*feed.SHELL, path_of(script)])
            self._feed_lines(feed.opening_line(self._reports.path, token))
            await _either(ready, self._process.ended, START_LIMIT_S)
        finally:
            os.close(script)
        if not ready.done():
            raise EnvironmentUnavailable(
                "The shell did not start. It must be able to open files under /proc of the process that starts it."
            )
        await self._mark()

    async def _start_process(self, arguments: list[str]) -> SupervisedProcess:
        try:
            async with asyncio.timeout(ANSWER_LIMIT_S):
                return await self._keeper.start(arguments, environment=self._environment, workdir=self._workdir)
        except OSError as error:  # TimeoutError is one, without words
            raise EnvironmentUnavailable(f"The shell could not be started: {str(error) or 'no answer'}.") from error

    def _exit_status(self, process: SupervisedProcess) -> int | None:
        """As a shell gives it: 128 and the signal's number for a process that was killed. None when nobody was there to
        be told."""
        if process.returncode is None or not self._keeper.is_alive:
            return None
        return process.returncode if process.returncode >= 0 else 128 - process.returncode

    async def _ask(self, what: str) -> None:
        """Raises `EnvironmentDied` also for a keeper that gives no answer (a command may have stopped it): it is ended
        then, with all it has in its care."""
        try:
            async with asyncio.timeout(ANSWER_LIMIT_S):
                await self._keeper.ask(what)
        except TimeoutError:
            await self._keeper.close()
            raise EnvironmentDied("The shell's keeper gave no answer and was ended.") from None

    async def _stop(self, process: SupervisedProcess, over: asyncio.Future[int]) -> Ending:
        """Kill what the command started, have the shell give up the rest, and kill the shell if it does not."""
        try:
            await self._ask("interrupt")
            await _either(over, process.ended, GIVE_UP_LIMIT_S)
            if over.done() and process.returncode is None:
                await self._mark()
                return Ending(None, timed_out=True)
            await self._ask("kill command")
        except EnvironmentDied:
            pass
        await process.wait()
        return Ending(None, timed_out=True, shell_lives=False)

    async def _mark(self) -> None:
        """Have the keeper note which processes were there before the next command."""
        try:
            await self._ask("mark")
        except EnvironmentDied:
            return  # the shell has ended with its keeper, which the next call sees

    async def _earlier_processes_known(self) -> None:
        if self._marking is not None:
            await self._marking
            self._marking = None

    def _feed_lines(self, lines: str) -> None:
        # A shell that died meanwhile reads nothing: its end is what the caller waits for as well.
        try:
            os.write(self._feed, lines.encode())
        except BrokenPipeError:
            return

    def _close_feed(self) -> None:
        if self._feed >= 0:
            os.close(self._feed)
            self._feed = -1


async def _either(reported: asyncio.Future[int], ended: asyncio.Future[int], limit_s: float) -> None:
    """Wait until one of the two is done, or the time is up."""
    both: set[asyncio.Future[Any]] = {reported, ended}
    await asyncio.wait(both, timeout=limit_s, return_when=asyncio.FIRST_COMPLETED)

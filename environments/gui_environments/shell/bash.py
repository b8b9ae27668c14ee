"""A bash session: one shell that stays open, commands one after another, everything it starts ended with it.

A command's output, its end and its exit status travel apart, so nothing that a command prints is taken for anything
else. The shell has no terminal, and commands read from /dev/null. This module never decides what may run: it is given a
check, or none.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Self

from gui_environments.errors import ActionRefused, EnvironmentDied, EnvironmentUnavailable
from gui_environments.shell import feed
from gui_environments.shell.bounded import BoundedText
from gui_environments.shell.kept_shell import Ending, KeptShell
from gui_environments.shell.pipes import CommandOutput
from gui_environments.shell.results import CommandResult
from gui_environments.shell.surroundings import shell_environment

COMMAND_LIMIT_BYTES = 1 << 20


class Bash:
    """A bash session, made by `Bash.open`. Calls are carried out one at a time, in the order made."""

    def __init__(
        self,
        workdir: Path,
        environment: Mapping[str, str] | None = None,
        *,
        time_limit_s: float = 120.0,
        output_limit_chars: int = 30_000,
        check: Callable[[str], None] | None = None,
    ) -> None:
        self._workdir = workdir.absolute()
        self._shell = KeptShell(self._workdir, shell_environment(environment or {}))
        self._time_limit_s = time_limit_s
        self._output_limit_chars = output_limit_chars
        self._check = check
        self._one_at_a_time = asyncio.Lock()
        self._outputs: list[CommandOutput] = []
        self._is_open = False

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        workdir: Path,
        environment: Mapping[str, str] | None = None,
        *,
        time_limit_s: float = 120.0,
        output_limit_chars: int = 30_000,
        check: Callable[[str], None] | None = None,
    ) -> AsyncIterator[Self]:
        """A session in `workdir`. `environment` is added to a short list of the host's variables. `check` raises
        `ActionRefused` for a command that is not to run (`ProgramList.check`)."""
        bash = cls(workdir, environment, time_limit_s=time_limit_s, output_limit_chars=output_limit_chars, check=check)
        try:
            await bash._begin()
            yield bash
        finally:
            await bash.close()

    async def run(self, command: str, *, time_limit_s: float | None = None) -> CommandResult:
        """Run a command line or script; returns when it is done, whether or not it left processes in the background.

        Raises `ActionRefused` when nothing was run. A cancelled call stops the command like the time limit does.
        """
        text = _bytes_of(command)
        if self._check is not None:
            self._check(command)
        limit_s = self._time_limit_s if time_limit_s is None else time_limit_s
        async with self._one_at_a_time:
            await self._need_shell()
            output = CommandOutput(self._output_limit_chars)
            try:
                ending = await self._shell.run(text, output.path, limit_s)
                background = self._take_background()
            finally:
                printed = output.finish()
                self._outputs.append(output)
                if not self._is_open:
                    self._close_outputs()
            self._need_open()  # closed while the command ran: its shell is gone and none takes its place
            restarted = None if ending.shell_lives else await self._replace_shell(ending)
        return CommandResult(
            output=_without_our_paths(printed.text),
            exit_status=ending.exit_status,
            timed_out=ending.timed_out,
            time_limit_s=limit_s,
            left_out_chars=printed.left_out_chars,
            restarted=restarted,
            background_output=_without_our_paths(background),
        )

    async def restart(self) -> str:
        """End the shell and every process of the session, start a new shell, and say so."""
        async with self._one_at_a_time:
            self._need_open()
            await self._new_shell(self._shell.restart())
        return f"The shell was restarted and every process it had started was ended. {self._what_is_lost}."

    async def close(self) -> None:
        """End everything the session started. May be called again."""
        self._is_open = False
        await self._shell.close()
        self._close_outputs()

    async def _begin(self) -> None:
        _need_what_it_takes(self._workdir)
        await self._shell.open()
        self._is_open = True

    def _need_open(self) -> None:
        if not self._is_open:
            raise EnvironmentDied("The shell session is closed.")

    async def _need_shell(self) -> None:
        """A command that counts on the state of a shell that is gone must not run in another."""
        self._need_open()
        if not await self._shell.still_runs():
            await self._new_shell(self._shell.replace())
            raise ActionRefused(
                "The shell had ended since the last command, so a new one was started and nothing of this command was "
                f"run. {self._what_is_lost}. Send the command again if that is right for it."
            )

    async def _replace_shell(self, ending: Ending) -> str:
        why = "The shell had to be ended with the command" if ending.timed_out else "The command ended the shell"
        try:
            await self._shell.replace()
        except EnvironmentUnavailable as error:
            return f"{why}, and no new one could be started: {error}"
        return f"{why}; a new one was started. {self._what_is_lost}."

    async def _new_shell(self, start: Awaitable[None]) -> None:
        try:
            await start
        except EnvironmentUnavailable as error:
            raise EnvironmentDied(f"The shell ended and no new one could be started. {error}") from error

    @property
    def _what_is_lost(self) -> str:
        return f"The working directory is {self._workdir} again; variables, functions and options set before are lost"

    def _take_background(self) -> str:
        """What processes of earlier commands printed since it was last asked for."""
        texts = [output.take_background().text for output in self._outputs if output.has_background]
        self._outputs = [output for output in self._outputs if output.is_open]
        together = BoundedText(self._output_limit_chars)
        together.feed("\n".join(text.rstrip("\n") for text in texts).encode())
        return together.take().text

    def _close_outputs(self) -> None:
        for output in self._outputs:
            output.close()
        self._outputs.clear()


def _need_what_it_takes(workdir: Path) -> None:
    if not workdir.is_dir():
        raise EnvironmentUnavailable(f"{workdir} is not a directory. Give the shell one that exists.")
    if not hasattr(os, "pidfd_open") or not Path("/proc/self/stat").exists():
        raise EnvironmentUnavailable("The shell needs Linux 5.3 or later with /proc mounted.")
    if not Path(feed.SHELL[0]).exists():
        raise EnvironmentUnavailable(f"There is no {feed.SHELL[0]} here. Install bash.")


def _bytes_of(command: str) -> bytes:
    try:
        text = command.encode()
    except UnicodeEncodeError:
        raise ActionRefused(
            "The command holds half of a surrogate pair, which is no character. Nothing was run."
        ) from None
    if b"\0" in text:
        raise ActionRefused(
            "The command holds a NUL character, which no command line can. Nothing was run; use printf '\\0' for one."
        )
    if len(text) > COMMAND_LIMIT_BYTES:
        raise ActionRefused("The command is longer than 1 MiB. Nothing was run; write the data to a file first.")
    return text


def _without_our_paths(text: str) -> str:
    """Bash names the file a message comes from. The one that holds the command is ours; a reader cannot use it."""
    return re.sub(rf"/proc/{os.getpid()}/fd/\d+: line ", "bash: line ", text)

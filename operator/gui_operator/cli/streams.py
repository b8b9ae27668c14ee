"""The command's own standard input and output: taken away from everybody else, and never blocking the event loop.

Applications and libraries started later find an empty input, and what they print lands on standard error.
"""

from __future__ import annotations

import asyncio
import errno
import json
import os
import stat
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from gui_environments.secrets import Masking
from gui_operator.cli.lines import OverlongLine, split_lines

_T = TypeVar("_T")


class StreamBroken(Exception):
    """Turns can no longer be read, or results no longer written: the other end is gone, or a disk is full."""


class LineInput:
    """Reads one line when asked for one, so that nothing is taken in ahead of its turn."""

    def __init__(self, descriptor: int) -> None:
        self._lines: Iterator[bytes | OverlongLine] = split_lines(lambda size: os.read(descriptor, size))

    async def read_line(self) -> bytes | OverlongLine | None:
        """The next line; None at the end. Raises `StreamBroken`."""
        try:
            return await _in_a_thread_of_its_own(lambda: next(self._lines, None))
        except OSError as error:
            raise StreamBroken(f"the turns cannot be read any more: {error.strerror}") from error


class LineOutput:
    """Writes each value as one line of JSON, at once."""

    def __init__(self, descriptor: int, masking: Masking | None = None) -> None:
        """`masking` takes secrets out of what is written, whoever put them there."""
        self._descriptor = descriptor
        self._masking = masking or Masking()

    async def write_line(self, value: Mapping[str, Any]) -> None:
        """Raises `StreamBroken` when nobody reads any more, or nothing more fits."""
        # ASCII, so that neither a locale nor a lone surrogate can spoil a line.
        text = json.dumps(self._masking.in_json(value), ensure_ascii=True, separators=(", ", ": "))
        line = text.encode("ascii") + b"\n"
        try:
            await _in_a_thread_of_its_own(lambda: self._write(line))
        except OSError as error:
            raise StreamBroken(f"the results cannot be written any more: {error.strerror}") from error

    def _write(self, line: bytes) -> None:
        rest = memoryview(line)
        while rest:
            rest = rest[os.write(self._descriptor, rest) :]


def open_input(source: str) -> int:
    """A descriptor of the file, or of standard input for `-`. Raises `OSError`."""
    if source == "-":
        return _take_standard_input()
    descriptor = os.open(Path(source), os.O_RDONLY | os.O_CLOEXEC)
    if stat.S_ISDIR(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), source)
    return descriptor


def take_standard_output() -> int:
    """A descriptor of standard output for us alone; from now on what others print there goes to standard error."""
    if sys.stdout is None:  # closed by whoever started us; by now 1 may be another file of ours
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
    sys.stdout.flush()
    own = _own_descriptor(1)
    os.dup2(2, 1)
    return own


def _take_standard_input() -> int:
    own = _own_descriptor(0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return own


def _own_descriptor(descriptor: int) -> int:
    own = os.dup(descriptor)
    # Whoever started us may have left it so that a read without data, or a write without room, fails at once.
    os.set_blocking(own, True)
    return own


async def _in_a_thread_of_its_own(work: Callable[[], _T]) -> _T:
    """Await blocking `work`. Unlike a pool's, this thread is left behind when the caller is cancelled, so that a read
    or a write that never returns cannot keep the process from ending."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[_T] = loop.create_future()

    def settle(value: _T | None, error: BaseException | None) -> None:
        if done.cancelled():
            return
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(value)  # type: ignore[arg-type]  # `work` returned it

    def run() -> None:
        value: _T | None = None
        error: BaseException | None = None
        try:
            value = work()
        except BaseException as raised:  # noqa: BLE001  # handed to whoever awaits
            error = raised
        # The loop may be closed by now; then nobody waits.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(settle, value, error)

    threading.Thread(target=run, name="standard streams", daemon=True).start()
    return await done

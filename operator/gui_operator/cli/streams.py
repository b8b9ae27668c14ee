"""The command's own standard input and output: taken away from everybody else, and never blocking the event loop.

Applications and libraries started later find an empty input, and what they print lands on standard error.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from gui_operator.cli.lines import OverlongLine, split_lines

_T = TypeVar("_T")


class LineInput:
    """Reads one line when asked for one, so that nothing is taken in ahead of its turn."""

    def __init__(self, descriptor: int) -> None:
        self._lines: Iterator[bytes | OverlongLine] = split_lines(lambda size: os.read(descriptor, size))

    async def read_line(self) -> bytes | OverlongLine | None:
        """The next line; None at the end."""
        return await _in_a_thread_of_its_own(lambda: next(self._lines, None))


class LineOutput:
    """Writes each value as one line of JSON, at once."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    async def write_line(self, value: Mapping[str, Any]) -> None:
        """Raises `BrokenPipeError` when nobody reads any more."""
        # ASCII, so that neither a locale nor a lone surrogate can spoil a line.
        line = json.dumps(value, ensure_ascii=True, separators=(", ", ": ")).encode("ascii") + b"\n"
        await _in_a_thread_of_its_own(lambda: self._write(line))

    def _write(self, line: bytes) -> None:
        rest = memoryview(line)
        while rest:
            rest = rest[os.write(self._descriptor, rest) :]


def open_input(source: str) -> int:
    """A descriptor of the file, or of standard input for `-`. Raises `OSError`."""
    if source == "-":
        return _take_standard_input()
    return os.open(Path(source), os.O_RDONLY | os.O_CLOEXEC)


def take_standard_output() -> int:
    """A descriptor of standard output for us alone; from now on what others print there goes to standard error."""
    sys.stdout.flush()
    own = os.dup(1)
    os.dup2(2, 1)
    return own


def _take_standard_input() -> int:
    own = os.dup(0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
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

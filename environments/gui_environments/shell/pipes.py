"""The pipes between a shell and the worker: one for each command's output, one for what the shell reports.

A shell opens them by their path under /proc, so that nothing of them lies in the file system where a command could
delete it, and no command inherits an end of the report's pipe. A reader here never blocks and never holds more than
its bound.
"""

from __future__ import annotations

import array
import asyncio
import contextlib
import fcntl
import os
import termios

from gui_environments.shell.bounded import BoundedText, Kept

READ_BYTES = 1 << 18
BACKGROUND_READ_BYTES = 1 << 16
BACKGROUND_PAUSE_S = 0.01
"""Background processes are read at 6 MB/s at most: a chatty server never waits for that, and a flood cannot take the
worker's time."""

REPORT_LIMIT_BYTES = 1 << 16


def path_of(descriptor: int) -> str:
    """A path by which another process of the same user opens what this process has open."""
    return f"/proc/{os.getpid()}/fd/{descriptor}"


class CommandOutput:
    """What one command and the processes it left behind print.

    Until `finish`, everything read belongs to the command. Later, what its background processes print is kept apart
    (`take_background`) until the last of them has ended.
    """

    def __init__(self, limit_chars: int) -> None:
        self._text = BoundedText(limit_chars)
        self._reader, self._writer = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        # Only a matter of speed; the kernel may refuse when the user has many large pipes.
        with contextlib.suppress(OSError):
            fcntl.fcntl(self._reader, fcntl.F_SETPIPE_SZ, READ_BYTES)
        self._loop = asyncio.get_running_loop()
        self._pause: asyncio.TimerHandle | None = None
        self._loop.add_reader(self._reader, self._read)

    @property
    def path(self) -> str:
        return path_of(self._writer)

    @property
    def is_open(self) -> bool:
        """Whether anything can still be printed."""
        return self._reader >= 0

    def finish(self) -> Kept:
        """The command is over: what it printed. All of it is in the pipe by now, and no more is read than that."""
        if self._reader < 0:
            return self._text.take()
        remaining = _readable_bytes(self._reader)
        while remaining > 0:
            data = os.read(self._reader, remaining)
            remaining -= len(data)
            self._text.feed(data)
        # From here on the end of the last process is the end of the pipe.
        self._close_writer()
        self._loop.remove_reader(self._reader)
        self._loop.add_reader(self._reader, self._read_background)
        return self._text.take()

    def take_background(self) -> Kept:
        return self._text.take()

    @property
    def has_background(self) -> bool:
        return not self._text.is_empty

    def close(self) -> None:
        """Stop reading. May be called again. What still writes gets a broken pipe."""
        if self._pause is not None:
            self._pause.cancel()
        if self._reader >= 0:
            self._loop.remove_reader(self._reader)
            os.close(self._reader)
            self._reader = -1
        self._close_writer()

    def _close_writer(self) -> None:
        if self._writer >= 0:
            os.close(self._writer)
            self._writer = -1

    def _read(self) -> None:
        with contextlib.suppress(BlockingIOError):
            self._text.feed(os.read(self._reader, READ_BYTES))

    def _read_background(self) -> None:
        try:
            data = os.read(self._reader, BACKGROUND_READ_BYTES)
        except BlockingIOError:
            return
        if not data:
            self.close()
            return
        self._text.feed(data)
        self._loop.remove_reader(self._reader)
        self._pause = self._loop.call_later(BACKGROUND_PAUSE_S, self._go_on)

    def _go_on(self) -> None:
        self._loop.add_reader(self._reader, self._read_background)


class Reports:
    """Where the shell says that a command is over: a line with its exit status and the token that only the line of
    script after the command knows."""

    def __init__(self) -> None:
        self._reader, self._writer = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        self._waiting = b""
        self._token = ""
        self._loop = asyncio.get_running_loop()
        self._status: asyncio.Future[int] = self._loop.create_future()
        self._loop.add_reader(self._reader, self._read)

    @property
    def path(self) -> str:
        return path_of(self._writer)

    def expect(self, token: str) -> asyncio.Future[int]:
        """The exit status that will be reported with this token. Any other line is not the shell's and is ignored."""
        self._token = token
        self._status = self._loop.create_future()
        return self._status

    def close(self) -> None:
        if self._reader >= 0:
            self._loop.remove_reader(self._reader)
            os.close(self._reader)
            os.close(self._writer)
            self._reader = -1

    def _read(self) -> None:
        with contextlib.suppress(BlockingIOError):
            self._waiting += os.read(self._reader, REPORT_LIMIT_BYTES)
        *lines, self._waiting = self._waiting.split(b"\n")
        self._waiting = self._waiting[-REPORT_LIMIT_BYTES:]
        for line in lines:
            status, _, token = line.decode("ascii", "replace").partition(" ")
            if token == self._token and status.isdecimal() and not self._status.done():
                self._status.set_result(int(status))


def _readable_bytes(descriptor: int) -> int:
    count = array.array("i", [0])
    fcntl.ioctl(descriptor, termios.FIONREAD, count)
    return count[0]

"""The terminal that the process belongs to, for questions to a person. Never reads standard input, which may carry the
calls. One question at a time; what was typed before a question is no answer to it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import select
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from gui_environments.sights import Spot
from gui_operator.policy.terminal_pictures import Graphics, Pictures, graphics_of

T = TypeVar("T")

_ATTEMPTS = 3
_LINE_LIMIT_BYTES = 4096

_REPLIES = re.compile("\x1b\\[\\?[0-9;]*c|\x1b_G[^\x1b]*\x1b\\\\")
"""What a terminal says of itself may come late, in the middle of an answer."""


@dataclass(frozen=True, slots=True)
class Question(Generic[T]):
    """`text` is shown as it is: what is not ours in it has been escaped. `read` is the answer that a line is; None asks
    again."""

    text: str
    prompt: str
    read: Callable[[str], T | None]
    spots: Sequence[Spot] = ()


class NobodyThere(Exception):
    """There is no terminal, or it has ended."""


class Terminal:
    """`pictures` is a folder for pictures where the terminal cannot show them, made when it is needed; None: one in the
    system's folder for such. They are removed once the question is over."""

    def __init__(self, path: str = "/dev/tty", *, pictures: Path | None = None) -> None:
        self._path = path
        self._pictures = pictures
        self._graphics: Graphics | None = None
        self._one_at_a_time = asyncio.Lock()

    async def ask(self, question: Question[T]) -> T | None:
        """The answer; None when there was none that could be read. Raises `NobodyThere`."""
        async with self._one_at_a_time:
            try:
                fd = os.open(self._path, os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC | os.O_NONBLOCK)
            except OSError as error:
                raise NobodyThere from error
            wake_read, wake_write = os.pipe()
            asking = asyncio.ensure_future(asyncio.to_thread(self._ask_on, fd, wake_read, question))
            try:
                return await asyncio.shield(asking)
            finally:
                # The thread ends at once when it is still waiting; the files stay open until it did.
                os.close(wake_write)
                with contextlib.suppress(OSError, asyncio.CancelledError):
                    await asyncio.wait([asking])
                with contextlib.suppress(asyncio.CancelledError):
                    asking.exception()  # told by the line above the `finally`, unless nobody waits any more
                os.close(fd)
                os.close(wake_read)

    def _ask_on(self, fd: int, wake_fd: int, question: Question[T]) -> T | None:
        """Blocking: put the question and read the answer. Closing the other end of `wake_fd` ends it."""
        try:
            _require_foreground(fd)
            if question.spots and self._graphics is None:
                self._graphics = graphics_of(fd, wake_fd, os.environ)
            with Pictures(self._graphics or "none", self._pictures) as pictures:
                shown = pictures.shown(question.spots)
                _discard_typed_ahead(fd)
                _write(fd, wake_fd, f"\n{question.text}\n{shown}")
                return self._read_answer(fd, wake_fd, question)
        except OSError as error:
            raise NobodyThere from error

    def _read_answer(self, fd: int, wake_fd: int, question: Question[T]) -> T | None:
        for _ in range(_ATTEMPTS):
            _write(fd, wake_fd, question.prompt)
            line = _read_line(fd, wake_fd)
            if line is None:
                raise NobodyThere
            answer = question.read(line)
            if answer is not None:
                return answer
        return None


def _discard_typed_ahead(fd: int) -> None:
    # What was typed before the question was shown is no answer to it.
    import termios  # not there on every system that the rest of the policy runs on

    with contextlib.suppress(termios.error):
        termios.tcflush(fd, termios.TCIFLUSH)


def _read_line(fd: int, wake_fd: int) -> str | None:
    """One line, without its end; None at the end of the terminal or when woken."""
    line = b""
    while b"\n" not in line and len(line) < _LINE_LIMIT_BYTES:
        ready, _, _ = select.select([fd, wake_fd], [], [])
        if wake_fd in ready:
            return None
        try:
            chunk = os.read(fd, _LINE_LIMIT_BYTES)
        except BlockingIOError:  # somebody else read it
            continue
        if not chunk:
            return None
        line += chunk
    return _REPLIES.sub("", line.partition(b"\n")[0].decode("utf-8", "replace")).strip()


def _write(fd: int, wake_fd: int, text: str) -> None:
    """A terminal that is stopped (Ctrl-S) is waited for. Raises `NobodyThere` when woken."""
    rest = text.encode("utf-8", "replace")
    while rest:
        ready, _, _ = select.select([wake_fd], [fd], [])
        if ready:
            raise NobodyThere
        with contextlib.suppress(BlockingIOError):
            rest = rest[os.write(fd, rest) :]


def _require_foreground(fd: int) -> None:
    """A program in the background that reads from its terminal is stopped by the system. Raises `NobodyThere`."""
    try:
        foreground = os.tcgetpgrp(fd)
    except OSError:
        return  # not the terminal of this process: nothing stops it there
    if foreground != os.getpgrp():
        raise NobodyThere

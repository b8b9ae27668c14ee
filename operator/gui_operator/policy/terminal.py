"""Asks a person on the terminal the process belongs to. Never reads standard input, which may carry the calls."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import select

from gui_operator.policy.approver import Answer
from gui_operator.policy.requests import CallRequest

_ATTEMPTS = 3
_LINE_LIMIT_BYTES = 4096

# Printable by their category, and yet nothing is seen of them: fillers, joiners, variation selectors.
_UNSEEN = frozenset("\u00ad\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_UNSEEN_RANGES = ((0x180B, 0x180F), (0xFE00, 0xFE0F), (0xE0000, 0xE0FFF))


class TerminalApprover:
    """Asks on `terminal`; where it cannot be opened there is nobody to ask, and the answer is no. One question at a
    time."""

    def __init__(self, terminal: str = "/dev/tty") -> None:
        self._terminal = terminal
        self._one_at_a_time = asyncio.Lock()

    async def ask(self, request: CallRequest) -> Answer:
        async with self._one_at_a_time:
            try:
                fd = os.open(self._terminal, os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
            except OSError:
                return Answer(False, "nobody")
            wake_read, wake_write = os.pipe()
            asking = asyncio.ensure_future(asyncio.to_thread(_ask_on, fd, wake_read, question_text(request)))
            try:
                return await asyncio.shield(asking)
            finally:
                # The thread ends at once when it is still waiting; the files stay open until it did.
                os.close(wake_write)
                with contextlib.suppress(OSError, asyncio.CancelledError):
                    await asyncio.wait([asking])
                os.close(fd)
                os.close(wake_read)


def question_text(request: CallRequest) -> str:
    """The call as a person reads it, whole, on lines of its own; what cannot be seen is spelled out."""
    lines = [f"{visible(request.title)} ({request.effect})"]
    lines += [
        f"  {visible(key)}: {visible(json.dumps(value, ensure_ascii=False))}" for key, value in request.input.items()
    ]
    return "\n".join(lines)


def visible(text: str) -> str:
    """`text` with every character that is not seen, or that moves others about, written as its code point."""
    return "".join(char if _is_seen(char) else f"\\u{{{ord(char):x}}}" for char in text)


def _is_seen(char: str) -> bool:
    # str.isprintable is false for controls, formats (bidi, zero width), separators but the space, and lone surrogates.
    code = ord(char)
    return char.isprintable() and char not in _UNSEEN and not any(low <= code <= high for low, high in _UNSEEN_RANGES)


def _ask_on(fd: int, wake_fd: int, question: str) -> Answer:
    """Blocking: put the question and read the answer. Closing the other end of `wake_fd` ends it with no."""
    try:
        _discard_typed_ahead(fd)
        _write(fd, f"\nMay this run?\n{question}\n")
        for _ in range(_ATTEMPTS):
            _write(fd, "[y]es, or [n]o and a reason: ")
            line = _read_line(fd, wake_fd)
            if line is None:
                return Answer(False, "nobody")
            answer = _answer_of(line)
            if answer is not None:
                return answer
    except OSError:
        return Answer(False, "nobody")
    return Answer(False, "person")


def _discard_typed_ahead(fd: int) -> None:
    # What was typed before the question was shown is no answer to it.
    import termios  # not there on every system that the rest of the policy runs on

    with contextlib.suppress(termios.error):
        termios.tcflush(fd, termios.TCIFLUSH)


def _answer_of(line: str) -> Answer | None:
    word, _, reason = line.strip().partition(" ")
    if word.lower() in ("y", "yes"):
        # "yes but ..." is not a yes.
        return Answer(True) if not reason.strip() else None
    if word.lower().rstrip(",:") in ("n", "no"):
        return Answer(False, "person", reason.strip() or None)
    return None


def _read_line(fd: int, wake_fd: int) -> str | None:
    """One line, without its end; None at the end of the terminal or when woken."""
    line = b""
    while b"\n" not in line and len(line) < _LINE_LIMIT_BYTES:
        ready, _, _ = select.select([fd, wake_fd], [], [])
        if wake_fd in ready:
            return None
        chunk = os.read(fd, _LINE_LIMIT_BYTES)
        if not chunk:
            return None
        line += chunk
    return line.partition(b"\n")[0].decode("utf-8", "replace")


def _write(fd: int, text: str) -> None:
    rest = text.encode("utf-8", "replace")
    while rest:
        rest = rest[os.write(fd, rest) :]

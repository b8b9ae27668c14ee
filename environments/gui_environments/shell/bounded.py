"""Text of any length in bounded memory: its beginning and its end are kept, and what is left out is counted.

Pure: bytes go in, text comes out. The text has no lone surrogates and no control characters but tab, line feed and
carriage return, whatever the bytes were.
"""

from __future__ import annotations

import codecs
import re
from collections import deque
from dataclasses import dataclass

_UNSHOWABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class Kept:
    text: str
    left_out_chars: int


class BoundedText:
    """At most `limit_chars` characters of a text: the first half and the last half."""

    def __init__(self, limit_chars: int) -> None:
        self._head_limit = limit_chars // 2
        self._tail_limit = limit_chars - self._head_limit
        self._start_again()

    def feed(self, data: bytes) -> None:
        """Add bytes of UTF-8; a character may be cut anywhere between two calls."""
        self._add(self._decoder.decode(data))

    def take(self) -> Kept:
        """What was kept, made showable; from here on it is a new text."""
        self._add(self._decoder.decode(b"", final=True))
        tail = "".join(self._tail)
        tail = tail[max(0, len(tail) - self._tail_limit) :]
        left_out = self._total - self._head_length - len(tail)
        note = f"\n[... {left_out} characters left out. Write long output to a file and read parts of it. ...]\n"
        text = "".join(self._head) + (note if left_out else "") + tail
        self._start_again()
        return Kept(_showable(text), left_out)

    @property
    def is_empty(self) -> bool:
        return self._total == 0

    def _start_again(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._head: list[str] = []
        self._head_length = 0
        self._tail: deque[str] = deque()
        self._tail_length = 0
        self._total = 0

    def _add(self, text: str) -> None:
        self._total += len(text)
        if (room := self._head_limit - self._head_length) > 0:
            self._head.append(text[:room])
            self._head_length += len(self._head[-1])
            text = text[room:]
        # A piece longer than the tail is cut at once; shorter ones go when what follows them fills the tail.
        piece = text[max(0, len(text) - self._tail_limit) :]
        if not piece:
            return
        self._tail.append(piece)
        self._tail_length += len(piece)
        while self._tail_length - len(self._tail[0]) >= self._tail_limit:
            self._tail_length -= len(self._tail.popleft())


def _showable(text: str) -> str:
    return _UNSHOWABLE.sub(_picture, text)


def _picture(match: re.Match[str]) -> str:
    """Unicode has a visible sign for each ASCII control character; the rest become the replacement character."""
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "\u2421" if code == 0x7F else "\ufffd"

"""Cuts a stream of bytes into lines without ever holding more than a limit of one. Knows nothing of what they say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

LINE_LIMIT_BYTES = 16 * 1024 * 1024
_CHUNK_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class OverlongLine:
    """Stands for a line that was longer than the limit and was thrown away as it came."""

    limit_bytes: int


def split_lines(read: Callable[[int], bytes], limit_bytes: int = LINE_LIMIT_BYTES) -> Iterator[bytes | OverlongLine]:
    """Each line without its newline, as soon as it is there. `read` is like `os.read`: at most so many bytes, none at
    the end. What follows the last newline is a line too, unless it is empty."""
    held = bytearray()
    overlong = False
    while chunk := read(_CHUNK_BYTES):
        first, *others = chunk.split(b"\n")
        for piece in (first, *others[:-1]) if others else ():
            too_long = overlong or len(held) + len(piece) > limit_bytes
            yield OverlongLine(limit_bytes) if too_long else bytes(held + piece)
            held.clear()
            overlong = False
        held += others[-1] if others else first
        if len(held) > limit_bytes:
            held.clear()
            overlong = True
    if overlong:
        yield OverlongLine(limit_bytes)
    elif held:
        yield bytes(held)

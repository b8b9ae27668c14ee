"""Lines of a stream, however it is cut into pieces, and never more of one than the limit."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gui_operator.cli.lines import OverlongLine, split_lines


def reader(*pieces: bytes) -> Callable[[int], bytes]:
    left = iter([piece for piece in pieces if piece])
    return lambda _size: next(left, b"")


@given(st.lists(st.binary(max_size=8).map(lambda data: data.replace(b"x", b"\n"))))
def test_every_line_comes_whole_however_the_stream_is_cut(pieces):
    wanted = b"".join(pieces).split(b"\n")
    if not wanted[-1]:
        wanted.pop()
    assert list(split_lines(reader(*pieces), limit_bytes=1000)) == wanted


@given(st.lists(st.sampled_from([b"a", b"bb", b"ccc", b"\n"])), st.integers(1, 4))
def test_exactly_the_lines_over_the_limit_are_replaced(pieces, limit):
    wanted = b"".join(pieces).split(b"\n")
    if not wanted[-1]:
        wanted.pop()
    found = list(split_lines(reader(*pieces), limit_bytes=limit))
    assert found == [OverlongLine(limit) if len(line) > limit else line for line in wanted]


def test_a_line_is_given_before_the_next_piece_is_asked_for():
    asked = []

    def read(_size: int) -> bytes:
        asked.append(1)
        return b"one\n"

    lines = split_lines(read)
    assert next(lines) == b"one"
    assert len(asked) == 1


def test_a_line_of_a_gigabyte_takes_no_more_memory_than_the_limit():
    chunk = b"x" * 65536
    left = [16 * 1024]

    def read(_size: int) -> bytes:
        left[0] -= 1
        return chunk if left[0] >= 0 else b""

    tracemalloc.start()
    try:
        assert list(split_lines(read, limit_bytes=2**20)) == [OverlongLine(2**20)]
        _, most_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most_bytes < 4 * 2**20


@pytest.mark.parametrize("end", [b"", b"\n"])
def test_a_line_of_exactly_the_limit_is_taken(end):
    assert list(split_lines(reader(b"x" * 100 + end), limit_bytes=100)) == [b"x" * 100]

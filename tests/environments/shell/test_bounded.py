"""Text of any length is kept in bounded memory, and what is left out is counted exactly."""

from __future__ import annotations

import tracemalloc

from hypothesis import given
from hypothesis import strategies as st

from gui_environments.shell.bounded import BoundedText

TEXTS = st.text(st.sampled_from("ab\nß漢😀"), max_size=60)


@given(TEXTS, st.integers(1, 40), st.lists(st.integers(1, 5), min_size=1))
def test_the_two_ends_of_a_text_are_kept_wherever_its_bytes_are_cut(text: str, limit: int, sizes: list[int]) -> None:
    data = text.encode()
    bounded = BoundedText(limit)
    place = turn = 0
    while place < len(data):
        size = sizes[turn % len(sizes)]
        bounded.feed(data[place : place + size])
        place, turn = place + size, turn + 1
    kept = bounded.take()
    if len(text) <= limit:
        assert (kept.text, kept.left_out_chars) == (text, 0)
    else:
        head, tail = limit // 2, limit - limit // 2
        assert kept.left_out_chars == len(text) - limit
        assert kept.text.startswith(text[:head] + "\n[... ")
        assert kept.text.endswith(" ...]\n" + text[len(text) - tail :])
    assert bounded.take().text == ""


@given(st.binary(max_size=200))
def test_any_bytes_become_text_without_surrogates_or_control_characters(data: bytes) -> None:
    bounded = BoundedText(1000)
    bounded.feed(data)
    text = bounded.take().text
    text.encode()
    assert not {c for c in text if (ord(c) < 32 and c not in "\t\n\r") or 127 <= ord(c) < 160}


def test_a_long_text_takes_little_memory() -> None:
    chunk = b"0123456789abcde\n" * (1 << 14)
    bounded = BoundedText(30_000)
    tracemalloc.start()
    for _ in range(400):
        bounded.feed(chunk)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert bounded.take().left_out_chars == 400 * len(chunk) - 30_000
    assert peak < 4 * len(chunk)


def test_many_small_pieces_take_little_memory() -> None:
    bounded = BoundedText(100)
    tracemalloc.start()
    for _ in range(200_000):
        bounded.feed(b"x")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1 << 20

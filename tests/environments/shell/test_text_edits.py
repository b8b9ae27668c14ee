"""Edits keep every byte they do not name, whatever ends the file's lines."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gui_environments.errors import ActionRefused
from gui_environments.shell import text_edits

MARK = "\ufeff"
words = st.text(st.sampled_from("ab \tß漢😀{'"), max_size=5)
new_texts = st.text(st.sampled_from("xyß\n"), max_size=6)


@dataclass(frozen=True)
class File:
    """A file as it was put together, to check against without the code under test."""

    mark: str
    lines: list[str]
    endings: list[str]

    @property
    def data(self) -> bytes:
        return self.bytes_of(0, len(self.lines))

    @property
    def as_read(self) -> str:
        return self.data.decode().removeprefix(MARK).replace("\r\n", "\n")

    def bytes_of(self, first: int, last: int) -> bytes:
        pairs = zip(self.lines[first:last], self.endings[first:last], strict=True)
        return ((self.mark if first == 0 else "") + "".join(line + ending for line, ending in pairs)).encode()

    def bytes_before(self, place: int) -> bytes:
        """The file's bytes before a character of `as_read`."""
        before = self.as_read[:place]
        return self.bytes_of(0, before.count("\n")) + before.rpartition("\n")[2].encode()


@st.composite
def files(draw: st.DrawFn) -> File:
    lines = draw(st.lists(words, min_size=1, max_size=6))
    endings = draw(st.lists(st.sampled_from(["\n", "\r\n"]), min_size=len(lines), max_size=len(lines)))
    if lines[-1] and draw(st.booleans()):
        endings[-1] = ""
    return File(draw(st.sampled_from(["", MARK])), lines, endings)


@given(files(), st.data())
def test_a_replacement_keeps_the_bytes_around_it(file: File, data: st.DataObject) -> None:
    content = file.as_read
    start = data.draw(st.integers(0, len(content)))
    end = data.draw(st.integers(start, len(content)))
    old, new = content[start:end], data.draw(new_texts)
    assume(old and old != new)
    assume(sum(content.startswith(old, place) for place in range(len(content))) == 1)

    edited = text_edits.replace(text_edits.decode(file.data), old, new).data

    assert edited.decode().removeprefix(file.mark).replace("\r\n", "\n") == content[:start] + new + content[end:]
    if not old.startswith("\n"):
        assert edited.startswith(file.bytes_before(start))
    if not old.endswith("\n"):
        assert edited.endswith(file.data.removeprefix(file.bytes_before(end)))


@given(files(), st.data())
def test_a_replacement_of_as_many_lines_keeps_each_lines_ending(file: File, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(file.lines) - 1))
    changed = File(file.mark, [*file.lines], file.endings)
    changed.lines[index] = "CHANGED"
    edited = text_edits.replace(text_edits.decode(file.data), file.as_read, changed.as_read) if file.as_read else None
    assert edited is None or edited.data == changed.data


@given(files(), st.data(), new_texts.filter(bool))
def test_an_insertion_keeps_the_bytes_around_it(file: File, data: st.DataObject, added: str) -> None:
    has_open_end = not file.endings[-1]
    count = len(file.lines)
    line = data.draw(st.integers(0, count))

    edited = text_edits.insert(text_edits.decode(file.data), line, added).data

    before = file.bytes_of(0, line)
    after = file.data.removeprefix(before)
    assert edited.startswith(before)
    assert edited.endswith(after)
    middle = edited[len(before) : len(edited) - len(after)].decode().replace("\r\n", "\n")
    at_open_end = line == count and has_open_end
    assert middle == ("\n" + added if at_open_end else added if added.endswith("\n") else added + "\n")


@given(files(), st.sampled_from(["\n", "\r\n"]), new_texts.filter(bool))
def test_new_lines_end_like_the_lines_of_the_file(file: File, ending: str, added: str) -> None:
    uniform = File(file.mark, file.lines, [ending if kind else "" for kind in file.endings])
    assume(any(uniform.endings))
    edited = text_edits.insert(text_edits.decode(uniform.data), 0, added).data.decode()
    assert edited.replace(ending, "").count("\n") == 0


def test_an_old_text_with_line_feeds_matches_a_file_with_carriage_returns() -> None:
    text = text_edits.decode(b"one\r\n\ttwo\r\nthree\r\n")
    assert text_edits.replace(text, "one\n\ttwo\n", "1\n1a\n2\n").data == b"1\r\n1a\r\n2\r\nthree\r\n"


def test_a_file_that_ends_lines_with_carriage_returns_alone_keeps_them() -> None:
    text = text_edits.decode(b"one\rtwo\rthree")
    assert text.lines == ("one", "two", "three")
    assert text_edits.replace(text, "one\ntwo", "one\nand\ntwo").data == b"one\rand\rtwo\rthree"


def test_a_carriage_return_that_ends_no_line_is_a_character() -> None:
    text = text_edits.decode(b"10%\r20%\n")
    assert text_edits.replace(text, "10%\r", "").data == b"20%\n"


@pytest.mark.parametrize(
    ("data", "line", "added", "expected"),
    [
        (b"", 0, "a", b"a"),
        (b"", 0, "a\n", b"a\n"),
        (b"a", 1, "b", b"a\nb"),
        (b"a", 1, "b\n", b"a\nb\n"),
        (b"a\n", 1, "b", b"a\nb\n"),
        (b"a\r\nb", 2, "c", b"a\r\nb\r\nc"),
        (b"\xef\xbb\xbfa\n", 0, "b", b"\xef\xbb\xbfb\na\n"),
        (b"a\n", 0, "\n", b"\na\n"),
    ],
)
def test_an_insertion_at_an_end_leaves_the_file_ending_as_it_did(
    data: bytes, line: int, added: str, expected: bytes
) -> None:
    assert text_edits.insert(text_edits.decode(data), line, added).data == expected


@pytest.mark.parametrize("line", [-1, 3, 10**12])
def test_an_insertion_outside_the_file_is_refused_with_its_length(line: int) -> None:
    with pytest.raises(ActionRefused, match="2 lines"):
        text_edits.insert(text_edits.decode(b"a\nb\n"), line, "x")


def test_a_text_found_several_times_is_refused_with_its_lines() -> None:
    with pytest.raises(ActionRefused, match=r"3 times \(lines 1, 3, 4\)"):
        text_edits.replace(text_edits.decode(b"x\n\nx\nx"), "x", "y")


def test_overlapping_places_are_more_than_one() -> None:
    with pytest.raises(ActionRefused, match="2 times"):
        text_edits.replace(text_edits.decode(b"aaa"), "aa", "b")


def test_places_beyond_number_are_not_counted_to_the_end() -> None:
    with pytest.raises(ActionRefused, match=r"more than 1000 times \(lines 1, 1, "):
        text_edits.replace(text_edits.decode(b"a" * 2_000), "a", "b")


@pytest.mark.parametrize(("old", "new", "says"), [("", "x", "empty"), ("a", "a", "same"), ("q", "x", "not found")])
def test_a_replacement_that_means_nothing_is_refused(old: str, new: str, says: str) -> None:
    with pytest.raises(ActionRefused, match=says):
        text_edits.replace(text_edits.decode(b"a\n"), old, new)


@pytest.mark.parametrize("data", [b"caf\xe9", "text".encode("utf-16"), b"a\0b", b"\xed\xa0\x80", b"\xff\xd8\xff\xe0"])
def test_what_is_not_text_is_refused(data: bytes) -> None:
    with pytest.raises(ActionRefused, match="left as it is"):
        text_edits.decode(data)

"""Edits of a text file, from its old bytes to its new ones: pure, and every byte that an edit does not name is kept.

A reader of a file sees lines that end in a line feed. The file may end them with CR LF, or with both kinds, or, where
it holds no line feed at all, with CR alone; it may start with a byte order mark and end without a line ending. Edits
are asked for in the reader's terms and made in the file's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import accumulate

from gui_environments.errors import ActionRefused

BYTE_ORDER_MARK = "\ufeff"
SHOWN_PLACES = 10

COUNTED_PLACES = 1_000
"""So that a text that is nearly everywhere in a large file costs neither minutes nor gigabytes."""


@dataclass(frozen=True, slots=True)
class Text:
    """A decoded file. `lines` are without their endings; `endings[i]` is what ends line i, empty for a last line that
    nothing ends. A byte order mark is kept apart."""

    mark: str
    lines: tuple[str, ...]
    endings: tuple[str, ...]

    @property
    def as_read(self) -> str:
        return "".join(line + ("\n" if ending else "") for line, ending in zip(self.lines, self.endings, strict=True))

    def ending_near(self, index: int) -> str:
        """How lines end around line `index`: that line, else the nearest before it, else the nearest after."""
        before = self.endings[: index + 1][::-1]
        return next((ending for ending in (*before, *self.endings[index + 1 :]) if ending), "\n")


@dataclass(frozen=True, slots=True)
class Edited:
    """The new bytes, and which lines of the new file (1-based, inclusive) are new."""

    data: bytes
    first_line: int
    last_line: int


def decode(data: bytes) -> Text:
    """Raises `ActionRefused` for what is not UTF-8 text."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ActionRefused(
            f"The file is not UTF-8 text (byte {error.start + 1} cannot be decoded), so it is left as it is. "
            "Use bash with a tool that knows its encoding, such as iconv or python3."
        ) from None
    if "\0" in text:
        raise ActionRefused(
            "The file holds NUL bytes, so it is not text. It is left as it is; use bash to look into it."
        )
    mark = BYTE_ORDER_MARK if text.startswith(BYTE_ORDER_MARK) else ""
    text = text[len(mark) :]
    pieces = re.split("(\r?\n)" if "\n" in text else "(\r)", text)
    lines, endings = pieces[::2], [*pieces[1::2], ""]
    if not lines[-1]:
        del lines[-1], endings[-1]
    return Text(mark, tuple(lines), tuple(endings))


def replace(text: Text, old: str, new: str) -> Edited:
    """Replace the one occurrence of `old`. Raises `ActionRefused` unless there is exactly one."""
    old, new = as_reader_writes(old, text), as_reader_writes(new, text)
    if not old:
        raise ActionRefused("old_str is empty. Give the text to replace, or use insert or create.")
    if old == new:
        raise ActionRefused("old_str and new_str are the same, so nothing would change.")
    content = text.as_read
    start = _only_place(content, old)
    prefix = _common_length(old, new)
    suffix = _common_length(old[prefix:][::-1], new[prefix:][::-1])
    first, last = start + prefix, start + len(old) - suffix
    inserted = new[prefix : len(new) - suffix]
    offsets = [0, *accumulate(len(line) + 1 for line in text.lines)]
    line_of_first = content.count("\n", 0, first)
    # Where as many lines stand as stood before, each keeps the ending it has; others end like the line they begin in.
    replaced_endings = text.endings[line_of_first : content.count("\n", 0, last)]
    endings = (
        replaced_endings
        if len(replaced_endings) == inserted.count("\n")
        else (text.ending_near(line_of_first),) * inserted.count("\n")
    )
    before = _in_file_terms(text, offsets, 0, first)
    after = _in_file_terms(text, offsets, last, len(content))
    data = text.mark + before + _with_endings(inserted, endings) + after
    begin = content.count("\n", 0, start)
    return Edited(data.encode(), begin + 1, begin + 1 + new.rstrip("\n").count("\n"))


def insert(text: Text, after_line: int, added: str) -> Edited:
    """Insert lines after line `after_line` (0: at the beginning). They end like their neighbours; after a last line
    that nothing ends, the last line of `added` is left as given."""
    count = len(text.lines)
    if not 0 <= after_line <= count:
        raise ActionRefused(
            f"insert_line {after_line} is not in the file: it has {count} lines, so 0 to {count} can be."
        )
    added = as_reader_writes(added, text)
    if not added:
        raise ActionRefused("insert_text is empty, so nothing would change.")
    ending = text.ending_near(max(0, after_line - 1))
    before = _lines_in_file_terms(text, 0, after_line)
    after = _lines_in_file_terms(text, after_line, count)
    at_open_end = after_line == count and (count == 0 or not text.endings[-1])
    if at_open_end and count:
        before += ending
    elif not at_open_end and not added.endswith("\n"):
        added += "\n"
    data = text.mark + before + added.replace("\n", ending) + after
    return Edited(data.encode(), after_line + 1, after_line + 1 + added.rstrip("\n").count("\n"))


def as_reader_writes(asked: str, text: Text) -> str:
    """What was asked for, with lines that end in a line feed. A carriage return that ends no line is a character."""
    asked = asked.replace("\r\n", "\n")
    return asked.replace("\r", "\n") if "\r" in text.endings else asked


def _only_place(content: str, old: str) -> int:
    places: list[int] = []
    place = content.find(old)
    while place >= 0 and len(places) <= COUNTED_PLACES:
        places.append(place)
        place = content.find(old, place + 1)
    if len(places) == 1:
        return places[0]
    if not places:
        raise ActionRefused(
            "old_str was not found in the file. It must match exactly, spaces and tabs included: "
            "view the file and copy the text from it, without the line numbers."
        )
    numbers = ", ".join(str(content.count("\n", 0, place) + 1) for place in places[:SHOWN_PLACES])
    more = ", ..." if len(places) > SHOWN_PLACES else ""
    count = str(len(places)) if len(places) <= COUNTED_PLACES else f"more than {COUNTED_PLACES}"
    raise ActionRefused(
        f"old_str was found {count} times (lines {numbers}{more}) and must be found once. "
        "Take in more of the text around the place that is meant."
    )


def _common_length(one: str, other: str) -> int:
    length = 0
    for mine, yours in zip(one, other, strict=False):
        if mine != yours:
            break
        length += 1
    return length


def _with_endings(text: str, endings: tuple[str, ...]) -> str:
    lines = text.split("\n")
    return "".join(line + ending for line, ending in zip(lines, (*endings, ""), strict=True))


def _lines_in_file_terms(text: Text, first: int, last: int) -> str:
    pairs = zip(text.lines[first:last], text.endings[first:last], strict=True)
    return "".join(line + ending for line, ending in pairs)


def _in_file_terms(text: Text, offsets: list[int], first: int, last: int) -> str:
    """The file's own characters for characters `first` to `last` of `Text.as_read`."""
    parts = []
    for index, line in enumerate(text.lines):
        begin = offsets[index]
        end = begin + len(line)
        if first <= end and last >= begin:
            parts.append(line[max(0, first - begin) : max(0, last - begin)])
            if first <= end < last:
                parts.append(text.endings[index])
    return "".join(parts)

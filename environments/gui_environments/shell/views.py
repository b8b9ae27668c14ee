"""What a file or a directory looks like to a reader: numbered lines, or names two levels deep. Changes nothing."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator

from gui_environments.errors import ActionRefused
from gui_environments.rooted import Place
from gui_environments.shell.text_edits import Text

ENTRY_LIMIT = 2_000
"""Names shown of one directory view."""

LEVELS = 2


def numbered_lines(text: Text, lines: tuple[int, int] | None, max_characters: int | None) -> str:
    """Lines as `cat -n` numbers them, cut at `max_characters` with a note."""
    first, last = _range(lines, len(text.lines))
    if not text.lines:
        return "(The file is empty.)"
    shown = "\n".join(f"{number:6d}\t{text.lines[number - 1]}" for number in range(first, last + 1))
    if max_characters is None or len(shown) <= max_characters:
        return shown
    shown = shown[:max_characters]
    reached = first + shown.count("\n")
    return (
        f"{shown}\n[Cut after {max_characters} characters, in line {reached} of {len(text.lines)}. "
        f"Use view_range to see more, for instance [{reached}, {min(last, reached + 100)}].]"
    )


def directory_names(place: Place, path: str, max_characters: int | None) -> str:
    """Names below a directory, two levels deep, without hidden ones; a directory's name ends in `/`."""
    descriptor = os.open(
        place.name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=place.directory
    )
    try:
        names: list[str] = []
        for name in _names_below(descriptor, "", LEVELS):
            if len(names) == ENTRY_LIMIT:
                names.append(f"[More than {ENTRY_LIMIT} names. View one of the directories instead.]")
                break
            names.append(name)
    finally:
        os.close(descriptor)
    shown = "\n".join([f"Below {path}, two levels deep, hidden names left out:", *(names or ["(nothing)"])])
    if max_characters is None or len(shown) <= max_characters:
        return shown
    return f"{shown[:max_characters]}\n[Cut after {max_characters} characters. View one of the directories instead.]"


def _range(lines: tuple[int, int] | None, count: int) -> tuple[int, int]:
    if lines is None:
        return 1, count
    first, last = lines[0], count if lines[1] == -1 else lines[1]
    if not 1 <= first <= last <= count:
        raise ActionRefused(
            f"view_range [{lines[0]}, {lines[1]}] is not in the file: it has {count} lines. "
            "Give a first line from 1 on and a last line not before it and not past the end, or -1 for the end."
        )
    return first, last


def _names_below(directory: int, prefix: str, levels: int) -> Iterator[str]:
    with os.scandir(directory) as entries:
        names = sorted(entry.name for entry in entries if not entry.name.startswith("."))
    for name in names:
        shown = prefix + os.fsencode(name).decode("utf-8", "replace")
        try:
            is_directory = stat.S_ISDIR(os.stat(name, dir_fd=directory, follow_symlinks=False).st_mode)
        except FileNotFoundError:
            continue
        yield shown + ("/" if is_directory else "")
        if is_directory and levels > 1:
            yield from _names_in(directory, name, shown, levels - 1)


def _names_in(directory: int, name: str, shown: str, levels: int) -> Iterator[str]:
    try:
        inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=directory)
    except OSError as error:
        yield f"{shown}/ [cannot be read: {error.strerror}]"
        return
    try:
        yield from _names_below(inner, f"{shown}/", levels)
    finally:
        os.close(inner)

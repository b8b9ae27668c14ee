"""Views and edits of text files below a root directory.

Every change is made whole or not at all, after a copy of the old bytes was put aside outside the root. It never leaves
the root, never follows a link out of it, and never touches a byte that an edit does not name.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from gui_environments.errors import ActionRefused, EnvironmentUnavailable
from gui_environments.finishing import to_its_end
from gui_environments.rooted import Place, open_place
from gui_environments.shell import text_edits
from gui_environments.shell.file_changes import put_aside, read_file, replace_file
from gui_environments.shell.views import directory_names, numbered_lines

VIEW_LIMIT_CHARACTERS = 100_000
"""What a view shows at most where nothing else is asked for: a model has no use for more at once."""

SHOWN_AROUND = 3
SHOWN_LINES = 40
SHOWN_CHARACTERS = 4_000


class FileEditor:
    """Edits below `root`, old files put aside below `backups`. Calls are carried out one at a time, in threads."""

    def __init__(self, root: Path, *, backups: Path, max_characters: int | None = None) -> None:
        self._root = root.absolute()
        self._backups = backups.absolute()
        self.max_characters = max_characters
        self._shown_characters = VIEW_LIMIT_CHARACTERS if max_characters is None else max_characters
        self._one_at_a_time = asyncio.Lock()

    async def view(self, path: str, lines: tuple[int, int] | None = None) -> str:
        return await self._carry_out(lambda: self._view(path, lines))

    async def create(self, path: str, text: str) -> str:
        return await self._carry_out(lambda: self._create(path, text))

    async def replace(self, path: str, old: str, new: str) -> str:
        return await self._carry_out(lambda: self._edit(path, new, lambda text: text_edits.replace(text, old, new)))

    async def insert(self, path: str, line: int, text: str) -> str:
        return await self._carry_out(lambda: self._edit(path, text, lambda old: text_edits.insert(old, line, text)))

    async def _carry_out(self, work: Callable[[], str]) -> str:
        async with self._one_at_a_time:
            return await to_its_end(asyncio.to_thread(work))

    def _view(self, path: str, lines: tuple[int, int] | None) -> str:
        with open_place(self._root, path) as place:
            if not place.is_directory:
                return numbered_lines(text_edits.decode(read_file(place, path)), lines, self._shown_characters)
            if lines is not None:
                raise ActionRefused(f"{path} is a directory, which has no lines. View it without view_range.")
            return directory_names(place, path, self._shown_characters)

    def _create(self, path: str, text: str) -> str:
        data = _encoded(text)
        self._need_backups_outside()
        with open_place(self._root, path, make_parents=True) as place:
            if place.status is None:
                replace_file(place, path, data)
                return f"{path} was created with {_count(text)}."
            put_aside(self._backups, place, read_file(place, path))
            replace_file(place, path, data)
            return f"{path} was written over: it has {_count(text)} now.{_other_names(place)}"

    def _edit(self, path: str, added: str, edit: Callable[[text_edits.Text], text_edits.Edited]) -> str:
        _encoded(added)
        self._need_backups_outside()
        with open_place(self._root, path) as place:
            old = read_file(place, path)
            edited = edit(text_edits.decode(old))
            put_aside(self._backups, place, old)
            replace_file(place, path, edited.data)
            return f"{path} was changed.{_other_names(place)} It reads now:\n{_surroundings(edited)}"

    def _need_backups_outside(self) -> None:
        """Old files put aside below the root could be edited like any other."""
        if self._backups.resolve().is_relative_to(self._root.resolve()):
            raise EnvironmentUnavailable(
                f"The copies of old files would be in {self._backups}, inside {self._root}, which is being edited. "
                "Choose a directory outside it."
            )


def _encoded(text: str) -> bytes:
    if "\0" in text:
        raise ActionRefused("The text holds a NUL character, which no text file does. Nothing was changed.")
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise ActionRefused("The text holds half of a surrogate pair, no character. Nothing was changed.") from None


def _count(text: str) -> str:
    lines = text.count("\n") + (0 if text.endswith("\n") or not text else 1)
    return f"{lines} line" if lines == 1 else f"{lines} lines"


def _other_names(place: Place) -> str:
    if place.status is None or place.status.st_nlink < 2:
        return ""
    return f" It had {place.status.st_nlink - 1} more name(s) as a hard link; those keep the old text."


def _surroundings(edited: text_edits.Edited) -> str:
    """The changed lines and a few around them, numbered."""
    text = text_edits.decode(edited.data)
    if not text.lines:
        return numbered_lines(text, None, None)
    last = min(len(text.lines), edited.last_line + SHOWN_AROUND)
    first = max(1, min(edited.first_line - SHOWN_AROUND, last))
    return numbered_lines(text, (first, min(last, first + SHOWN_LINES)), SHOWN_CHARACTERS)

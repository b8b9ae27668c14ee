"""The folder that downloads are kept in: opened once, and every file put into that very folder, whole and under a name
that was free.

A file is written under a name that ends in `.part`, and gets its name in one step when it is complete. What is there
already is never written over. Nothing here knows of a browser.
"""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
from pathlib import Path

from gui_environments.browser.files.copying import copy_bounded
from gui_environments.browser.files.names import PART, numbered

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC

_NO_LINKS = frozenset((errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS))
"""What file systems without links say to one."""


class FolderExchanged(OSError):
    """At the folder's path there is another folder now, or none."""


class DownloadFolder:
    """`path` is made when the first file comes, where it is not there yet. `close` lets go of it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._opened: int | None = None

    def open(self) -> None:
        """From here on it is this very folder, where there is one already."""
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):  # told when a file comes
            self._opened = os.open(self.path, _FOLDER)

    def place(self, source: Path, name: str, limit_bytes: int) -> tuple[Path, int]:
        """Copy `source` here under `name`, or the first free `name (N)`: where it is then, and its size. Nothing of it
        is left when that fails. Raises `OSError`, `TooLarge`."""
        folder = self._folder()
        part, copy = _new_part(folder, name)
        try:
            try:
                original = os.open(source, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
                try:
                    size_bytes = copy_bounded(original, copy, limit_bytes)
                finally:
                    os.close(original)
            finally:
                os.close(copy)
            return self.path / _give_name(folder, part, name), size_bytes
        finally:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(part, dir_fd=folder)

    def close(self) -> None:
        """Idempotent."""
        if self._opened is not None:
            os.close(self._opened)
            self._opened = None

    def _folder(self) -> int:
        """The folder that was opened first, as long as its path still leads there: what is said about a file names it
        by that path."""
        if self._opened is None:
            self.path.mkdir(parents=True, exist_ok=True)
            self._opened = os.open(self.path, _FOLDER)
        try:
            there = self.path.stat()
        except FileNotFoundError:
            there = None
        if there is None or not os.path.samestat(there, os.fstat(self._opened)):
            raise FolderExchanged(0, "the folder for downloads was taken away or exchanged for another")
        return self._opened


def _new_part(folder: int, name: str) -> tuple[str, int]:
    """The name of a new file that is not whole yet, and the file, open for writing."""
    for number in itertools.count():
        part = numbered(name, number) + PART
        try:
            return part, os.open(part, _NEW_FILE, 0o666, dir_fd=folder)
        except FileExistsError:
            continue
    raise AssertionError


def _give_name(folder: int, part: str, name: str) -> str:
    """The free name that the whole file has from now on."""
    for number in itertools.count():
        candidate = numbered(name, number)
        try:
            _take_free_name(folder, part, candidate)
        except FileExistsError:
            continue
        return candidate
    raise AssertionError


def _take_free_name(folder: int, part: str, name: str) -> None:
    """Raises `FileExistsError` where it is taken."""
    try:
        # Unlike a rename, a link never replaces what is there.
        os.link(part, name, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        # What is replaced is a file that we have just made.
        os.close(os.open(name, _NEW_FILE, 0o666, dir_fd=folder))
        os.rename(part, name, src_dir_fd=folder, dst_dir_fd=folder)

"""Files of processes that have ended: which to remove, and when. Removes nothing that it was not told of."""

from __future__ import annotations

import contextlib
import os


class Leftovers:
    def __init__(self) -> None:
        self._files: dict[int, list[tuple[str, tuple[int, int, int] | None]]] = {}
        self._directories: list[str] = []

    def remove_after(self, pid: int, path: str) -> None:
        """Have the file removed when the process has ended, if it is still the one it is now."""
        self._files.setdefault(pid, []).append((path, _file_identity(path)))

    def remove_at_end(self, path: str) -> None:
        """Have the directory removed with all in it when everything has ended."""
        self._directories.append(path)

    def remove_those_of(self, pid: int) -> None:
        for path, identity in self._files.pop(pid, ()):
            if identity is not None and _file_identity(path) == identity:
                with contextlib.suppress(OSError):
                    os.unlink(path)  # noqa: PTH108 - the supervisor does without pathlib

    def remove_the_rest(self) -> None:
        if self._directories:
            import shutil

            for path in self._directories:
                shutil.rmtree(path, ignore_errors=True)


def _file_identity(path: str) -> tuple[int, int, int] | None:
    """What tells a file from another one that later takes its name."""
    try:
        status = os.lstat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino, status.st_mtime_ns

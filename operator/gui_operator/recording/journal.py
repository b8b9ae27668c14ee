"""The files of a recording: lines appended to `events.jsonl`, pictures under `images/` named by their content.

Knows nothing of what an event means. Every write reaches the operating system before it returns; nothing is ever
rewritten. Blocking on purpose: an event is small, and what comes after it must not happen before it is written.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

EVENTS_NAME = "events.jsonl"
IMAGES_NAME = "images"

_SUFFIXES: Mapping[str, str] = MappingProxyType(
    {"image/png": ".png", "image/jpeg": ".jpg", "image/webp": ".webp", "image/gif": ".gif"}
)


class Journal:
    """An open recording folder. Made by `create`, which refuses a folder that already holds a recording."""

    def __init__(self, directory: Path, events_fd: int, images_fd: int) -> None:
        self.directory = directory
        self._events_fd = events_fd
        self._images_fd = images_fd
        self.closed = False

    @classmethod
    def create(cls, directory: Path) -> Journal:
        """Raises `FileExistsError` only where there is a recording, another `OSError` where none can be made.

        What is made here is the owner's alone to read: a recording shows what was on a screen.
        """
        _make_directory(directory)
        events_fd = os.open(
            directory / EVENTS_NAME, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC, 0o600
        )
        try:
            images = directory / IMAGES_NAME
            _make_directory(images)
            images_fd = os.open(images, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError:
            # Left behind, it would pass for a recording when this is tried again.
            os.close(events_fd)
            (directory / EVENTS_NAME).unlink(missing_ok=True)
            raise
        return cls(directory, events_fd, images_fd)

    def fileno(self) -> int:
        """The descriptor the events go to."""
        return self._events_fd

    def append(self, event: Mapping[str, object]) -> None:
        """One event, one line. Raises `OSError` when it could not be written whole."""
        line = json.dumps(_finite(event), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        self._require_file()
        # A lone surrogate has no bytes of its own; its escape has, and reads back as what it was.
        _write_whole(self._events_fd, line.encode("utf-8", "backslashreplace") + b"\n")

    def store_image(self, data: bytes, media_type: str) -> str:
        """The path of the picture relative to the folder; equal pictures share a file."""
        name = hashlib.sha256(data).hexdigest() + _SUFFIXES.get(media_type, ".bin")
        try:
            os.stat(name, dir_fd=self._images_fd)
        except FileNotFoundError:
            partial = name + ".part"
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
            fd = os.open(partial, flags, 0o600, dir_fd=self._images_fd)
            try:
                _write_whole(fd, data)
            finally:
                os.close(fd)
            # Only a whole picture ever has the name that events point to.
            os.rename(partial, name, src_dir_fd=self._images_fd, dst_dir_fd=self._images_fd)
        return f"{IMAGES_NAME}/{name}"

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            os.close(self._events_fd)
            os.close(self._images_fd)

    def _require_file(self) -> None:
        # Writing to a file that was deleted succeeds and leaves nothing.
        if self.closed:
            raise OSError("it is closed")
        if os.fstat(self._events_fd).st_nlink == 0:
            raise FileNotFoundError("its file was deleted")


def _finite(value: object) -> object:
    """`value` with each number that JSON has no way to write as its name: `1e999` is JSON, and no finite number."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, Mapping):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_finite(item) for item in value]
    return value


def _make_directory(path: Path) -> None:
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except FileExistsError:
        raise NotADirectoryError(f"{path} is in the way: it is not a directory") from None


def _write_whole(fd: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(fd, rest) :]

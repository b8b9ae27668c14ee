"""Reading and replacing one file at a place: whole or not at all, its mode and owner kept, the old bytes put aside.

The new bytes are written beside the file, reach the disk, and then take its name in one step. Nothing here knows what
a change is for.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from pathlib import Path

from gui_environments.errors import ActionRefused
from gui_environments.rooted import Place

FILE_LIMIT_BYTES = 32 << 20
"""Larger files are not held in memory several times over for one edit; bash has tools for them."""


def read_file(place: Place, path: str) -> bytes:
    """The bytes of a regular file. Anything else is refused before it is opened: opening a device can do things."""
    if place.status is None:
        raise ActionRefused(f"{path} does not exist. View its directory, or make it with create.")
    if place.is_directory:
        raise ActionRefused(f"{path} is a directory, not a file.")
    if not place.is_file:
        raise ActionRefused(f"{path} is not a regular file (a device, pipe or socket), so it is left alone.")
    if place.status.st_size > FILE_LIMIT_BYTES:
        raise ActionRefused(
            f"{path} is larger than {FILE_LIMIT_BYTES >> 20} MiB. Use bash: sed -n '10,20p' shows lines, sed -i edits."
        )
    # Not blocking, should it have become a pipe since it was looked at.
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        descriptor = os.open(place.name, flags, dir_fd=place.directory)
    except PermissionError:
        raise ActionRefused(f"There is no permission to read {path}.") from None
    except OSError as error:
        raise ActionRefused(f"{path} could not be read: {error.strerror}.") from None
    with os.fdopen(descriptor, "rb") as file:
        if not _is_same(os.fstat(descriptor), place.status):
            raise _changed_meanwhile(path)
        return file.read()


def replace_file(place: Place, path: str, data: bytes) -> None:
    """Give the file at `place` new bytes, or make it."""
    if place.status is not None and not os.access(place.name, os.W_OK, dir_fd=place.directory, follow_symlinks=False):
        raise ActionRefused(
            f"{path} is write-protected, so it was not changed. Change its mode with bash if that is meant."
        )
    # A name has a limit in bytes, 255 nearly everywhere.
    temporary = f".{os.fsencode(place.name)[:200].decode(errors='ignore')}.{secrets.token_hex(4)}.tmp"
    mode = 0o666 if place.status is None else 0o600
    try:
        descriptor = os.open(
            temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode, dir_fd=place.directory
        )
    except OSError as error:
        raise ActionRefused(f"{path} could not be written: {error.strerror}. Nothing was changed.") from None
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            if place.status is not None:
                _take_on(descriptor, place, place.status)
            os.fsync(descriptor)
        if not _is_same(_status(place), place.status):
            raise _changed_meanwhile(path)
        os.replace(temporary, place.name, src_dir_fd=place.directory, dst_dir_fd=place.directory)
    except OSError as error:
        raise ActionRefused(f"{path} could not be written: {error.strerror}. Nothing was changed.") from None
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary, dir_fd=place.directory)
    os.fsync(place.directory)


def put_aside(backups: Path, place: Place, data: bytes) -> None:
    """Keep the old bytes in a numbered directory of their own, under the path the file has below the root."""
    try:
        backups.mkdir(mode=0o700, parents=True, exist_ok=True)
        target = _next_directory(backups) / place.relative
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # A copy is for its owner only, whatever the file's mode: it may outlive a secret in it.
        descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(descriptor)
    except OSError as error:
        raise ActionRefused(
            f"The old file could not be put aside ({error.strerror}), so nothing was changed."
        ) from None


def _next_directory(backups: Path) -> Path:
    taken = [int(entry.name) for entry in backups.iterdir() if entry.name.isdecimal()]
    number = max(taken, default=0) + 1
    while True:
        directory = backups / f"{number:06d}"
        try:
            directory.mkdir(mode=0o700)
        except FileExistsError:
            number += 1
        else:
            return directory


def _take_on(descriptor: int, place: Place, status: os.stat_result) -> None:
    """The mode, and as far as we may the owner and extended attributes, of the file that is replaced."""
    with contextlib.suppress(PermissionError):
        os.fchown(descriptor, status.st_uid, status.st_gid)
    os.fchmod(descriptor, stat.S_IMODE(status.st_mode))
    original = os.open(place.name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=place.directory)
    try:
        for name in _attributes(original):
            with contextlib.suppress(OSError):
                os.setxattr(descriptor, name, os.getxattr(original, name))
    finally:
        os.close(original)


def _attributes(descriptor: int) -> list[str]:
    try:
        return os.listxattr(descriptor)
    except OSError:
        return []  # a file system without them


def _status(place: Place) -> os.stat_result | None:
    try:
        return os.stat(place.name, dir_fd=place.directory, follow_symlinks=False)
    except FileNotFoundError:
        return None


def _is_same(now: os.stat_result | None, before: os.stat_result | None) -> bool:
    if now is None or before is None:
        return now is before
    return (now.st_dev, now.st_ino, now.st_size, now.st_mtime_ns) == (
        before.st_dev,
        before.st_ino,
        before.st_size,
        before.st_mtime_ns,
    )


def _changed_meanwhile(path: str) -> ActionRefused:
    return ActionRefused(f"{path} was changed by something else at this moment, so nothing was done. View it again.")

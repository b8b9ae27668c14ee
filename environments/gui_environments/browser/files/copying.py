"""Copying an open file into another, bounded: what was measured before may have grown since. Opens no path."""

from __future__ import annotations

import errno
import os

CHUNK_BYTES = 1 << 20

_NOT_THAT_WAY = frozenset(
    (errno.EXDEV, errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP, errno.EPERM, errno.EBADF, errno.ETXTBSY)
)
"""What the kernel says where it cannot copy from file to file by itself. Reading and writing tells any real failure."""


class TooLarge(Exception):
    """There is more to copy than was allowed."""


def copy_bounded(source: int, target: int, limit_bytes: int) -> int:
    """Copy all that follows in the open file `source` to `target`; how many bytes that were. The kernel does it where
    it can, without the bytes where the file system shares them. Raises `TooLarge` once more than `limit_bytes` came,
    `OSError`."""
    copied = _copy_in_kernel(source, target, limit_bytes)
    while chunk := os.read(source, min(CHUNK_BYTES, limit_bytes - copied + 1)):
        copied += len(chunk)
        if copied > limit_bytes:
            raise TooLarge
        while chunk:
            chunk = chunk[os.write(target, chunk) :]
    return copied


def _copy_in_kernel(source: int, target: int, limit_bytes: int) -> int:
    """What could be copied so; the rest, if any, is left to be read. Files that are made up as they are read, as those
    of /proc are, give nothing here."""
    copied = 0
    if not hasattr(os, "copy_file_range"):
        return copied
    try:
        while count := os.copy_file_range(source, target, limit_bytes - copied + 1):
            copied += count
            if copied > limit_bytes:
                raise TooLarge
    except OSError as error:
        if error.errno not in _NOT_THAT_WAY:
            raise
    return copied

"""Files that may be given to a page: checked once, and copied as they are at that moment, so that nothing that happens
to a path afterwards changes what the page gets."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Sequence
from pathlib import Path

from gui_environments.errors import ActionRefused

FILE_LIMIT = 50
"""Files of one upload."""

TOTAL_LIMIT_BYTES = 500_000_000

OUTSIDE = "is not in a directory that files may be uploaded from."


def stage_files(paths: Sequence[Path], roots: Sequence[Path], staging: Path) -> list[Path]:
    """Copies of the files below `staging`, under their own names; all of them, or none. A file must lie below one of
    `roots`, after `..` and symbolic links. Raises `ActionRefused` with the path that was given."""
    if not roots:
        raise ActionRefused("No files may be given to pages here: no directory to upload from was set up.")
    if not paths:
        raise ActionRefused("No file was named.")
    if len(paths) > FILE_LIMIT:
        raise ActionRefused(f"{len(paths)} files were named; {FILE_LIMIT} is the most.")
    real_roots = [root.resolve() for root in roots]
    staging.mkdir(parents=True, exist_ok=True)
    staged: list[Path] = []
    left = TOTAL_LIMIT_BYTES
    try:
        for path in paths:
            staged.append(_stage(path, real_roots, staging, left))
            left -= staged[-1].stat().st_size
    except BaseException:
        drop_staged(staged)
        raise
    return staged


def drop_staged(staged: Sequence[Path]) -> None:
    for path in staged:
        shutil.rmtree(path.parent, ignore_errors=True)


def _stage(path: Path, roots: Sequence[Path], staging: Path, left: int) -> Path:
    if not path.is_absolute():
        candidates = [root / path for root in roots]
        path = next((candidate for candidate in candidates if candidate.exists()), candidates[0])
    descriptor = _open_inside(path, roots)
    with os.fdopen(descriptor, "rb") as source:
        size_bytes = os.fstat(descriptor).st_size
        if size_bytes > left:
            raise ActionRefused(f"{path} is too large: {TOTAL_LIMIT_BYTES:,} bytes is the most for one upload.")
        number = 1 + max((int(entry.name) for entry in staging.iterdir() if entry.name.isdigit()), default=0)
        copy = staging / str(number) / path.name
        copy.parent.mkdir()
        with copy.open("xb") as out:
            shutil.copyfileobj(source, out)
    return copy


def _open_inside(path: Path, roots: Sequence[Path]) -> int:
    """A descriptor of the file, which is a plain file below a root: the very one that was opened, by its number."""
    if not _resolves_below(path, roots):
        raise ActionRefused(f"{path} {OUTSIDE}")  # before anything is said of what lies elsewhere
    try:
        # Not blocking: a pipe would wait for somebody to write.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise ActionRefused(f"{path} cannot be read: {error.strerror}.") from None
    try:
        _require_plain_file_inside(descriptor, path, roots)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _require_plain_file_inside(descriptor: int, path: Path, roots: Sequence[Path]) -> None:
    opened = os.fstat(descriptor)
    try:
        real = path.resolve(strict=True)
        found = real.lstat()
    except OSError as error:
        raise ActionRefused(f"{path} cannot be read: {error.strerror}.") from None
    if not any(_is_below(real, root) for root in roots):
        raise ActionRefused(f"{path} {OUTSIDE}")
    if (opened.st_dev, opened.st_ino) != (found.st_dev, found.st_ino):
        raise ActionRefused(f"{path} was exchanged for another file while it was checked.")
    if not stat.S_ISREG(opened.st_mode):
        raise ActionRefused(f"{path} is not a plain file.")


def _resolves_below(path: Path, roots: Sequence[Path]) -> bool:
    try:
        real = path.resolve()
    except (OSError, RuntimeError):  # a circle of links
        return False
    return any(_is_below(real, root) for root in roots)


def _is_below(path: Path, root: Path) -> bool:
    return path != root and path.is_relative_to(root)

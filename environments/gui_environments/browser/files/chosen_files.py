"""Files that are to be given to a page: opened once (`opening_files`), held to the limits, and copied from what was
opened into a private directory, so that nothing that happens to a path afterwards changes what the page gets."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from gui_environments.browser.actions import GiveFiles
from gui_environments.browser.files.copying import TooLarge, copy_bounded
from gui_environments.browser.files.limits import UPLOAD_LIMITS, FileLimits, size_words
from gui_environments.browser.files.opening import OpenedFile, OpenedRoot, open_document, open_upload
from gui_environments.errors import ActionRefused
from gui_environments.sights import ExpectedFile

FILE_LIMIT = 50
"""Files of one upload."""

_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC

FileFact = tuple[str, ExpectedFile]
"""Where a file was found and how large it is, in words, and which one it is."""


class ChosenFiles:
    """`staging` is the private directory, made when it is needed; copies stay there until the browser ends, because
    pages read from them until then. Blocks: to be called in threads, one call at a time."""

    def __init__(
        self,
        roots: Sequence[Path],
        staging: Path,
        *,
        document_dir: Path | None = None,
        limits: FileLimits = UPLOAD_LIMITS,
    ) -> None:
        self._paths = tuple(roots)
        self._document_dir = document_dir
        self._staging = staging
        self._limits = limits
        self._roots: tuple[OpenedRoot, ...] = ()
        self._documents: OpenedRoot | None = None
        self._numbered = 0
        self._given: dict[Path, int] = {}
        """Copies that pages were given, and their sizes."""

    def open(self) -> None:
        """Open the roots, which from then on are these very directories. Raises `EnvironmentUnavailable`."""
        try:
            for path in self._paths:
                self._roots = (*self._roots, OpenedRoot.of(path))
            if self._document_dir is not None:
                self._documents = OpenedRoot.of(self._document_dir)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Idempotent."""
        for root in (*self._roots, *([self._documents] if self._documents is not None else [])):
            root.close()
        self._roots, self._documents = (), None

    def look(self, given: GiveFiles) -> tuple[FileFact, ...]:
        """Which files are meant. Raises `ActionRefused` for what `stage` would refuse."""
        facts = []
        total_bytes = 0
        for named in self._named(given):
            with self._opened(named) as file:
                total_bytes += file.status.st_size
                self._require_room(named[1], file.status.st_size, total_bytes)
                facts.append((f"{file.path}, {size_words(file.status.st_size)}", expected_file(named[1], file)))
        return tuple(facts)

    def stage(self, given: GiveFiles, expected: Sequence[ExpectedFile] | None = None) -> list[Path]:
        """Copies of the files, under their own names; all of them, or none. `expected`, from a look at the same, is
        held to. Raises `ActionRefused`."""
        staged: list[Path] = []
        try:
            for number, named in enumerate(self._named(given)):
                with self._opened(named) as file:
                    if expected is not None:
                        _require_same(expected_file(named[1], file), expected[number : number + 1])
                    staged.append(self._copy(named[1], file))
        except BaseException:
            self.drop(staged)
            raise
        return staged

    def drop(self, staged: Sequence[Path]) -> None:
        """The page was not given these."""
        for copy in staged:
            self._given.pop(copy, None)
            shutil.rmtree(copy.parent, ignore_errors=True)

    def _named(self, given: GiveFiles) -> list[tuple[str, str]]:
        """Paths and ids, with which of the two it is. Raises `ActionRefused`."""
        if given.paths and not self._roots:
            raise ActionRefused("No files may be given to pages here: no directory to upload from was set up.")
        named = [("path", path) for path in given.paths] + [("document", text) for text in given.documents]
        if not named:
            raise ActionRefused("No file was named.")
        if len(named) > FILE_LIMIT:
            raise ActionRefused(f"{len(named)} files were named; {FILE_LIMIT} is the most.")
        if len(self._given) + len(named) > self._limits.files:
            left = self._limits.files - len(self._given)
            most = f"Pages may be given {self._limits.files} files in a session"
            raise ActionRefused(f"{most}; {left} more can be, and {len(named)} were named.")
        return named

    @contextmanager
    def _opened(self, named: tuple[str, str]) -> Iterator[OpenedFile]:
        kind, text = named
        with open_upload(text, self._roots) if kind == "path" else open_document(text, self._documents) as file:
            yield file

    def _require_room(self, text: str, size_bytes: int, total_bytes: int) -> None:
        """`total_bytes` are those of this upload. Raises `ActionRefused`."""
        if size_bytes > self._limits.file_bytes:
            raise ActionRefused(f"{text} is too large: {size_words(self._limits.file_bytes)} is the most for one file.")
        if sum(self._given.values()) + total_bytes > self._limits.total_bytes:
            most = f"pages may be given {size_words(self._limits.total_bytes)} in a session"
            raise ActionRefused(f"{text} is too large: {most}, and that would be more.")

    def _copy(self, text: str, file: OpenedFile) -> Path:
        self._require_room(text, file.status.st_size, file.status.st_size)
        left_bytes = self._limits.total_bytes - sum(self._given.values())
        self._numbered += 1
        copy = self._staging / str(self._numbered) / file.name
        copy.parent.mkdir(parents=True, mode=0o700)
        try:
            target = os.open(copy, _NEW_FILE, 0o600)
            try:
                size_bytes = copy_bounded(file.descriptor, target, min(self._limits.file_bytes, left_bytes))
            finally:
                os.close(target)
        except TooLarge:
            self.drop([copy])
            raise ActionRefused(f"{text} is too large: it grew while it was read.") from None
        except OSError as error:
            self.drop([copy])
            raise ActionRefused(f"{text} cannot be read: {error.strerror}.") from None
        self._given[copy] = size_bytes
        return copy


def _require_same(now: ExpectedFile, approved: Sequence[ExpectedFile]) -> None:
    """Raises `ActionRefused`."""
    if tuple(approved) != (now,):
        raise ActionRefused(f"{now.named} is not the file any more that was approved. Look at what is there now.")


def expected_file(text: str, file: OpenedFile) -> ExpectedFile:
    status = file.status
    return ExpectedFile(text, status.st_dev, status.st_ino, status.st_size, status.st_ctime_ns)

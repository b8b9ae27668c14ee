"""Opening the files that pages may be given: each once, below a directory that was opened when the session began, never
through a link that leads out of it. What is opened is what is given. Copies nothing."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from gui_environments.errors import ActionRefused, EnvironmentUnavailable
from gui_environments.rooted import OutsideRoot, Place, open_place

PATH_LIMIT = 4096
"""Characters, as the kernel has it."""

OUTSIDE = "is not in a directory that files may be uploaded from."

DOCUMENT_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,127}")
"""What the API's ids of files look like, and nothing that means something in a path."""

_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC

# Neither waiting, should it be a pipe by now, nor taking a terminal.
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class OpenedRoot:
    """A directory, and the descriptor that it was opened as. Whatever comes to be at its path later is another."""

    path: Path
    descriptor: int

    @classmethod
    def of(cls, path: Path) -> OpenedRoot:
        """Raises `EnvironmentUnavailable`."""
        try:
            return cls(path.absolute(), os.open(path, _DIRECTORY))
        except OSError as error:
            raise EnvironmentUnavailable(f"{path}, for files to upload, cannot be opened: {error.strerror}.") from error

    def close(self) -> None:
        os.close(self.descriptor)


@dataclass(frozen=True, slots=True)
class OpenedFile:
    """A plain file, open. `name` is its own, without directories; `path` is where it was found."""

    descriptor: int
    name: str
    path: Path
    status: os.stat_result


@contextmanager
def open_upload(path: str, roots: Sequence[OpenedRoot]) -> Iterator[OpenedFile]:
    """The file that a path names. A relative one is looked for below every root, and must be below one of them only.
    Raises `ActionRefused` with the path as it was given."""
    if len(path) > PATH_LIMIT:
        raise ActionRefused(f"A path of {len(path):,} characters is longer than any file's.")
    with ExitStack() as stack:
        root, place = _only_place(path, roots, stack)
        # Under the name that was given: a link's own, not that of what it leads to.
        name = Path(path).name if Path(path).name not in ("", "..") else place.name
        with _opened(path, place) as descriptor:
            yield OpenedFile(descriptor, name, root.path / place.relative, os.fstat(descriptor))


@contextmanager
def open_document(document_id: str, root: OpenedRoot | None) -> Iterator[OpenedFile]:
    """The document that was put ready under an id: a file of that name, or the only one in a folder of that name.
    Raises `ActionRefused`, in the same words whatever else is there."""
    unknown = ActionRefused(f"No document {document_id[:40]!r} was put ready for pages here.")
    if root is None or not DOCUMENT_ID.fullmatch(document_id):
        raise unknown
    with ExitStack() as stack:
        try:
            place = stack.enter_context(open_place(root.path, document_id, opened_root=root.descriptor))
        except OutsideRoot:
            raise unknown from None
        if place.is_directory:
            (name, *others) = _names_in(place) or ("",)
            if not name or others:
                raise ActionRefused(f"The document {document_id} is not one file.")
            inner = f"{document_id}/{name}"
            place = stack.enter_context(open_place(root.path, inner, opened_root=root.descriptor))
        if place.status is None:
            raise unknown
        with _opened(f"The document {document_id}", place) as descriptor:
            yield OpenedFile(descriptor, place.name, root.path / place.relative, os.fstat(descriptor))


def _only_place(path: str, roots: Sequence[OpenedRoot], stack: ExitStack) -> tuple[OpenedRoot, Place]:
    """The place of a path, and the root that it is below. Raises `ActionRefused`."""
    found: list[tuple[OpenedRoot, Place]] = []
    refusals: list[ActionRefused] = []
    outside = ActionRefused(f"{path} {OUTSIDE}")
    for root in roots:
        try:
            place = stack.enter_context(open_place(root.path, path, opened_root=root.descriptor))
        except OutsideRoot:
            # A whole path is below one root, and so outside all others; what is relative leads out of this one.
            if not path.startswith("/"):
                refusals.insert(0, outside)
            continue
        except ActionRefused as refusal:
            refusals.append(refusal)
            continue
        if place.status is not None:
            found.append((root, place))
        else:
            refusals.append(ActionRefused(f"{path} cannot be read: No such file or directory."))
    if len(found) > 1:
        candidates = ", ".join(str(root.path / place.relative) for root, place in found)
        raise ActionRefused(f"{path} is in several directories: {candidates}. Give the whole path of one of them.")
    if found:
        return found[0]
    raise refusals[0] if refusals else outside


@contextmanager
def _opened(named: str, place: Place) -> Iterator[int]:
    """A descriptor of the plain file at a place. Raises `ActionRefused`."""
    if not place.is_file:  # before it is opened: opening a device can do things
        raise ActionRefused(f"{named} is not a plain file.")
    assert place.status is not None
    try:
        descriptor = os.open(place.name, _FILE, dir_fd=place.directory)
    except OSError as error:
        raise ActionRefused(f"{named} cannot be read: {error.strerror}.") from None
    try:
        opened = os.fstat(descriptor)
        if not stat.S_ISREG(opened.st_mode) or not os.path.samestat(opened, place.status):
            raise ActionRefused(f"{named} was exchanged for another file while it was opened.")
        yield descriptor
    finally:
        os.close(descriptor)


def _names_in(place: Place) -> list[str]:
    descriptor = os.open(place.name, _DIRECTORY | os.O_NOFOLLOW, dir_fd=place.directory)
    try:
        with os.scandir(descriptor) as entries:
            return [entry.name for entry in entries]
    finally:
        os.close(descriptor)

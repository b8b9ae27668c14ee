"""Places below a root directory, reached without ever leaving it.

A path is walked one component at a time from an open root, each opened relative to the one before and never through a
symbolic link: a link is read, and what it says is walked the same way, so one that leads outside is refused however it
comes to be there and whenever. Nothing here reads or writes a file's content.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from gui_environments.errors import ActionRefused

LINK_LIMIT = 40
"""Links followed on the way to one place, as the kernel has it."""

_OPEN_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class Place:
    """A name in an open directory. `status` is what stands there, never a link; None: nothing yet. `name` is `.` for
    the root itself. `relative` is the path below the root, links resolved."""

    directory: int
    name: str
    relative: Path
    status: os.stat_result | None

    @property
    def is_directory(self) -> bool:
        return self.status is not None and stat.S_ISDIR(self.status.st_mode)

    @property
    def is_file(self) -> bool:
        return self.status is not None and stat.S_ISREG(self.status.st_mode)


@contextmanager
def open_place(root: Path, path: str, *, make_parents: bool = False, opened_root: int | None = None) -> Iterator[Place]:
    """The place that `path` names. Raises `ActionRefused` when it is outside the root (`OutsideRoot`), or its directory
    is missing. `opened_root`: the root is this open directory, whatever has come to be at its path since.

    Directories made on the way are taken away again when the walk, or what is done inside, fails.
    """
    with ExitStack() as opened, _taken_away_on_failure() as made:
        try:
            place = _Walk(root, path, opened, made if make_parents else None, opened_root).place()
        except NotADirectoryError:
            raise ActionRefused(f"A part of {path} before its last name is not a directory.") from None
        except PermissionError:
            raise ActionRefused(f"There is no permission for {path}.") from None
        except (FileNotFoundError, FileExistsError):
            raise ActionRefused(f"The directories of {path} are being changed by something else. Try again.") from None
        except OSError as error:
            raise ActionRefused(f"{path} cannot be reached: {error.strerror}.") from None
        yield place


@contextmanager
def _taken_away_on_failure() -> Iterator[list[tuple[int, str]]]:
    """Names in open directories, the outer ones first."""
    made: list[tuple[int, str]] = []
    try:
        yield made
    except BaseException:
        for directory, name in reversed(made):
            with suppress(OSError):  # something else has put a file there, or taken it away
                os.rmdir(name, dir_fd=directory)
        raise


class OutsideRoot(ActionRefused):
    """The path leads out of the root, or names a place elsewhere."""

    def __init__(self, path: str, root: Path) -> None:
        super().__init__(f"{path} is outside {root}. Only files below that directory can be viewed and edited here.")


class _Walk:
    def __init__(
        self,
        root: Path,
        path: str,
        opened: ExitStack,
        made: list[tuple[int, str]] | None,
        opened_root: int | None,
    ) -> None:
        """`made` is where directories that are made are listed; None: none is to be made."""
        self._root = root
        self._path = path
        self._opened = opened
        self._made = made
        self._ahead = _components(root, path)[::-1]
        self._directories = [self._open(str(root), None) if opened_root is None else opened_root]
        self._names: list[str] = []

    def place(self) -> Place:
        links = 0
        while self._ahead:
            name = self._ahead.pop()
            if name == "..":
                self._step_up()
                continue
            status = self._status(name)
            if status is not None and stat.S_ISLNK(status.st_mode):
                links += 1
                if links > LINK_LIMIT:
                    raise ActionRefused(f"{self._path} goes round in a circle of symbolic links.")
                self._follow(name)
            elif self._ahead:
                self._step_down(name, status)
            else:
                return self._found(name, status)
        return Place(self._directories[-1], ".", Path(*self._names), os.fstat(self._directories[-1]))

    def _found(self, name: str, status: os.stat_result | None) -> Place:
        place = Place(self._directories[-1], name, Path(*self._names, name), status)
        if self._path.endswith("/") and not place.is_directory:
            raise ActionRefused(f"{self._path} ends in /, which names a directory, and there is none of that name.")
        return place

    def _status(self, name: str) -> os.stat_result | None:
        try:
            return os.stat(name, dir_fd=self._directories[-1], follow_symlinks=False)
        except FileNotFoundError:
            return None

    def _step_up(self) -> None:
        if not self._names:
            raise OutsideRoot(self._path, self._root)
        self._names.pop()
        self._directories.pop()

    def _step_down(self, name: str, status: os.stat_result | None) -> None:
        if status is None:
            # What is missing cannot be stepped back out of, so nothing is made for a path that may yet be refused.
            if self._made is None or ".." in self._ahead:
                raise ActionRefused(f"{self._path} does not exist: there is no {Path(*self._names, name)}.")
            os.mkdir(name, dir_fd=self._directories[-1])
            self._made.append((self._directories[-1], name))
        self._directories.append(self._open(name, self._directories[-1]))
        self._names.append(name)

    def _follow(self, name: str) -> None:
        target = os.readlink(name, dir_fd=self._directories[-1])
        if target.startswith("/"):
            components = _components(self._root, target, named_by=self._path)
            del self._directories[1:], self._names[:]
        else:
            components = [part for part in target.split("/") if part not in ("", ".")]
        self._ahead += components[::-1]

    def _open(self, name: str, directory: int | None) -> int:
        # The root is named by whoever made the editor and may be a link; nothing below it is opened through one.
        flags = _OPEN_DIRECTORY if directory is not None else _OPEN_DIRECTORY & ~os.O_NOFOLLOW
        descriptor = os.open(name, flags, dir_fd=directory)
        self._opened.callback(os.close, descriptor)
        return descriptor


def _components(root: Path, path: str, *, named_by: str | None = None) -> list[str]:
    """The names below the root, `..` among them as it stands."""
    if "\0" in path or not _can_be_encoded(path):
        raise ActionRefused("The path holds a character that no path can.")
    if path.startswith("~"):
        raise ActionRefused(f"{path}: '~' stands for nothing here. Give a path below {root}.")
    if path.startswith("/"):
        for start in (str(root), str(root.resolve())):
            if path == start or path.startswith(start.rstrip("/") + "/"):
                path = path[len(start) :]
                break
        else:
            raise OutsideRoot(named_by or path, root)
    return [part for part in path.split("/") if part not in ("", ".")]


def _can_be_encoded(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True

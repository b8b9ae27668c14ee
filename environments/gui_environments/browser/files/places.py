"""Which folders lie in each other, by their paths and by what the file system says. Reads no file, makes none."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

NamedPlace = tuple[str, Path]
"""What a person calls it, such as the option that named it, and where it is. It need not exist yet."""


def overlap(places: Sequence[NamedPlace]) -> str | None:
    """A sentence about the first two of which one lies in the other, or is the other; None when none does."""
    for first, second in combinations(places, 2):
        sentence = contained(first, second) or contained(second, first)
        if sentence is not None:
            return sentence
    return None


def contained(inner: NamedPlace, outer: NamedPlace) -> str | None:
    """A sentence when `inner` lies in `outer`, or is `outer`."""
    if not is_inside(inner[1], outer[1]):
        return None
    return f"{inner[0]} ({inner[1]}) lies in {outer[0]} ({outer[1]})"


def is_inside(path: Path, folder: Path) -> bool:
    """Whether it is the folder, or below it, links resolved; also when a part of the way is the same directory under
    another name, as of a file system that is mounted twice."""
    resolved, real_folder = path.resolve(), folder.resolve()
    if resolved.is_relative_to(real_folder):
        return True
    return any(_is_same(part, real_folder) for part in (resolved, *resolved.parents))


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return False

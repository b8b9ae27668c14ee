"""Where a call pointed to, and in which picture that can be seen: the last one that showed the whole of what it acted
on. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gui_operator.report.run import RecordedCall, RecordedPicture


@dataclass(frozen=True, slots=True)
class Marks:
    """In pixels of the screenshot, as the call gave them, or where the element that it named was found. `points` in the
    order in which the pointer was there; `region` is left, top, right, bottom."""

    points: tuple[tuple[int, int], ...] = ()
    region: tuple[int, int, int, int] | None = None

    def __bool__(self) -> bool:
        return bool(self.points) or self.region is not None


@dataclass(frozen=True, slots=True)
class Scene:
    """What was last seen before a call, and by which call."""

    picture: RecordedPicture
    taken_by: int


def marks_of(call: RecordedCall) -> Marks:
    given = call.input
    points = [_point(given.get(name)) for name in ("start_coordinate", "from", "coordinate", "target")]
    region = _numbers(given.get("region"), 4)
    named = tuple((point[0], point[1]) for point in points if point is not None)
    found = (call.pointed_at,) if call.pointed_at is not None else ()
    return Marks(
        named or found,
        None if region is None else (region[0], region[1], region[2], region[3]),
    )


def scenes_of(calls: Iterable[RecordedCall]) -> Mapping[int, Scene]:
    """The scene of each call that has one, by its number."""
    scenes: dict[int, Scene] = {}
    last: dict[tuple[str | None, str | None], Scene] = {}
    for call in calls:
        acted_on = (call.toolset, call.tab)
        if acted_on in last:
            scenes[call.number] = last[acted_on]
        # A zoom shows a part, in which other coordinates count.
        if call.pictures and call.name != "zoom":
            last[call.toolset, call.shown_tab] = Scene(call.pictures[-1], call.number)
    return scenes


def _point(value: object) -> Sequence[int] | None:
    if isinstance(value, Mapping):
        value = [value.get("x"), value.get("y")] if value.get("type") == "coordinate" else None
    return _numbers(value, 2)


def _numbers(value: Any, count: int) -> Sequence[int] | None:
    fits = isinstance(value, list) and len(value) == count and all(type(number) is int for number in value)
    return value if fits else None

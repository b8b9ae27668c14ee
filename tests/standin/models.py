"""What the API takes from which model: toolsets, forced tool choice, picture limits. From its public documentation,
as of August 2026; a later version of a family is taken to be like its last known one."""

from __future__ import annotations

import re
from dataclasses import dataclass

from standin.refusals import Refused

_MODEL = re.compile(r"claude-(?P<family>[a-z]+)-(?P<major>\d)(?:-(?P<minor>\d))?(?:-\d{8})?")
_FIRST_WITH_TOOLSETS = {"fable": (5, 0), "mythos": (5, 0), "opus": (4, 8), "sonnet": (5, 0), "haiku": (5, 5)}
_FIRST_WITHOUT_FORCED_CHOICE = {"fable": (5, 1), "mythos": (5, 1), "opus": (5, 5), "sonnet": (5, 5)}
_FIRST_OF_HIGH_TIER = (4, 7)


@dataclass(frozen=True, slots=True)
class PictureLimits:
    """The longest side in pixels and the visual tokens (one a 28x28 tile, rounded up a side) of one picture."""

    long_edge_px: int
    visual_tokens: int


HIGH_TIER = PictureLimits(2576, 4784)
STANDARD_TIER = PictureLimits(1568, 1568)


@dataclass(frozen=True, slots=True)
class Model:
    name: str
    takes_toolsets: bool
    refuses_forced_tool_choice: bool
    limits: PictureLimits


def find_model(name: str) -> Model:
    parsed = _MODEL.fullmatch(name)
    if parsed is None:
        raise Refused(f"model: {name}", status=404, error_type="not_found_error")
    family, version = parsed["family"], (int(parsed["major"]), int(parsed["minor"] or 0))

    def reached(first: dict[str, tuple[int, int]]) -> bool:
        return family in first and version >= first[family]

    return Model(
        name=name,
        takes_toolsets=reached(_FIRST_WITH_TOOLSETS),
        refuses_forced_tool_choice=reached(_FIRST_WITHOUT_FORCED_CHOICE),
        limits=HIGH_TIER if version >= _FIRST_OF_HIGH_TIER else STANDARD_TIER,
    )

"""A model's family and version, read out of its name in any platform's spelling. Knows nothing of what one can do."""

from __future__ import annotations

import re
from dataclasses import dataclass

Version = tuple[int, int]

_FAMILY_AND_VERSION = re.compile(
    r"(?P<family>fable|mythos|opus|sonnet|haiku)(?:[-.](?P<major>\d{1,2})(?!\d)(?:[-.](?P<minor>\d{1,2})(?!\d))?)?"
)


@dataclass(frozen=True, slots=True)
class ModelName:
    """`version` None: the name says none behind the family, as those of the oldest models."""

    family: str
    version: Version | None

    def __str__(self) -> str:
        if self.version is None:
            return f"Claude {self.family.capitalize()}"
        major, minor = self.version
        return (
            f"Claude {self.family.capitalize()} {major}.{minor}"
            if minor
            else f"Claude {self.family.capitalize()} {major}"
        )


def read_model_name(name: str) -> ModelName | None:
    """None for a name of no known family."""
    match = _FAMILY_AND_VERSION.search(name.lower())
    if match is None:
        return None
    if match["major"] is None:
        return ModelName(match["family"], None)
    return ModelName(match["family"], (int(match["major"]), int(match["minor"] or 0)))

"""The values a member takes, beyond their types, which the SDK checks. Refuses, with what is allowed; never adjusts."""

from __future__ import annotations

import math
from dataclasses import dataclass

from pydantic import BaseModel

from gui_environments.errors import ActionRefused


@dataclass(frozen=True, slots=True)
class Range:
    """From `least` to `most`, both allowed; `unit` is how the refusal names what is counted."""

    least: int
    most: int
    unit: str


KEY_REPEATS = Range(1, 100, "times")
DURATION_S = Range(0, 300, "seconds")
SCROLL_CLICKS = Range(0, 100, "clicks of the wheel")

# The browser's.
PAGE_DURATION_S = Range(0, 30, "seconds")
SCROLL_NOTCHES = Range(1, 10, "notches of the wheel")
DEPTHS = Range(1, 1000, "levels")


def whole_number(value: int, field: str, allowed: Range) -> int:
    if not allowed.least <= value <= allowed.most:
        raise ActionRefused(f"{field} is {value}; it goes from {allowed.least} to {allowed.most} {allowed.unit}.")
    return value


def page_duration_s(value: float) -> float:
    """A duration of the browser toolset, which takes parts of a second."""
    allowed = PAGE_DURATION_S
    if not (math.isfinite(value) and allowed.least <= value <= allowed.most):
        raise ActionRefused(f"duration is {value:g}; it goes from {allowed.least} to {allowed.most} {allowed.unit}.")
    return value


def nothing_more(call_input: BaseModel) -> None:
    """Refuses fields that the member does not have. The SDK lets them through, and what was meant by one would silently
    not happen."""
    unknown = [field for field, value in (call_input.model_extra or {}).items() if value is not None]
    if unknown:
        fields = type(call_input).model_fields.items()
        taken = ", ".join(field.alias or name for name, field in fields) or "none"
        raise ActionRefused(f"There is no field {', '.join(map(repr, unknown))} here; the fields are: {taken}.")


def something(text: str, field: str) -> str:
    if not text:
        raise ActionRefused(f"{field} is empty; there is nothing to press or type.")
    return text

"""A property of a window, read in one request. python-xlib's own reading takes two, and when the property changes
between them it mixes two values, or fails."""

from __future__ import annotations

from typing import Any

from Xlib import X

LONGEST_WORDS = 1 << 20
"""Words of four bytes; a longer property is cut."""


def read_property(window: Any, name: str) -> Any:
    """The property as python-xlib has it (`value`, `format`, `property_type`); None when the window has none of that
    name. Raises `BadWindow`."""
    return window.get_property(window.display.get_atom(name), X.AnyPropertyType, 0, LONGEST_WORDS)

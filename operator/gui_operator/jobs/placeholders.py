"""`${invoice.number}` in a text: what is put in is data, and never looked into again. `$${` stands for `${`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

_MARK = re.compile(r"(\$?)\$\{([^{}]*)(\}?)")


class UnknownPlaceholder(ValueError):
    """The message says which names there are. `offset` is where it stands in the text, in characters."""

    def __init__(self, text: str, offset: int) -> None:
        super().__init__(text)
        self.offset = offset


def flat_inputs(tree: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    """`{"invoice": {"number": "A-17"}}` as `("invoice.number", "A-17")`."""
    for name, value in tree.items():
        if isinstance(value, Mapping):
            yield from flat_inputs(value, f"{above}{name}.")
        else:
            yield f"{above}{name}", value


def names_in(text: str) -> tuple[str, ...]:
    """The names that a text asks for, in order."""
    return tuple(match[2] for match in _MARK.finditer(text) if not match[1])


def fill(text: str, values: Mapping[str, str]) -> str:
    """Raises `UnknownPlaceholder`."""

    def value_of(match: re.Match[str]) -> str:
        if match[1]:
            return match[0][1:]
        if not match[3]:
            raise UnknownPlaceholder("a ${ has no } after it; write $${ for the characters themselves", match.start())
        if match[2] not in values:
            known = f"there are {', '.join(sorted(values))}" if values else "there are no inputs"
            raise UnknownPlaceholder(f"nothing is called {match[2]!r}: {known}", match.start())
        return values[match[2]]

    return _MARK.sub(value_of, text)

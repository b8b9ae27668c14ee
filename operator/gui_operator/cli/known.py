"""What a conversation of `exec` knows so far: values by name, and which references its readings gave to which elements.
Fills the placeholders of a turn from it. Runs nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from anthropic.types.beta import BetaToolUseBlock

from gui_operator.cli.expectations import result_text
from gui_operator.cli.placeholders import Unfilled

READINGS = {("browser", "read_page"), ("browser", "find")}

_LINE = re.compile(r'\s*([^\s"\[]+(?: "(?:[^"\\]|\\.)*")?) \[(ref_\d+)\]')
"""An element as readings list it. Whatever a page calls it stands in the quotes."""

_MOST_NAMED = 8
"""References or names in one sentence."""


@dataclass(frozen=True, slots=True)
class Keep:
    """To keep a part of a result under a name: the pattern's first group, or all of it. `call` counts from 1."""

    name: str
    call: int
    pattern: re.Pattern[str]


class Known:
    """Implements `Filling`. One for each conversation."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self._values = dict(values)
        self._elements: dict[str, tuple[str, ...]] = {}

    def value(self, name: str) -> str:
        if name not in self._values:
            raise Unfilled(f"there is no value {name!r} yet; known are {_listed(self._values) or 'none'}")
        return self._values[name]

    def reference(self, element: str) -> str:
        references = self._elements.get(element, ())
        if not references:
            raise Unfilled(
                f"no read_page or find of an earlier line listed {element!r}; write it as they do, without its [ref]"
            )
        if len(references) > 1:
            raise Unfilled(
                f"{element!r} is the name of several elements: {_listed(references)}; find one of them first"
            )
        return references[0]

    def learn(self, calls: Sequence[BetaToolUseBlock], results: Sequence[Mapping[str, Any]]) -> None:
        """Take in what readings listed. Of an element that several list, the last counts."""
        for call, result in zip(calls, results, strict=True):
            if (call.toolset_name, call.name) in READINGS and not result.get("is_error"):
                listed = listed_elements(result_text(result))
                # What find lists first fits best.
                self._elements |= {each: found[:1] for each, found in listed.items()} if call.name == "find" else listed

    def keep(self, keeps: Iterable[Keep], results: Sequence[Mapping[str, Any]]) -> tuple[dict[str, str], list[str]]:
        """What was kept now, and a sentence for each that could not be. Of that one an older value is forgotten."""
        kept: dict[str, str] = {}
        sentences = []
        for wanted in keeps:
            found = wanted.pattern.search(result_text(results[wanted.call - 1]))
            text = found and (found[1] if wanted.pattern.groups else found[0])
            if text is None:
                self._values.pop(wanted.name, None)
                sentences.append(
                    f"call {wanted.call} has nothing to keep as {wanted.name}: its result does not match "
                    f"{wanted.pattern.pattern}"
                )
            else:
                kept[wanted.name] = self._values[wanted.name] = text
        return kept, sentences


def listed_elements(reading: str) -> dict[str, tuple[str, ...]]:
    """The references of a reading by what stands before them: `button "Save"`."""
    listed: dict[str, tuple[str, ...]] = {}
    for line in reading.splitlines():
        if match := _LINE.match(line):
            listed[match[1]] = (*listed.get(match[1], ()), match[2])
    return listed


def _listed(names: Iterable[str]) -> str:
    names = list(names)
    rest = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {rest} more" if rest > 0 else "")

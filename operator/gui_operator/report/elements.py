"""What references stand for, as the readings of a run listed them. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from gui_operator.report.run import RecordedCall

READINGS = ("read_page", "find")

_LINE = re.compile(r'^\s*([^\s"\[]+(?: "(?:[^"\\]|\\.)*")?) \[(ref_\d+)\]', re.MULTILINE)
"""An element as readings list it. Whatever a page calls it stands in the quotes."""


def elements_of(calls: Iterable[RecordedCall]) -> Mapping[int, str]:
    """Of each call that names a reference that was listed before, by its number: `button "Save"`."""
    listed: dict[str, str] = {}
    found: dict[int, str] = {}
    for call in calls:
        reference = _reference(call)
        if reference in listed:
            found[call.number] = listed[reference]
        if call.name in READINGS:
            for text in call.texts:
                listed.update((match[2], match[1]) for match in _LINE.finditer(text))
    return found


def _reference(call: RecordedCall) -> str:
    target = call.input.get("target")
    reference = target.get("ref") if isinstance(target, Mapping) else call.input.get("ref")
    return reference if isinstance(reference, str) else ""

"""Takes secrets out of what is about to be written. Works on decoded text, so that no escape can hide one: a recording
is redacted value by value before it becomes JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping

Redact = Callable[[str], str]

MARK = "[secret]"


class Redaction:
    """Replaces each secret by a mark, also where a text holds it as the inside of a JSON string (a page's data, a
    program's output), spelled with escapes or without."""

    def __init__(self, secrets: Iterable[str]) -> None:
        spellings: set[str] = set()
        for secret in secrets:
            if not secret:
                raise ValueError("an empty secret cannot be redacted")
            spellings.update(
                (secret, json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]),
            )
        # Longest first, so that a secret that contains another goes as a whole.
        in_order = sorted(spellings, key=lambda text: (-len(text), text))
        self._pattern = re.compile("|".join(map(re.escape, in_order))) if in_order else None

    def __call__(self, text: str) -> str:
        return self._pattern.sub(MARK, text) if self._pattern else text


def redacted(value: object, redact: Redact) -> object:
    """`value`, a JSON value, with every string in it, names of fields included, redacted. A whole number that spells a
    secret becomes the redacted text; fractions, which are durations and places, may spell anything by chance."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, Mapping):
        return {redact(str(key)): redacted(item, redact) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [redacted(item, redact) for item in value]
    if isinstance(value, int) and not isinstance(value, bool):
        text = redact(str(value))
        return value if text == str(value) else text
    return value

"""Takes secrets out of texts. Works on decoded text, before it becomes JSON or bytes, so that no escape of ours can
hide one. Knows values and what they are called; never shows one."""

from __future__ import annotations

import re
from collections.abc import Iterable

from gui_environments.secrets.spelling import SHORTEST, parts, spelled

MARKS = ("[secret {}]", "[secret]", "[hidden]", "[…]")
"""What stands in a value's place: the first that holds no secret itself."""

_CUT = re.compile(r"…|\n?\[\.\.\. \d+ characters left out[^\]]*\]\n?")
"""Where a text of ours was cut: what stands beside it may be a part of a value."""


class Masking:
    """`masking(text)` is the text with every value that was added replaced by a mark. Values are added as they come
    into being: a one-time code does when it is used."""

    def __init__(self, values: Iterable[tuple[str, str]] = ()) -> None:
        self._named: dict[str, str] = {}
        """Values by what is looked for."""
        self._pattern: re.Pattern[str] | None = None
        self._marks: dict[str, str] = {}
        for name, value in values:
            self.add(name, value)

    def __repr__(self) -> str:
        return f"Masking({len(self._named)} values)"

    def add(self, name: str, value: str) -> None:
        """Raises `ValueError` for a value that is too short to be looked for."""
        if len(value.strip()) < SHORTEST:
            raise ValueError(f"a secret has {SHORTEST} characters at least, or it would be found everywhere")
        for part in parts(value):
            self._named.setdefault(part, name)
        # Longest first, so that a secret that contains another goes as a whole.
        in_order = sorted(self._named, key=lambda text: (-len(text), text))
        self._pattern = re.compile("|".join(f"({spelled(text)})" for text in in_order))
        self._marks = {}
        self._in_order = in_order

    @property
    def expressions(self) -> tuple[str, ...]:
        """Of what is looked for, for texts whose white space was taken out."""
        return tuple(spelled(value, spaces="*") for value in self._named)

    def holds(self, text: str) -> bool:
        """Whether a value is in it."""
        return self(text) != text

    def __call__(self, text: str) -> str:
        if self._pattern is None or len(text) < SHORTEST:
            return text
        return self._without_cut_values(self._pattern.sub(self._mark, text))

    def _mark(self, match: re.Match[str]) -> str:
        assert match.lastindex is not None
        return self._mark_of(self._named[self._in_order[match.lastindex - 1]])

    def _mark_of(self, name: str) -> str:
        assert self._pattern is not None
        if name not in self._marks:
            marks = [mark.format(name) for mark in MARKS]
            self._marks[name] = next((mark for mark in marks if not self._pattern.search(mark)), "")
        return self._marks[name]

    def _without_cut_values(self, text: str) -> str:
        """Where a value was cut in two, the half that is left."""
        kept: list[str] = []
        after = ""
        at = 0
        for cut in _CUT.finditer(text):
            kept += [self._half_taken(text[at : cut.start()], after, before=cut[0]), cut[0]]
            at, after = cut.end(), cut[0]
        if not kept:
            return text
        return "".join([*kept, self._half_taken(text[at:], after, before="")])

    def _half_taken(self, text: str, after: str, *, before: str) -> str:
        if after:
            text = self._without_end_of_value(text)
        return self._without_beginning_of_value(text) if before else text

    def _without_end_of_value(self, text: str) -> str:
        for value, name in self._named.items():
            for length in range(min(len(value) - 1, len(text)), SHORTEST - 1, -1):
                if text[:length].lower() == value[-length:].lower():
                    return self._mark_of(name) + text[length:]
        return text

    def _without_beginning_of_value(self, text: str) -> str:
        for value, name in self._named.items():
            for length in range(min(len(value) - 1, len(text)), SHORTEST - 1, -1):
                if text[-length:].lower() == value[:length].lower():
                    return text[:-length] + self._mark_of(name)
        return text

    def in_json(self, value: object) -> object:
        """A JSON value with every string in it masked, names of fields included, but for the bytes of pictures: what
        they show is covered before they are encoded, and what their base64 spells is chance. So are numbers left: where
        a size or a place is said, whoever reads it needs a number."""
        if isinstance(value, str):
            return self(value)
        if isinstance(value, dict):
            if value.get("type") == "base64" and isinstance(value.get("data"), str):
                return value
            return {self(str(key)): self.in_json(item) for key, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.in_json(item) for item in value]
        return value

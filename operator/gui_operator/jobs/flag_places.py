"""Where in a job the value of a flag goes, and as what: tables have a flag for each of their rows. Pure."""

from __future__ import annotations

import re
from pathlib import Path

from gui_operator.jobs.table_types import WHOLE_RULES

APPROVE, DIALOGS = "approve", "dialogs"

BOUNDS = ("max_upload", "max_download")

_NESTED = ("inputs", "limits")
"""Fields whose values have names with dots; other tables have one level, and names such as `computer.type`."""

_SECRET_FILE = re.compile(r"([^=]+=file:)(.+)(@[^@]*)", re.DOTALL)

_MOST_CAREFUL_FIRST = ("deny", "ask", "allow")


def flag_place(place: str, value: object) -> tuple[tuple[str, ...], object]:
    head, dot, rest = place.partition(".")
    if not dot and isinstance(value, str) and (head == DIALOGS or (head == APPROVE and value in WHOLE_RULES)):
        return (head, "*"), table_of_word(head, value)["*"]
    if head == "secrets" and isinstance(value, list):
        return (head,), [_from_here(entry) if isinstance(entry, str) else entry for entry in value]
    if head in BOUNDS and isinstance(value, str):
        return (head, rest or "file"), int(value) if rest == "files" and value.isdecimal() else value
    return (head, *(rest.split(".") if head in _NESTED else [rest])) if dot else (head,), value


def table_of_word(field: str, word: str) -> dict[str, str]:
    """The table that a word in the place of one stands for; what the word may be, whoever reads the table knows."""
    return {"*": WHOLE_RULES.get(word, word) if field == APPROVE else word}


def more_careful(one: object, other: object) -> object:
    """Of two verdicts that were said of the same name."""
    return next((verdict for verdict in _MOST_CAREFUL_FIRST if verdict in (one, other)), one)


def _from_here(entry: str) -> str:
    """A secret's file is meant from the current folder, not from that of the job."""
    match = _SECRET_FILE.fullmatch(entry)
    return entry if match is None else f"{match[1]}{Path(match[2]).absolute()}{match[3]}"

"""What is wrong with a job, in words: where it stands, what stands there, and what is allowed. Pure."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError

from gui_operator.jobs.field_types import Misfit
from gui_operator.jobs.yaml_lines import Place

_SHOWN_CHARACTERS = 60


@dataclass(frozen=True, slots=True)
class Problem:
    """`place` leads to the value that is meant, or that should be there."""

    place: Place
    text: str

    @property
    def name(self) -> str:
        """The field, as it is named in sentences: `limits.turns`, `allow.2` (counted from 1)."""
        return ".".join(str(part + 1) if isinstance(part, int) else part for part in self.place)


class JobError(Exception):
    """A job cannot be meant. The message has one line for each problem: the file and the line, or the flag, where it
    stands, and what is allowed there."""

    def __init__(self, sentences: Sequence[str]) -> None:
        super().__init__("\n".join(sentences))
        self.sentences = tuple(sentences)


def problems_of(error: ValidationError, model: type[BaseModel]) -> Iterable[Problem]:
    """The problems that a validation found, in sentences."""
    for each in error.errors(include_url=False):
        place = tuple(each["loc"])
        kind, context = each["type"], each.get("ctx", {})
        raised = context.get("error")
        if isinstance(raised, Misfit):
            yield Problem((*place, *raised.below), str(raised))
        elif kind == "extra_forbidden":
            yield Problem(place, _unknown_key(place, model))
        elif kind == "missing":
            yield Problem(place, "is missing")
        else:
            allowed = _ALLOWED.get(kind)
            text = f"is not {allowed.format_map(context)}" if allowed else f"is not right: {each['msg']}"
            yield Problem(place, f"{_shown(each['input'])} {text}")


_ALLOWED = {
    "bool_type": "true or false",
    "dict_type": "a mapping",
    "float_type": "a number",
    "greater_than": "a number above {gt}",
    "greater_than_equal": "a number from {ge}",
    "int_from_float": "a whole number",
    "int_type": "a whole number",
    "less_than_equal": "a number up to {le}",
    "literal_error": "{expected}",
    "mapping_type": "a mapping",
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
    "path_type": "a path, which is a text",
    "string_too_short": "a text that is not empty",
    "string_type": "a text; quote it if it is meant as one",
    "tuple_type": "a list",
}


def _unknown_key(place: Place, model: type[BaseModel]) -> str:
    known = sorted(_model_at(place[:-1], model).model_fields)
    near = difflib.get_close_matches(str(place[-1]), known, n=3)
    if near:
        return f"there is no such key; did you mean {' or '.join(near)}?"
    return f"there is no such key; there are {', '.join(known)}"


def _model_at(place: Place, model: type[BaseModel]) -> type[BaseModel]:
    for part in place:
        inner: Any = model.model_fields[str(part)].annotation
        model = inner
    return model


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    if isinstance(value, Mapping) and not value:
        return "a mapping with nothing in it"
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}…"

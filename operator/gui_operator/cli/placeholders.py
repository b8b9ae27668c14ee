"""What a turn leaves open until it runs: `{"$text": "Order ${number}"}` and `{"$ref": "button \\"Save\\""}` in place
of a text. Finds them and puts in what it is given; strings are never looked into, so that text stays literal."""

from __future__ import annotations

import re
from collections.abc import Mapping
from string import Template
from typing import Protocol

VALUE_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class Unfilled(Exception):
    """A placeholder cannot be filled. The message says why."""


class Filling(Protocol):
    """Where fillings come from. Both raise `Unfilled`."""

    def value(self, name: str) -> str:
        """The text that goes by this name."""
        ...

    def reference(self, element: str) -> str:
        """The reference of an element, written as a reading lists it: `button "Save"`."""
        ...


class Described:
    """Fills nothing in, for a reader: what is open is shown as it is written."""

    def value(self, name: str) -> str:
        return f"${{{name}}}"

    def reference(self, element: str) -> str:
        return element


def filled(value: object, filling: Filling) -> object:
    """`value`, of JSON, with every placeholder in it replaced by a text. Raises `Unfilled`."""
    if isinstance(value, list):
        return [filled(each, filling) for each in value]
    if not isinstance(value, dict):
        return value
    if not any(key.startswith("$") for key in value):
        return {key: filled(each, filling) for key, each in value.items()}
    if value.keys() == {"$ref"}:
        return filling.reference(_string(value, "$ref"))
    if value.keys() == {"$text"}:
        return _text(_string(value, "$text"), filling)
    raise Unfilled('an object with $ is {"$text": "..."} or {"$ref": "..."}, with nothing beside it')


def _text(written: str, filling: Filling) -> str:
    template = _Template(written)
    if not template.is_valid():
        raise Unfilled("in $text, a $ begins a ${name}; write $$ for a $")
    return template.substitute({name: filling.value(name) for name in template.get_identifiers()})


class _Template(Template):
    # Only ${name}: what follows a bare $name would be a guess.
    idpattern = "(?!)"
    braceidpattern = VALUE_NAME.pattern
    flags = re.ASCII


def _string(holder: Mapping[str, object], key: str) -> str:
    text = holder[key]
    if not isinstance(text, str):
        raise Unfilled(f"{key} is a string")
    return text

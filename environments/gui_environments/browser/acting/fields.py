"""What a form field takes: its kind and the values it accepts, and the sentences that refuse all others. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from gui_environments.browser.acting.options import Option
from gui_environments.browser.actions import FieldValue
from gui_environments.browser.values import quoted
from gui_environments.errors import ActionRefused

TRUE_WORDS = frozenset({"true", "yes", "on", "checked"})
FALSE_WORDS = frozenset({"false", "no", "off", "unchecked"})

FORMATS = {
    "date": "a date as YYYY-MM-DD, such as 2026-05-31",
    "time": "a time as HH:MM or HH:MM:SS on a 24-hour clock, such as 09:30",
    "month": "a month as YYYY-MM, such as 2026-05",
    "week": "a week as YYYY-Www, such as 2026-W22",
    "datetime-local": "a date and time as YYYY-MM-DDTHH:MM, such as 2026-05-31T09:30",
    "color": "a colour as #rrggbb, such as #3366ff",
    "range": "a number, such as 40",
    "number": "a number, such as 42 or 3.5",
}

USUAL_STEPS = {"time": "60 seconds", "datetime-local": "60 seconds", "date": "1 day"}

HINDRANCES = {
    "disabled": "It is disabled. Something else on the page has to be done first.",
    "readonly": "It is read-only: the page fills it in another way. Click it to see whether something opens.",
    "hidden": "It is not shown. Use what the page shows in its place.",
    "inert": "It is inert: the page lets nobody use it now.",
    "behind": "It is behind an open dialog. Deal with the dialog first.",
}


@dataclass(frozen=True, slots=True)
class Field:
    """A form field as it is now. `kind` is one of text, number, picked, select, option, checkbox, radio, editable and
    file; empty for what is no field. `lines`: takes more than one line."""

    kind: str
    type: str
    role: str
    hindrance: str
    lines: bool
    max_length: int | None
    multiple: bool
    options: tuple[Option, ...]
    empty: bool
    bounds: tuple[str | None, str | None, str | None]


def field_of(answer: dict[str, Any]) -> Field:
    """From what the page model tells."""
    return Field(
        answer["kind"],
        answer["type"],
        answer["role"],
        answer["hindrance"],
        answer["lines"],
        answer["maxLength"],
        answer["multiple"],
        tuple(Option(**option) for option in answer["options"]),
        answer["empty"],
        (answer["min"], answer["max"], answer["step"]),
    )


def require_settable(field: Field, reference: str) -> None:
    """Raises `ActionRefused` for what no value can be given to now."""
    if field.kind == "file":
        raise ActionRefused(f"{reference} takes files. Use file_upload with it.")
    if not field.kind:
        role = f"a {field.role}" if field.role else "no form field"
        raise ActionRefused(f"{reference} is {role}, which takes no value. Click it, or use the ref of a field.")
    if field.hindrance:
        raise ActionRefused(f"{reference} cannot be filled in. {HINDRANCES[field.hindrance]}")


def written(value: FieldValue) -> str:
    """A value as a person would write it. Raises `ActionRefused` for a boolean."""
    if isinstance(value, bool):
        raise ActionRefused("This field takes text, not true or false: those are for checkboxes and radio buttons.")
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    return str(value)


def text_for(field: Field, value: FieldValue) -> str:
    """What is to be entered in a field of text. Raises `ActionRefused`."""
    text = written(value).replace("\r\n", "\n").replace("\r", "\n")
    if "\n" in text and not field.lines:
        raise ActionRefused("This field takes one line. Give the text without line breaks; press Enter with key.")
    if field.max_length is not None and _utf16_length(text) > field.max_length:
        raise ActionRefused(
            f"This field takes {field.max_length} characters at most; the text has {_utf16_length(text)}. "
            "Nothing was entered."
        )
    if re.search("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]", text):
        raise ActionRefused("The text has control characters or halves of characters, which nobody can type.")
    return text


def _utf16_length(text: str) -> int:
    """As pages count."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def state_for(value: FieldValue, kind: str) -> bool:
    """Whether a checkbox or radio button is to be checked. Raises `ActionRefused`."""
    state = value if isinstance(value, bool) else None
    if isinstance(value, str):
        word = value.strip().lower()
        state = True if word in TRUE_WORDS else False if word in FALSE_WORDS else None
    if state is None:
        raise ActionRefused(f"This is a {kind}: its value is true or false.")
    if kind == "radio" and not state:
        raise ActionRefused("A radio button cannot be unchecked. Set another one of its group to true instead.")
    if kind == "option" and not state:
        raise ActionRefused("Set the option that is wanted to true, or give its select the option's text.")
    return state


def require_in_range(field: Field, value: str, tried: dict[str, Any]) -> None:
    """Refuse what the browser itself would not take. `tried` is the page model's answer."""
    wants = f"This field takes {FORMATS[field.type]}"
    if tried["problem"] == "format" or (tried["value"] == "" and value != ""):
        raise ActionRefused(f"{wants}; {quoted(value[:80])} is none. Nothing was changed.")
    if field.type == "color" and tried["value"] != value.lower():
        raise ActionRefused(f"{wants}; {quoted(value[:80])} is none. Nothing was changed.")
    low, high, step = field.bounds
    if field.type == "range":
        low, high = low or "0", high or "100"
        if _number(tried["value"]) != _number(value):
            raise ActionRefused(
                f"{wants}, from {low} to {high} in steps of {step or 1}; {quoted(value[:80])} is none. "
                "Nothing was changed."
            )
    if tried["problem"] == "range":
        limits = " and ".join(
            words for words in (f"not below {low}" if low else "", f"not above {high}" if high else "") if words
        )
        raise ActionRefused(f"{wants}, {limits}; {quoted(value[:80])} is outside. Nothing was changed.")
    if tried["problem"] == "step":
        base = f" counted from {low}" if low else ""
        size = step or USUAL_STEPS.get(field.type, "1")
        raise ActionRefused(
            f"{wants}, in steps of {size}{base}; {quoted(value[:80])} is between two. Nothing was changed."
        )


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None

"""Applications for a trade account as values: what makes one valid. Stores nothing and shows nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date, datetime, time

LEGAL_FORMS = {
    "gmbh": "GmbH",
    "ag": "AG",
    "ek": "Einzelkaufmann",
    "ltd": "Limited company (Ltd)",
    "plc": "Public limited company (plc)",
}
COUNTRIES = {
    "AT": "Austria",
    "CH": "Switzerland",
    "DE": "Germany",
    "FR": "France",
    "GB": "United Kingdom",
    "IE": "Ireland",
}
LANGUAGES = {"de": "German", "en": "English", "fr": "French"}
CATALOGUES = {"paper": "Paper", "pens": "Pens and inks", "furniture": "Furniture", "filing": "Filing"}
SHORTEST_PASSWORD = 10
LARGEST_FILE_BYTES = 5 * 2**20


class InvalidApplication(Exception):
    """Something cannot be taken as it is. `problems` has one sentence for each field that is wrong."""

    def __init__(self, problems: Mapping[str, str]) -> None:
        super().__init__("; ".join(f"{name}: {problem}" for name, problem in problems.items()))
        self.problems = dict(problems)


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """As the browser sent it. `name` has no folder."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Application:
    """One valid application. Of the password only its length is kept. `credit` is in thousands."""

    company: str
    legal_form: str
    tax_number: str
    country: str
    founded: str
    employees: int
    contact: str
    email: str
    telephone: str
    password_length: int
    language: str
    catalogues: tuple[str, ...]
    address: str
    first_delivery: str
    dock_opens: str
    visit: str
    credit: int
    label_colour: str
    driver_note: str
    terms: bool


def application_of(sent: Mapping[str, Sequence[str]]) -> Application:
    """From the fields of the form as they were sent, any number of values each; raises `InvalidApplication`."""
    values: dict[str, object] = {}
    problems: dict[str, str] = {}
    for name, read in _READERS.items():
        try:
            values[name] = read([value.replace("\r\n", "\n") for value in sent.get(name, ())])
        except ValueError as error:
            problems[name] = str(error)
    if problems:
        raise InvalidApplication(problems)
    password = values.pop("password")
    assert isinstance(password, str)
    return Application(**values, password_length=len(password))  # type: ignore[arg-type]  # one reader a field


Reader = Callable[[Sequence[str]], object]


def _one(values: Sequence[str]) -> str:
    if len(values) != 1:
        raise ValueError("It is missing." if not values else "It was sent more than once.")
    return values[0].strip()


def _text(values: Sequence[str]) -> str:
    text = _one(values)
    if not text:
        raise ValueError("It is missing.")
    return text


def _optional_text(values: Sequence[str]) -> str:
    return _one(values) if values else ""


def _matching(pattern: str, wanted: str) -> Reader:
    def read(values: Sequence[str]) -> str:
        text = _text(values)
        if not re.fullmatch(pattern, text, re.ASCII):
            raise ValueError(f"It is {wanted}.")
        return text

    return read


def _choice(choices: Mapping[str, str]) -> Reader:
    def read(values: Sequence[str]) -> str:
        text = _text(values)
        if text not in choices:
            raise ValueError("It is none of those offered.")
        return text

    return read


def _several(choices: Mapping[str, str]) -> Reader:
    def read(values: Sequence[str]) -> tuple[str, ...]:
        if not choices.keys() >= set(values):
            raise ValueError("It is none of those offered.")
        return tuple(values)

    return read


def _whole_number(least: int, most: int, step: int = 1) -> Reader:
    def read(values: Sequence[str]) -> int:
        text = _text(values)
        if not re.fullmatch("[0-9]{1,9}", text) or not least <= int(text) <= most or int(text) % step:
            raise ValueError(f"It is a whole number from {least} to {most}.")
        return int(text)

    return read


def _moment(parse: Callable[[str], object], wanted: str) -> Reader:
    def read(values: Sequence[str]) -> str:
        text = _text(values)
        try:
            parse(text)
        except ValueError:
            raise ValueError(f"It is {wanted}.") from None
        return text

    return read


def _password(values: Sequence[str]) -> str:
    (text,) = values or [""]
    if len(text) < SHORTEST_PASSWORD:
        raise ValueError(f"It has at least {SHORTEST_PASSWORD} characters.")
    return text


def _agreed(values: Sequence[str]) -> bool:
    if list(values) != ["yes"]:
        raise ValueError("They must be accepted.")
    return True


_READERS: dict[str, Reader] = {
    "company": _text,
    "legal_form": _choice(LEGAL_FORMS),
    "tax_number": _matching(r"\d{2}/\d{3}/\d{5}", "written as 12/345/67890"),
    "country": _choice(COUNTRIES),
    "founded": _moment(lambda text: date.fromisoformat(f"{text}-01"), "a month"),
    "employees": _whole_number(1, 5000),
    "contact": _text,
    "email": _matching(r"[^@\s]+@[^@\s]+\.[^@\s.]+", "an address such as name@example.com"),
    "telephone": _optional_text,
    "password": _password,
    "language": _choice(LANGUAGES),
    "catalogues": _several(CATALOGUES),
    "address": _text,
    "first_delivery": _moment(date.fromisoformat, "a date"),
    "dock_opens": _moment(time.fromisoformat, "a time"),
    "visit": _moment(datetime.fromisoformat, "a date and a time"),
    "credit": _whole_number(0, 50, 5),
    "label_colour": _matching("#[0-9a-f]{6}", "a colour"),
    "driver_note": _optional_text,
    "terms": _agreed,
}
assert {*_READERS, "password_length"} - {"password"} == {field.name for field in fields(Application)}


def require_papers(file: UploadedFile | None) -> UploadedFile:
    """The trade licence; raises `InvalidApplication`."""
    if file is None or not file.name:
        raise InvalidApplication({"licence": "It is missing."})
    if not file.content:
        raise InvalidApplication({"licence": "It is empty."})
    if len(file.content) > LARGEST_FILE_BYTES:
        raise InvalidApplication({"licence": f"It is larger than {LARGEST_FILE_BYTES // 2**20} MiB."})
    return file

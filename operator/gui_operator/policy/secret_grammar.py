"""The grammar of `--secret`: `NAME=SOURCE@PLACE,PLACE`. Reads no source.

- NAME: letters, digits and `_`; the model writes `{{NAME}}`.
- SOURCE: `env:VARIABLE`, `file:PATH` or `cmd:COMMAND`. The last `@` of all ends it: paths and commands may hold others.
- PLACE: a host as in `--allow` (no range of addresses), or `window:APPLICATION`, by the class that the windows of an
  application have on a desktop, or `window:APPLICATION/TITLE`, where `*` in the title is anything.

What is wrong is said without any of what may be the value, put here by mistake.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal, get_args

from gui_environments.egress.entries import BadEntry, HostRule, parse_entry
from gui_environments.secrets import WindowRule

SourceKind = Literal["env", "file", "cmd"]

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")

WINDOW = "window:"

BROWSER_CLASSES = ("chromium", "chromium-browser", "google-chrome", "chrome")
"""A page may have any title, and be of any host: what is for a page is bound to its host."""

SOURCES = "env:VARIABLE, file:PATH or cmd:COMMAND"


class SecretError(ValueError):
    """A secret cannot be had. The message never holds a value."""


@dataclass(frozen=True, slots=True)
class Source:
    kind: SourceKind
    place: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.place}"


@dataclass(frozen=True, slots=True)
class SecretOption:
    """Where a secret comes from and what it is bound to."""

    name: str
    source: Source = field(repr=False)
    hosts: tuple[HostRule, ...]
    windows: tuple[WindowRule, ...]


def parse_secret(text: str) -> SecretOption:
    """Raises `SecretError`."""
    name, equals, rest = text.partition("=")
    if not equals or not NAME.fullmatch(name):
        raise SecretError("a secret is given as NAME=SOURCE@HOST, with a NAME of letters, digits and _")
    kind, colon, where = rest.partition(":")
    if not colon or kind not in get_args(SourceKind):
        raise SecretError(f"{name}: say where its value comes from, with {SOURCES}; a value itself is not taken here")
    place, at, bound_to = where.rpartition("@")
    if not at:
        raise SecretError(f"{name}: say where it may go, with @HOST or @window:APPLICATION at the end")
    if not place.strip():
        raise SecretError(f"{name}: nothing stands behind {kind}:")
    hosts, windows = _places(name, bound_to)
    return SecretOption(name, Source(kind, place), hosts, windows)  # type: ignore[arg-type] # checked above


def _places(name: str, text: str) -> tuple[tuple[HostRule, ...], tuple[WindowRule, ...]]:
    hosts: list[HostRule] = []
    windows: list[WindowRule] = []
    for place in text.split(","):
        if not place.strip():
            raise SecretError(f"{name}: a place it may go to is empty; write @HOST,HOST")
        if place.startswith(WINDOW):
            windows.append(_window(name, place.removeprefix(WINDOW)))
        else:
            hosts.append(_host(name, place))
    return tuple(hosts), tuple(windows)


def _host(name: str, place: str) -> HostRule:
    try:
        rule = parse_entry(place)
    except BadEntry as error:
        raise SecretError(f"{name}: {error}") from None
    if rule.addresses is not None:
        raise SecretError(f"{name}: bind it to {rule.host} without a range of addresses; --allow takes the range")
    return rule


def _window(name: str, place: str) -> WindowRule:
    application, slash, title = place.partition("/")
    if not application.strip() or (slash and not title.strip("* ")):
        raise SecretError(f"{name}: write window:APPLICATION or window:APPLICATION/TITLE")
    if application.lower() in BROWSER_CLASSES:
        raise SecretError(f"{name}: bind what is for a page to its host, not to the browser's window")
    return WindowRule(application, title if slash else None)

"""A secret's value on its way to where it is filled in, with what it is bound to. It travels to a remote environment as
it is, which holds it to its binding at the moment of acting."""

from __future__ import annotations

import fnmatch
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gui_environments.sights import ExpectedWindow

if TYPE_CHECKING:  # a desktop needs no library for addresses
    from gui_environments.egress.entries import HostRule


@dataclass(frozen=True, slots=True)
class WindowRule:
    """The windows of an application, by what it calls itself (the class of WM_CLASS); `title` None is any title, else
    one with `*` for any characters. Case does not count."""

    application: str
    title: str | None = None

    def allows(self, window: ExpectedWindow) -> bool:
        if window.application.lower() != self.application.lower():
            return False
        return self.title is None or fnmatch.fnmatchcase(window.title.lower(), _only_stars(self.title.lower()))

    def __str__(self) -> str:
        return f"window:{self.application}" + ("" if self.title is None else f"/{self.title}")


def _only_stars(title: str) -> str:
    return title.replace("[", "[[]").replace("?", "[?]")


@dataclass(frozen=True, slots=True)
class SecretText:
    """What is filled in for a name; it goes into pages of `hosts` and windows of `windows` only."""

    name: str
    value: str = field(repr=False)
    hosts: tuple[HostRule, ...] = ()
    windows: tuple[WindowRule, ...] = ()

    def may_go_to_origin(self, origin: str) -> bool:
        """`origin` as a browser writes it; `null` is nobody's."""
        from gui_environments.egress.addresses import address_of

        address = address_of(f"{origin}/")
        return address is not None and any(rule.allows(address) for rule in self.hosts)

    def may_go_to_window(self, window: ExpectedWindow) -> bool:
        return any(rule.allows(window) for rule in self.windows)

    @property
    def bound_to(self) -> str:
        """In words."""
        return " and ".join(map(str, (*self.hosts, *self.windows)))


Pieces = tuple[str | SecretText, ...]
"""Text with secrets in it."""


def text_of(pieces: Pieces) -> str:
    """As it is to stand there."""
    return "".join(piece if isinstance(piece, str) else piece.value for piece in pieces)


def secrets_in(pieces: Sequence[str | SecretText]) -> tuple[SecretText, ...]:
    return tuple(piece for piece in pieces if isinstance(piece, SecretText))

"""The options of a select: which of them a text names, and the sentences that refuse all others. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gui_environments.browser.values import quoted
from gui_environments.errors import ActionRefused

OPTIONS_LISTED = 40
"""Options named in a refusal."""

OPTIONS_CHARACTERS = 1500


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a select. `group` is empty outside a group; `disabled` also when its group is."""

    text: str
    value: str
    group: str
    disabled: bool
    hidden: bool
    selected: bool


def chosen_options(options: tuple[Option, ...], text: str, *, multiple: bool) -> list[int]:
    """Places of the options that `text` names, in order. Raises `ActionRefused` with the list of options."""
    whole = _place(options, text)
    if whole is not None:
        return [whole]
    if not multiple:
        raise _no_option(options, text, multiple=multiple)
    parts = [part.strip() for part in re.split(r"\n" if "\n" in text else r",", text) if part.strip()]
    places = set()
    for part in parts:
        place = _place(options, part)
        if place is None:
            raise _no_option(options, part, multiple=multiple)
        places.add(place)
    return sorted(places)


def require_option(options: tuple[Option, ...], place: int) -> None:
    """Raises `ActionRefused` for an option that is disabled."""
    option = options[place]
    if option.disabled:
        raise ActionRefused(f"The option {quoted(option.text)} is disabled. {_listed(options)}")


def _place(options: tuple[Option, ...], text: str) -> int | None:
    """By text, else by value, else by either in any case; `Group / Option` names one of several with the same text.
    One that can be chosen goes before one that cannot. Raises `ActionRefused` when only disabled ones fit."""
    wanted = " ".join(text.split())
    folded = wanted.casefold()
    ways = (
        lambda option: option.text == wanted,
        lambda option: option.value == text,
        lambda option: option.text.casefold() == folded,
        lambda option: option.value.casefold() == text.casefold(),
        lambda option: f"{option.group} / {option.text}".casefold() == folded,
    )
    for fits in ways:
        places = [place for place, option in enumerate(options) if fits(option) and not option.hidden]
        usable = [place for place in places if not options[place].disabled]
        if usable:
            return usable[0]
        if places:
            require_option(options, places[0])
    return None


def _no_option(options: tuple[Option, ...], text: str, *, multiple: bool) -> ActionRefused:
    several = " Several are separated by commas or line breaks." if multiple else ""
    return ActionRefused(f"There is no option {quoted(text[:80])}. {_listed(options)}{several}")


def _listed(options: tuple[Option, ...]) -> str:
    named = []
    characters = 0
    shown = [option for option in options if not option.hidden]
    for option in shown[:OPTIONS_LISTED]:
        group = f"{option.group} / " if option.group else ""
        words = quoted(group + option.text[:80]) + (" (disabled)" if option.disabled else "")
        characters += len(words)
        if characters > OPTIONS_CHARACTERS:
            break
        named.append(words)
    more = len(shown) - len(named)
    return (
        f"Its options are: {', '.join(named)}{f', and {more} more' if more else ''}." if shown else "It has no options."
    )

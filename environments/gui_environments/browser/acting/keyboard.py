"""Typing and pressing keys in a tab, by key events as a US keyboard makes them. Whatever went down is up again when a
call returns, raises or is cancelled."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from itertools import groupby

from gui_environments.browser.acting.input_events import INSERT, KEY, InputEvent, send_events
from gui_environments.browser.acting.keys import CHARACTERS, ENTER, TAB, Modifiers, PageKey, page_key, under
from gui_environments.browser.acting.pacing import await_answer, expect_character, took_character
from gui_environments.browser.chromium.ending import finish
from gui_environments.browser.tabs.tab import Tab
from gui_environments.desktop.chords import parse_chord, parse_modifiers
from gui_environments.desktop.strokes import require_typeable
from gui_environments.errors import ActionFailed, ActionRefused

BATCH_EVENTS = 128
"""Sent at once. After each batch the page has handled it, so that a long text does not outrun a slow page."""

REPEAT_AFTER_S = 0.5
REPEAT_EVERY_S = 1 / 30
"""As keyboards repeat a key that is held."""


async def type_text(tab: Tab, text: str) -> None:
    """Literally: newlines press Enter, tabs press Tab. Characters that a US keyboard lacks are inserted.

    Raises `ActionRefused` before anything was typed, `ActionFailed`.
    """
    require_typeable(text)
    if tab.hand.keys_kept_from is not None:
        await _type_held(tab, text.replace("\r\n", "\n"))
        return
    first, *rest = _typing(text.replace("\r\n", "\n"))
    character = first[0].parameters.get("text", "")
    if not rest or len(character) != 1 or not character.isprintable():
        await _send_in_batches(tab, [first, *rest])
        return
    await expect_character(tab)
    await send_events(tab, first)
    if await took_character(tab):
        await _send_in_batches(tab, rest)
        return
    for events in rest:
        await await_answer(tab)
        await send_events(tab, events)


async def _type_held(tab: Tab, text: str) -> None:
    """One by one, so that at most one goes astray when the page moves the focus to where it is not meant to be. Raises
    `ActionFailed` when it does."""
    for number, events in enumerate(_typing(text)):
        if number:
            await await_answer(tab)
        if tab.hand.keys_kept_from:
            raise ActionFailed(f"The focus moved to another frame; typing ended after {number - 1} characters.")
        await send_events(tab, events)


async def _send_in_batches(tab: Tab, strokes: list[list[InputEvent]]) -> None:
    batch: list[InputEvent] = []
    for events in strokes:
        batch += events
        # What Enter does (a form sent, a dialog opened) comes before what is typed next.
        if len(batch) >= BATCH_EVENTS or events[0].parameters.get("key") == ENTER.key:
            await send_events(tab, batch)
            batch = []
    await send_events(tab, batch)


def _typing(text: str) -> Iterator[list[InputEvent]]:
    typed = {**CHARACTERS, "\n": ENTER, "\t": TAB}
    for has_key, characters in groupby(text, typed.__contains__):
        if has_key:
            for character in characters:
                yield _stroke(typed[character], Modifiers.NONE)
        else:
            yield [InputEvent(INSERT, {"text": "".join(characters)})]


def _stroke(key: PageKey, held: Modifiers) -> list[InputEvent]:
    return [InputEvent(KEY, key.event("down", held)), InputEvent(KEY, key.event("up", held))]


async def press_sequence(tab: Tab, keys: str, repeat: int = 1) -> None:
    """Chords with spaces between them, one after the other; all of it `repeat` times.

    Raises `ActionRefused` before anything was pressed when one of them is no chord.
    """
    if not keys.split():
        raise ActionRefused('There is no key in it. Name keys, such as "Tab Tab Return" or "ctrl+a"; " " is "space".')
    chords = [chord_keys(chord) for chord in keys.split()]
    for _ in range(repeat):
        for chord in chords:
            await send_events(tab, [*going_down(chord), *going_up(chord)])


def chord_keys(text: str) -> tuple[PageKey, ...]:
    """Raises `ActionRefused`."""
    return tuple(page_key(key) for key in parse_chord(text).keys)


def modifier_keys(text: str | None) -> tuple[PageKey, ...]:
    """Modifiers alone, as they are held during a click. Raises `ActionRefused` for other keys."""
    return () if not text else tuple(page_key(key) for key in parse_modifiers(text).keys)


def held_modifiers(keys: Iterable[PageKey]) -> Modifiers:
    held = Modifiers.NONE
    for key in keys:
        held |= key.modifier
    return held


def going_down(keys: tuple[PageKey, ...]) -> list[InputEvent]:
    events = []
    held = Modifiers.NONE
    for key in keys:
        held |= key.modifier
        events.append(InputEvent(KEY, under(key, held).event("down", held)))
    return events


def going_up(keys: tuple[PageKey, ...]) -> list[InputEvent]:
    events = []
    for at in range(len(keys) - 1, -1, -1):
        held = held_modifiers(keys[:at])
        events.append(InputEvent(KEY, under(keys[at], held).event("up", held)))
    return events


async def hold_keys(tab: Tab, chord: str, seconds: float) -> None:
    """Hold a chord; its last key repeats as a held key does. Raises `ActionRefused`, `ActionFailed`."""
    keys = chord_keys(chord)
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    try:
        await send_events(tab, going_down(keys))
        held = held_modifiers(keys)
        again = InputEvent(KEY, under(keys[-1], held).event("down", held, repeated=True))
        await asyncio.sleep(max(0.0, min(REPEAT_AFTER_S, end - loop.time())))
        while loop.time() < end:
            if not keys[-1].modifier:
                await send_events(tab, [again])
            await asyncio.sleep(max(0.0, min(REPEAT_EVERY_S, end - loop.time())))
    finally:
        await finish(_let_go(tab, keys))


async def _let_go(tab: Tab, keys: tuple[PageKey, ...]) -> None:
    """A page that is gone, or does not answer, holds no key."""
    try:
        await send_events(tab, going_up(keys))
    except (ActionRefused, ActionFailed):
        return

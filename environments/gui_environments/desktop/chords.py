"""Key chords as they are written (`ctrl+shift+t`, `Page_Up`, `ctrl++`), made into data. Pure: no display, no layout;
nothing here knows whether a key exists on a keyboard.

`+` joins. Names are X's, or the aliases below, in any case. A single character is the key that types it; its case
counts unless ctrl, alt or super is held with it, so `A` types a capital and `ctrl+A` is `ctrl+a`.
"""

from __future__ import annotations

import difflib
import unicodedata
from dataclasses import dataclass

from gui_environments.desktop.keysyms import MODIFIERS, keysym_named, keysym_names, keysym_names_folded, keysym_of
from gui_environments.errors import ActionRefused

MAX_KEYS = 8

_MODIFIER_ALIASES = {
    "shift": "Shift_L",
    "ctrl": "Control_L",
    "control": "Control_L",
    "alt": "Alt_L",
    "option": "Alt_L",
    "opt": "Alt_L",
    "altgr": "ISO_Level3_Shift",
    "super": "Super_L",
    "win": "Super_L",
    "windows": "Super_L",
    "cmd": "Super_L",
    "command": "Super_L",
    "meta": "Super_L",
    "hyper": "Hyper_L",
}

_KEY_ALIASES = {
    "enter": "Return",
    "esc": "Escape",
    "del": "Delete",
    "ins": "Insert",
    "backspace": "BackSpace",
    "bksp": "BackSpace",
    "spacebar": "space",
    "pageup": "Page_Up",
    "pgup": "Page_Up",
    "page_up": "Page_Up",
    "pagedown": "Page_Down",
    "pgdn": "Page_Down",
    "pgdown": "Page_Down",
    "page_down": "Page_Down",
    "arrowup": "Up",
    "arrowdown": "Down",
    "arrowleft": "Left",
    "arrowright": "Right",
    "capslock": "Caps_Lock",
    "numlock": "Num_Lock",
    "scrolllock": "Scroll_Lock",
    "printscreen": "Print",
    "prtsc": "Print",
    "prtscn": "Print",
    "contextmenu": "Menu",
    "plus": "plus",
    "dash": "minus",
    "hyphen": "minus",
    "dot": "period",
    "backtick": "grave",
    "quote": "apostrophe",
    "pipe": "bar",
    "kp_plus": "KP_Add",
    "kp_minus": "KP_Subtract",
}

_LETTER_CASE_IS_IGNORED_WITH = frozenset({"Control_L", "Control_R", "Alt_L", "Alt_R", "Super_L", "Super_R", "Hyper_L"})


@dataclass(frozen=True, slots=True)
class Key:
    """One key of a chord. `name` is X's name, or the character itself for a key written as one."""

    name: str
    keysym: int

    @property
    def is_modifier(self) -> bool:
        return self.keysym in MODIFIERS


@dataclass(frozen=True, slots=True)
class Chord:
    """Keys in the order in which they go down; no key twice."""

    keys: tuple[Key, ...]


def parse_chord(text: str) -> Chord:
    """Raises `ActionRefused`, with near names, for anything that is not a chord."""
    parts = _split(text)
    if len(parts) > MAX_KEYS:
        raise ActionRefused(f"A chord has at most {MAX_KEYS} keys, not {len(parts)}. Literal text goes to `type`.")
    keys: list[Key] = []
    for key in map(_parse_key, parts):
        if key not in keys:
            keys.append(key)
    if any(key.name in _LETTER_CASE_IS_IGNORED_WITH for key in keys):
        keys = list(dict.fromkeys(_in_small(key) for key in keys))
    return Chord(tuple(keys))


def parse_modifiers(text: str) -> Chord:
    """Modifiers alone, as they are held during a click: `ctrl+shift`."""
    chord = parse_chord(text)
    for key in chord.keys:
        if not key.is_modifier:
            raise ActionRefused(
                f'"{_shown(key.name)}" is not a modifier. A click takes shift, ctrl, alt and super, joined with +.'
            )
    return chord


def _split(text: str) -> list[str]:
    if text == "":
        raise ActionRefused("The chord is empty. Name a key, such as Return or ctrl+c.")
    if text != "\u3000" and (any(map(str.isspace, text)) or not text.isprintable()):
        raise ActionRefused(_whitespace_advice(text))
    if text == "+":
        return ["+"]
    # `+` as the last key: `ctrl++`.
    last_is_plus = text.endswith("++")
    parts = (text[:-2] if last_is_plus else text).split("+") + (["+"] if last_is_plus else [])
    if "" in parts:
        raise ActionRefused(
            f'"{_shown(text)}" has an empty key. Keys are joined with a single +; the plus key itself is written last, '
            "as in ctrl++, or as plus."
        )
    return parts


def _whitespace_advice(text: str) -> str:
    lone = {" ": "space", "\n": "Return", "\r": "Return", "\t": "Tab"}.get(text)
    if lone is not None:
        return f'A key is named: write "{lone}".'
    together = "_".join(text.split())
    if together != text and _find_key(together) is not None:
        return f'A key name has no spaces: write "{_shown(together)}".'
    return (
        f'"{_shown(text)}" has spaces or control characters in it. A chord is key names joined with +, such as '
        "ctrl+shift+t; one chord a call; literal text goes to `type`."
    )


def _parse_key(name: str) -> Key:
    key = _find_key(name)
    if key is None:
        raise ActionRefused(f'There is no key named "{_shown(name)}".{_chord_meant(name) or _near_names(name)}')
    return key


def _find_key(name: str) -> Key | None:
    if len(name) == 1:
        category = unicodedata.category(name)
        return None if category in {"Cc", "Cs", "Cn"} else Key(name, keysym_of(name))
    alias = _MODIFIER_ALIASES.get(name.lower()) or _KEY_ALIASES.get(name.lower())
    if alias is not None:
        return Key(alias, keysym_names()[alias])
    keysym = keysym_named(name)
    if keysym is None:
        return None
    spelled = name if name in keysym_names() else keysym_names_folded().get(name.lower(), name.upper())
    return Key(spelled, keysym)


def _in_small(key: Key) -> Key:
    if len(key.name) == 1 and len(key.name.lower()) == 1:
        return Key(key.name.lower(), keysym_of(key.name.lower()))
    return key


def _chord_meant(name: str) -> str:
    """How to write what was written as `ctrl-s`."""
    parts = name.split("-")
    if len(parts) > 1 and all(part and _find_key(part) for part in parts):
        return f' Keys of a chord are joined with +: write "{_shown("+".join(parts))}".'
    return ""


def _near_names(name: str) -> str:
    known = {**{each.lower(): each for each in (*_MODIFIER_ALIASES, *_KEY_ALIASES)}, **keysym_names_folded()}
    near = difflib.get_close_matches(name.lower()[:40], known, n=3, cutoff=0.6)
    if not near:
        return " Keys have the names X gives them, such as Return, Page_Up, F5 or KP_Add."
    return f" Did you mean {' or '.join(known[each] for each in near)}?"


def _shown(text: str) -> str:
    """`text` on one line and of bounded length, for a message."""
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text[:40]) + ("…" if len(text) > 40 else "")

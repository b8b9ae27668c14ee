"""The keys of a US keyboard as pages see them: `key`, `code`, the number and the text of each. Pure: tables and the way
from a key of a chord into them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntFlag
from typing import Any

from gui_environments.desktop.chords import Key
from gui_environments.desktop.keysyms import character_of
from gui_environments.errors import ActionRefused


class Modifiers(IntFlag):
    """As the DevTools protocol numbers them."""

    NONE = 0
    ALT = 1
    CTRL = 2
    META = 4
    SHIFT = 8


@dataclass(frozen=True, slots=True)
class PageKey:
    """One key. `text` is what it types, empty for none; `shifted`: it takes Shift to type it."""

    key: str
    code: str
    number: int
    text: str = ""
    location: int = 0
    shifted: bool = False
    modifier: Modifiers = Modifiers.NONE

    def event(self, kind: str, held: Modifiers, *, repeated: bool = False) -> dict[str, Any]:
        """The parameters of `Input.dispatchKeyEvent`; `kind` is `down` or `up`."""
        text = "" if held & ~Modifiers.SHIFT else self.text
        name = "keyUp" if kind == "up" else "keyDown" if text else "rawKeyDown"
        event: dict[str, Any] = {
            "type": name,
            "modifiers": int(held | (Modifiers.SHIFT if self.shifted else Modifiers.NONE)),
            "key": self.key,
            "code": self.code,
            "windowsVirtualKeyCode": self.number,
            "location": self.location,
            "isKeypad": self.location == KEYPAD,
        }
        if repeated:
            event["autoRepeat"] = True
        if text and kind == "down":
            event |= {"text": text, "unmodifiedText": text}
        return event


LEFT, RIGHT, KEYPAD = 1, 2, 3

_PUNCTUATION = {
    "`~": ("Backquote", 192),
    "-_": ("Minus", 189),
    "=+": ("Equal", 187),
    "[{": ("BracketLeft", 219),
    "]}": ("BracketRight", 221),
    "\\|": ("Backslash", 220),
    ";:": ("Semicolon", 186),
    "'\"": ("Quote", 222),
    ",<": ("Comma", 188),
    ".>": ("Period", 190),
    "/?": ("Slash", 191),
    "  ": ("Space", 32),
}

_DIGITS = dict(zip("0123456789", ")!@#$%^&*(", strict=True))


def _characters() -> dict[str, PageKey]:
    pairs = {small + small.upper(): (f"Key{small.upper()}", ord(small.upper())) for small in map(chr, range(97, 123))}
    pairs |= {digit + shifted: (f"Digit{digit}", ord(digit)) for digit, shifted in _DIGITS.items()}
    pairs |= _PUNCTUATION
    keys: dict[str, PageKey] = {}
    for pair, (code, number) in pairs.items():
        plain, shifted = pair[0], pair[1]
        keys[shifted] = PageKey(shifted, code, number, shifted, shifted=True)
        keys[plain] = PageKey(plain, code, number, plain)
    return keys


CHARACTERS = _characters()
"""By the character a key types."""

ENTER = PageKey("Enter", "Enter", 13, "\r")
TAB = PageKey("Tab", "Tab", 9)

_NAMED = {
    "Return": ENTER,
    "Tab": TAB,
    "ISO_Left_Tab": TAB,
    "Escape": PageKey("Escape", "Escape", 27),
    "BackSpace": PageKey("Backspace", "Backspace", 8),
    "Pause": PageKey("Pause", "Pause", 19),
    "Print": PageKey("PrintScreen", "PrintScreen", 44),
    "Menu": PageKey("ContextMenu", "ContextMenu", 93),
    "Caps_Lock": PageKey("CapsLock", "CapsLock", 20),
    "Num_Lock": PageKey("NumLock", "NumLock", 144, location=KEYPAD),
    "Scroll_Lock": PageKey("ScrollLock", "ScrollLock", 145),
    "Shift_L": PageKey("Shift", "ShiftLeft", 16, location=LEFT, modifier=Modifiers.SHIFT),
    "Shift_R": PageKey("Shift", "ShiftRight", 16, location=RIGHT, modifier=Modifiers.SHIFT),
    "Control_L": PageKey("Control", "ControlLeft", 17, location=LEFT, modifier=Modifiers.CTRL),
    "Control_R": PageKey("Control", "ControlRight", 17, location=RIGHT, modifier=Modifiers.CTRL),
    "Alt_L": PageKey("Alt", "AltLeft", 18, location=LEFT, modifier=Modifiers.ALT),
    "Alt_R": PageKey("Alt", "AltRight", 18, location=RIGHT, modifier=Modifiers.ALT),
    "Super_L": PageKey("Meta", "MetaLeft", 91, location=LEFT, modifier=Modifiers.META),
    "Super_R": PageKey("Meta", "MetaRight", 92, location=RIGHT, modifier=Modifiers.META),
    "Meta_L": PageKey("Meta", "MetaLeft", 91, location=LEFT, modifier=Modifiers.META),
    "Meta_R": PageKey("Meta", "MetaRight", 92, location=RIGHT, modifier=Modifiers.META),
    "ISO_Level3_Shift": PageKey("AltGraph", "AltRight", 225, location=RIGHT),
    "KP_Enter": replace(ENTER, code="NumpadEnter", location=KEYPAD),
    **{f"F{n}": PageKey(f"F{n}", f"F{n}", 111 + n) for n in range(1, 25)},
}

_MOVING = {
    ("Insert",): ("Insert", 45, "0"),
    ("Delete",): ("Delete", 46, "Decimal"),
    ("End",): ("End", 35, "1"),
    ("Down",): ("ArrowDown", 40, "2"),
    ("Page_Down", "Next"): ("PageDown", 34, "3"),
    ("Left",): ("ArrowLeft", 37, "4"),
    ("Begin",): ("Clear", 12, "5"),
    ("Right",): ("ArrowRight", 39, "6"),
    ("Home",): ("Home", 36, "7"),
    ("Up",): ("ArrowUp", 38, "8"),
    ("Page_Up", "Prior"): ("PageUp", 33, "9"),
}
"""Keys that are on the keypad too: X's names, then the page's, the number and which key of the keypad."""

for _names, (_key, _number, _pad) in _MOVING.items():
    for _name in _names:
        _NAMED[_name] = PageKey(_key, _key if _key != "Clear" else "Numpad5", _number)
        _NAMED[f"KP_{_name}"] = PageKey(_key, f"Numpad{_pad}", _number, location=KEYPAD)

_KEYPAD = {
    **{f"KP_{n}": (str(n), f"Numpad{n}", 96 + n) for n in range(10)},
    "KP_Multiply": ("*", "NumpadMultiply", 106),
    "KP_Add": ("+", "NumpadAdd", 107),
    "KP_Subtract": ("-", "NumpadSubtract", 109),
    "KP_Decimal": (".", "NumpadDecimal", 110),
    "KP_Divide": ("/", "NumpadDivide", 111),
    "KP_Equal": ("=", "NumpadEqual", 187),
    "KP_Separator": (",", "NumpadComma", 194),
}
_NAMED |= {name: PageKey(text, code, number, text, location=KEYPAD) for name, (text, code, number) in _KEYPAD.items()}


def page_key(key: Key) -> PageKey:
    """The key of a chord. Raises `ActionRefused` for one that a US keyboard does not have."""
    found = _NAMED.get(key.name) or CHARACTERS.get(character_of(key.keysym) or "")
    if found is None:
        advice = "Its character can be typed with `type`." if character_of(key.keysym) else "Pages see no such key."
        raise ActionRefused(f"{key.name} is not on the keyboard of this browser (US). {advice}")
    return found


def under(key: PageKey, held: Modifiers) -> PageKey:
    """What the key is while modifiers are held: with Shift, `a` is `A` and `1` is `!`."""
    if not held & Modifiers.SHIFT or key.location == KEYPAD or key.shifted:
        return key
    return next((other for other in CHARACTERS.values() if other.shifted and other.code == key.code), key)

"""Which keys of the machine's own keyboard can be pressed truthfully through pyautogui, and what it calls them.

pyautogui says nothing when it drops a character it does not know, and assumes a US keyboard when it decides whether a
character needs shift. So a character counts as typeable only where that can be checked. Presses nothing.
"""

from __future__ import annotations

import sys
from typing import Any

from gui_environments.desktop.chords import Key, parse_chord, parse_modifiers
from gui_environments.errors import ActionRefused

NAMES = {
    "Return": "enter",
    "Tab": "tab",
    "space": "space",
    "BackSpace": "backspace",
    "Delete": "delete",
    "Insert": "insert",
    "Escape": "esc",
    "Home": "home",
    "End": "end",
    "Page_Up": "pageup",
    "Page_Down": "pagedown",
    "Up": "up",
    "Down": "down",
    "Left": "left",
    "Right": "right",
    "Caps_Lock": "capslock",
    "Num_Lock": "numlock",
    "Scroll_Lock": "scrolllock",
    "Print": "printscreen",
    "Pause": "pause",
    "Menu": "apps",
    "Shift_L": "shift",
    "Shift_R": "shiftright",
    "Control_L": "ctrl",
    "Control_R": "ctrlright",
    "Alt_L": "alt",
    "Alt_R": "altright",
    "Super_L": {"darwin": "command", "win32": "winleft"}.get(sys.platform, "winleft"),
    "Super_R": {"darwin": "command", "win32": "winright"}.get(sys.platform, "winright"),
    **{f"F{number}": f"f{number}" for number in range(1, 25)},
}
"""X's names, as chords are parsed into them, and pyautogui's."""

LINE_KEYS = {"\n": "enter", "\r": "enter", "\t": "tab"}


class NativeKeys:
    """The keys that `pyautogui` (the imported module) can press here."""

    def __init__(self, pyautogui: Any, *, us_keyboard: bool) -> None:
        """`us_keyboard`: the person says that the layout is US, where that cannot be read."""
        self._pyautogui = pyautogui
        self._codes: dict[str, int | None] = pyautogui.platformModule.keyboardMapping
        self._us_keyboard = us_keyboard

    def keys_of_text(self, text: str) -> list[str]:
        """One a character. Raises `ActionRefused` when one of them cannot be typed."""
        text = text.replace("\r\n", "\n")
        missing = sorted({character for character in text if not self._can_type(character)})
        if missing:
            shown = " ".join(repr(character) for character in missing[:10])
            raise ActionRefused(f"Nothing was typed: this screen's keyboard cannot type {shown} truthfully.")
        return [LINE_KEYS.get(character, character) for character in text]

    def keys_of_chord(self, chord: str) -> list[str]:
        """Raises `ActionRefused` for a chord that is none, and for a key this keyboard does not have."""
        return [self._key(key) for key in parse_chord(chord).keys]

    def keys_of_modifiers(self, modifiers: str) -> list[str]:
        """Raises `ActionRefused` likewise, and for a key that is no modifier."""
        return [self._key(key) for key in parse_modifiers(modifiers).keys]

    def _key(self, key: Key) -> str:
        name = NAMES.get(key.name, "")
        if name and self._codes.get(name):
            return name
        character = chr(key.keysym) if 0x20 < key.keysym < 0x7F else ""
        if character and self._can_type(character):
            return character
        raise ActionRefused(f"This screen's keyboard has no key {key.name} that can be pressed truthfully.")

    def _can_type(self, character: str) -> bool:
        if character in LINE_KEYS:
            return True
        if not (character.isascii() and character.isprintable() and self._codes.get(character)):
            return False
        if sys.platform == "win32":
            return True  # its table comes from the layout itself (VkKeyScan)
        if sys.platform == "darwin":
            return self._us_keyboard or character == " "
        return self._types_on_x(character)

    def _types_on_x(self, character: str) -> bool:
        """Whether the key and the shift that pyautogui would press give this character on the layout that is set."""
        shifted = self._pyautogui.isShiftCharacter(character)
        display = self._pyautogui.platformModule._display
        return bool(display.keycode_to_keysym(self._codes[character], int(shifted)) == ord(character))

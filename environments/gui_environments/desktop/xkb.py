"""The keyboard as the XKEYBOARD extension has it: the state (modifiers, locks, group) and the symbols of the keys, read
and set. Decides nothing."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any

from gui_environments.desktop.xkb_requests import GetMap, GetState, LatchLockState, SetMap, UseExtension
from gui_environments.errors import EnvironmentUnavailable

EXTENSION = "XKEYBOARD"
_CORE_KEYBOARD = 0x0100
"""The device of every request: the keyboard that applications see. What is set on it, the server sets on the devices
behind it too, XTEST's among them."""
_KEY_TYPES = 0x0001
_KEY_SYMBOLS = 0x0002
"""The parts of the map that GetMap and SetMap are about."""

SHIFT = 0x01
"""The mask of Shift in a state."""

GET_MAP = 8
"""Minor opcode, for whoever watches clients read the map."""


@dataclass(frozen=True, slots=True)
class KeyboardState:
    """Modifier masks as in the state of a key event, groups from 0."""

    modifiers: int
    held: int
    latched: int
    locked: int
    group: int
    locked_group: int


@dataclass(frozen=True, slots=True)
class KeySymbols:
    """What one keycode means. `symbols` holds `width` keysyms a group; `types` are indexes into the server's key types,
    one each for up to four groups, and decide which modifiers lead to which symbol."""

    types: tuple[int, int, int, int]
    group_info: int
    width: int
    symbols: tuple[int, ...]

    @property
    def group_count(self) -> int:
        return self.group_info & 0x0F

    def level(self, group: int, level: int) -> int:
        """The keysym, or 0 where there is none."""
        index = group * self.width + level
        return self.symbols[index] if group < self.group_count and level < self.width else 0


@dataclass(frozen=True, slots=True)
class KeyMap:
    """`shift_levels[t]` is the level that Shift alone reaches on keys of type t."""

    shift_levels: tuple[int, ...]
    keys: dict[int, KeySymbols]


_TWO_LEVEL = 1
"""The type with one level for no modifier and one for Shift, whatever Caps Lock says. The protocol fixes the index."""


def two_levels(plain: int, shifted: int) -> KeySymbols:
    """A key of one group that gives `plain`, and `shifted` with Shift."""
    return KeySymbols((_TWO_LEVEL, _TWO_LEVEL, _TWO_LEVEL, _TWO_LEVEL), 1, 2, (plain, shifted))


def enable_xkb(display: Any) -> None:
    """Say to the server that this connection speaks XKB: every other request needs it. The server then sends it no
    MappingNotify any more. Raises `EnvironmentUnavailable` on a server without the extension."""
    if not display.query_extension(EXTENSION):
        raise EnvironmentUnavailable("The X server has no XKEYBOARD extension, so text cannot be typed on it.")
    opcode = display.query_extension(EXTENSION).major_opcode
    display.display.set_extension_major(EXTENSION, opcode)
    UseExtension(display=display.display, opcode=opcode, wanted_major=1, wanted_minor=0)


def read_state(display: Any) -> KeyboardState:
    reply = GetState(display=display.display, opcode=_opcode(display), device=_CORE_KEYBOARD)
    return KeyboardState(
        modifiers=reply.modifiers,
        held=reply.base_modifiers,
        latched=reply.latched_modifiers,
        locked=reply.locked_modifiers,
        group=reply.group,
        locked_group=reply.locked_group,
    )


def set_locks(display: Any, locked_modifiers: int, locked_group: int) -> None:
    """Lock exactly these modifiers and this group; nothing stays latched. No key event is made."""
    LatchLockState(
        display=display.display,
        opcode=_opcode(display),
        device=_CORE_KEYBOARD,
        affect_locks=0xFF,
        locks=locked_modifiers,
        lock_group=True,
        locked_group=locked_group,
        affect_latches=0xFF,
        latches=0,
        latch_group=True,
        latched_group=0,
    )


def read_key_map(display: Any) -> KeyMap:
    """Every keycode's symbols, and what Shift does to them."""
    parts = _KEY_TYPES | _KEY_SYMBOLS
    reply = GetMap(display=display.display, opcode=_opcode(display), device=_CORE_KEYBOARD, full=parts)
    data = bytes(reply.map)
    shift_levels, offset = _parse_types(data, reply.type_count)
    return KeyMap(shift_levels, _parse_keys(data, offset, reply.first_key, reply.key_count))


def _parse_types(data: bytes, type_count: int) -> tuple[tuple[int, ...], int]:
    levels, offset = [], 0
    for _ in range(type_count):
        entry_count, has_preserved = struct.unpack_from("<5xB?x", data, offset)
        offset += 8
        entries = [struct.unpack_from("<?BB5x", data, offset + 8 * index) for index in range(entry_count)]
        levels.append(next((level for active, mask, level in entries if active and mask == SHIFT), 0))
        offset += 8 * entry_count + (4 * entry_count if has_preserved else 0)
    return tuple(levels), offset


def _parse_keys(data: bytes, offset: int, first_key: int, key_count: int) -> dict[int, KeySymbols]:
    keys: dict[int, KeySymbols] = {}
    for keycode in range(first_key, first_key + key_count):
        type0, type1, type2, type3, group_info, width, count = struct.unpack_from("<6BH", data, offset)
        symbols = struct.unpack_from(f"<{count}I", data, offset + 8)
        keys[keycode] = KeySymbols((type0, type1, type2, type3), group_info, width, symbols)
        offset += 8 + 4 * count
    return keys


def write_key_symbols(display: Any, keys: dict[int, KeySymbols]) -> None:
    """Set the symbols of a run of keycodes without gaps, in one request: clients are told once."""
    first, last = min(keys), max(keys)
    wire = bytearray()
    symbol_count = 0
    for keycode in range(first, last + 1):
        key = keys[keycode]
        wire += struct.pack("<6BH", *key.types, key.group_info, key.width, len(key.symbols))
        wire += struct.pack(f"<{len(key.symbols)}I", *key.symbols)
        symbol_count += len(key.symbols)
    SetMap(
        display=display.display,
        opcode=_opcode(display),
        device=_CORE_KEYBOARD,
        present=_KEY_SYMBOLS,
        flags=0,
        min_keycode=display.display.info.min_keycode,
        max_keycode=display.display.info.max_keycode,
        first_key=first,
        key_count=last - first + 1,
        symbol_count=symbol_count,
        keys=bytes(wire),
    )


def _opcode(display: Any) -> int:
    opcode: int = display.display.get_extension_major(EXTENSION)
    return opcode

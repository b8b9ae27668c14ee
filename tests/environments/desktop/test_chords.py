"""What is written as a chord, and what it becomes: no display."""

from __future__ import annotations

import ctypes

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gui_environments.desktop.chords import Chord, parse_chord, parse_modifiers
from gui_environments.desktop.keysyms import character_of, keysym_names, keysym_of
from gui_environments.errors import ActionRefused


def names(text: str) -> list[str]:
    return [key.name for key in parse_chord(text).keys]


@pytest.mark.parametrize(
    ("written", "keys"),
    [
        ("ctrl+-", ["Control_L", "-"]),
        ("ctrl++", ["Control_L", "+"]),
        ("ctrl+/", ["Control_L", "/"]),
        ("ctrl+shift++", ["Control_L", "Shift_L", "+"]),
        ("+", ["+"]),
        ("?", ["?"]),
        ("é", ["é"]),
        ("日", ["日"]),
        ("ctrl+plus", ["Control_L", "plus"]),
    ],
)
def test_plus_joins_and_can_be_the_last_key(written, keys):
    assert names(written) == keys


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("Return", "Return"),
        ("enter", "Return"),
        ("ENTER", "Return"),
        ("Esc", "Escape"),
        ("PageDown", "Page_Down"),
        ("PgDn", "Page_Down"),
        ("page_up", "Page_Up"),
        ("Cmd", "Super_L"),
        ("Win", "Super_L"),
        ("Meta", "Super_L"),
        ("Control", "Control_L"),
        ("AltGr", "ISO_Level3_Shift"),
        ("Option", "Alt_L"),
        ("Del", "Delete"),
        ("Ins", "Insert"),
        ("ArrowLeft", "Left"),
        ("up", "Up"),
        ("BACKSPACE", "BackSpace"),
        ("f12", "F12"),
        ("kp_enter", "KP_Enter"),
        ("KP_5", "KP_5"),
        ("space", "space"),
        ("xf86audioplay", "XF86AudioPlay"),
        ("shift_r", "Shift_R"),
        ("u20ac", "U20AC"),
    ],
)
def test_keys_go_by_xs_names_and_common_ones_in_any_case(written, key):
    assert names(written) == [key]


def test_every_name_x_gives_is_a_key_in_its_own_case():
    for name, keysym in keysym_names().items():
        # X's "hyphen" is the soft one, which nobody means by it.
        if len(name) > 1 and name != "hyphen":
            assert parse_chord(name).keys[0].keysym == keysym, name


def test_a_letters_case_counts_alone_and_with_shift_but_not_with_other_modifiers():
    assert names("A") == ["A"]
    assert names("a") == ["a"]
    assert names("ctrl+A") == ["Control_L", "a"]
    assert names("alt+shift+É") == ["Alt_L", "Shift_L", "é"]


def test_a_modifier_named_twice_is_one_key():
    assert names("ctrl+Control+ctrl+c") == ["Control_L", "c"]


@pytest.mark.parametrize(
    ("written", "advice"),
    [
        ("", "empty"),
        ("ctrl+", "empty key"),
        ("+c", "empty key"),
        ("ctrl++c", "empty key"),
        ("++", "empty key"),
        ("ctrl+++", "empty key"),
        (" ", "space"),
        ("\n", "Return"),
        ("\t", "Tab"),
        ("ctrl + c", "joined with"),
        ("ctrl c", "joined with"),
        ("Page Down", "Page_Down"),
        (" Return", "Return"),
        ("\x1b", "control characters"),
        ("\ue000", "has spaces or control characters"),
        ("ctrl+\x00", "control characters"),
        ("a+b+c+d+e+f+g+h+i", "at most 8"),
    ],
)
def test_what_is_no_chord_is_refused_with_what_to_write(written, advice):
    with pytest.raises(ActionRefused, match=advice):
        parse_chord(written)


@pytest.mark.parametrize(
    ("written", "near"),
    [("Retrun", "Return"), ("Escpae", "Escape"), ("ctlr+c", "ctrl"), ("pagedwn", "pagedown"), ("F99", "F9")],
)
def test_an_unknown_name_is_refused_with_near_ones(written, near):
    with pytest.raises(ActionRefused, match=f"no key named.*{near}"):
        parse_chord(written)


def test_a_chord_joined_with_hyphens_is_refused_and_says_how_it_is_written():
    with pytest.raises(ActionRefused, match=r'no key named "ctrl-shift-s".*joined with \+: write "ctrl\+shift\+s"'):
        parse_chord("ctrl-shift-s")


def test_a_click_takes_modifiers_only():
    assert [key.name for key in parse_modifiers("shift+ctrl").keys] == ["Shift_L", "Control_L"]
    with pytest.raises(ActionRefused, match="not a modifier"):
        parse_modifiers("ctrl+a")


def chord_or_refusal(text: str) -> Chord | str:
    try:
        return parse_chord(text)
    except ActionRefused as refusal:
        return str(refusal)


@given(st.text(max_size=60))
def test_any_text_is_a_chord_or_refused_in_one_short_line(text):
    result = chord_or_refusal(text)
    if isinstance(result, str):
        assert len(result) < 400
        assert result.isprintable()
    else:
        assert 1 <= len(result.keys) <= 8
        assert len(set(result.keys)) == len(result.keys)


def test_characters_of_keysyms_are_those_of_the_xkb_library():
    library = ctypes.CDLL("libxkbcommon.so.0")
    for keysym in {*range(0x20, 0x100), *keysym_names().values(), *range(0x1000100, 0x1003000)}:
        character = character_of(keysym)
        if character is not None:
            assert ord(character) == library.xkb_keysym_to_utf32(keysym), hex(keysym)


def test_a_character_and_its_keysym_belong_together():
    for character in "aÄß€Č日😀":
        assert character_of(keysym_of(character)) == character
    assert character_of(keysym_names()["Ccaron"]) == "Č"
    assert character_of(keysym_names()["Cyrillic_zhe"]) == "ж"
    assert character_of(keysym_names()["Return"]) is None

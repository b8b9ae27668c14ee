"""Text made into strokes: read back by the rules of the layout, they are the text again. No display."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gui_environments.desktop.keysyms import RETURN, SHIFT_L, TAB, character_of, keysym_names
from gui_environments.desktop.layout import layout_of
from gui_environments.desktop.strokes import MAX_STROKES, plan_text
from gui_environments.desktop.xkb import KeyMap, KeySymbols
from gui_environments.errors import ActionRefused

ONE_LEVEL, TWO_LEVEL, FOUR_LEVEL = 0, 1, 2
SHIFT_LEVELS = (0, 1, 1)


def key(kind: int, *names: str) -> KeySymbols:
    return KeySymbols((kind, 0, 0, 0), 1, len(names), tuple(keysym_names()[name] for name in names))


# A part of a French layout: digits need Shift, `@` is on the third level, `^` is dead, and the key beside the left
# Shift has second copies.
WITHOUT_MEANING = KeySymbols((0, 0, 0, 0), 0, 0, ())
KEYS = {
    10: key(TWO_LEVEL, "ampersand", "1"),
    11: key(FOUR_LEVEL, "agrave", "0", "at", "Agrave"),
    24: key(TWO_LEVEL, "a", "A"),
    34: key(TWO_LEVEL, "dead_circumflex", "dead_diaeresis"),
    36: key(ONE_LEVEL, "Return"),
    23: key(ONE_LEVEL, "Tab"),
    50: key(ONE_LEVEL, "Shift_L"),
    60: key(TWO_LEVEL, "less", "greater"),
    65: key(ONE_LEVEL, "space"),
    87: key(TWO_LEVEL, "KP_End", "KP_1"),
    94: key(TWO_LEVEL, "greater", "less"),
    102: key(TWO_LEVEL, "Cyrillic_zhe", "Ccaron"),
    **dict.fromkeys(range(200, 206), WITHOUT_MEANING),
}
LAYOUT = layout_of(KeyMap(SHIFT_LEVELS, KEYS))
BORROWABLE = (202, 203, 204)

typeable = st.text(st.characters(exclude_categories=("Cc", "Cs", "Cn")) | st.sampled_from("\n\ta1à<>ж Č"), min_size=1)


def typed(passages, *, in_utf16=False) -> str:
    """What an application gets that knows the keyboard as it is during each passage."""
    units = []
    for passage in passages:
        keys = KEYS | passage.borrowed
        for stroke in passage.strokes:
            keysym = keys[stroke.keycode].level(0, int(stroke.shifted))
            units.append({RETURN: "\n", TAB: "\t"}.get(keysym) or character_of(keysym) or chr(keysym & 0xFFFFFF))
    text = "".join(units)
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le") if in_utf16 else text


@given(typeable)
def test_strokes_read_back_are_the_text(text):
    assert typed(plan_text(text, LAYOUT, BORROWABLE, in_utf16=False)) == text


@given(typeable)
def test_java_gets_characters_beyond_the_first_plane_as_surrogates(text):
    passages = plan_text(text, LAYOUT, BORROWABLE, in_utf16=True)
    symbols = [symbol for passage in passages for each in passage.borrowed.values() for symbol in each.symbols]
    assert all(symbol & 0xFFFFFF <= 0xFFFF for symbol in symbols)
    assert typed(passages, in_utf16=True) == text


@given(typeable)
def test_only_spare_keycodes_are_borrowed(text):
    for passage in plan_text(text, LAYOUT, BORROWABLE, in_utf16=False):
        assert set(passage.borrowed) <= set(BORROWABLE)


def test_the_layouts_own_keys_serve_at_two_levels_and_none_is_borrowed_for_them():
    (passage,) = plan_text("a1à&ж Č<\n\t", LAYOUT, BORROWABLE, in_utf16=False)
    assert passage.borrowed == {}
    assert [(stroke.keycode, stroke.shifted) for stroke in passage.strokes] == [
        (24, False),
        (10, True),
        (11, False),
        (10, False),
        (102, False),
        (65, False),
        (102, True),
        (60, False),
        (36, False),
        (23, False),
    ]


def test_dead_keys_third_levels_and_the_keypad_are_not_used_for_text():
    (passage,) = plan_text("^@1", LAYOUT, BORROWABLE, in_utf16=False)
    assert set(passage.borrowed) == {202, 203}
    assert passage.strokes[2].keycode == 10


def test_a_return_after_a_carriage_return_is_one():
    (passage,) = plan_text("a\r\na", LAYOUT, BORROWABLE, in_utf16=False)
    assert [stroke.keycode for stroke in passage.strokes] == [24, 36, 24]


def test_a_long_text_of_few_characters_is_cut_where_an_application_can_be_waited_for():
    passages = plan_text("日a" * MAX_STROKES, LAYOUT, BORROWABLE, in_utf16=False)
    assert typed(passages) == "日a" * MAX_STROKES
    assert all(len(passage.strokes) <= MAX_STROKES + 1 for passage in passages)


def test_without_a_spare_keycode_what_the_layout_lacks_is_refused_by_name():
    with pytest.raises(ActionRefused, match=r"U\+65E5"):
        plan_text("a日", LAYOUT, (), in_utf16=False)
    assert typed(plan_text("a1", LAYOUT, (), in_utf16=False)) == "a1"


def test_the_shift_key_is_found_by_its_name():
    assert LAYOUT.keysyms[SHIFT_L].keycode == 50

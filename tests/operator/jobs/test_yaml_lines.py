from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gui_operator.jobs.yaml_lines import DEEPEST_LEVEL, LONGEST_NUMBER, MOST_BYTES, NotYaml, parse_yaml


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: no", {"a": "no"}),
        ("a: yes", {"a": "yes"}),
        ("a: on", {"a": "on"}),
        ("a: 12:30", {"a": "12:30"}),
        ("a: 0012", {"a": "0012"}),
        ("a: 0x10", {"a": "0x10"}),
        ("a: 1_000", {"a": "1_000"}),
        ("a: 2024-01-01", {"a": "2024-01-01"}),
        ("a: .inf", {"a": ".inf"}),
        ("a: '12'", {"a": "12"}),
        ("a: !!str 12", {"a": "12"}),
        ("a: |\n  one\n  two\n", {"a": "one\ntwo\n"}),
        ("2020: 3", {"2020": 3}),
    ],
)
def test_what_looks_like_a_text_is_one(text: str, value: object) -> None:
    assert parse_yaml(text.encode()).value == value


def test_json_s_values_are_read_as_what_they_are() -> None:
    text = "a: [1, -1, 0, 1.5, 1e3, true, false, null, ~, text]\nb: {c: {}}\nd:\n"
    read = parse_yaml(text.encode()).value
    assert read == {"a": [1, -1, 0, 1.5, 1000.0, True, False, None, None, "text"], "b": {"c": {}}, "d": None}
    assert [type(each) for each in read["a"][:7]] == [int, int, int, float, float, bool, bool]


def test_every_value_knows_its_line_and_every_scalar_how_it_is_written() -> None:
    read = parse_yaml(b"\xef\xbb\xbf# a comment\na:\n  b: 0012\n  c:\n    - x\n    - 1.50\nd: {e: 1,\n    f: 2}\n")
    assert dict(read.lines) == {
        (): 2, ("a",): 2, ("a", "b"): 3, ("a", "c"): 4, ("a", "c", 0): 5, ("a", "c", 1): 6,
        ("d",): 7, ("d", "e"): 7, ("d", "f"): 8,
    }  # fmt: skip
    assert read.written["a", "b"] == "0012"
    assert read.written["a", "c", 1] == "1.50"


@pytest.mark.parametrize(
    ("data", "line", "words"),
    [
        (b"", 1, "empty"),
        (b"# nothing\n", 1, "empty"),
        (b"a: 1\nb: 2\na: 3", 3, "stands twice; the first time on line 1"),
        (b"a: {b: 1, 'b': 2}", 1, "'b' stands twice"),
        (b"a: &x 1\nb: *x", 1, "anchors"),
        (b"a: 1\nb: *x", 2, "aliases"),
        (b"a: 1\n<<: {b: 1}\n<<: {c: 1}", 3, "'<<' stands twice"),
        (b"*: ask", 1, "needs quotes"),
        (b"a: @x", 1, "needs quotes"),
        (b"a: 1\nb: !!python/object/apply:os.system [id]", 2, "the tag"),
        (b"a: !!binary aGk=", 1, "the tag"),
        (b"a: !thing x", 1, "the tag"),
        (b"a: !!int abc", 1, "not what its tag says"),
        (b"a: b: c", 1, "not YAML"),
        (b"a: 1\n---\nb: 2", 2, "not YAML"),
        (b"a:\n\t- x", 2, "not YAML"),
        (b"a: 'open\n", 2, "not YAML"),
        (b"a: 1\nb: \x00", 2, "cannot stand"),
        (b"a: 1\nb: \xff", 2, "not UTF-8"),
        (b"? [a]\n: 1", 1, "a key is a text"),
        (b"a: 1e999", 1, "too large"),
        (b"a: " + b"9" * (LONGEST_NUMBER + 1), 1, "too many digits"),
        (b"[\n" * 5_000, DEEPEST_LEVEL + 1, "too deeply"),
        (b"a: " + b"x" * MOST_BYTES, 1, "larger than"),
    ],
)
def test_what_is_refused_is_refused_with_its_line(data: bytes, line: int, words: str) -> None:
    with pytest.raises(NotYaml, match=words) as refused:
        parse_yaml(data)
    assert refused.value.line == line


def test_nesting_is_taken_up_to_its_limit() -> None:
    levels = DEEPEST_LEVEL - 1
    value: Any = parse_yaml(b"[" * levels + b"x" + b"]" * levels).value
    for _ in range(levels):
        (value,) = value
    assert value == "x"


@given(st.binary(max_size=200) | st.text(alphabet="ab:[]{}-&*!|>'\"#%\n\t 01,?", max_size=80).map(str.encode))
def test_no_bytes_raise_anything_else(data: bytes) -> None:
    line = 1
    try:
        parse_yaml(data)
    except NotYaml as error:
        line = error.line
    assert 1 <= line <= data.count(b"\n") + 2

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gui_operator.jobs.placeholders import UnknownPlaceholder, fill, flat_inputs, names_in


def test_inputs_are_named_by_their_whole_path() -> None:
    tree = {"invoice": {"number": "A-17", "of": {"year": "2026"}}, "who": "Ada"}
    assert dict(flat_inputs(tree)) == {"invoice.number": "A-17", "invoice.of.year": "2026", "who": "Ada"}


@given(st.text(), st.text())
def test_what_is_put_in_is_never_looked_into(before: str, value: str) -> None:
    before = before.replace("$", "").replace("{", "")
    assert fill(f"{before}${{x}}-${{x}}", {"x": value}) == f"{before}{value}-{value}"


def test_a_value_that_looks_like_a_placeholder_stays_as_it_is() -> None:
    assert fill("${a}${b}", {"a": "${b}", "b": "$${a}{0}%s"}) == "${b}$${a}{0}%s"


@pytest.mark.parametrize("text", ["5 $", "$5", "$$5", "{x}", "$ {x}", "$x", "a {} b"])
def test_other_dollars_and_braces_stay(text: str) -> None:
    assert fill(text, {"x": "no"}) == text


def test_a_doubled_dollar_before_a_brace_stands_for_the_characters() -> None:
    assert fill("$${x} ${x}", {"x": "1"}) == "${x} 1"
    assert names_in("$${x} ${y} ${z.w}") == ("y", "z.w")


@pytest.mark.parametrize(
    ("text", "words"),
    [("a ${nr}", "'nr': there are number, who"), ("${number", "no }"), ("${}", "''"), ("${ who }", "' who '")],
)
def test_an_unknown_name_is_refused_with_those_there_are(text: str, words: str) -> None:
    with pytest.raises(UnknownPlaceholder, match=words):
        fill(text, {"who": "Ada", "number": "1"})


def test_where_there_are_no_inputs_that_is_said() -> None:
    with pytest.raises(UnknownPlaceholder, match="there are no inputs"):
        fill("${x}", {})

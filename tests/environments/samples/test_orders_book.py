"""What makes an order valid, and that its file gives back what was put in."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gui_environments.samples.orders.book import (
    ARTICLES,
    FormText,
    InvalidOrder,
    Order,
    UnreadableFile,
    form_of_order,
    next_number,
    order_of_form,
    read_orders,
    write_orders,
)

VALID = FormText(customer="Kim", article="Stapler", quantity="2", price="1,5", day="2026-01-31", note="n")


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("customer", ["", "   "]),
        ("article", ["", "Nonsense", "stapler"]),
        ("quantity", ["", "0", "-1", "1.5", "10000", "²", "9" * 5000]),
        ("price", ["", "free", "-1", "1.005", "NaN", "Infinity", "100000"]),
        ("day", ["", "31.01.2026", "2026-02-30"]),
    ],
)
def test_a_form_with_one_wrong_field_is_refused_for_that_field(field, values):
    for value in values:
        with pytest.raises(InvalidOrder) as refused:
            order_of_form(replace(VALID, **{field: value}), 1)
        assert refused.value.field == field


def test_prices_are_read_with_a_point_or_a_comma():
    assert order_of_form(VALID, 1).price == Decimal("1.50")
    assert order_of_form(replace(VALID, price="1.5"), 1).price == Decimal("1.50")


def test_numbers_go_on_after_the_largest():
    assert next_number([]) == 1001
    assert next_number([order_of_form(VALID, 5), order_of_form(VALID, 3)]) == 6


orders = st.builds(
    Order,
    number=st.integers(1, 10**9),
    customer=st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1).filter(
        lambda text: text == text.strip() != ""
    ),
    article=st.sampled_from(ARTICLES),
    quantity=st.integers(1, 9999),
    price=st.decimals(0, 99999, places=2),
    day=st.dates(min_value=date(1000, 1, 1)),
    express=st.booleans(),
    note=st.text(st.characters(exclude_categories=["Cs"])),
)


@given(st.lists(orders, unique_by=lambda order: order.number))
def test_orders_that_are_written_are_read_back_equal(tmp_path_factory, listed):
    path = tmp_path_factory.mktemp("orders") / "orders.json"
    write_orders(path, listed)
    assert read_orders(path) == listed


@given(orders)
def test_an_order_shown_in_the_form_and_taken_again_is_the_same(order):
    order = replace(order, note=order.note.strip("\n"))
    assert order_of_form(form_of_order(order), order.number) == order


def test_no_file_yet_means_no_orders(tmp_path: Path):
    assert read_orders(tmp_path / "none.json") == []


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"orders": [{}]}', '{"orders": 5}', '{"orders": [{"number": true}]}', "\ufeff{", "[" * 10_000],
)
def test_a_file_that_is_no_order_file_is_refused(tmp_path: Path, text):
    path = tmp_path / "orders.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UnreadableFile):
        read_orders(path)


def test_a_save_that_fails_leaves_no_file_behind(tmp_path: Path):
    (tmp_path / "orders.json").mkdir()
    with pytest.raises(OSError, match="directory"):
        write_orders(tmp_path / "orders.json", [])
    assert [path.name for path in tmp_path.iterdir()] == ["orders.json"]

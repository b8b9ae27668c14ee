"""The sample as its users see it: on a real desktop, through its window and its file."""

from __future__ import annotations

import json

from gui_environments.actions import Click, TypeText
from gui_environments.geometry import ScreenPoint
from gui_environments.samples.orders import layout

PEN = {"customer": "Müller & Söhne", "article": "Fountain pen", "quantity": "12", "price": "8.50", "day": "2026-03-01"}
LAMP = {"customer": "Ó Briain", "article": "Desk lamp", "quantity": "1", "price": "49", "day": "2026-03-02"}


async def test_an_order_that_is_typed_in_and_saved_is_in_the_file_as_typed(open_orders):
    orders = await open_orders()
    await orders.fill_in(**PEN, note="Says “exactly so”:\n{blue} 日本 😀")
    await orders.click(layout.EXPRESS)
    await orders.click(layout.ADD)
    await orders.wait_for_titles("Orders - orders.json (not saved)")
    await orders.press("ctrl+s")
    await orders.wait_for_titles("Orders - orders.json", "Saved")
    assert orders.saved() == [
        {
            "number": 1001,
            "customer": "Müller & Söhne",
            "article": "Fountain pen",
            "quantity": 12,
            "price": "8.50",
            "day": "2026-03-01",
            "express": True,
            "note": "Says “exactly so”:\n{blue} 日本 😀",
        }
    ]


async def test_an_order_with_a_wrong_field_is_not_taken_and_the_cursor_goes_to_that_field(open_orders):
    orders = await open_orders()
    await orders.fill_in(**PEN | {"quantity": "a dozen"})
    await orders.click(layout.ADD)
    await orders.wait_for_titles("Orders - orders.json", "Orders")
    await orders.press("Return")
    await orders.wait_for_titles("Orders - orders.json")
    await orders.press("1")
    await orders.press("2")
    await orders.click(layout.ADD)
    await orders.press("ctrl+s")
    await orders.wait_for_titles("Orders - orders.json", "Saved")
    assert [order["quantity"] for order in orders.saved()] == [12]


async def test_the_main_window_hears_nothing_while_a_dialog_is_open(open_orders):
    orders = await open_orders()
    await orders.press("F1")
    await orders.wait_for_titles("Orders - orders.json", "About")
    await orders.press("ctrl+s")
    await orders.click(layout.ADD)
    await orders.press("Escape")
    await orders.wait_for_titles("Orders - orders.json")
    assert not orders.path.exists()


async def test_a_chosen_order_is_changed_by_update_and_removed_by_delete(open_orders):
    orders = await open_orders()
    for order in (PEN, LAMP):
        await orders.fill_in(**order)
        await orders.click(layout.ADD)
    await orders.choose_row(0)
    await orders.type_into(layout.PRICE, "9,25")
    await orders.click(layout.UPDATE)
    await orders.choose_row(1)
    await orders.click(layout.DELETE)
    await orders.wait_for_titles("Orders - orders.json (not saved)", "Delete")
    await orders.press("Return")
    await orders.wait_for_titles("Orders - orders.json (not saved)")
    await orders.press("ctrl+s")
    await orders.wait_for_titles("Orders - orders.json", "Saved")
    assert [(order["number"], order["price"]) for order in orders.saved()] == [(1001, "9.25")]


async def test_reload_shows_what_another_program_wrote_into_the_file(open_orders):
    entry = {"number": 7, "express": False, "note": "", **PEN}
    orders = await open_orders()
    orders.path.write_text(json.dumps({"orders": [entry]}), encoding="utf-8")
    await orders.press("F5")
    await orders.choose_row(0)
    await orders.type_into(layout.QUANTITY, "3")
    await orders.click(layout.UPDATE)
    await orders.press("ctrl+s")
    await orders.wait_for_titles("Orders - orders.json", "Saved")
    assert [(order["number"], order["quantity"]) for order in orders.saved()] == [(7, 3)]


async def test_a_file_that_holds_no_orders_is_reported_and_left_alone(open_orders):
    orders = await open_orders()
    orders.path.write_text("not ours", encoding="utf-8")
    await orders.press("F5")
    await orders.wait_for_titles("Orders - orders.json", "Orders")
    assert orders.path.read_text(encoding="utf-8") == "not ours"


async def test_no_key_overtakes_the_click_that_says_where_it_goes_even_without_settling(open_orders):
    orders = await open_orders()
    for word in ("ü", "日", "Ω", "ğ", "😀"):
        for place in (layout.CUSTOMER, layout.NOTE):
            await orders.desktop.perform(Click(at=ScreenPoint(*place.center_on_screen())), settle_s=0)
            await orders.desktop.perform(TypeText(word), settle_s=0)
    await orders.fill_in(article="Stapler", quantity="1", price="1", day="2026-01-01")
    await orders.click(layout.ADD)
    await orders.press("ctrl+s")
    await orders.wait_for_titles("Orders - orders.json", "Saved")
    assert [(order["customer"], order["note"]) for order in orders.saved()] == [("ü日Ωğ😀", "ü日Ωğ😀")]


async def test_quitting_with_unsaved_orders_asks_and_can_be_called_off(open_orders):
    orders = await open_orders()
    await orders.fill_in(**PEN)
    await orders.click(layout.ADD)
    await orders.press("ctrl+q")
    await orders.wait_for_titles("Orders - orders.json (not saved)", "Quit")
    await orders.press("Escape")
    await orders.wait_for_titles("Orders - orders.json (not saved)")
    await orders.press("ctrl+q")
    await orders.wait_for_titles("Orders - orders.json (not saved)", "Quit")
    await orders.press("Return")
    await orders.wait_for_titles("Orders - orders.json", "Saved")
    await orders.press("Return")
    await orders.wait_for_titles()
    assert len(orders.saved()) == 1


async def test_the_window_stands_where_it_is_told_to(open_orders):
    orders = await open_orders(at=(130, 61))
    await orders.press("F1")
    await orders.wait_for_titles("Orders - orders.json", "About")

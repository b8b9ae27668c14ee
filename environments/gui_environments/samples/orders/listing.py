"""The list of orders: one row an order, in the order of their numbers. Knows no form and no file."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Iterable
from tkinter import ttk
from typing import Literal

from gui_environments.samples.orders import layout
from gui_environments.samples.orders.book import Order

_HEADINGS = {
    "number": "Number",
    "customer": "Customer",
    "article": "Article",
    "quantity": "Quantity",
    "price": "Price",
    "total": "Total",
    "date": "Delivery",
    "express": "Express",
}
_RIGHT_ALIGNED = {"quantity", "price", "total"}
_CENTERED = {"number", "date", "express"}


class OrderList:
    """`on_choice` is called with the number of an order that the user selects."""

    def __init__(self, parent: tk.Tk, on_choice: Callable[[int], None]) -> None:
        self._on_choice = on_choice
        self._rows = ttk.Treeview(parent, columns=tuple(_HEADINGS), show="headings", selectmode="browse")
        for column, heading in _HEADINGS.items():
            anchor = _anchor(column)
            self._rows.heading(column, text=heading, anchor=anchor)
            self._rows.column(column, width=layout.LIST_COLUMN_WIDTHS_PX[column], anchor=anchor, stretch=False)
        place = layout.ORDER_LIST
        bar_width_px = 16
        self._rows.place(x=place.x, y=place.y, width=place.width - bar_width_px, height=place.height)
        scroll_bar = ttk.Scrollbar(parent, orient="vertical", command=self._rows.yview)
        scroll_bar.place(x=place.x + place.width - bar_width_px, y=place.y, width=bar_width_px, height=place.height)
        self._rows.configure(yscrollcommand=scroll_bar.set)
        self._rows.bind("<<TreeviewSelect>>", self._report_choice)

    def show(self, orders: Iterable[Order]) -> None:
        self._rows.delete(*self._rows.get_children())
        for order in sorted(orders, key=lambda order: order.number):
            self._rows.insert("", "end", iid=str(order.number), values=_cells(order))

    def select(self, number: int | None) -> None:
        self._rows.selection_set(() if number is None else (str(number),))

    def _report_choice(self, _event: tk.Event[ttk.Treeview]) -> None:
        for row in self._rows.selection():
            self._on_choice(int(row))


def _anchor(column: str) -> Literal["e", "center", "w"]:
    if column in _RIGHT_ALIGNED:
        return "e"
    return "center" if column in _CENTERED else "w"


def _cells(order: Order) -> tuple[str, ...]:
    return (
        str(order.number),
        order.customer,
        order.article,
        str(order.quantity),
        f"{order.price:.2f}",
        f"{order.total:.2f}",
        order.day.isoformat(),
        "yes" if order.express else "no",
    )

"""The form of one order: its fields, what stands in them, and which of them is wrong. Knows no list and no file."""

from __future__ import annotations

import tkinter as tk
from tkinter import ttk
from typing import TypeVar

from gui_environments.samples.orders import layout
from gui_environments.samples.orders.book import ARTICLES, FormText
from gui_environments.samples.orders.layout import Place

_WidgetT = TypeVar("_WidgetT", bound=tk.Widget)


class OrderForm:
    """The widgets of the form, placed in `parent` in the order in which Tab visits them."""

    def __init__(self, parent: tk.Tk) -> None:
        self._frame = ttk.Labelframe(parent, text="Order")
        _place(self._frame, layout.FORM_FRAME)
        self._express = tk.BooleanVar(parent)
        self._customer = _labelled(parent, "Customer", ttk.Entry(parent), layout.CUSTOMER)
        self._article = _labelled(parent, "Article", ttk.Combobox(parent, values=ARTICLES), layout.ARTICLE)
        self._quantity = _labelled(parent, "Quantity", ttk.Entry(parent, justify="right"), layout.QUANTITY)
        self._price = _labelled(parent, "Price each", ttk.Entry(parent, justify="right"), layout.PRICE)
        self._day = _labelled(parent, "Delivery", ttk.Entry(parent), layout.DATE)
        self._box = ttk.Checkbutton(parent, text="Express shipment", variable=self._express)
        _place(self._box, layout.EXPRESS)
        self._note = _labelled(parent, "Note", _note_text(parent), layout.NOTE)

    def read(self) -> FormText:
        return FormText(
            customer=self._customer.get(),
            article=self._article.get(),
            quantity=self._quantity.get(),
            price=self._price.get(),
            day=self._day.get(),
            express=self._express.get(),
            note=self._note.get("1.0", "end-1c"),
        )

    def show(self, text: FormText, title: str) -> None:
        """Put `text` in the fields, `title` on the frame, and the cursor in the first field."""
        self._frame.configure(text=title)
        fields = (
            (self._customer, text.customer),
            (self._article, text.article),
            (self._quantity, text.quantity),
            (self._price, text.price),
            (self._day, text.day),
        )
        for entry, value in fields:
            entry.delete(0, "end")
            entry.insert(0, value)
        self._express.set(text.express)
        self._note.delete("1.0", "end")
        self._note.insert("1.0", text.note)
        self._note.edit_reset()
        self._customer.focus_set()

    def point_at(self, field: str) -> None:
        """The cursor in the field of that name of `FormText`, its text selected."""
        entry = {
            "customer": self._customer,
            "article": self._article,
            "quantity": self._quantity,
            "price": self._price,
            "day": self._day,
        }[field]
        entry.focus_set()
        entry.selection_range(0, "end")
        entry.icursor("end")


def _note_text(parent: tk.Tk) -> tk.Text:
    text = tk.Text(parent, wrap="word", undo=True, borderwidth=2, relief="sunken", background="white")

    def move_focus(event: tk.Event[tk.Text], *, back: bool) -> str:
        target = event.widget.tk_focusPrev() if back else event.widget.tk_focusNext()
        if target is not None:
            target.focus_set()
        return "break"

    # Tab leaves the field as it leaves every other; an order's note needs no tabs.
    text.bind("<Tab>", lambda event: move_focus(event, back=False))
    text.bind("<ISO_Left_Tab>", lambda event: move_focus(event, back=True))
    return text


def _labelled(parent: tk.Tk, label: str, widget: _WidgetT, place: Place) -> _WidgetT:
    caption = ttk.Label(parent, text=label, anchor="e")
    _place(caption, Place(place.x - 100, place.y, 92, 26))
    _place(widget, place)
    return widget


def _place(widget: tk.Widget, place: Place) -> None:
    widget.place(x=place.x, y=place.y, width=place.width, height=place.height)

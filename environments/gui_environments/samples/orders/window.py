"""The main window: menu, list, form, buttons and status line, and what each of them does to the orders."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from pathlib import Path
from tkinter import font, ttk

from gui_environments.samples.orders import layout
from gui_environments.samples.orders.book import (
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
from gui_environments.samples.orders.dialogs import ask
from gui_environments.samples.orders.form import OrderForm
from gui_environments.samples.orders.listing import OrderList
from gui_environments.samples.orders.placement import put_client_at

_NEW_ORDER = "New order"


class OrdersWindow:
    """Owns the orders while the program runs. One order may be open in the form: the one selected in the list."""

    def __init__(self, path: Path, at: tuple[int, int] = layout.ORIGIN) -> None:
        self._path = path
        self._at = at
        self._orders: dict[int, Order] = {}
        self._open_number: int | None = None
        self._changed = False
        self._root = tk.Tk(className="Orders")
        self._root.withdraw()
        _set_look(self._root)
        width_px, height_px = layout.CLIENT_SIZE
        self._root.geometry(f"{width_px}x{height_px}")
        self._root.resizable(width=False, height=False)
        self._list = OrderList(self._root, self._open)
        self._form = OrderForm(self._root)
        self._status = ttk.Label(self._root, relief="sunken", padding=(8, 0))
        self._make_buttons()
        self._make_menu()
        self._root.protocol("WM_DELETE_WINDOW", self._quit)

    def run(self) -> None:
        """Show the window until the user quits."""
        put_client_at(self._root, *self._at)
        self._root.deiconify()
        self._root.wait_visibility()
        self._reload()
        self._root.mainloop()

    def _make_buttons(self) -> None:
        buttons = (
            ("Add", self._add, layout.ADD),
            ("Update", self._update, layout.UPDATE),
            ("Delete", self._delete, layout.DELETE),
            ("Clear", self._clear, layout.CLEAR),
        )
        for label, command, place in buttons:
            button = ttk.Button(self._root, text=label, underline=0, command=command)
            button.place(x=place.x, y=place.y, width=place.width, height=place.height)
            button.bind("<Return>", lambda event: event.widget.invoke())
            self._bind(f"<Alt-{label[0].lower()}>", command)
        place = layout.STATUS
        self._status.place(x=place.x, y=place.y, width=place.width, height=place.height)

    def _make_menu(self) -> None:
        bar = tk.Menu(self._root)
        menus = {
            "File": (
                ("New", "Ctrl+N", "<Control-n>", self._clear),
                ("Reload", "F5", "<F5>", self._reload_when_agreed),
                ("Save", "Ctrl+S", "<Control-s>", self._save),
                ("Quit", "Ctrl+Q", "<Control-q>", self._quit),
            ),
            "Help": (("About", "F1", "<F1>", self._about),),
        }
        for title, entries in menus.items():
            menu = tk.Menu(bar, tearoff=False)
            for label, keys, event, command in entries:
                if label == "Quit":
                    menu.add_separator()
                menu.add_command(label=label, accelerator=keys, underline=0, command=command)
                self._bind(event, command)
            bar.add_cascade(label=title, menu=menu, underline=0)
        self._root.configure(menu=bar)

    def _bind(self, event: str, command: Callable[[], object]) -> None:
        """`command` on the keys of `event`, except while a dialog is open: it hands its keys on to its parent."""

        def run(_event: tk.Event[tk.Misc]) -> str:
            if not self._root.tk.call("grab", "current"):
                command()
            return "break"

        self._root.bind(event, run)

    def _open(self, number: int) -> None:
        self._open_number = number
        self._form.show(form_of_order(self._orders[number]), f"Order {number}")
        self._say(f"Order {number} is open.")

    def _clear(self) -> None:
        self._open_number = None
        self._list.select(None)
        self._form.show(FormText(), _NEW_ORDER)

    def _add(self) -> None:
        self._take_form(next_number(list(self._orders.values())), "added")

    def _update(self) -> None:
        if self._open_number is None:
            self._complain("Choose an order in the list first.")
            return
        self._take_form(self._open_number, "changed")

    def _take_form(self, number: int, done: str) -> None:
        try:
            order = order_of_form(self._form.read(), number)
        except InvalidOrder as error:
            self._complain(str(error))
            self._form.point_at(error.field)
            return
        self._orders[number] = order
        self._changed = True
        self._list.show(self._orders.values())
        self._clear()
        self._say(f"Order {number} {done}.")

    def _delete(self) -> None:
        number = self._open_number
        if number is None:
            self._complain("Choose an order in the list first.")
            return
        answer = ask(self._root, "Delete", f"Delete order {number}?", icon="question", buttons=("Delete", "Cancel"))
        if answer != "Delete":
            return
        del self._orders[number]
        self._changed = True
        self._list.show(self._orders.values())
        self._clear()
        self._say(f"Order {number} deleted.")

    def _save(self) -> bool:
        orders = [self._orders[number] for number in sorted(self._orders)]
        try:
            write_orders(self._path, orders)
        except OSError as error:
            self._complain(f"The file could not be written: {error.strerror}.")
            return False
        self._changed = False
        count = f"{len(orders)} order{'' if len(orders) == 1 else 's'}"
        self._say(f"Saved {count}.")
        ask(self._root, "Saved", f"{count} saved to {self._path.name}.", icon="information")
        return True

    def _reload_when_agreed(self) -> None:
        if self._changed:
            message = "Throw away what was not saved and read the file again?"
            if ask(self._root, "Reload", message, icon="question", buttons=("Reload", "Cancel")) != "Reload":
                return
        self._reload()

    def _reload(self) -> None:
        try:
            orders = read_orders(self._path)
        except (OSError, UnreadableFile) as error:
            self._complain(f"The file could not be read: {error}")
            return
        self._orders = {order.number: order for order in orders}
        self._changed = False
        self._list.show(self._orders.values())
        self._clear()
        self._say("Ready.")

    def _quit(self) -> None:
        if self._changed:
            message = "Save the orders before leaving?"
            answer = ask(self._root, "Quit", message, icon="question", buttons=("Save", "Discard", "Cancel"))
            if answer == "Cancel" or (answer == "Save" and not self._save()):
                return
        self._root.destroy()

    def _about(self) -> None:
        ask(self._root, "About", "Orders keeps the orders of one file. It is a sample.", icon="information")

    def _complain(self, message: str) -> None:
        self._say(message)
        ask(self._root, "Orders", message, icon="error")

    def _say(self, message: str) -> None:
        total = sum(order.total for order in self._orders.values())
        self._status.configure(text=f"{message}    |    {len(self._orders)} orders, {total:.2f} in all")
        self._root.title(f"Orders - {self._path.name}{' (not saved)' if self._changed else ''}")


def _set_look(root: tk.Tk) -> None:
    ttk.Style(root).theme_use("alt")
    ttk.Style(root).configure("Treeview", rowheight=layout.LIST_ROW_HEIGHT_PX)
    root.configure(background=ttk.Style(root).lookup("TFrame", "background"))
    for name in font.names(root):
        font.nametofont(name, root).configure(family=layout.FONT_FAMILY, size=-layout.FONT_HEIGHT_PX)
    root.option_add("*Toplevel.background", root.cget("background"))
    root.option_add("*Menu.background", root.cget("background"))
    root.option_add("*Menu.relief", "raised")
    root.option_add("*Menu.borderWidth", 1)

"""Modal dialogs of one fixed size at one fixed place over the main window. They return the button that was chosen."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from functools import partial
from tkinter import ttk
from typing import Literal

from gui_environments.samples.orders import layout
from gui_environments.samples.orders.placement import put_client_at

Icon = Literal["error", "information", "question"]
_ICON_LOOKS: dict[Icon, tuple[str, str]] = {
    "error": ("✕", "#b3261e"),
    "information": ("i", "#1f5fa8"),
    "question": ("?", "#1f5fa8"),
}


def ask(parent: tk.Tk, title: str, message: str, *, icon: Icon, buttons: Sequence[str] = ("OK",)) -> str:
    """Show the dialog and wait. Return presses the focused button (the first at the start); Escape and closing the
    window choose the last."""
    chosen = buttons[-1]
    dialog = tk.Toplevel(parent)
    dialog.withdraw()
    dialog.title(title)
    dialog.resizable(width=False, height=False)
    dialog.transient(parent)

    def choose(label: str) -> None:
        nonlocal chosen
        chosen = label
        dialog.destroy()

    place = layout.DIALOG
    _draw_message(dialog, message, icon)
    first = _place_buttons(dialog, buttons, choose)
    dialog.protocol("WM_DELETE_WINDOW", dialog.destroy)
    dialog.bind("<Escape>", lambda _event: dialog.destroy())
    dialog.geometry(f"{place.width}x{place.height}")
    put_client_at(dialog, parent.winfo_rootx() + place.x, parent.winfo_rooty() + place.y)
    dialog.deiconify()
    dialog.wait_visibility()
    dialog.grab_set()
    first.focus_set()
    # While the dialog holds the grab it is told of clicks on the main window too. Such a click has given that window
    # the keyboard; a modal dialog takes it back.
    dialog.bind("<Button>", lambda _event: (dialog.focus_lastfor() or first).focus_force())
    parent.wait_window(dialog)
    return chosen


def _draw_message(dialog: tk.Toplevel, message: str, icon: Icon) -> None:
    mark, color = _ICON_LOOKS[icon]
    canvas = tk.Canvas(dialog, width=40, height=40, highlightthickness=0, background=dialog.cget("background"))
    canvas.create_oval(2, 2, 38, 38, fill=color, outline="")
    canvas.create_text(20, 20, text=mark, fill="white", font=(layout.FONT_FAMILY, -20, "bold"))
    canvas.place(x=20, y=24)
    width_px = layout.DIALOG.width - 96
    label = ttk.Label(dialog, text=message, wraplength=width_px, anchor="w", justify="left")
    label.place(x=76, y=14, width=width_px, height=82)


def _place_buttons(dialog: tk.Toplevel, buttons: Sequence[str], choose: Callable[[str], None]) -> ttk.Button:
    width_px, height_px = layout.DIALOG_BUTTON_SIZE
    gap_px = 12
    left_px = (layout.DIALOG.width - len(buttons) * (width_px + gap_px) + gap_px) // 2
    made = []
    for index, label in enumerate(buttons):
        button = ttk.Button(dialog, text=label, command=partial(choose, label))
        button.bind("<Return>", lambda event: event.widget.invoke())
        button.place(x=left_px + index * (width_px + gap_px), y=108, width=width_px, height=height_px)
        made.append(button)
    return made[0]

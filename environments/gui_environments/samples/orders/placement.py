"""Keeps a window's client area at a place of the screen, whatever frame a window manager puts around it."""

from __future__ import annotations

import re
import tkinter as tk

# The frame is put around a window after it is shown, in steps of the window manager's own: a place counts once it has
# been right this many times running. A window manager that insists on another place gets its way in the end.
_LOOK_EVERY_MS = 20
_STILL_LOOKS = 5
_MOST_LOOKS = 100


def put_client_at(window: tk.Tk | tk.Toplevel, x: int, y: int) -> None:
    """Move the window, shown already or soon, so that its client area starts at (x, y). Later moves are the user's."""
    window.geometry(f"+{x}+{y}")
    looks = still = 0

    def look() -> None:
        nonlocal looks, still
        looks += 1
        off_x, off_y = x - window.winfo_rootx(), y - window.winfo_rooty()
        still = still + 1 if window.winfo_viewable() and (off_x, off_y) == (0, 0) else 0
        if still == _STILL_LOOKS or looks == _MOST_LOOKS:
            return
        place = re.fullmatch(r"\d+x\d+\+(-?\d+)\+(-?\d+)", window.geometry())
        if window.winfo_viewable() and place is not None and not still:
            window.geometry(f"+{int(place[1]) + off_x}+{int(place[2]) + off_y}")
        window.after(_LOOK_EVERY_MS, look)

    window.after(_LOOK_EVERY_MS, look)

"""A window over the whole screen that writes down every input event it gets, one JSON object a line. It is blue, with a
red square between (100, 200) and (140, 240).

    python event_window.py LOG

Run as a program of its own on the display under test; it shares nothing with the tests but the log.
"""

from __future__ import annotations

import json
import sys
import tkinter
from pathlib import Path

_KINDS = {"4": "press", "5": "release", "6": "motion", "2": "key down", "3": "key up"}


class EventWindow:
    def __init__(self, log: Path) -> None:
        self._log = log.open("a", encoding="utf-8")
        self._window = tkinter.Tk()
        self._window.title("events")
        canvas = tkinter.Canvas(self._window, background="#0000ff", highlightthickness=0)
        canvas.create_rectangle(100, 200, 140, 240, fill="#ff0000", width=0)
        canvas.pack(fill="both", expand=True)
        # Without a frame: its place is exact.
        self._window.attributes("-fullscreen", True)
        self._is_ready = False
        self._has_focus = False
        for sequence in ("<ButtonPress>", "<ButtonRelease>", "<Motion>", "<KeyPress>", "<KeyRelease>"):
            self._window.bind(sequence, self._write)
        self._window.bind("<FocusIn>", self._note_focus)
        self._window.bind("<Configure>", self._note_ready)
        self._window.focus_force()
        self._window.mainloop()

    def _note_focus(self, event: tkinter.Event[tkinter.Misc]) -> None:
        self._has_focus = True
        self._note_ready(event)

    def _note_ready(self, _: tkinter.Event[tkinter.Misc]) -> None:
        """Say once that it covers the screen and gets the keys."""
        window = self._window
        covers = (window.winfo_width(), window.winfo_height()) == (
            window.winfo_screenwidth(),
            window.winfo_screenheight(),
        )
        if covers and self._has_focus and not self._is_ready:
            self._is_ready = True
            self._append({"event": "ready"})

    def _write(self, event: tkinter.Event[tkinter.Misc]) -> None:
        kind = _KINDS[str(event.type.value)]
        record: dict[str, object] = {"event": kind, "x": event.x_root, "y": event.y_root, "state": int(event.state)}
        if kind in ("press", "release"):
            record["button"] = event.num
        if kind.startswith("key"):
            record |= {"key": event.keysym, "char": event.char}
        self._append(record)

    def _append(self, record: dict[str, object]) -> None:
        self._log.write(json.dumps(record) + "\n")
        self._log.flush()


if __name__ == "__main__":
    EventWindow(Path(sys.argv[1]))

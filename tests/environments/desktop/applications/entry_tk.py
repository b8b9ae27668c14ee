"""A Tk window with one text field. Usage: entry_tk.py FOLDER TITLE. Keeps FOLDER/text at what the field holds and adds
a line to FOLDER/keys for every key event (`down a`). When the field holds what FOLDER/stop-at holds, the process stops
itself, as a hung application does; with FOLDER/close-at it closes its window."""

import os
import signal
import sys
import tkinter
from pathlib import Path

folder, title = Path(sys.argv[1]), sys.argv[2]
keys = (folder / "keys").open("a", buffering=1)
window = tkinter.Tk()
window.title(title)
field = tkinter.Text(window, width=60, height=12)
field.pack()
field.focus_force()


def write_text(_event: object = None) -> None:
    field.edit_modified(False)
    (folder / "text.new").write_text(field.get("1.0", "end-1c"), encoding="utf-8", newline="")
    (folder / "text.new").replace(folder / "text")
    if holds("stop-at"):
        os.kill(os.getpid(), signal.SIGSTOP)
    if holds("close-at"):
        window.destroy()


def holds(name: str) -> bool:
    marker = folder / name
    return marker.exists() and marker.read_text(encoding="utf-8") in field.get("1.0", "end")


def log_key(direction: str, keysym: str) -> None:
    if (direction, keysym) == ("down", "F9"):
        write_text()
        keys.write("F9 handled\n")
    keys.write(f"{direction} {keysym}\n")


field.bind("<<Modified>>", lambda _: window.after_idle(write_text))
field.bind("<KeyPress>", lambda event: log_key("down", event.keysym))
field.bind("<KeyRelease>", lambda event: log_key("up", event.keysym))
field.bind("<FocusIn>", lambda _: (folder / "focused").touch())
window.mainloop()

"""A Tk window with one text field. Usage: entry_tk.py FOLDER TITLE. Keeps FOLDER/text at what the field holds and adds a
line to FOLDER/keys for every key event (`down a`)."""

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


field.bind("<<Modified>>", lambda _: window.after_idle(write_text))
field.bind("<KeyPress>", lambda event: keys.write(f"down {event.keysym}\n") and None, add="+")
field.bind("<KeyRelease>", lambda event: keys.write(f"up {event.keysym}\n") and None, add="+")
field.bind("<F9>", lambda _: (write_text(), keys.write("F9 handled\n")) and None, add="+")
field.bind("<FocusIn>", lambda _: (folder / "focused").touch())
window.mainloop()

"""A window that speaks the X protocol and nothing more: no ping, no toolkit, never reads the keyboard map again. Usage:
entry_bare.py FOLDER TITLE. Adds a line to FOLDER/keys for every key event (`down a`), by the map at its start."""

import sys
from pathlib import Path

from Xlib import XK, X
from Xlib.display import Display

folder, title = Path(sys.argv[1]), sys.argv[2]
keys = (folder / "keys").open("a", buffering=1)
names = {value: name[3:] for name, value in vars(XK).items() if name.startswith("XK_")}
display = Display()
screen = display.screen()
window = screen.root.create_window(10, 10, 300, 200, 0, screen.root_depth, event_mask=X.KeyPressMask | X.KeyReleaseMask)
window.set_wm_name(title)
window.map()
(folder / "focused").touch()
while True:
    event = display.next_event()
    if event.type not in (X.KeyPress, X.KeyRelease):
        continue
    name = names.get(display.keycode_to_keysym(event.detail, event.state & 1), "?")
    if event.type == X.KeyPress and name == "F9":
        keys.write("F9 handled\n")
    keys.write(f"{'down' if event.type == X.KeyPress else 'up'} {name}\n")

"""What a file manager has on the clipboard after a copy, or a picture, until something else is copied:
`python clipboard_source.py file PATH` or `picture PATH`. Prints `ready` once it is there."""

import sys
from pathlib import Path

from Xlib import X, Xatom, display
from Xlib.protocol import event

kind, path = sys.argv[1:]
connection = display.Display()
atom = connection.intern_atom
if kind == "file":
    offered = {
        atom("text/uri-list"): f"file://{path}\r\n".encode(),
        atom("x-special/gnome-copied-files"): f"copy\nfile://{path}".encode(),
        atom("UTF8_STRING"): path.encode(),
    }
else:
    offered = {atom("image/png"): Path(path).read_bytes()}
window = connection.screen().root.create_window(0, 0, 1, 1, 0, connection.screen().root_depth)
window.set_selection_owner(atom("CLIPBOARD"), X.CurrentTime)
connection.sync()
print("ready", flush=True)
while (asked := connection.next_event()).type != X.SelectionClear:
    if asked.type != X.SelectionRequest:
        continue
    given = asked.property or asked.target
    if asked.target == atom("TARGETS"):
        asked.requestor.change_property(given, Xatom.ATOM, 32, [asked.target, *offered])
    elif asked.target in offered:
        asked.requestor.change_property(given, asked.target, 8, offered[asked.target])
    else:
        given = X.NONE
    asked.requestor.send_event(
        event.SelectionNotify(
            time=asked.time,
            requestor=asked.requestor,
            selection=asked.selection,
            target=asked.target,
            property=given,
        )
    )
    connection.flush()

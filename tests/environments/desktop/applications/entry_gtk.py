"""A GTK 3 window with one text field. Usage: entry_gtk.py FOLDER TITLE. Keeps FOLDER/text at what the field holds and
adds a line to FOLDER/keys for every key event (`down a`)."""

import sys
from pathlib import Path

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, Gtk  # noqa: E402

folder, title = Path(sys.argv[1]), sys.argv[2]
keys = (folder / "keys").open("a", buffering=1)
window = Gtk.Window(title=title)
window.set_default_size(500, 300)
field = Gtk.TextView()
window.add(field)


def write_text(*_: object) -> None:
    buffer = field.get_buffer()
    text = buffer.get_text(buffer.get_start_iter(), buffer.get_end_iter(), True)
    (folder / "text.new").write_text(text, encoding="utf-8", newline="")
    (folder / "text.new").replace(folder / "text")


def log_key(direction: str, event: object) -> bool:
    name = Gdk.keyval_name(event.keyval)
    if direction == "down" and name == "F9":
        write_text()
        keys.write("F9 handled\n")
    keys.write(f"{direction} {name}\n")
    return False


def note_focus(*_: object) -> bool:
    (folder / "focused").touch()
    return False


field.get_buffer().connect("changed", write_text)
field.connect("key-press-event", lambda _, event: log_key("down", event))
field.connect("key-release-event", lambda _, event: log_key("up", event))
field.connect("focus-in-event", note_focus)
window.connect("destroy", Gtk.main_quit)
window.show_all()
window.present()
Gtk.main()

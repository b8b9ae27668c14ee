"""A window at the right of the screen from which a file can be dragged: `python3 drag_source_gtk.py LEFT FILE`."""

import sys

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, Gtk  # noqa: E402 - the version comes first

window = Gtk.Window(title="source")
window.set_default_size(150, 100)
place = Gtk.EventBox()
place.add(Gtk.Label(label="drag me"))
place.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, [], Gdk.DragAction.COPY)
place.drag_source_add_uri_targets()
place.connect("drag-data-get", lambda _, context, data, *rest: data.set_uris([f"file://{sys.argv[2]}"]))
window.add(place)
window.connect("destroy", Gtk.main_quit)
window.show_all()
window.move(int(sys.argv[1]), 50)
Gtk.main()

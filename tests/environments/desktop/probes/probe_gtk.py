"""A GTK window that tells what the pointer did in it, as JSON lines in the file it is given."""

import json
import sys
from pathlib import Path

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402

lines = Path(sys.argv[1]).open("a", buffering=1, encoding="utf-8")  # noqa: SIM115
NAMES = {1: "left", 2: "middle", 3: "right"}
DIRECTIONS = {Gdk.ScrollDirection.UP: "up", Gdk.ScrollDirection.DOWN: "down", Gdk.ScrollDirection.LEFT: "scroll left"}


def tell(kind, **what):
    lines.write(json.dumps({"kind": kind, **what}) + "\n")


def held(event):
    masks = {"shift": Gdk.ModifierType.SHIFT_MASK, "ctrl": Gdk.ModifierType.CONTROL_MASK}
    masks["alt"] = Gdk.ModifierType.MOD1_MASK
    return [name for name, mask in masks.items() if event.state & mask]


def pressed(_, event):
    if event.type == Gdk.EventType.DOUBLE_BUTTON_PRESS:
        tell("double")
    elif event.type == Gdk.EventType.TRIPLE_BUTTON_PRESS:
        tell("triple")
    else:
        x, y = event.get_root_coords()
        tell("press", button=NAMES[event.button], x=int(x), y=int(y), held=held(event))
    return True


def released(_, event):
    x, y = event.get_root_coords()
    tell("release", button=NAMES[event.button], x=int(x), y=int(y))
    return True


def moved(_, event):
    x, y = event.get_root_coords()
    dragging = event.state & Gdk.ModifierType.BUTTON1_MASK
    tell("drag" if dragging else "move", x=int(x), y=int(y), held=held(event))
    return True


def scrolled(_, event):
    ok, direction = event.get_scroll_direction()
    tell("scroll", button=DIRECTIONS.get(direction, "scroll right") if ok else "smooth", held=held(event))
    return True


window = Gtk.Window(title="probe")
window.set_default_size(400, 400)
box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
window.add(box)
bar = Gtk.MenuBar()
top = Gtk.MenuItem(label="Menu")
menu = Gtk.Menu()
item = Gtk.MenuItem(label="Item")
item.connect("activate", lambda _: tell("menu item"))
menu.append(item)
top.set_submenu(menu)
bar.append(top)
box.pack_start(bar, False, False, 0)
area = Gtk.EventBox()
area.set_size_request(400, 250)
area.add_events(
    Gdk.EventMask.BUTTON_PRESS_MASK
    | Gdk.EventMask.BUTTON_RELEASE_MASK
    | Gdk.EventMask.POINTER_MOTION_MASK
    | Gdk.EventMask.SCROLL_MASK
)
area.connect("button-press-event", pressed)
area.connect("button-release-event", released)
area.connect("motion-notify-event", moved)
area.connect("scroll-event", scrolled)
box.pack_start(area, True, True, 0)
slider = Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 100, 1)
slider.connect("value-changed", lambda s: tell("slider", value=s.get_value()))
box.pack_start(slider, False, False, 0)
window.connect("destroy", Gtk.main_quit)
window.show_all()


def place(widget):
    allocation = widget.get_allocation()
    _, x, y = widget.get_window().get_origin()
    if not widget.get_has_window():
        x, y = x + allocation.x, y + allocation.y
    return [x, y, allocation.width, allocation.height]


def on_focus(*_):
    GLib.timeout_add(50, lambda: tell("ready", area=place(area), slider=place(slider), menu=place(top), item_below=30))


window.connect("focus-in-event", on_focus)
Gtk.main()

"""A Tk window that tells what the pointer did in it, as JSON lines in the file it is given."""

import json
import sys
import tkinter as tk
from pathlib import Path

lines = Path(sys.argv[1]).open("a", buffering=1, encoding="utf-8")  # noqa: SIM115
NAMES = {1: "left", 2: "middle", 3: "right", 4: "up", 5: "down", 6: "scroll left", 7: "scroll right"}
SHIFT = 0x1


def tell(kind, **what):
    lines.write(json.dumps({"kind": kind, **what}) + "\n")


def held(event):
    names = {"shift": SHIFT, "ctrl": 0x4, "alt": 0x8}
    return [name for name, mask in names.items() if event.state & mask]


def pressed(event):
    # Tk tells the buttons 6 and 7 as 4 and 5 with shift.
    number = event.num + 2 if event.num >= 4 and event.state & SHIFT else event.num
    name = NAMES[number]
    kind = "press" if number < 4 else "scroll"
    tell(kind, button=name, x=event.x_root, y=event.y_root, held=held(event))


root = tk.Tk()
root.title("probe")
root.geometry("400x400+60+60")
area = tk.Canvas(root, width=400, height=250, bg="white", highlightthickness=0)
area.pack(fill="both", expand=True)
area.bind("<ButtonPress>", pressed)
area.bind("<ButtonRelease>", lambda e: e.num < 4 and tell("release", button=NAMES[e.num], x=e.x_root, y=e.y_root))
area.bind("<Double-ButtonPress-1>", lambda e: (pressed(e), tell("double")))
area.bind("<Triple-ButtonPress-1>", lambda e: (pressed(e), tell("triple")))
area.bind("<B1-Motion>", lambda e: tell("drag", x=e.x_root, y=e.y_root, held=held(e)))
area.bind("<Motion>", lambda e: tell("move", x=e.x_root, y=e.y_root))
slider = tk.Scale(root, from_=0, to=100, orient="horizontal", command=lambda value: tell("slider", value=float(value)))
entry = tk.Entry(root, exportselection=True)
entry.insert(0, "some words to select")
entry.bind("<ButtonRelease-1>", lambda _: root.after_idle(tell_selection))
if "fullscreen" in sys.argv:
    root.overrideredirect(True)
    root.geometry(f"{root.winfo_screenwidth()}x{root.winfo_screenheight()}+0+0")
else:
    slider.pack(fill="x")
    entry.pack(fill="x")


def tell_selection():
    tell("selection", text=entry.selection_get() if entry.select_present() else "")


def place(widget):
    return [widget.winfo_rootx(), widget.winfo_rooty(), widget.winfo_width(), widget.winfo_height()]


def ready():
    if root.winfo_viewable() and area.winfo_width() > 100:
        tell("ready", area=place(area), slider=place(slider), entry=place(entry))
    else:
        root.after(10, ready)


root.after(10, ready)
root.mainloop()

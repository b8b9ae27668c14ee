"""A Tk window that changes: `busy` in another place all the time, `animated` in one place all the time, `slow` in many
small steps after each click, `still` never, `entry` by a blinking caret. Tells what it did as JSON lines in the file it
is given."""

import json
import sys
import time
import tkinter as tk
from pathlib import Path

lines = Path(sys.argv[1]).open("a", buffering=1, encoding="utf-8")  # noqa: SIM115
mode = sys.argv[2]
STEPS = 40
COLUMNS = 8


def tell(kind, **what):
    lines.write(json.dumps({"kind": kind, **what}) + "\n")


root = tk.Tk()
root.title("probe")
root.geometry("640x400+60+60")
area = tk.Canvas(root, width=640, height=350, bg="white", highlightthickness=0)
area.pack(fill="both", expand=True)


def tile(number):
    x, y = number % COLUMNS * 80, number // COLUMNS % 5 * 70
    return x, y, x + 80, y + 70


def busy(step):
    area.delete("all")
    # A place that comes back only after all others.
    area.create_rectangle(*tile(step * 7 % STEPS), fill="red" if step // STEPS % 2 else "blue")
    tell("frame")
    root.after(5, busy, step + 1)


def animated(step):
    area.itemconfigure(spinner, fill="red" if step % 2 else "blue")
    tell("frame")
    root.after(10, animated, step + 1)


def slow(_):
    for step in range(STEPS):
        area.create_rectangle(*tile(step), fill="#008000", outline="#008000")
        root.update_idletasks()
        end = time.monotonic() + 0.005
        while time.monotonic() < end:
            pass
    tell("painted")


if mode == "busy":
    busy(0)
elif mode == "animated":
    spinner = area.create_rectangle(200, 100, 300, 200)
    animated(0)
elif mode == "slow":
    area.bind("<ButtonPress-1>", slow)
elif mode == "entry":
    entry = tk.Entry(root, font=("TkFixedFont", 20), insertontime=100, insertofftime=100)
    entry.pack(fill="x")


def ready():
    if root.winfo_viewable() and area.winfo_width() > 100:
        widget = entry if mode == "entry" else area
        tell("ready", area=[widget.winfo_rootx(), widget.winfo_rooty(), widget.winfo_width(), widget.winfo_height()])
    else:
        root.after(10, ready)


root.after(10, ready)
root.mainloop()

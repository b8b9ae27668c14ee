"""A Tk window that takes what is typed. A full stop ends the text, which it tells at a datagram socket and clears.

Usage: typing_target.py SOCKET
"""

import socket
import sys
import tkinter as tk

told = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
told.connect(sys.argv[1])
root = tk.Tk()
root.title("typing target")
root.geometry("700x120+1150+60")
text = tk.StringVar()
entry = tk.Entry(root, textvariable=text, width=80)
entry.pack(padx=10, pady=40)


def changed(*_: object) -> None:
    if text.get().endswith("."):
        told.send(text.get().encode())
        text.set("")


def ready() -> None:
    if entry.winfo_viewable():
        told.send(f"{entry.winfo_rootx()} {entry.winfo_rooty()} {entry.winfo_width()} {entry.winfo_height()}".encode())
    else:
        root.after(10, ready)


text.trace_add("write", changed)
root.after(10, ready)
root.mainloop()

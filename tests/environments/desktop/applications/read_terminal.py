"""Run inside a terminal: keeps FOLDER/text at the bytes the terminal sends, Return as a newline. Usage:
read_terminal.py FOLDER. The sequence of F9 is not text: it becomes a line in FOLDER/keys."""

import os
import sys
import termios
import tty
from pathlib import Path

F9 = b"\x1b[20~"

folder = Path(sys.argv[1])
keys = (folder / "keys").open("a", buffering=1)
received = b""
tty.setraw(0, termios.TCSANOW)
(folder / "focused").touch()
while chunk := os.read(0, 65536):
    received += chunk
    handled = received.count(F9)
    received = received.replace(F9, b"")
    (folder / "text.new").write_bytes(received.replace(b"\r", b"\n"))
    (folder / "text.new").replace(folder / "text")
    keys.write("F9 handled\n" * handled)

"""Starts a virtual X server: a display number picked without a race, a cookie that only our processes can read, no
TCP. Its end belongs to the `ProcessTree` it is started in."""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
import socket
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gui_environments.desktop.output import KeptOutput
from gui_environments.errors import EnvironmentUnavailable
from gui_environments.geometry import Size
from gui_environments.processes import ProcessTree, SupervisedProcess

START_S = 15.0
"""The bound on the server's start; it takes about 60 ms when the machine is idle."""

FAMILY_LOCAL = 256
FAMILY_WILD = 65535

DOTS_PER_INCH = 96


@dataclass(frozen=True)
class VirtualDisplay:
    """A running X server. `name` is what DISPLAY says (":3")."""

    name: str
    xauthority: Path
    process: SupervisedProcess
    output: KeptOutput


async def start_xvfb(
    tree: ProcessTree, directory: Path, screen: Size, environment: Mapping[str, str], output: KeptOutput
) -> VirtualDisplay:
    """An Xvfb that accepts clients when this returns. Its cookie file goes into `directory`, what it prints into
    `output`. Raises `EnvironmentUnavailable`."""
    if shutil.which("Xvfb", path=environment["PATH"]) is None:
        raise EnvironmentUnavailable("Xvfb is not installed. On Debian and Ubuntu: sudo apt-get install xvfb")
    xauthority = write_cookie(directory / "Xauthority")
    read_fd, write_fd = os.pipe2(os.O_CLOEXEC)
    try:
        try:
            process = await tree.start(
                xvfb_arguments(screen, xauthority),
                environment=environment,
                stdout=write_fd,
                stderr=output.write_fd,
                ended_last=True,
                x_server=True,
            )
        finally:
            os.close(write_fd)
            output.close_write_end()
        number = await read_display_number(read_fd)
    finally:
        os.close(read_fd)
    if number is None:
        raise EnvironmentUnavailable(
            f"Xvfb did not start with a screen of {screen} pixels. It said:\n{output.last_lines() or '(nothing)'}\n"
            "If it misses a library or the keyboard compiler: "
            "sudo apt-get install --reinstall xvfb xkb-data x11-xkb-utils"
        )
    return VirtualDisplay(f":{number}", xauthority, process, output)


def xvfb_arguments(screen: Size, xauthority: Path) -> list[str]:
    # The server writes the number it got to standard output, once clients can connect.
    arguments = ["Xvfb", "-displayfd", "1", "-auth", str(xauthority), "-nolisten", "tcp", "-noreset"]
    arguments += ["-screen", "0", f"{screen.width_px}x{screen.height_px}x24", "-dpi", str(DOTS_PER_INCH)]
    return arguments


def write_cookie(path: Path) -> Path:
    """A fresh cookie for any display number, since the number is not known before the server has read the file.

    Two entries: libX11, libxcb and Java look for this host's name, or the wild card when the name has changed since.
    """
    cookie = secrets.token_bytes(16)
    entries = b"".join(
        struct.pack(">H", family) + b"".join(struct.pack(">H", len(field)) + field for field in fields)
        for family, *fields in (
            (FAMILY_LOCAL, socket.gethostname().encode(), b"", b"MIT-MAGIC-COOKIE-1", cookie),
            (FAMILY_WILD, b"", b"", b"MIT-MAGIC-COOKIE-1", cookie),
        )
    )
    path.touch(mode=0o600, exist_ok=False)
    path.write_bytes(entries)
    return path


async def read_display_number(fd: int) -> int | None:
    """The line the server writes; None when it ends, or `START_S` passes, without one."""
    os.set_blocking(fd, False)
    loop = asyncio.get_running_loop()
    line = b""
    readable = asyncio.Event()
    loop.add_reader(fd, readable.set)
    try:
        async with asyncio.timeout(START_S):
            while not line.endswith(b"\n"):
                await readable.wait()
                readable.clear()
                try:
                    data = os.read(fd, 64)
                except BlockingIOError:  # woken twice for the same bytes
                    continue
                if not data:
                    return None
                line += data
    except TimeoutError:
        return None
    finally:
        loop.remove_reader(fd)
    return int(line)

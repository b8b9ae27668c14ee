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
from gui_environments.processes.tree import ProcessTree, SupervisedProcess

START_S = 15.0
"""The bound on the server's start; it takes about 60 ms when the machine is idle."""

SOCKETS = Path("/tmp/.X11-unix")  # noqa: S108 - every X server's, by convention

FAMILY_LOCAL = 256
FAMILY_WILD = 65535

LARGEST_PX = 32767
"""Coordinates of the protocol have 16 bits; Xvfb takes larger numbers and drops what does not fit."""

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
    if max(screen.width_px, screen.height_px) > LARGEST_PX:
        raise EnvironmentUnavailable(f"A screen has at most {LARGEST_PX} pixels a side, and {screen} was asked for.")
    if shutil.which("Xvfb", path=environment["PATH"]) is None:
        raise EnvironmentUnavailable("Xvfb is not installed. On Debian and Ubuntu: sudo apt-get install xvfb")
    xauthority = write_cookie(directory / "Xauthority")
    starting = asyncio.ensure_future(_start(tree, xvfb_arguments(screen, xauthority), environment, output.write_fd))
    try:
        process, number = await asyncio.shield(starting)
    except asyncio.CancelledError:
        # A server that is ended before it has said its number leaves its socket behind.
        await asyncio.wait([starting])
        raise
    finally:
        output.close_write_end()
    if number is None:
        raise EnvironmentUnavailable(
            f"Xvfb did not start with a screen of {screen} pixels. It said:\n{output.last_lines() or '(nothing)'}\n"
            "If it misses a library or the keyboard compiler: "
            "sudo apt-get install --reinstall xvfb xkb-data x11-xkb-utils"
        )
    return VirtualDisplay(f":{number}", xauthority, process, output)


async def _start(
    tree: ProcessTree, arguments: list[str], environment: Mapping[str, str], output_fd: int
) -> tuple[SupervisedProcess, int | None]:
    """The server, and the number of its display; None when it did not get so far."""
    read_fd, write_fd = os.pipe2(os.O_CLOEXEC)
    try:
        try:
            process = await tree.start(
                arguments, environment=environment, stdout=write_fd, stderr=output_fd, ended_last=True
            )
        finally:
            os.close(write_fd)
        number = await read_display_number(read_fd)
        if number is not None:
            # For a server that is killed; one that ends by itself removes it.
            await tree.remove_after(process, SOCKETS / f"X{number}")
    finally:
        os.close(read_fd)
    return process, number


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

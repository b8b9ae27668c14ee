"""Windows of several toolkits that tell what the pointer did in them. What a test sees is what an application saw."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gui_environments.desktop import Desktop
from gui_environments.geometry import ScreenPoint

PROBES = Path(__file__).parent / "probes"
# gi and PyQt5 are Debian packages of the system's Python.
SYSTEM_PYTHON = "/usr/bin/python3"
WITHIN_S = 20.0


async def eventually(condition: Callable[[], Any], what: str) -> Any:
    """What `condition` gives once it is true; looks every 5 ms and fails the test after `WITHIN_S`."""
    end = time.monotonic() + WITHIN_S
    while not (value := condition()):
        assert time.monotonic() < end, f"{what}: not within {WITHIN_S} s"
        await asyncio.sleep(0.005)
    return value


async def start_terminal(desktop: Desktop, folder: Path, geometry: str, prints: str) -> None:
    """An xterm in which the output of the shell command `prints` stands."""
    shown = folder / "shown"
    # It answers for the cursor's place once it has taken in what came before.
    ask = "stty -echo -icanon; printf '\\033[6n'; head -c 4 >/dev/null"
    script = f'{prints}; {ask}; touch "$0"; exec sleep 600'
    await desktop.start_application(["xterm", "-geometry", geometry, "-e", "sh", "-c", script, str(shown)])
    await eventually(shown.exists, "what the terminal shows")


@dataclass(frozen=True)
class Probe:
    """A running window; `places` says where its parts are: left, top, width, height in screen pixels."""

    lines: Path
    places: dict[str, Any]

    def told(self, *kinds: str) -> list[dict[str, Any]]:
        """All it told so far of these kinds, in order."""
        events = [json.loads(line) for line in self.lines.read_text().splitlines()]
        return [event for event in events if event["kind"] in kinds]

    def count(self, kind: str) -> int:
        return len(self.told(kind))

    def point(self, part: str, across: float, down: float) -> ScreenPoint:
        """A point in `part`, by its share of the width and height."""
        left, top, width, height = self.places[part]
        return ScreenPoint(left + round(width * across), top + round(height * down))

    async def has_told(self, kind: str, times: int = 1) -> None:
        await eventually(lambda: self.count(kind) >= times, f"{times} x {kind}; it told {self.told_in_short()}")

    def told_in_short(self) -> list[str]:
        return [event["kind"] for event in self.told("press", "release", "double", "triple", "drag", "scroll")]


async def start_probe(desktop: Desktop, toolkit: str, folder: Path, *options: str) -> Probe:
    lines = folder / f"{toolkit}.jsonl"
    lines.touch()
    program = PROBES / f"probe_{toolkit}.py"
    await desktop.start_application([SYSTEM_PYTHON, str(program), str(lines), *options], window_within_s=0)
    waiting = Probe(lines, {})
    await waiting.has_told("ready")
    return Probe(lines, waiting.told("ready")[-1])


@contextmanager
def bare_server(*options: str) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """An X server of 640x480 alone, with its display's name: no cookie, no window manager."""
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", "640x480x24", "-nolisten", "tcp", "-noreset", *options]
    server = subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL)
    try:
        os.close(write)
        yield ":" + os.read(read, 16).decode().strip(), server
    finally:
        os.close(read)
        server.kill()
        server.wait()

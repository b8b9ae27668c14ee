"""Small applications of every toolkit, each with one text field that tells what it received, on a desktop."""

from __future__ import annotations

import asyncio
import contextlib
import http.server
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tests.environments.desktop.browsers import chromium_program

from gui_environments.actions import PressKeys
from gui_environments.desktop import Desktop
from gui_environments.desktop.applications import Application
from gui_environments.desktop.connection import connect
from gui_environments.desktop.focus import find_focus
from gui_environments.desktop.properties import read_property

TOOLKITS = ("xterm", "tk", "gtk", "qt", "swing", "chromium")

APPLICATIONS = Path(__file__).parent / "applications"
# gi and PyQt5 are Debian packages of the system's Python.
SYSTEM_PYTHON = "/usr/bin/python3"


async def wait_until(condition: Callable[[], bool], what: str, timeout_s: float = 30.0) -> None:
    """Look every 2 ms; fail the test when `what` has not come about."""
    end = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < end, f"{what}: not within {timeout_s} s"
        await asyncio.sleep(0.002)


@dataclass(frozen=True)
class Entry:
    """A running application with one text field that has the keyboard."""

    toolkit: str
    desktop: Desktop
    folder: Path
    application: Application

    async def received(self) -> str:
        """All its field holds, once it has handled every key sent so far."""
        handled = self._count_handled()
        await self.desktop.perform(PressKeys("F9"), settle_s=0)
        await wait_until(lambda: self._count_handled() > handled, f"{self.toolkit} handles F9")
        text = self.folder / "text"
        return text.read_bytes().decode("utf-8", "surrogateescape") if text.exists() else ""

    async def keys(self) -> list[str]:
        """Every key event so far, `down a` and `up a`, in the toolkit's own names."""
        await self.received()
        lines = (self.folder / "keys").read_text(encoding="utf-8").splitlines()
        return [line for line in lines if "F9" not in line and "F8" not in line]

    async def takes_keys(self) -> None:
        """Chromium may lose keys for a moment after it has the focus and has drawn it."""
        keys = self.folder / "keys"

        def has_seen_one() -> bool:
            return keys.exists() and "down F8" in keys.read_text(encoding="utf-8")

        for _ in range(100):
            await self.desktop.perform(PressKeys("F8"), settle_s=0)
            with contextlib.suppress(AssertionError):
                return await wait_until(has_seen_one, "a key arrives", timeout_s=0.2)
        raise AssertionError("Chromium takes no keys")

    def _count_handled(self) -> int:
        keys = self.folder / "keys"
        return keys.read_text(encoding="utf-8").count("F9 handled") if keys.exists() else 0

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """The application does nothing while inside."""
        os.kill(self.application.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(self.application.pid, signal.SIGCONT)

    @asynccontextmanager
    async def sluggish(self) -> AsyncIterator[None]:
        """The application runs for a moment only, again and again, so that keys and changes of the map pile up."""

        async def stop_and_go() -> None:
            while True:
                with self.stopped():
                    await asyncio.sleep(0.06)
                await asyncio.sleep(0.004)

        task = asyncio.create_task(stop_and_go())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait([task])


@asynccontextmanager
async def entry(desktop: Desktop, toolkit: str, folder: Path) -> AsyncIterator[Entry]:
    """The application of `toolkit`, once its field has the keyboard. It ends with this."""
    folder = folder / toolkit
    folder.mkdir()
    title = f"{toolkit} entry"
    with ExitStack() as stack:
        stack.enter_context(_served(folder)) if toolkit == "chromium" else None
        application = await desktop.start_application(_command(toolkit, folder, title))
        try:
            await wait_until((folder / "focused").exists, f"{toolkit} starts")
            with _focused_title(desktop) as focused_title:
                await wait_until(lambda: focused_title() == title, f"{toolkit} has the focus")
            running = Entry(toolkit, desktop, folder, application)
            if toolkit == "chromium":
                await running.takes_keys()
            yield running
        finally:
            if application.returncode is None:
                os.kill(application.pid, signal.SIGKILL)
                await application.wait()


@contextmanager
def _focused_title(desktop: Desktop) -> Iterator[Callable[[], Any]]:
    display = connect(desktop.display, desktop.xauthority)

    def title() -> Any:
        focus = find_focus(display)
        if focus is None:
            return None
        window = display.create_resource_object("window", focus.top_level)
        named = read_property(window, "_NET_WM_NAME")
        return named.value.decode() if named is not None else window.get_wm_name()

    try:
        yield title
    finally:
        display.close()


def _command(toolkit: str, folder: Path, title: str) -> list[str]:
    match toolkit:
        case "tk" | "gtk" | "qt":
            return [SYSTEM_PYTHON, str(APPLICATIONS / f"entry_{toolkit}.py"), str(folder), title]
        case "bare":
            return [sys.executable, str(APPLICATIONS / "entry_bare.py"), str(folder), title]
        case "swing":
            return ["java", "-cp", str(_compiled_swing(folder)), "EntrySwing", str(folder), title]
        case "xterm":
            return ["xterm", "-T", title, "-e", SYSTEM_PYTHON, str(APPLICATIONS / "read_terminal.py"), str(folder)]
        case "chromium":
            return _chromium_command(folder, title)
    raise ValueError(toolkit)


def _compiled_swing(folder: Path) -> Path:
    """The classes of the Swing application, compiled once for all tests of this run."""
    classes = folder.parent.parent / "swing-classes"
    if not (classes / "EntrySwing.class").exists():
        subprocess.run(["javac", "-d", str(classes), str(APPLICATIONS / "EntrySwing.java")], check=True)
    return classes


def _chromium_command(folder: Path, title: str) -> list[str]:
    address = (folder / "address").read_text()
    return [
        chromium_program(),
        "--no-sandbox",
        "--no-first-run",
        "--no-default-browser-check",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        "--test-type",
        "--password-store=basic",
        f"--user-data-dir={folder / 'profile'}",
        "--window-size=700,500",
        f"--app={address}/entry.html?title={quote(title)}",
    ]


class _Receiver(http.server.BaseHTTPRequestHandler):
    """Serves the page and writes what it sends back. `folder` is set on a subclass made for one application."""

    folder: Path

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        if self.path.startswith("/entry.html"):
            self.wfile.write((APPLICATIONS / "entry.html").read_bytes())

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        name = self.path.strip("/")
        if name == "keys":
            with (self.folder / "keys").open("ab") as keys:
                keys.write(body)
        else:
            (self.folder / f"{name}.new").write_bytes(body)
            (self.folder / f"{name}.new").replace(self.folder / name)
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def _served(folder: Path) -> Iterator[None]:
    receiver = type("Receiver", (_Receiver,), {"folder": folder})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), receiver) as server:
        (folder / "address").write_text(f"http://127.0.0.1:{server.server_port}")
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield
        finally:
            server.shutdown()
            thread.join()

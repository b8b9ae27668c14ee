"""Small applications of every toolkit, each with one text field that tells what it received. Started on a display, ended
by process group."""

from __future__ import annotations

import http.server
import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

APPLICATIONS = Path(__file__).parent / "applications"
# gi and PyQt5 are Debian packages of the system's Python.
SYSTEM_PYTHON = "/usr/bin/python3"
START_TIMEOUT_S = 40.0


@dataclass(frozen=True)
class EntryApplication:
    """A running application. `text()` is what its field holds now."""

    toolkit: str
    title: str
    folder: Path
    process: subprocess.Popen[bytes]

    def text(self) -> str:
        try:
            return (self.folder / "text").read_bytes().decode("utf-8", "surrogateescape")
        except FileNotFoundError:
            return ""

    def keys(self) -> list[str]:
        """`down a`, `up a`, in the toolkit's own names."""
        return (self.folder / "keys").read_text(encoding="utf-8").splitlines()

    def count_handled(self) -> int:
        """How often the application has handled F9: the key a test sends to know that all before it was handled."""
        return self.keys().count("F9 handled") if (self.folder / "keys").exists() else 0


def wait_until(condition: Callable[[], bool], what: str, timeout_s: float = 20.0) -> None:
    """Look every 2 ms; fail the test when `what` has not come about."""
    end = time.monotonic() + timeout_s
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"{what}: not within {timeout_s} s")
        time.sleep(0.002)


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
def _served_page(folder: Path, title: str) -> Iterator[list[str]]:
    receiver = type("Receiver", (_Receiver,), {"folder": folder})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), receiver) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield [
                shutil.which("chromium") or "chromium",
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
                f"--app=http://127.0.0.1:{server.server_port}/entry.html?title={quote(title)}",
            ]
        finally:
            server.shutdown()
            thread.join()


def _compiled_swing(folder: Path) -> Path:
    """The classes of the Swing application, compiled once for all tests of this run beside their folders."""
    classes = folder.parent / "swing-classes"
    if not (classes / "EntrySwing.class").exists():
        subprocess.run(["javac", "-d", str(classes), str(APPLICATIONS / "EntrySwing.java")], check=True)
    return classes


def _command(toolkit: str, folder: Path, title: str) -> AbstractContextManager[list[str]]:
    where = [str(folder), title]
    match toolkit:
        case "tk":
            return nullcontext([SYSTEM_PYTHON, str(APPLICATIONS / "entry_tk.py"), *where])
        case "gtk":
            return nullcontext([SYSTEM_PYTHON, str(APPLICATIONS / "entry_gtk.py"), *where])
        case "qt":
            return nullcontext([SYSTEM_PYTHON, str(APPLICATIONS / "entry_qt.py"), *where])
        case "swing":
            return nullcontext(["java", "-cp", str(_compiled_swing(folder)), "EntrySwing", *where])
        case "chromium":
            return _served_page(folder, title)
        case "xterm":
            reader = str(APPLICATIONS / "read_terminal.py")
            return nullcontext(["xterm", "-T", title, "-e", SYSTEM_PYTHON, reader, str(folder)])
    raise ValueError(toolkit)


TOOLKITS = ("xterm", "tk", "gtk", "qt", "swing", "chromium")


@contextmanager
def entry_application(
    toolkit: str, folder: Path, environment: Mapping[str, str], focused_title: Callable[[], str | None]
) -> Iterator[EntryApplication]:
    """The application of `toolkit`, once its field has the keyboard. `environment` holds DISPLAY and what goes with it;
    `focused_title` tells the title of the window that the X server gives keys to."""
    title = f"{toolkit} entry {folder.name}"
    folder.mkdir(parents=True)
    with ExitStack() as stack:
        command = stack.enter_context(_command(toolkit, folder, title))
        log = stack.enter_context((folder / "log").open("wb"))
        process = subprocess.Popen(
            command,
            env={**os.environ, "NO_AT_BRIDGE": "1", **environment},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        stack.callback(_end_group, process)
        application = EntryApplication(toolkit, title, folder, process)
        wait_until(
            lambda: (folder / "focused").exists() and focused_title() == title,
            f"{title} has the focus",
            START_TIMEOUT_S,
        )
        yield application


def _end_group(process: subprocess.Popen[bytes]) -> None:
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()

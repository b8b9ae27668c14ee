"""The web site of the tour on loopback: two host addresses and a name, so that frames are of several sites."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

HOSTS = {"a": "127.0.0.1", "b": "127.0.0.2", "c": "localhost"}

FILE_PATH = "/file"
"""What lies below it is sent as a file to keep."""

DATA_PATH = "/data"
"""What lies below it is a few numbers, for pages that ask for some."""


class TourSite:
    """`pages` by path, the same on every host. Serves until `close`."""

    def __init__(self, pages: Mapping[str, str]) -> None:
        handler = _handler_of(self._answer)
        first = ThreadingHTTPServer((HOSTS["a"], 0), handler)
        self._port: int = first.server_address[1]
        self._servers = [first, ThreadingHTTPServer((HOSTS["b"], self._port), handler)]
        self._pages = {path: self._with_addresses(page) for path, page in pages.items()}
        for server in self._servers:
            server.daemon_threads = True
            threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def url(self, path: str, host: str = "a") -> str:
        return f"http://{HOSTS[host]}:{self._port}{path}"

    def close(self) -> None:
        for server in self._servers:
            server.shutdown()
            server.server_close()

    def _with_addresses(self, page: str) -> str:
        for host in HOSTS:
            page = page.replace("{" + host + "}", self.url("", host))
        return page

    def _answer(self, path: str) -> tuple[int, dict[str, str], str]:
        """Status, headers and body."""
        if path.startswith(FILE_PATH):
            name = path.rpartition("/")[2]
            return 200, {"Content-Disposition": f'attachment; filename="{name}"'}, "line of a file\n" * 200
        if path.startswith(DATA_PATH):
            return 200, {"Content-Type": "application/json"}, str([len(path) * n for n in range(200)])
        page = self._pages.get(path)
        return (404 if page is None else 200), {"Content-Type": "text/html; charset=utf-8"}, page or "not here"


def _handler_of(answer: Callable[[str], tuple[int, dict[str, str], str]]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            status, headers, body = answer(urlsplit(self.path).path)
            data = body.encode()
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(data)), "Cache-Control": "no-store"}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    return Handler

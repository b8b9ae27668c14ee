"""Pages on loopback for the bench: long ones, and one that polls. Served from threads until left."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from urllib.parse import parse_qs, urlsplit

POLL_MS = 100

POLLING = f"<script>setInterval(() => fetch('/poll?at=' + Date.now()).then((a) => a.text()), {POLL_MS})</script>"


def long_page(rows: int) -> str:
    body = "".join(
        f"<div><label for=i{n}>Name {n}</label><input id=i{n} value=v{n}><button>Save {n}</button>"
        f"<a href='#r{n}'>Open {n}</a></div>"
        for n in range(rows)
    )
    return f"<!doctype html><title>Rows</title>{body}"


class BenchSite:
    """`/rows?n=2000` is a long page, `/polling?n=20` one that asks for news as well."""

    def __init__(self) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._server.daemon_threads = True

    def __enter__(self) -> BenchSite:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    def rows(self, count: int) -> str:
        return self._url(f"/rows?n={count}")

    def polling(self, count: int) -> str:
        return self._url(f"/polling?n={count}")

    def _url(self, path: str) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}{path}"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        body = ""
        if parts.path in ("/rows", "/polling"):
            body = long_page(int(parse_qs(parts.query)["n"][0])) + (POLLING if parts.path == "/polling" else "")
        data = body.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        pass

"""A small web site on loopback, for pages that tests write: several host names, so that frames are of several sites."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

HOSTS = {"a": "127.0.0.1", "b": "127.0.0.2", "c": "localhost"}


class Site:
    """Pages by path, the same on every host of `HOSTS`, all on one port."""

    def __init__(self) -> None:
        self.pages: dict[str, str] = {}
        self.requests: list[str] = []
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                path = urlsplit(self.path).path
                site.requests.append(self.path)
                body = site.pages.get(path)
                self.send_response(404 if body is None else 200)
                data = (body or "not here").encode()
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(data)))
                self.send_header("Cache-Control", "no-store")
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: object) -> None:
                pass

        first = ThreadingHTTPServer((HOSTS["a"], 0), Handler)
        self.port = first.server_address[1]
        self._servers = [first, ThreadingHTTPServer((HOSTS["b"], self.port), Handler)]
        for server in self._servers:
            server.daemon_threads = True
            threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def url(self, path: str, host: str = "a") -> str:
        return f"http://{HOSTS[host]}:{self.port}{path}"

    def put(self, path: str, body: str, host: str = "a") -> str:
        """Serve a page, `{a}`, `{b}` and `{c}` in it being the hosts' addresses; its address on `host`."""
        for name in HOSTS:
            body = body.replace("{" + name + "}", self.url("", name))
        self.pages[path] = body if body.lstrip().lower().startswith("<!doctype") else "<!doctype html>" + body
        return self.url(path, host)

    def close(self) -> None:
        for server in self._servers:
            server.shutdown()
            server.server_close()

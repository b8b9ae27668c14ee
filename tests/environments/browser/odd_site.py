"""A server on loopback for answers that are no plain page: redirects, files, errors, silence."""

from __future__ import annotations

import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Answer = Callable[[BaseHTTPRequestHandler], None]


def send(
    handler: BaseHTTPRequestHandler, status: int = 200, body: bytes = b"", media_type: str = "text/html", **headers: str
) -> None:
    """`Content_Disposition="..."` becomes the header of that name."""
    handler.send_response(status)
    if status not in (204, 205):
        handler.send_header("Content-Type", media_type)
        handler.send_header("Content-Length", str(len(body)))
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    if status not in (204, 205):
        handler.wfile.write(body)


class OddSite:
    """Answers by path: `site.on("/gone", lambda handler: send(handler, 410))`."""

    def __init__(self, host: str = "127.0.0.1") -> None:
        answers: dict[str, Answer] = {}
        self.answers = answers
        self.headers: list[dict[str, str]] = []
        self.bodies: list[bytes] = []
        self.paths: list[str] = []
        self.ended = threading.Event()
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                site.headers.append(dict(self.headers))
                site.paths.append(self.path)
                answer = answers.get(self.path.partition("?")[0])
                try:
                    if answer is None:
                        send(self, 404, b"not here")
                    else:
                        answer(self)
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True  # the browser went on

            def do_POST(self) -> None:
                site.bodies.append(self.rfile.read(int(self.headers.get("Content-Length", 0))))
                self.do_GET()

            def do_OPTIONS(self) -> None:
                self.do_GET()

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer((host, 0), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def on(self, path: str, answer: Answer) -> str:
        self.answers[path] = answer
        return self.url(path)

    def page(self, path: str, body: str) -> str:
        return self.on(path, lambda handler: send(handler, body=b"<!doctype html>" + body.encode()))

    def redirect(self, path: str, to: str, status: int = 302) -> str:
        return self.on(path, lambda handler: send(handler, status, Location=to))

    def hang(self, path: str) -> str:
        """Accepts the request and says nothing until the site ends."""
        return self.on(path, lambda handler: (self.ended.wait(), None)[1])

    def file(self, path: str, name: str, data: bytes) -> str:
        disposition = f'attachment; filename="{name}"'
        return self.on(
            path, lambda h: send(h, body=data, media_type="application/octet-stream", Content_Disposition=disposition)
        )

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    def close(self) -> None:
        self.ended.set()
        self._server.shutdown()
        self._server.server_close()

"""The web site of the sample: a server on loopback for the shop's pages and, under another host name, the payment
provider's frame. One connection a thread; nothing but loopback reaches it."""

from __future__ import annotations

import json
import sys
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

from gui_environments.samples.accounts import pages
from gui_environments.samples.accounts.applications import (
    LARGEST_FILE_BYTES,
    InvalidApplication,
    application_of,
    require_papers,
)
from gui_environments.samples.accounts.book import AccountsBook, Received
from gui_environments.samples.accounts.form_data import NoForm, read_form_data
from gui_environments.samples.accounts.payments import InvalidAccount, Payments, bank_account_of

SHOP_HOST = "127.0.0.1"
PAYMENT_HOST = "localhost"
"""Another site than the shop's to a browser, on the same port."""

LARGEST_BODY_BYTES = LARGEST_FILE_BYTES + 2**20
LOOK_FOR_END_S = 0.1

ASSETS = {
    "/style.css": "text/css",
    "/application.js": "text/javascript",
    "/payment.js": "text/javascript",
    "/terms": "text/html",
    "/payment": "text/html",
}


class AccountsSite:
    """`url` can be opened from construction on; requests are answered while `serve` runs. `port` 0 is a free one."""

    def __init__(self, folder: Path, port: int = 0) -> None:
        self.book = AccountsBook(folder)
        self.payments = Payments()
        self._server = _Server((SHOP_HOST, port), self)
        self.port: int = self._server.server_address[1]
        self.url = f"http://{SHOP_HOST}:{self.port}/"
        self.payment_url = f"http://{PAYMENT_HOST}:{self.port}/payment"

    def serve(self) -> None:
        """Until `close` is called from another thread."""
        self._server.serve_forever(poll_interval=LOOK_FOR_END_S)

    def stop(self) -> None:
        """End `serve`, and wait until it has ended."""
        self._server.shutdown()

    def __enter__(self) -> AccountsSite:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.server_close()

    def receive(self, content_type: str, body: bytes) -> Received:
        """Take what the form sent; raises `InvalidApplication` or `NoForm`."""
        data = read_form_data(content_type, body)
        application = application_of(data.texts)
        licence = require_papers(data.files.get("licence"))
        account = self.payments.account("".join(data.texts.get("payment_token", ())))
        if account is None:
            raise InvalidApplication({"payment": "It is missing."})
        return self.book.enter(application, account, licence)


class _Server(ThreadingHTTPServer):
    # Browsers keep connections open: their threads are not waited for.
    daemon_threads = True

    def __init__(self, address: tuple[str, int], site: AccountsSite) -> None:
        self.site = site
        super().__init__(address, _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Who leaves before the answer has been read breaks nothing."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        if path == "/":
            self._answer(HTTPStatus.OK, "text/html", pages.application_page(self.server.site.payment_url))
        elif path in ASSETS:
            self._send_asset(path)
        else:
            self._send_received(path)

    def do_POST(self) -> None:
        body = self._body()
        if body is None:
            return
        path = urlsplit(self.path).path
        if path == "/applications":
            self._receive(body)
        elif path == "/payment/tokens":
            self._answer(HTTPStatus.OK, "application/json", json.dumps(self._token(body)))
        else:
            self._refuse(HTTPStatus.NOT_FOUND, {"address": "There is nothing here."})

    def _send_asset(self, path: str) -> None:
        kind = ASSETS[path]
        name = f"{path}.html" if kind == "text/html" else path
        self._answer(HTTPStatus.OK, kind, (pages.FOLDER / name.removeprefix("/")).read_text(encoding="utf-8"))

    def _send_received(self, path: str) -> None:
        """`/applications/NUMBER`, or `/applications/NUMBER/confirmation`."""
        _, first, number, *rest = *path.split("/"), "", ""
        received = self.server.site.book.find(number) if first == "applications" else None
        if received is None or rest[0] not in ("", "confirmation"):
            self._refuse(HTTPStatus.NOT_FOUND, {"address": "There is nothing here."})
        elif rest[0]:
            name = f"confirmation-{received.number}.txt"
            self._answer(
                HTTPStatus.OK,
                "text/plain",
                pages.confirmation(received),
                **{"Content-Disposition": f'attachment; filename="{name}"'},
            )
        else:
            self._answer(HTTPStatus.OK, "text/html", pages.received_page(received))

    def _receive(self, body: bytes) -> None:
        try:
            received = self.server.site.receive(self.headers.get("Content-Type", ""), body)
        except InvalidApplication as error:
            self._refuse(HTTPStatus.UNPROCESSABLE_ENTITY, error.problems)
        except NoForm as error:
            self._refuse(HTTPStatus.BAD_REQUEST, {"form": str(error)})
        else:
            self._answer(HTTPStatus.SEE_OTHER, "text/plain", "", Location=f"/applications/{received.number}")

    def _token(self, body: bytes) -> dict[str, str]:
        try:
            sent = json.loads(body)
            account = bank_account_of(sent if isinstance(sent, dict) else {})
        except InvalidAccount as error:
            return {"problem": str(error)}
        except (ValueError, RecursionError):
            return {"problem": "The account cannot be read."}
        return {"token": self.server.site.payments.keep(account)}

    def _body(self) -> bytes | None:
        """None when it was refused."""
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit() and int(length[:12]) <= LARGEST_BODY_BYTES):
            # What was not read would be taken for the next request.
            self.close_connection = True
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, {"form": "It is too large."})
            return None
        return self.rfile.read(int(length))

    def _refuse(self, status: HTTPStatus, problems: dict[str, str]) -> None:
        self._answer(status, "text/html", pages.refused_page(problems))

    def _answer(self, status: HTTPStatus, kind: str, text: str, **headers: str) -> None:
        data = text.encode("utf-8")
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Cache-Control", "no-store")
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002  # the base class's name
        """Nothing: standard error is for what goes wrong."""

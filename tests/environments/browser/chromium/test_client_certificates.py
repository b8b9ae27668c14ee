"""A server that wants a certificate of its client gets none, and nobody is asked for one."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from environments.browser.chromium.test_launch import display_of
from environments.browser.odd_site import send
from environments.browser.watching.test_surfaces import wait_until_only_the_page_shows
from environments.egress.certificates import make_certificates
from gui_environments.browser import Browser
from gui_environments.desktop import Desktop
from gui_environments.errors import ActionFailed
from loopback import LOOPBACK_RULES

VIEWPORT = (800, 500)

GREEN = b"<!doctype html><title>Green</title><body style='background: #0a0'>"


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        pass  # a handshake that failed is what is tested


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        send(self, body=GREEN)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def server_that_wants(certificates: ssl.VerifyMode, directory: Path) -> Iterator[str]:
    made = make_certificates(directory)
    context = made.server()
    context.load_verify_locations(made.authority)
    context.verify_mode = certificates
    server = Server(("127.0.0.1", 0), Handler)
    # Each connection shakes hands in its own thread.
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        yield f"https://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()


async def check(browser: Browser, directory: Path) -> None:
    with server_that_wants(ssl.CERT_REQUIRED, directory) as address, pytest.raises(ActionFailed, match="error page"):
        await browser.navigate(address)
    with server_that_wants(ssl.CERT_OPTIONAL, directory) as address:
        navigated = await browser.navigate(address)
    assert (navigated.title, navigated.status) == ("Green", 200)


async def test_a_certificate_that_is_required_is_an_error_and_one_that_is_wished_for_is_done_without(
    tmp_path: Path,
) -> None:
    async with Browser.open(VIEWPORT, arguments=["--ignore-certificate-errors"], rules=LOOPBACK_RULES) as browser:
        await check(browser, tmp_path)


async def test_on_a_screen_no_window_asks_for_one(tmp_path: Path) -> None:
    async with (
        Desktop.open((1000, 760)) as desktop,
        Browser.open(
            VIEWPORT,
            headless=False,
            environment=display_of(desktop),
            arguments=["--ignore-certificate-errors"],
            rules=LOOPBACK_RULES,
        ) as browser,
    ):
        await check(browser, tmp_path)
        await wait_until_only_the_page_shows(desktop, VIEWPORT)

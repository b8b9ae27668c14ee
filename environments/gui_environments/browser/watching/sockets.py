"""The web sockets of pages, of their frames and workers, as entries of the network log: what became of each, and how
many messages went each way. Never a message."""

from __future__ import annotations

from dataclasses import dataclass, field

from playwright.async_api import BrowserContext, Page, WebSocket

from gui_environments.browser.navigating.net_errors import net_error_code
from gui_environments.browser.tabs.tab import Tab, Tabs
from gui_environments.browser.watching.logs import Logs, one_line, shown_address

REASON_LIMIT = 120
"""Characters of what the browser says of a connection that failed."""


@dataclass
class SocketEntry:
    """One socket. `waits`: whether it stands in the log, unread."""

    url: str
    sent: int = 0
    received: int = 0
    failure: str | None = None
    closed: bool = False
    waits: bool = field(default=False, compare=False)

    def __str__(self) -> str:
        messages = f"{self.sent:,} sent, {self.received:,} received"
        if self.failure is not None:
            result = f"failed ({self.failure})" + (f", {messages}" if self.sent or self.received else "")
        elif self.closed:
            result = f"closed, {messages}"
        elif self.sent or self.received:
            result = f"open, {messages}"
        else:
            result = "no message yet"
        return f"CONNECT {self.url} -> {result} [websocket]"


class Sockets:
    """Listens to every tab from the moment it is made. A socket is told again when something has happened to it."""

    def __init__(self, context: BrowserContext, tabs: Tabs, logs: Logs[object]) -> None:
        self._tabs = tabs
        self._logs = logs
        for page in context.pages:
            self._follow(page)
        context.on("page", self._follow)

    def _follow(self, page: Page) -> None:
        page.on("websocket", lambda socket: self._take(page, socket))

    def _take(self, page: Page, socket: WebSocket) -> None:
        tab = self._tabs.of(page)
        if tab is None:
            return
        entry = SocketEntry(shown_address(socket.url))

        def count_sent(_: object) -> None:
            entry.sent += 1
            self._tell(tab, entry)

        def count_received(_: object) -> None:
            entry.received += 1
            self._tell(tab, entry)

        def note_failure(error: str) -> None:
            entry.failure = net_error_code(error) or one_line(error, REASON_LIMIT)
            self._tell(tab, entry)

        def note_close(_: object) -> None:
            entry.closed = True
            self._tell(tab, entry)

        socket.on("framesent", count_sent)
        socket.on("framereceived", count_received)
        socket.on("socketerror", note_failure)
        socket.on("close", note_close)
        self._tell(tab, entry)

    def _tell(self, tab: Tab, entry: SocketEntry) -> None:
        if not entry.waits:
            entry.waits = True
            self._logs.add(tab, entry)

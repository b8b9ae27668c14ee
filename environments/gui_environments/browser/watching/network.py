"""What pages request, kept until read: method, address, status, type. Never a body, a header's value or a cookie; of
redirects, where they lead.

Frames and workers are listened to as well. What a shared worker requests for itself is not seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urljoin

from playwright.async_api import BrowserContext, Error, Request, Response

from gui_environments.browser.navigating.net_errors import net_error_code
from gui_environments.browser.tabs.tab import Tabs
from gui_environments.browser.tabs.traffic import Hearer
from gui_environments.browser.watching.logs import ENTRY_LIMIT, Logs, one_line, show_lines, shown_address
from gui_environments.browser.watching.sockets import SocketEntry, Sockets

MISSED = "(what was requested then is missing: it came faster than it can be kept)"


@dataclass
class _Exchange:
    """One request and what has become of it so far. `listed`: whether it has been told to belong to a tab; `lost`:
    nobody hears any more what becomes of it."""

    method: str
    url: str
    resource: str
    status: int | None = None
    media_type: str = ""
    leads_to: str = ""
    failure: str | None = None
    listed: bool = False
    lost: bool = False

    @property
    def ended(self) -> bool:
        return self.lost or self.status is not None or self.failure is not None

    def __str__(self) -> str:
        if self.failure is not None:
            result = f"failed ({self.failure})" if self.status is None else f"{self.status}, failed ({self.failure})"
        elif self.status is None:
            result = "not known" if self.lost else "no answer yet"
        elif self.leads_to:
            result = f"{self.status} to {self.leads_to}"
        else:
            result = f"{self.status} {self.media_type}".rstrip()
        return f"{self.method} {self.url} -> {result} [{self.resource}]"


class Network(Hearer):
    """Hears of every tab from the moment it is made."""

    def __init__(self, context: BrowserContext, tabs: Tabs) -> None:
        self._tabs = tabs
        self._logs: Logs[object] = Logs()
        self._going: dict[Request, _Exchange] = {}
        self._sockets = Sockets(context, tabs, self._logs)
        tabs.traffic.tell(self)

    def read(self, tab_id: str | None) -> str:
        """What came since this was last asked, one line an entry; what has no answer yet is told again when it has.
        Raises `ActionRefused` for no such tab."""
        tab = self._tabs.tab(tab_id)
        log = self._logs.take(tab)
        text = show_lines([str(entry) for entry in log.entries], log.lost, "(no new requests)")
        for entry in log.entries:
            if isinstance(entry, SocketEntry):
                entry.waits = False
            elif isinstance(entry, _Exchange) and not entry.ended:
                self._logs.add(tab, entry)
        return text

    def hear_no_more(self, pause_s: float, *, loudest: bool) -> None:
        for tab in self._tabs.all:
            self._logs.add(tab, MISSED)
        for exchange in self._going.values():
            exchange.lost = True
        self._going.clear()

    def hear_request(self, request: Request) -> None:
        exchange = _Exchange(request.method, shown_address(request.url), request.resource_type)
        if len(self._going) >= ENTRY_LIMIT:
            self._going.pop(next(iter(self._going)))
        self._going[request] = exchange
        self._list(request, exchange)

    def _list(self, request: Request, exchange: _Exchange) -> None:
        """The first request of a tab is made before there is the tab: it is listed when something becomes of it."""
        if exchange.listed:
            return
        try:
            tab = self._tabs.of(request.frame.page)
        except Error:
            return
        if tab is not None:
            exchange.listed = True
            self._logs.add(tab, exchange)

    def hear_response(self, response: Response) -> None:
        exchange = self._going.get(response.request)
        if exchange is None:
            return
        exchange.status = response.status
        headers = response.headers
        exchange.media_type = one_line(headers.get("content-type", "").partition(";")[0].strip(), 80)
        if 300 <= response.status < 400 and "location" in headers:
            exchange.leads_to = shown_address(urljoin(response.url, headers["location"]))
        self._list(response.request, exchange)

    def hear_end(self, request: Request) -> None:
        exchange = self._going.pop(request, None)
        if exchange is not None:
            self._list(request, exchange)

    def hear_failure(self, request: Request) -> None:
        exchange = self._going.pop(request, None)
        if exchange is not None:
            failure = request.failure or ""
            exchange.failure = net_error_code(failure) or one_line(failure, 80) or "unknown"
            self._list(request, exchange)

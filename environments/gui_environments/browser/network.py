"""What pages request, kept until read: method, address, status, type. Never a body, a header's value or a cookie."""

from __future__ import annotations

from dataclasses import dataclass

from playwright.async_api import BrowserContext, Error, Request, Response

from gui_environments.browser.logs import ENTRY_LIMIT, Logs, one_line, show_lines
from gui_environments.browser.net_errors import net_error_code
from gui_environments.browser.redaction import redact_url
from gui_environments.browser.tabs import Tab, Tabs

ADDRESS_LIMIT = 300
"""Characters of an address that are shown."""


@dataclass
class _Exchange:
    """One request and what has become of it so far."""

    method: str
    url: str
    resource: str
    status: int | None = None
    media_type: str = ""
    failure: str | None = None

    def __str__(self) -> str:
        if self.failure is not None:
            result = f"failed ({self.failure})" if self.status is None else f"{self.status}, failed ({self.failure})"
        elif self.status is None:
            result = "no answer yet"
        else:
            result = f"{self.status} {self.media_type}".rstrip()
        return f"{self.method} {self.url} -> {result} [{self.resource}]"


class Network:
    """Listens to every tab from the moment it is made."""

    def __init__(self, context: BrowserContext, tabs: Tabs) -> None:
        self._tabs = tabs
        self._logs: Logs[_Exchange] = Logs()
        self._going: dict[Request, _Exchange] = {}
        context.on("request", self._take_request)
        context.on("response", self._take_response)
        context.on("requestfinished", self._take_end)
        context.on("requestfailed", self._take_failure)

    def read(self, tab_id: str | None) -> str:
        """What came since this was last asked, one line an entry; what has no answer yet is told again when it has.
        Raises `ActionRefused` for no such tab."""
        tab = self._tabs.tab(tab_id)
        log = self._logs.take(tab)
        text = show_lines([str(exchange) for exchange in log.entries], log.lost, "(no new requests)")
        for exchange in log.entries:
            if exchange.status is None and exchange.failure is None:
                self._logs.add(tab, exchange)
        return text

    def _take_request(self, request: Request) -> None:
        url = one_line(redact_url(request.url[: 10 * ADDRESS_LIMIT]), ADDRESS_LIMIT)
        exchange = _Exchange(request.method, url, request.resource_type)
        tab = self._tab_of(request)
        if tab is None:
            return
        if len(self._going) >= ENTRY_LIMIT:
            self._going.pop(next(iter(self._going)))
        self._going[request] = exchange
        self._logs.add(tab, exchange)

    def _tab_of(self, request: Request) -> Tab | None:
        """None for a service worker's request, and for one of a tab that is only just opening."""
        try:
            return self._tabs.of(request.frame.page)
        except Error:
            return None

    def _take_response(self, response: Response) -> None:
        exchange = self._going.get(response.request)
        if exchange is not None:
            exchange.status = response.status
            exchange.media_type = one_line(response.headers.get("content-type", "").partition(";")[0].strip(), 80)

    def _take_end(self, request: Request) -> None:
        self._going.pop(request, None)

    def _take_failure(self, request: Request) -> None:
        exchange = self._going.pop(request, None)
        if exchange is not None:
            failure = request.failure or ""
            exchange.failure = net_error_code(failure) or one_line(failure, 80) or "unknown"

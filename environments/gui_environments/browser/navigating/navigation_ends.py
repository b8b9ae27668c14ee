"""How a navigation ended: what Playwright reports of it, and what its errors mean, in words. Starts none."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass

from playwright.async_api import Download, Error, Request, Response

from gui_environments.browser.cdp import CdpError, SessionGone
from gui_environments.browser.navigating.net_errors import describe_net_error, net_error_code
from gui_environments.browser.tabs.tab import Tab
from gui_environments.browser.tabs.traffic import Hearer
from gui_environments.egress.addresses import address_of
from gui_environments.egress.asking import why_no_tunnel
from gui_environments.egress.http_end import RULE_HEADER
from gui_environments.egress.proxy import ProxyAddress
from gui_environments.errors import ActionFailed

DOWNLOAD_S = 1.0
"""How long a download that is starting may take to be heard of."""

SHOWN = 300
"""Characters of an address in a sentence."""


PROXYS_WORDS_S = 3.0
"""How long its answer, which is there, may take to be handed on."""

NO_DOCUMENT = (204, 205)
"""Statuses by which a server leaves the page as it is."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a navigation ended. `stayed`: with the document that was there before."""

    response: Response | None
    notes: tuple[str, ...] = ()
    stayed: bool = False


class NavigationWatch(Hearer):
    """What became of the requests for the tab's main document while a navigation went on, as far as it is heard of."""

    def __init__(self, tab: Tab) -> None:
        self._page = tab.page
        self._traffic = tab.traffic
        self.responses: list[Response] = []
        self.failed: Request | None = None
        self.downloading = asyncio.Event()

    def __enter__(self) -> NavigationWatch:
        # To listen to the page beside the others would bring on what they may have paused.
        self._traffic.tell(self)
        self._page.on("download", self._note_download)
        return self

    def __exit__(self, *_: object) -> None:
        self._traffic.tell_no_more(self)
        self._page.remove_listener("download", self._note_download)

    @property
    def last_response(self) -> Response | None:
        return self.responses[-1] if self.responses else None

    def _is_document(self, request: Request) -> bool:
        try:
            return request.is_navigation_request() and request.frame is self._page.main_frame
        except Error:
            return False  # of a tab that is only just opening

    def hear_response(self, response: Response) -> None:
        if self._is_document(response.request):
            self.responses.append(response)

    def _note_download(self, _: Download) -> None:
        self.downloading.set()

    def hear_failure(self, request: Request) -> None:
        if self._is_document(request):
            self.failed = request


async def explain_error(
    tab: Tab, error: Error, watch: NavigationWatch, before: str, asked_for: str | None, proxy: ProxyAddress | None
) -> Ended:
    """What an error of Playwright's means: nothing bad, or `ActionFailed` in words."""
    message = error.message
    if "crash" in message.lower() and not await tab.crashes():
        return Ended(watch.last_response, ("A frame of the page that was left, or of this one, crashed meanwhile.",))
    if tab.crashed:
        raise ActionFailed(f"The page in {tab.tab_id} crashed while it was loading. Open another tab.") from error
    if tab.closed:
        raise ActionFailed(f"{tab.tab_id} was closed while it was loading.") from error
    if "Download is starting" in message:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(watch.downloading.wait(), DOWNLOAD_S)
        note = "The address is that of a file, which is downloaded; the tab shows what it showed before."
        return Ended(None, (note,), stayed=True)
    if "interrupted by another navigation" in message:
        return Ended(None, ("The page itself went on to another address.",))
    if "Timeout" in message and net_error_code(message) is None:
        await _stop_loading(tab)
        raise ActionFailed(
            f"The server did not answer in time, and loading was stopped; the tab shows {shown_address(tab.page.url)}."
        ) from error
    code = net_error_code(message) or ""
    if code == "ABORTED" and watch.responses and watch.responses[-1].status in NO_DOCUMENT:
        last = watch.responses[-1]
        note = f"The server sent no page (status {last.status}); the tab shows what it showed before."
        return Ended(last, (note,), stayed=True)
    if code in ("ABORTED", ""):
        raise ActionFailed(f"Loading was broken off; the tab shows {shown_address(tab.page.url)}.") from error
    failed = address_of(watch.failed.url if watch.failed is not None else asked_for or before)
    words = None
    if code == "TUNNEL_CONNECTION_FAILED" and proxy is not None and failed is not None:
        words = await why_no_tunnel(proxy, failed)
    words = words or describe_net_error(code, "the server" if failed is None else failed.host_and_port)
    raise ActionFailed(f"{words} The tab shows an error page, or what it showed before.") from error


async def require_answer_of_host(ended: Ended) -> None:
    """Raises `ActionFailed` when it was the proxy that answered: the host was not reached."""
    if ended.response is None or RULE_HEADER.decode().lower() not in ended.response.headers:
        return
    try:
        async with asyncio.timeout(PROXYS_WORDS_S):
            words = (await ended.response.text()).strip()
    except (Error, TimeoutError):
        words = "The proxy refused the request, or could not carry it out."
    raise ActionFailed(f"{words} The tab shows no page of that host's.")


async def _stop_loading(tab: Tab) -> None:
    try:
        async with asyncio.timeout(1.0):
            await (await tab.frames.page_session()).send("Page.stopLoading")
    except (CdpError, SessionGone, TimeoutError):
        return  # it is not loading any more, or nothing can be asked of it


def shown_address(url: str) -> str:
    return url if len(url) <= SHOWN else url[:SHOWN] + "..."

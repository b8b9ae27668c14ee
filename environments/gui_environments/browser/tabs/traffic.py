"""The requests of all tabs, told to whoever wants to hear of them: listened to in one place, within bounds."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from typing import Any

from playwright.async_api import BrowserContext, Error, Page, Request, Response

from gui_environments.browser.tabs.floods import RECENT, Bound, BoundedListening

BOUND = Bound(most=2_500, per_s=200.0)
"""Three or four events a request."""


class Hearer:
    """Hears nothing but what a class of its own takes."""

    def hear_request(self, request: Request) -> None:
        """It begins."""

    def hear_response(self, response: Response) -> None:
        """It is answered; the answer is still to be read."""

    def hear_end(self, request: Request) -> None:
        """Its answer has been read."""

    def hear_failure(self, request: Request) -> None:
        """It has no answer, or not all of one."""

    def hear_no_more(self, pause_s: float, *, loudest: bool) -> None:
        """For so long: neither of requests that are under way nor of others. `loudest`: of what
        came last, its page made the most."""


class Traffic:
    """Of one browser context, from the moment it is made."""

    def __init__(self, context: BrowserContext) -> None:
        self._everybody: list[Hearer] = []
        self._by_page: dict[Page, Hearer] = {}
        self._recent: deque[Hearer] = deque(maxlen=RECENT)
        """Those of whose pages the last events were."""
        listeners: dict[str, Callable[[Any], None]] = {
            "request": self._take_request,
            "response": self._take_response,
            "requestfinished": self._take_end,
            "requestfailed": self._take_failure,
        }
        self._listening = BoundedListening(context, listeners, lambda: BOUND, self._tell_of_pause)

    @property
    def is_heard(self) -> bool:
        """Whether it is listened to now."""
        return self._listening.on

    def tell(self, hearer: Hearer) -> None:
        """Of all requests."""
        self._everybody.append(hearer)

    def tell_no_more(self, hearer: Hearer) -> None:
        self._everybody = [other for other in self._everybody if other is not hearer]

    def tell_of_page(self, page: Page, hearer: Hearer) -> None:
        """Of that page's, until it is closed."""
        self._by_page[page] = hearer
        page.on("close", self._forget)

    def _forget(self, page: Page) -> None:
        self._by_page.pop(page, None)

    def _hearers(self, request: Request) -> list[Hearer]:
        try:
            hearer = self._by_page.get(request.frame.page)
        except Error:
            hearer = None  # a service worker's, or of a tab that is only just opening
        if hearer is None:
            return self._everybody
        self._recent.append(hearer)
        return [*self._everybody, hearer]

    def _take_request(self, request: Request) -> None:
        for hearer in self._hearers(request):
            hearer.hear_request(request)

    def _take_response(self, response: Response) -> None:
        for hearer in self._hearers(response.request):
            hearer.hear_response(response)

    def _take_end(self, request: Request) -> None:
        for hearer in self._hearers(request):
            hearer.hear_end(request)

    def _take_failure(self, request: Request) -> None:
        for hearer in self._hearers(request):
            hearer.hear_failure(request)

    def _tell_of_pause(self, pause_s: float) -> None:
        loudest = next((hearer for hearer, _ in Counter(self._recent).most_common(1)), None)
        self._recent.clear()
        for hearer in [*self._everybody, *self._by_page.values()]:
            hearer.hear_no_more(pause_s, loudest=hearer is loudest)

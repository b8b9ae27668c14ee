"""What pages ask of the browser or the system that nobody can answer here (printing, passkeys, permissions, pickers,
other programs, HTTP authentication): denied at once, never shown natively, and noted.

The browser's switches and preferences deny; the script that runs in every page beside the page's own notices. A page
that gets round the script is still denied.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from playwright.async_api import BrowserContext, Error, Page, Response

from gui_environments.browser.events import EventLog, SurfaceDenied
from gui_environments.browser.tabs.tab import Tabs
from gui_environments.browser.tabs.traffic import Hearer

BINDING = "guiEnvironmentsSurface"

WORDS = {
    "window": "a new window without having been clicked",
    "print": "itself to be printed",
    "passkey": "a passkey or another way of signing in that the system would show",
    "payment": "a payment that the browser would carry out",
    "files": "access to files or directories of this machine",
    "dropped": "files of this machine that were dropped on it",
    "pasted": "files of this machine that were pasted into it",
    "location": "the location of this machine",
    "media": "a camera or microphone",
    "clipboard": "what is on the clipboard",
}
"""What the script may report, by its name for it."""

AUTHENTICATION = "a user name and password by HTTP authentication"

NOTED_LIMIT = 20
"""How often one page is noted for one thing."""


class Surfaces(Hearer):
    """Listens to every tab from the moment `watch_surfaces` made it."""

    def __init__(self, tabs: Tabs, events: EventLog) -> None:
        self._tabs = tabs
        self._events = events
        self._noted: dict[Page, tuple[str, dict[str, int]]] = {}

    def take_report(self, source: dict[str, Any], kind: object, detail: object = "") -> None:
        """What the script tells; pages could tell it too, so it chooses among our words."""
        page: Page = source["page"]
        if kind == "program" and isinstance(detail, str) and re.fullmatch(r"[a-zA-Z][a-zA-Z0-9+.-]{0,30}:", detail):
            self._note(page, f"another program, for a {detail.lower()} address")
        elif isinstance(kind, str) and kind in WORDS:
            self._note(page, WORDS[kind])

    def hear_response(self, response: Response) -> None:
        if response.status != 401 or "www-authenticate" not in response.headers:
            return
        try:
            page = response.frame.page
        except Error:
            return  # a service worker's
        self._note(page, AUTHENTICATION)

    def _note(self, page: Page, what: str) -> None:
        tab = self._tabs.of(page)
        if tab is None:
            return
        url, counts = self._noted.get(page, ("", {}))
        if url != page.url:
            self._noted = {known: noted for known, noted in self._noted.items() if not known.is_closed()}
            counts = {}
        counts[what] = counts.get(what, 0) + 1
        self._noted[page] = (page.url, counts)
        if counts[what] <= NOTED_LIMIT:
            self._events.note(SurfaceDenied(tab.tab_id, what))


async def watch_surfaces(context: BrowserContext, tabs: Tabs, events: EventLog) -> Surfaces:
    """For documents that load from now on."""
    surfaces = Surfaces(tabs, events)
    await context.expose_binding(BINDING, surfaces.take_report)
    await context.add_init_script(_script())
    tabs.traffic.tell(surfaces)
    return surfaces


@cache
def _script() -> str:
    return Path(__file__).with_name("surfaces.js").read_text(encoding="utf-8")

"""What pages write to their consoles, and their uncaught errors, kept until read. Asks pages nothing."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from itertools import groupby
from urllib.parse import urlsplit

from playwright.async_api import BrowserContext, ConsoleMessage, WebError

from gui_environments.browser.logs import LINE_LIMIT, TEXT_LIMIT, Logs, one_line, show_lines
from gui_environments.browser.redaction import redact_text
from gui_environments.browser.tabs import Tabs

KEPT = 4 * LINE_LIMIT
"""Characters of a message that are kept: enough for the line shown, and for what is taken out of it."""

BURST = 2_000
"""Messages without a gap of `GAP_S` between them from which on no page is listened to for `PAUSE_S`: each takes a
millisecond or two, and a page that writes without end would stop everything else."""

GAP_S = 0.2
PAUSE_S = 2.0

MISSED = "(what was written then is missing: it came faster than it can be kept)"


@dataclass(frozen=True, slots=True)
class _Message:
    """As it came, cut; credentials are taken out when it is shown."""

    kind: str
    text: str
    length: int
    place: str

    def __str__(self) -> str:
        line = one_line(redact_text(self.text))
        if self.length > KEPT:
            line = f"{line} ({self.length:,} characters)"
        return f"{self.kind}: {line}{self.place}" if self.kind else self.text


class Console:
    """Listens to every tab from the moment it is made."""

    def __init__(self, context: BrowserContext, tabs: Tabs) -> None:
        self._context = context
        self._tabs = tabs
        self.logs: Logs[_Message] = Logs()
        self._run = 0
        self._last = 0.0
        self.listening = False
        self._listen()
        context.on("weberror", self._take_error)

    def read(self, tab_id: str | None) -> str:
        """What came since this was last asked, one line an entry. Raises `ActionRefused` for no such tab."""
        tab = self._tabs.tab(tab_id)
        log = self.logs.take(tab)
        runs = [(message, len(list(run))) for message, run in groupby(log.entries)]
        lines: list[str] = []
        room = TEXT_LIMIT
        while runs and room > 0:
            message, times = runs.pop()
            lines.append(str(message) if times == 1 else f"{message} ({times} times)")
            room -= len(lines[-1]) + 1
        return show_lines(lines[::-1], log.lost + len(runs), "(nothing new in the console)")

    def _listen(self) -> None:
        if not self.listening:
            self.listening = True
            self._context.on("console", self._take_message)

    def _pause(self) -> None:
        """For all tabs: they are listened to together."""
        self.listening = False
        self._context.remove_listener("console", self._take_message)
        for tab in self._tabs.all:
            self.logs.add(tab, _Message("", MISSED, 0, ""))
        self._run = 0
        asyncio.get_running_loop().call_later(PAUSE_S, self._listen)

    def _take_message(self, message: ConsoleMessage) -> None:
        location = message.location
        url = location.get("url", "")
        where = _place(url, location.get("lineNumber", 0))
        if message.page is None:
            for tab in self._tabs.of_origin(url):
                self.logs.add(tab, _message(f"service worker, {message.type}", message.text, where))
        else:
            tab_of_page = self._tabs.of(message.page)
            if tab_of_page is not None:
                self.logs.add(tab_of_page, _message(message.type, message.text, where))
        now = asyncio.get_running_loop().time()
        self._run = self._run + 1 if now - self._last < GAP_S else 1
        self._last = now
        if self.listening and self._run >= BURST:
            self._pause()

    def _take_error(self, error: WebError) -> None:
        tab = None if error.page is None else self._tabs.of(error.page)
        if tab is not None:
            # What was thrown need not be an error: then it has neither a name nor a stack.
            text = error.error.stack or ": ".join(filter(None, (error.error.name, error.error.message)))
            self.logs.add(tab, _message("uncaught error", text, ""))


def _message(kind: str, text: str, where: str) -> _Message:
    return _Message(kind, text[:KEPT], len(text), where)


def _place(url: str, line: int) -> str:
    """The file's own name and its line: an address in full says little more, and may carry credentials."""
    name = urlsplit(url).path.rpartition("/")[2] if url.startswith(("http", "file")) else ""
    return f" ({one_line(name, 80)}:{line + 1})" if name else ""

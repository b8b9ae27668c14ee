"""What pages write to their consoles, and their uncaught errors, kept until read. Asks pages nothing."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass
from itertools import groupby
from urllib.parse import urlsplit

from playwright.async_api import BrowserContext, ConsoleMessage, WebError

from gui_environments.browser.tabs.floods import RECENT, Bound, BoundedListening
from gui_environments.browser.tabs.tab import Tab, Tabs
from gui_environments.browser.watching.logs import LINE_LIMIT, TEXT_LIMIT, Logs, one_line, show_lines
from gui_environments.browser.watching.redaction import redact_text

KEPT = 4 * LINE_LIMIT
"""Characters of a message that are kept: enough for the line shown, and for what is taken out of it."""

BOUND = Bound(most=2_000, per_s=100.0)
"""Messages: each takes a millisecond or two."""

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
        self._tabs = tabs
        self._writers: deque[Tab] = deque(maxlen=RECENT)
        """Of the last messages."""
        self.logs: Logs[_Message] = Logs()
        self._listening = BoundedListening(context, {"console": self._take_message}, lambda: BOUND, self._note_missed)
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

    @property
    def listening(self) -> bool:
        return self._listening.on

    def _note_missed(self, pause_s: float) -> None:
        for loudest, _ in Counter(self._writers).most_common(1):
            loudest.slowing.begin(pause_s)
        self._writers.clear()
        for tab in self._tabs.all:
            self.logs.add(tab, _Message("", MISSED, 0, ""))

    def _take_message(self, message: ConsoleMessage) -> None:
        location = message.location
        url = location.get("url", "")
        where = _place(url, location.get("lineNumber", 0))
        tab = None if message.page is None else self._tabs.of(message.page)
        if tab is not None:
            self._writers.append(tab)
            self.logs.add(tab, _message(message.type, message.text, where))

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

"""What pages write to their consoles, and their uncaught errors, kept until read. Asks pages nothing."""

from __future__ import annotations

from urllib.parse import urlsplit

from playwright.async_api import BrowserContext, ConsoleMessage, WebError

from gui_environments.browser.logs import LINE_LIMIT, Logs, one_line, show_lines
from gui_environments.browser.redaction import redact_text
from gui_environments.browser.tabs import Tabs

KEPT = 4 * LINE_LIMIT
"""Characters of a message that are kept: enough for the line shown, and for what is taken out of it."""


class Console:
    """Listens to every tab from the moment it is made."""

    def __init__(self, context: BrowserContext, tabs: Tabs) -> None:
        self._tabs = tabs
        self.logs: Logs[str] = Logs()
        context.on("console", self._take_message)
        context.on("weberror", self._take_error)

    def read(self, tab_id: str | None) -> str:
        """What came since this was last asked, one line an entry. Raises `ActionRefused` for no such tab."""
        tab = self._tabs.tab(tab_id)
        log = self.logs.take(tab)
        return show_lines(_collapse(list(log.entries)), log.lost, "(nothing new in the console)")

    def _take_message(self, message: ConsoleMessage) -> None:
        tab = None if message.page is None else self._tabs.of(message.page)
        if tab is None:
            return
        location = message.location
        where = _place(location.get("url", ""), location.get("lineNumber", 0))
        self.logs.add(tab, _entry(message.type, message.text, where))

    def _take_error(self, error: WebError) -> None:
        tab = None if error.page is None else self._tabs.of(error.page)
        if tab is not None:
            text = error.error.stack or f"{error.error.name}: {error.error.message}"
            self.logs.add(tab, _entry("uncaught error", text, ""))


def _entry(kind: str, text: str, where: str) -> str:
    length = len(text)
    line = one_line(redact_text(text[:KEPT]))
    if length > KEPT:
        line = f"{line} ({length:,} characters)"
    return f"{kind}: {line}{where}"


def _place(url: str, line: int) -> str:
    """The file's own name and its line: an address in full says little more, and may carry credentials."""
    name = urlsplit(url).path.rpartition("/")[2] if url.startswith(("http", "file")) else ""
    return f" ({one_line(name, 80)}:{line + 1})" if name else ""


def _collapse(lines: list[str]) -> list[str]:
    """Of equal lines in a row, one with their number."""
    collapsed: list[list[str]] = []
    for line in lines:
        if collapsed and collapsed[-1][0] == line:
            collapsed[-1].append(line)
        else:
            collapsed.append([line])
    return [run[0] if len(run) == 1 else f"{run[0]} ({len(run)} times)" for run in collapsed]

"""Lines that wait to be read, a log for each tab: bounded in number and length, and said when something is left out."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from gui_environments.browser.tabs.tab import Tab
from gui_environments.browser.watching.redaction import redact_url

ENTRY_LIMIT = 1_000
"""Entries kept for a tab until they are read."""

LINE_LIMIT = 1_000
"""Characters of one entry that are shown."""

TEXT_LIMIT = 30_000
"""Characters of one answer; the newest entries are shown."""


ADDRESS_LIMIT = 300
"""Characters of an address that are shown."""


def one_line(text: str, limit: int = LINE_LIMIT) -> str:
    """Folded into one line, without control characters, cut where it is too long."""
    length = len(text)
    text = text[: 2 * limit].replace("\r\n", "\n").replace("\n", "\\n")
    text = "".join(character if character.isprintable() else " " for character in text)
    return text if length <= limit else f"{text[:limit]}... ({length:,} characters)"


def shown_address(url: str) -> str:
    """Without credentials, on one line, cut."""
    return one_line(redact_url(url[: 10 * ADDRESS_LIMIT]), ADDRESS_LIMIT)


def show_lines(lines: list[str], lost: int, nothing: str) -> str:
    """The newest lines that fit, and above them how many older ones are not shown."""
    if not lines and not lost:
        return nothing
    room = TEXT_LIMIT
    shown: list[str] = []
    for line in reversed(lines):
        room -= len(line) + 1
        if room < 0:
            break
        shown.append(line)
    left_out = lost + len(lines) - len(shown)
    if left_out:
        shown.append(f"({left_out:,} older entries are left out)")
    return "\n".join(reversed(shown))


Entry = TypeVar("Entry")


@dataclass
class LogOfTab(Generic[Entry]):
    entries: deque[Entry] = field(default_factory=lambda: deque(maxlen=ENTRY_LIMIT))
    lost: int = 0

    def add(self, entry: Entry) -> None:
        self.lost += len(self.entries) == ENTRY_LIMIT
        self.entries.append(entry)


class Logs(Generic[Entry]):
    """The logs of a browser's open tabs; those of closed ones are let go of."""

    def __init__(self) -> None:
        self._logs: dict[Tab, LogOfTab[Entry]] = {}

    def add(self, tab: Tab, entry: Entry) -> None:
        if tab not in self._logs:
            self._logs = {known: log for known, log in self._logs.items() if not known.closed}
            self._logs[tab] = LogOfTab()
        self._logs[tab].add(entry)

    def lost(self, tab: Tab) -> int:
        """How many of the tab's entries have been dropped since it was last read."""
        log = self._logs.get(tab)
        return 0 if log is None else log.lost

    def entries(self, tab: Tab) -> tuple[Entry, ...]:
        """What waits to be read."""
        log = self._logs.get(tab)
        return () if log is None else tuple(log.entries)

    def take(self, tab: Tab) -> LogOfTab[Entry]:
        """All that came since this was last asked, in order."""
        return self._logs.pop(tab, None) or LogOfTab()

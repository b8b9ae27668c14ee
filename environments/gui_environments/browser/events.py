"""What happened in a browser that nobody asked for in so many words: one frozen value an event, kept until taken.

Every part of the browser that sees such a thing notes it in the browser's one `EventLog`. Texts are the page's own and
may be anything: whoever shows them folds and bounds them.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

EVENT_LIMIT = 500
"""How many events are kept while nobody takes them; the oldest go first, and that is said."""


@dataclass(frozen=True, slots=True)
class TabOpened:
    """A tab opened: by a page, or asked for."""

    tab_id: str


@dataclass(frozen=True, slots=True)
class TabClosed:
    """A tab closed, by itself or asked for."""

    tab_id: str


@dataclass(frozen=True, slots=True)
class TabCrashed:
    tab_id: str


@dataclass(frozen=True, slots=True)
class PageNavigated:
    """The tab shows another document, or another address of the same document."""

    tab_id: str
    url: str


@dataclass(frozen=True, slots=True)
class NavigationRefused:
    """A page, or somebody at the browser's own surfaces, wanted to go to, or open, an address that is not allowed, and
    was kept from it. `host` is `HOST[:PORT]`, empty where the address has none; `scheme` is empty when unknown."""

    tab_id: str
    host: str
    scheme: str = ""


DialogKind = Literal["alert", "confirm", "prompt", "beforeunload"]

DialogAnsweredBy = Literal["rule", "person", "nobody", "late", "limit", "fault"]
"""A rule alone; somebody who was asked; and where a dialog was dismissed because there was nobody to ask, nobody
answered in time, the page had asked too often, or the asking failed."""


@dataclass(frozen=True, slots=True)
class DialogAnswered:
    """`text` is what a prompt was answered with, None for none."""

    tab_id: str
    kind: DialogKind
    message: str
    accepted: bool
    text: str | None = None
    by: DialogAnsweredBy = "rule"


@dataclass(frozen=True, slots=True)
class SurfaceDenied:
    """A page asked for something of the browser or the system that nobody can answer here, and was denied. `what` is
    words that finish "The page asked for ..."."""

    tab_id: str
    what: str


@dataclass(frozen=True, slots=True)
class DeveloperToolsClosed:
    """Somebody at the screen opened the browser's developer tools, and they were closed at once."""


@dataclass(frozen=True, slots=True)
class FileChooserOpened:
    """A page asked for files; no native window opened. The next upload serves it."""

    tab_id: str
    multiple: bool


@dataclass(frozen=True, slots=True)
class DownloadStarted:
    """`name` is the suggested one, made safe."""

    download_id: str
    url: str
    name: str


@dataclass(frozen=True, slots=True)
class DownloadCompleted:
    """`path` is where the file is now, whole."""

    download_id: str
    url: str
    name: str
    path: Path
    size_bytes: int


@dataclass(frozen=True, slots=True)
class DownloadFailed:
    """`error` is a sentence. Nothing of the file is left."""

    download_id: str
    url: str
    name: str
    error: str


@dataclass(frozen=True, slots=True)
class EventsLost:
    """`count` older events were dropped because nobody took them."""

    count: int


BrowserEvent = (
    TabOpened
    | TabClosed
    | TabCrashed
    | PageNavigated
    | NavigationRefused
    | DialogAnswered
    | SurfaceDenied
    | DeveloperToolsClosed
    | FileChooserOpened
    | DownloadStarted
    | DownloadCompleted
    | DownloadFailed
    | EventsLost
)


class EventLog:
    """The events of one browser, in order."""

    def __init__(self) -> None:
        self._events: deque[BrowserEvent] = deque(maxlen=EVENT_LIMIT)
        self._lost = 0
        self.noted = 0
        """All that were ever noted."""

    def note(self, event: BrowserEvent) -> None:
        self.noted += 1
        if len(self._events) == EVENT_LIMIT:
            self._lost += 1
        self._events.append(event)

    def take(self) -> tuple[BrowserEvent, ...]:
        """All since this was last asked."""
        lost = (EventsLost(self._lost),) if self._lost else ()
        events = (*lost, *self._events)
        self._events.clear()
        self._lost = 0
        return events

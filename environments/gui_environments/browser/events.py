"""What happened in a browser that nobody asked for in so many words: one frozen value an event, kept until taken.

Every part of the browser that sees such a thing notes it in the browser's one `EventLog`. Texts are the page's own and
may be anything: whoever shows them folds and bounds them.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

EVENT_LIMIT = 500
"""How many events are kept while nobody takes them; the oldest go first, and that is said."""

COUNTED_LIMIT = 12
"""How many kinds of what is counted are told one by one."""


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
class FrameCrashed:
    """The process of a frame of another site ended; the rest of the page goes on. `host` is `HOST[:PORT]` of what it
    showed, or empty."""

    tab_id: str
    host: str


@dataclass(frozen=True, slots=True)
class PageNavigated:
    """The tab shows another document, or another address of the same document."""

    tab_id: str
    url: str


@dataclass(frozen=True, slots=True)
class NavigationRefused:
    """A page, or somebody at the browser's own surfaces, wanted to go to, or open, an address that is not allowed, and
    was kept from it, `count` times. `host` is `HOST[:PORT]`, empty where the address has none; `scheme` is empty when
    unknown, `tab_id` where the tab was only just opening."""

    tab_id: str
    host: str
    scheme: str = ""
    count: int = 1


@dataclass(frozen=True, slots=True)
class RequestRefused:
    """Something of a page that the rules do not allow was not asked for, `count` times. `what` is a word for it that
    takes an s for more, `reason` the name of the rule. `tab_id` is empty where it may be of several."""

    tab_id: str
    what: str
    host: str
    reason: str
    count: int = 1


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
    | FrameCrashed
    | PageNavigated
    | NavigationRefused
    | RequestRefused
    | DialogAnswered
    | SurfaceDenied
    | DeveloperToolsClosed
    | FileChooserOpened
    | DownloadStarted
    | DownloadCompleted
    | DownloadFailed
    | EventsLost
)


CountedEvent = NavigationRefused | RequestRefused


class EventLog:
    """The events of one browser, in order."""

    def __init__(self) -> None:
        self._events: deque[BrowserEvent] = deque()
        self._counts: dict[BrowserEvent, int] = {}
        self._lost = 0
        self.noted = 0
        """All that were ever noted."""

    def note(self, event: BrowserEvent) -> None:
        self.noted += 1
        if len(self._events) == EVENT_LIMIT:
            self._lost += self._counts.pop(self._events.popleft(), 1)
        self._events.append(event)

    def count(self, event: CountedEvent, beyond: CountedEvent) -> None:
        """Note it, or that it happened once more: however often pages do it, it is told once. What is of too many
        kinds to be told one by one is told as `beyond`."""
        if event not in self._counts and len(self._counts) >= COUNTED_LIMIT:
            event = beyond
        if event in self._counts:
            self.noted += 1
            self._counts[event] += 1
        else:
            self.note(event)
            self._counts[event] = 1

    def take(self) -> tuple[BrowserEvent, ...]:
        """All since this was last asked."""
        lost = (EventsLost(self._lost),) if self._lost else ()
        events = (*lost, *map(self._counted, self._events))
        self._events.clear()
        self._counts.clear()
        self._lost = 0
        return events

    def _counted(self, event: BrowserEvent) -> BrowserEvent:
        if isinstance(event, CountedEvent) and event in self._counts:
            return replace(event, count=self._counts[event])
        return event

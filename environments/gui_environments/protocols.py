"""What a desktop, a browser, a shell and a file editor offer. Local and remote ones implement the same; a suite in
`tests/contract` holds each implementation to it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from gui_environments.actions import Action
from gui_environments.geometry import ScreenPoint, ScreenRegion, Size
from gui_environments.pictures import Picture, PictureFormat
from gui_environments.shell.results import CommandResult
from gui_environments.sights import PageExpectation, ScreenExpectation, Sight

if TYPE_CHECKING:  # a desktop needs no Playwright, and works where this browser does not
    from gui_environments.browser.actions import GiveFiles, PageAction
    from gui_environments.browser.events import BrowserEvent
    from gui_environments.browser.values import Navigated, Outcome, PageReading, PageRegion, ReadRequest, TabState


class DesktopEnvironment(Protocol):
    """A screen with a pointer and a keyboard. One action runs at a time; callers do not overlap calls.

    Every method raises `EnvironmentDied` once the display is gone.
    """

    @property
    def screen(self) -> Size:
        """The size of the display in screen pixels; fixed for the life of the environment."""
        ...

    async def look(self, action: Action | None = None) -> Sight:
        """What `action` would reach now, for whoever judges it; None: which window is in front. Sends no input."""
        ...

    async def perform(
        self, action: Action, *, settle_s: float = 1.0, expected: ScreenExpectation | None = None
    ) -> None:
        """Carry out one action, then wait until the screen is quiet, for at most `settle_s` seconds (0: do not wait).
        `expected`, from a sight of this action, is held to at the moment of the first press: `ActionRefused` when
        something else would be reached.

        Raises `ActionRefused` before anything was sent (a point off the screen, an unknown key name, a character that
        no known way can type), `ActionFailed` when it broke off. Keys and buttons the action pressed are up again when
        this returns or raises, also on cancellation, except for the button of `PressButton`.
        """
        ...

    async def pointer_position(self) -> ScreenPoint: ...

    async def capture(
        self, region: ScreenRegion | None = None, *, fit: Size | None = None, picture_format: PictureFormat = "png"
    ) -> Picture:
        """The display, or `region` of it, as it is now, pointer drawn in, scaled to exactly `fit` when given."""
        ...


class BrowserEnvironment(Protocol):
    """Tabs with pages, a mouse and a keyboard. One call runs at a time; callers do not overlap calls.

    `tab_id` None is the active tab. Every method raises `ActionRefused` when nothing was done, `ActionFailed` when it
    broke off, `EnvironmentDied` once the browser is gone. None of them hangs on a dialog, a crashed tab, or a page that
    does not answer.
    """

    @property
    def viewport(self) -> Size:
        """The size of every tab's viewport in CSS pixels, which are the pixels of its pictures."""
        ...

    async def look(self, subject: PageAction | GiveFiles | str | None = None, tab_id: str | None = None) -> Sight:
        """What an action, or something done with the element of a reference, would hit now, and which files it would
        give, for whoever judges it; None: the page alone. Presses nothing; what is referenced may be scrolled into
        view."""
        ...

    async def require_unchanged(self, expected: PageExpectation, tab_id: str | None = None) -> None:
        """Raises `ActionRefused` when the tab, its page or its elements are not what was seen."""
        ...

    async def perform(
        self,
        action: PageAction,
        tab_id: str | None = None,
        *,
        settle_s: float = 3.0,
        expected: PageExpectation | None = None,
    ) -> Outcome:
        """Carry out one action, then wait until the page is quiet, for at most `settle_s` seconds (0: do not wait).
        `expected`, from a sight of this action, is held to at the moment of the press: `ActionRefused` when anything
        else would be hit.
        Keys and buttons the action pressed are up again when this returns or raises, also on cancellation, except for
        the button of `PressMouse`."""
        ...

    async def navigate(self, address: str, tab_id: str | None = None) -> Navigated:
        """Go to an address, or `back`, `forward` or `reload`; returns when the document can be used."""
        ...

    async def capture(
        self,
        region: PageRegion | None = None,
        *,
        fit: Size | None = None,
        picture_format: PictureFormat = "png",
        tab_id: str | None = None,
    ) -> Picture:
        """The viewport as it is now, or `region` of it rendered anew at the scale that `fit` asks for."""
        ...

    async def read_page(self, request: ReadRequest, tab_id: str | None = None) -> PageReading: ...

    async def find(self, query: str, tab_id: str | None = None) -> PageReading:
        """The elements that fit a description best, the best first, 20 at most."""
        ...

    async def page_text(self, tab_id: str | None = None) -> str:
        """The text that the page shows, main content first."""
        ...

    async def upload_files(
        self,
        reference: str,
        paths: Sequence[Path],
        tab_id: str | None = None,
        *,
        documents: Sequence[str] = (),
        expected: PageExpectation | None = None,
    ) -> Outcome:
        """Give files to a file field, or to what last asked for files: by their paths, and by the ids of `documents`
        that were put ready. `expected` is looked at right before; its files have to be these very ones."""
        ...

    async def run_script(self, text: str, tab_id: str | None = None, *, expected: PageExpectation | None = None) -> str:
        """The value of the last expression, run in the page's own world, as bounded text. `expected` is looked at right
        before."""
        ...

    async def read_console(self, tab_id: str | None = None) -> str:
        """What the page wrote to its console since this was last asked, one line an entry."""
        ...

    async def read_network(self, tab_id: str | None = None) -> str:
        """What the page requested since this was last asked, one line an entry, credentials left out."""
        ...

    async def tab_states(self) -> tuple[TabState, ...]:
        """Every open tab, in the order they were opened. Asks no page anything."""
        ...

    async def open_tab(self) -> TabState:
        """A new tab, empty and active."""
        ...

    async def switch_tab(self, tab_id: str) -> TabState: ...

    async def close_tab(self, tab_id: str) -> None: ...

    def keep_from_sight(self, expressions: Sequence[str]) -> None:
        """From now on what these regular expressions (`secrets.spelling`) find in pages is painted over in pictures, as
        are fields that a secret was filled into."""
        ...

    def take_events(self) -> tuple[BrowserEvent, ...]:
        """What happened since this was last asked, in order."""
        ...


class Shell(Protocol):
    """A shell that stays open: directory, variables and functions last from one command to the next.

    Commands run one at a time, without a terminal, reading from /dev/null. Raises `EnvironmentDied` once it is closed.
    """

    async def run(self, command: str, *, time_limit_s: float | None = None) -> CommandResult:
        """Run a command line or script; returns when it is done, whether or not it left processes in the background.

        A command that fails is a result like any other. One that is not done within the limit is stopped with every
        process it started, as is one whose call is cancelled. Raises `ActionRefused` when nothing of it was run.
        """
        ...

    async def restart(self) -> str:
        """End the shell and everything it started, start anew, and say so in a sentence."""
        ...


class FileEdits(Protocol):
    """Views and edits of text files below one directory. A path is absolute, or relative to that directory.

    Each method returns words for whoever asked. Each raises `ActionRefused` when nothing was changed. A change is made
    whole or not at all, and after a copy of the old file was put aside.
    """

    @property
    def max_characters(self) -> int | None:
        """At most so many characters of a file are shown by `view`; None: all of it."""
        ...

    async def view(self, path: str, lines: tuple[int, int] | None = None) -> str:
        """A file with its lines numbered, or those from the first to the last of `lines` (1-based, -1: the end); a
        directory two levels deep."""
        ...

    async def create(self, path: str, text: str) -> str:
        """Write a whole file, new or over an old one, with the directories it lacks."""
        ...

    async def replace(self, path: str, old: str, new: str) -> str:
        """Replace `old`, which must occur exactly once."""
        ...

    async def insert(self, path: str, line: int, text: str) -> str:
        """Insert lines after line `line`; 0 is the beginning."""
        ...

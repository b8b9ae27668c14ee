"""What an action would hit, for whoever judges it: in words and pictures, and as an expectation that goes with the
action and is held to when it acts. Frozen values that travel to a remote environment as they are.

Two expectations are equal exactly when the same would be hit.
"""

from __future__ import annotations

from dataclasses import dataclass

from gui_environments.pictures import Picture


@dataclass(frozen=True, slots=True)
class ExpectedWindow:
    """An application's window by its number, which is 0 where there is none, and what it calls itself."""

    number: int
    title: str
    application: str


NO_WINDOW = ExpectedWindow(0, "", "")


@dataclass(frozen=True, slots=True)
class ExpectedArea:
    """A point of the screen, the window there, and the pixels around it by their digest."""

    x: int
    y: int
    window: ExpectedWindow
    digest: str


@dataclass(frozen=True, slots=True)
class ScreenExpectation:
    """`areas` are the points that the pointer acts on; `at_pointer`: the first is where the pointer was. `focus` is the
    window that keys go to; None for what presses none."""

    areas: tuple[ExpectedArea, ...] = ()
    at_pointer: bool = False
    focus: ExpectedWindow | None = None


@dataclass(frozen=True, slots=True)
class ExpectedElement:
    """An element by its reference, which is never given to another, and what it is called: its role, name and text, and
    where it leads (a link, the form of a button). `page` is the address of the document it is in. `at` is the point of
    the viewport that it was found at, None where it was named by its reference or has the focus."""

    reference: str
    role: str
    name: str
    text: str
    leads_to: str
    page: str
    at: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class ExpectedFile:
    """A file that a page is to be given: how it was named, and which one that was, as the file system tells. A file
    that was written to, or exchanged for another, is not equal any more."""

    named: str
    device: int
    inode: int
    size_bytes: int
    changed_ns: int


@dataclass(frozen=True, slots=True)
class PageExpectation:
    """A tab's page: its address, and `document`, the reference of its root. `elements` are what the action acts on, in
    order; `files` what it gives."""

    tab_id: str
    address: str
    document: str
    elements: tuple[ExpectedElement, ...] = ()
    files: tuple[ExpectedFile, ...] = ()


Expectation = ScreenExpectation | PageExpectation


@dataclass(frozen=True, slots=True)
class Spot:
    """A small picture of what will be hit, at (`x`, `y`) of it; None where it is all of it."""

    picture: Picture
    x: int | None = None
    y: int | None = None


@dataclass(frozen=True, slots=True)
class Sight:
    """`facts` are labels and texts (`page`, `element`); the texts are a page's or an application's own and may be
    anything: whoever shows them escapes them."""

    facts: tuple[tuple[str, str], ...]
    expected: Expectation
    spots: tuple[Spot, ...] = ()

"""References: `ref_N`, each bound to one element of one document in one tab. Numbers are never used twice in a session,
and one whose document or element is gone is refused, never given to another element."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field

from gui_environments.browser.pages.frames import Frame
from gui_environments.browser.pages.world import DocumentGone, FrameGone, World
from gui_environments.browser.tabs.tab import Tab
from gui_environments.errors import ActionRefused

RESOLVE_S = 5.0
"""How long the document of a reference may take to answer."""

READ_AGAIN = "Read the page again and use a reference from that reading."

MANY = 2_000
"""References of one document from which on it is asked which of their elements still exist."""


@dataclass(frozen=True, slots=True)
class Reference:
    """`number` of the session, `element` of the frame's document."""

    number: int
    tab_id: str
    frame: Frame
    element: int

    def __str__(self) -> str:
        return f"ref_{self.number}"


@dataclass(frozen=True, slots=True)
class ResolvedElement:
    """An element that is in its document now. `object_id` is good for commands in the session of `frame`, until
    the page is read again."""

    reference: Reference
    frame: Frame
    object_id: str


@dataclass(slots=True)
class _Document:
    """The references of one document by element, and how many there may be before it is asked again."""

    by_element: dict[int, Reference] = field(default_factory=dict)
    many: int = field(default_factory=lambda: MANY)


class ReferenceBook:
    """Every reference of a session, while its document and its element live."""

    def __init__(self) -> None:
        self._given = 0
        self._by_number: dict[int, Reference] = {}
        self._documents: dict[World, _Document] = {}

    @property
    def all(self) -> tuple[Reference, ...]:
        """Those that may still be good."""
        return tuple(self._by_number.values())

    def refer(self, tab: Tab, frame: Frame, element: int) -> Reference:
        """The element's reference: the one it has, or a new one."""
        by_element = self._documents.setdefault(frame.world, _Document()).by_element
        known = by_element.get(element)
        if known is not None:
            return known
        self._given += 1
        reference = Reference(self._given, tab.tab_id, frame, element)
        by_element[element] = self._by_number[self._given] = reference
        return reference

    def find(self, tab: Tab, text: str) -> Reference:
        """Raises `ActionRefused` for what is no reference of this tab's present documents."""
        match = re.fullmatch(r"ref_([1-9][0-9]{0,11})", text)
        number = int(match[1]) if match else 0
        reference = self._by_number.get(number)
        if reference is None and 0 < number <= self._given:
            raise ActionRefused(f"The element of {text}, or its page, is gone. {READ_AGAIN}")
        if reference is None:
            raise ActionRefused(f"{text[:40]} is no reference that was given. {READ_AGAIN}")
        if reference.tab_id != tab.tab_id:
            raise ActionRefused(f"{text} belongs to {reference.tab_id}, not to {tab.tab_id}. {READ_AGAIN}")
        return reference

    async def resolve(self, tab: Tab, text: str) -> ResolvedElement:
        """Raises `ActionRefused` when the element is not in its document any more."""
        tab.require_usable()
        reference = self.find(tab, text)
        try:
            async with asyncio.timeout(RESOLVE_S):
                object_id = await reference.frame.world.object("element", reference.element)
        except TimeoutError:
            tab.require_usable()
            raise ActionRefused(
                f"The page does not answer, so {text} cannot be found in it: "
                "a script keeps it busy, or a dialog is open."
            ) from None
        except DocumentGone as error:
            self.forget_dead()
            raise ActionRefused(words_for_gone(reference, error)) from None
        if object_id is None:
            raise ActionRefused(f"The element of {text} has been removed from the page. {READ_AGAIN}")
        return ResolvedElement(reference, reference.frame, object_id)

    def forget_dead(self) -> None:
        """Let go of references whose documents are known to be gone; their numbers stay used."""
        for world in [world for world in self._documents if not world.alive and not world.crashed]:
            for reference in self._documents.pop(world).by_element.values():
                del self._by_number[reference.number]

    async def forget_removed(self) -> None:
        """Let go of references whose elements exist no more, of documents that have many: a page that replaces what it
        shows without ever navigating would fill the book. What is only taken out of the page may come back, and stays.
        """
        for world, document in list(self._documents.items()):
            if len(document.by_element) <= document.many:
                continue
            try:
                living = frozenset(await world.call("living"))
            except DocumentGone:
                continue
            for element in document.by_element.keys() - living:
                del self._by_number[document.by_element.pop(element).number]
            document.many = max(MANY, 2 * len(document.by_element))
        self.forget_dead()


def words_for_gone(reference: Reference, error: DocumentGone) -> str:
    """Why nothing can be done with it any more."""
    if not isinstance(error, FrameGone):
        return f"The page that {reference} belonged to has been left or reloaded. {READ_AGAIN}"
    if reference.frame.parent is None:
        return f"The page in {reference.tab_id} has crashed. Close it and open a new one."
    return f"The frame that {reference} is in has crashed. Reload the page to have it back; the rest of it goes on."

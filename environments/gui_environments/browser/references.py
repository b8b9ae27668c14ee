"""References: `ref_N`, each bound to one element of one document in one tab. Numbers are never used twice in a session,
and one whose document or element is gone is refused, never given to another element."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gui_environments.browser.frames import Frame
from gui_environments.browser.tabs import Tab
from gui_environments.browser.world import DocumentGone, World
from gui_environments.errors import ActionRefused

READ_AGAIN = "Read the page again and use a reference from that reading."


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


class ReferenceBook:
    """Every reference of a session, while its document lives."""

    def __init__(self) -> None:
        self._given = 0
        self._by_number: dict[int, Reference] = {}
        self._by_world: dict[World, dict[int, Reference]] = {}

    @property
    def all(self) -> tuple[Reference, ...]:
        """Those that may still be good."""
        return tuple(self._by_number.values())

    def refer(self, tab: Tab, frame: Frame, element: int) -> Reference:
        """The element's reference: the one it has, or a new one."""
        elements = self._by_world.setdefault(frame.world, {})
        known = elements.get(element)
        if known is not None:
            return known
        self._given += 1
        reference = Reference(self._given, tab.tab_id, frame, element)
        elements[element] = self._by_number[self._given] = reference
        return reference

    def find(self, tab: Tab, text: str) -> Reference:
        """Raises `ActionRefused` for what is no reference of this tab's present documents."""
        match = re.fullmatch(r"ref_([1-9][0-9]{0,11})", text)
        reference = self._by_number.get(int(match[1])) if match else None
        if reference is None:
            raise ActionRefused(f"{text[:40]} is not known in this tab, or its page is gone. {READ_AGAIN}")
        if reference.tab_id != tab.tab_id:
            raise ActionRefused(f"{text} belongs to {reference.tab_id}, not to {tab.tab_id}. {READ_AGAIN}")
        return reference

    async def resolve(self, tab: Tab, text: str) -> ResolvedElement:
        """Raises `ActionRefused` when the element is not in its document any more."""
        tab.require_usable()
        reference = self.find(tab, text)
        try:
            object_id = await reference.frame.world.object("element", reference.element)
        except DocumentGone:
            self.forget_dead()
            raise ActionRefused(f"The page that {text} belonged to has been left or reloaded. {READ_AGAIN}") from None
        if object_id is None:
            raise ActionRefused(f"The element of {text} has been removed from the page. {READ_AGAIN}")
        return ResolvedElement(reference, reference.frame, object_id)

    def forget_dead(self) -> None:
        """Let go of references whose documents are known to be gone; their numbers stay used."""
        for world in [world for world in self._by_world if not world.alive]:
            for reference in self._by_world.pop(world).values():
                del self._by_number[reference.number]

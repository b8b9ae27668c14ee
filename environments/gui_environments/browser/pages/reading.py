"""Reading a tab's page as text: every frame's part in its place, references given, limits kept and announced."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from gui_environments.browser.cdp import CdpError, SessionGone
from gui_environments.browser.pages.frames import Frame
from gui_environments.browser.pages.listeners import learn_listeners
from gui_environments.browser.pages.patience import FrameUnread, Patience, answering
from gui_environments.browser.pages.references import READ_AGAIN, Reference, ReferenceBook, words_for_gone
from gui_environments.browser.pages.shadow_roots import learn_closed_roots
from gui_environments.browser.pages.world import DocumentGone, FrameGone
from gui_environments.browser.tabs.tab import Tab
from gui_environments.browser.values import ElementLine, PageReading, ReadRequest
from gui_environments.errors import ActionRefused

READ_S = 10.0
"""How long a page may take to answer. Reading ten thousand rows takes a fraction of a second."""

ATTEMPTS = 3
"""How often to begin again when the page navigates while it is read."""

FRAME_CRASHED = "(this frame has crashed; the rest of the page goes on; reload the page to have it back)"

NOTICE_ROOM = 500
"""Characters kept free for the lines that say what was left out."""


@dataclass(slots=True)
class _Reader:
    """One reading while it is made."""

    tab: Tab
    book: ReferenceBook
    request: ReadRequest
    lines: list[ElementLine] = field(default_factory=list)
    characters: int = 0
    deeper: int = 0
    full: bool = False
    behind_dialog: bool = False
    above_px: int = 0
    below_px: int = 0
    patience: Patience = field(default_factory=Patience)

    @property
    def left(self) -> int:
        return self.request.character_limit - NOTICE_ROOM - self.characters

    async def read_frame(self, frame: Frame, depth: int, clip: list[float] | None, element: int = 0) -> None:
        answer = await self._answer(frame, depth, clip, element)
        self.deeper += answer["deeper"]
        self.full |= answer["full"]
        self.behind_dialog |= answer["inert"]
        if frame.parent is None:
            self.above_px, self.below_px = answer["above"], answer["below"]
        for line_depth, role, name, number, states, frame_at in answer["lines"]:
            reference = str(self.book.refer(self.tab, frame, number)) if number else None
            if not self._add(ElementLine(depth + line_depth, role, name, reference, states)):
                return
            if frame_at >= 0:
                await self._read_child(frame, depth + line_depth + 1, answer["frames"][frame_at])

    async def _answer(self, frame: Frame, depth: int, clip: list[float] | None, element: int) -> dict[str, Any]:
        options = {
            "filter": self.request.elements,
            "depth": self.request.depth - depth,
            "budget": self.left,
            "clip": clip,
            "number": element,
        }
        answer = await read_document(frame, options)
        if answer is None:
            raise ActionRefused(f"The element of {self.request.reference} has been removed from the page. {READ_AGAIN}")
        return answer

    async def _read_child(self, parent: Frame, depth: int, described: dict[str, Any]) -> None:
        if depth >= self.request.depth:
            self.deeper += 1
            return
        try:
            async with self.patience.for_frame():
                frame_id = await frame_id_of(parent, described["number"])
                child = None if frame_id is None else await self.tab.frames.child(parent, frame_id)
                if child is not None:
                    await self.read_frame(child, depth, described["clip"])
        except FrameUnread:
            return
        except FrameGone:
            self._add(ElementLine(depth, "text", FRAME_CRASHED, None, ""))
        except DocumentGone:
            self._add(ElementLine(depth, "text", "(this frame was loading; read the page again)", None, ""))

    def _add(self, line: ElementLine) -> bool:
        """Whether the line still fitted."""
        length = len(str(line)) + 1
        if length > self.left:
            self.full = True
            return False
        self.lines.append(line)
        self.characters += length
        return True

    def finished(self) -> PageReading:
        return PageReading(
            tuple(self.lines), tuple(self._notices()), complete=not (self.full or self.deeper or self.patience.unread)
        )

    def _notices(self) -> list[str]:
        notices = [*self.patience.notice]
        if not self.lines:
            notices.append("(nothing is shown here)")
        if self.behind_dialog:
            notices.append("(what cannot be used now, behind an open dialog or inert, is left out)")
        if self.deeper:
            notices.append(
                f"({self.deeper} elements deeper than {self.request.depth} levels are left out: "
                "read with a larger depth, or with the ref of an element above them)"
            )
        if self.full:
            limit = self.request.character_limit
            narrower = "" if self.request.elements == "interactive" else ' with filter "interactive",'
            notices.append(
                f"(cut after {len(self.lines)} elements, at {limit:,} characters; there is more: read"
                f"{narrower} with the ref of a part, or scroll and read what is visible)"
            )
        if self.request.elements != "all" and (self.above_px or self.below_px):
            where = " and ".join(
                f"{px} px {side}" for px, side in ((self.above_px, "above"), (self.below_px, "below")) if px
            )
            notices.append(f'(the page goes on {where}: scroll, or read with filter "all")')
        return notices


async def frame_id_of(parent: Frame, element: int) -> str | None:
    """The id of the frame that an element of `parent` shows; None when it shows none."""
    object_id = await parent.world.object("element", element)
    if object_id is None:
        return None
    try:
        described = await parent.world.send("DOM.describeNode", objectId=object_id)
    except CdpError:
        return None
    frame_id: str | None = described["node"].get("frameId")
    return frame_id


async def read_document(frame: Frame, options: dict[str, Any], member: str = "read") -> dict[str, Any] | None:
    """What the page model's `read` or `readToSearch` answers, once it knows what the document does not tell it."""
    await frame.world.release()
    answer = await _read_with(frame, options, member)
    if answer is not None and answer["hosts"] and await learn_closed_roots(frame.world):
        answer = await _read_with(frame, options, member)
    if answer is not None and not answer["large"] and await learn_listeners(frame.world):
        answer = await _read_with(frame, options, member)
    return answer


async def _read_with(frame: Frame, options: dict[str, Any], member: str) -> dict[str, Any] | None:
    answer = await frame.world.call(member, options)
    decoded: dict[str, Any] | None = json.loads(answer) if isinstance(answer, str) else answer
    return decoded


async def read_page(tab: Tab, book: ReferenceBook, request: ReadRequest) -> PageReading:
    """Read what `request` asks for. Raises `ActionRefused`. Ends the life of object ids given out before."""
    async with answering(tab, READ_S):
        return await _read_page(tab, book, request)


async def _read_page(tab: Tab, book: ReferenceBook, request: ReadRequest) -> PageReading:
    for _ in range(ATTEMPTS):
        reader = _Reader(tab, book, request)
        try:
            await _read(reader)
        except DocumentGone as error:
            tab.require_usable()
            if request.reference is not None:
                raise ActionRefused(words_for_gone(book.find(tab, request.reference), error)) from None
            book.forget_dead()
            continue
        except SessionGone as error:
            tab.require_usable()
            raise ActionRefused(f"{tab.tab_id} is closing. List the tabs and use an open one.") from error
        await tab.frames.forget_gone()
        await book.forget_removed()
        return reader.finished()
    raise ActionRefused("The page keeps navigating and cannot be read. Wait a moment and read it again.")


async def _read(reader: _Reader) -> None:
    if reader.request.reference is None:
        await reader.read_frame(await reader.tab.frames.main(), 0, None)
        return
    reference: Reference = reader.book.find(reader.tab, reader.request.reference)
    await reader.read_frame(reference.frame, 0, None, reference.element)

"""Finding elements of a page by a description: the whole page, frames included, ranked by what people would call them.

References are given to what is offered only.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

from gui_environments.browser.cdp import SessionGone
from gui_environments.browser.finding.descriptions import Description, described
from gui_environments.browser.finding.placing import AS_GOOD, Position, placed
from gui_environments.browser.finding.ranking import Match, rank
from gui_environments.browser.finding.sifting import meant_words
from gui_environments.browser.finding.surroundings import Candidate
from gui_environments.browser.finding.weights import NEAR_BEST
from gui_environments.browser.pages.frames import Frame
from gui_environments.browser.pages.patience import FrameUnread, Patience, answering
from gui_environments.browser.pages.reading import ATTEMPTS, frame_id_of, read_document
from gui_environments.browser.pages.references import ReferenceBook
from gui_environments.browser.pages.shadow_roots import learn_closed_roots
from gui_environments.browser.pages.world import DocumentGone
from gui_environments.browser.tabs.tab import Tab
from gui_environments.browser.values import ElementLine, PageReading, quoted
from gui_environments.errors import ActionRefused

MATCHES = 20
QUERY_LIMIT = 500
"""Characters of a description."""

PAGE_CHARACTERS = 600_000
"""Of what is read of a page, as lines. What comes after is not searched, and that is said."""

SEARCH_S = 20.0
"""How long a page may take to answer. Ten thousand rows take a quarter of a second on an idle machine."""

DEPTH = 200

DEEPEST = 100_000
"""Deeper than any element of a document: what a frame holds stands together, and with the frame."""


@dataclass(slots=True)
class _Search:
    """One search while the page is read. `places` are those of the candidates in their frame's document; each of
    `frames` keeps what it read until it is asked where that is."""

    tab: Tab
    query: str
    description: Description
    candidates: list[Candidate] = field(default_factory=list)
    places: list[tuple[Frame, int]] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)
    full: bool = False
    patience: Patience = field(default_factory=Patience)

    async def take_frame(self, frame: Frame, depth: int, nesting: int = 0) -> None:
        answer = await self._read(frame)
        self.frames.append(frame)
        self.full |= answer["full"]
        for line_depth, role, name, place, states, frame_at, parting, *around in answer["lines"]:
            parted = nesting * DEEPEST + parting
            self.candidates.append(Candidate(depth + line_depth, role, name, states, parted, *around))
            self.places.append((frame, place))
            if frame_at >= 0:
                await self._take_child(frame, depth + line_depth + 1, nesting + 1, answer["frames"][frame_at])

    async def _read(self, frame: Frame) -> dict[str, Any]:
        numbers = any(letter.isdigit() for letter in self.query)
        sift = await frame.world.call("wordsToSift", numbers)
        if sift is not None and sift["hosts"] and await learn_closed_roots(frame.world):
            sift = await frame.world.call("wordsToSift", numbers)
        found = None
        if sift is not None:
            words = sift["words"].split(" ")
            found = await asyncio.to_thread(meant_words, self.query, self.description, words)
        options = {"filter": "all", "depth": DEPTH, "budget": PAGE_CHARACTERS, "clip": None, "number": 0}
        answer = await read_document(frame, options | {"found": found}, "readToSearch")
        assert answer is not None
        return answer

    async def _take_child(self, parent: Frame, depth: int, nesting: int, shown: dict[str, Any]) -> None:
        try:
            async with self.patience.for_frame():
                frame_id = await frame_id_of(parent, shown["number"])
                child = None if frame_id is None else await self.tab.frames.child(parent, frame_id)
                if child is not None:
                    await self.take_frame(child, depth, nesting)
        except FrameUnread:
            return
        except DocumentGone:
            return  # it was loading: nothing of it can be used yet


async def find(tab: Tab, book: ReferenceBook, query: str) -> PageReading:
    """The elements that fit best, the best first. Raises `ActionRefused`. Ends the life of object ids given before."""
    if not query.strip():
        raise ActionRefused("Say what to find, such as: search field, or: button that adds to the basket.")
    if len(query) > QUERY_LIMIT:
        raise ActionRefused(f"A description has {QUERY_LIMIT} characters at most. Say it in fewer words.")
    description = described(query)
    async with answering(tab, SEARCH_S):
        search = await _search(tab, query, description)
    # A large page takes a while, and dialogs want answers meanwhile.
    best = await asyncio.to_thread(_best_matches, query, description, search)
    async with answering(tab, SEARCH_S):
        reading = await _offer(tab, book, query, search, best, description)
        await book.forget_removed()
    return reading


async def _search(tab: Tab, query: str, description: Description) -> _Search:
    for _ in range(ATTEMPTS):
        search = _Search(tab, query, description)
        try:
            await search.take_frame(await tab.frames.main(), 0)
        except DocumentGone:
            continue
        except SessionGone as error:
            tab.require_usable()
            raise ActionRefused(f"{tab.tab_id} is closing. List the tabs and use an open one.") from error
        return search
    raise ActionRefused("The page keeps navigating and cannot be searched. Wait a moment and try again.")


async def _offer(
    tab: Tab, book: ReferenceBook, query: str, search: _Search, best: list[Match], description: Description
) -> PageReading:
    lines: list[ElementLine] = []
    offered: set[tuple[Frame, int]] = set()
    positions = await _positions(search, [match.place for match in best])
    roles = {match.place: search.candidates[match.place].role for match in best}
    for match in placed(description, best, roles, positions):
        key = (search.places[match.place][0], positions[match.place].number)
        # Text has the number of the element it stands in, which may have a line of its own.
        if key in offered:
            continue
        offered.add(key)
        if len(lines) < MATCHES:
            found = search.candidates[match.place]
            lines.append(ElementLine(0, found.role, found.name, str(book.refer(tab, *key)), found.states))
    notices = [*search.patience.notice]
    if not lines:
        notices.append(f"(nothing on the page fits {quoted(query[:100])}: say it in other words, or read the page)")
    elif not best[0].fits:
        notices.append("(nothing fits well: these come nearest)")
    if len(offered) > MATCHES:
        notices.append(f"(the {MATCHES} that fit best; more fit less)")
    if search.full:
        notices.append("(the page is too large to be searched whole: its end was left out)")
    return PageReading(tuple(lines), tuple(notices), complete=not search.full and len(offered) <= MATCHES)


def _best_matches(query: str, description: Description, search: _Search) -> list[Match]:
    """Of what can have a reference; of many alike the first ones, and the last ones where those may be meant."""
    ranked = [match for match in rank(query, description, search.candidates) if search.places[match.place][1]]
    best = [match for match in ranked[: 3 * MATCHES] if match.score >= ranked[0].score * NEAR_BEST]
    if description.ordinal < 0:
        best += [match for match in ranked[3 * MATCHES :] if match.score >= ranked[0].score - AS_GOOD][-MATCHES:]
    return best


async def _positions(search: _Search, places: list[int]) -> dict[int, Position]:
    """The numbers of the elements at places and where they are, by place; the documents let go of all others."""
    positions: dict[int, Position] = {}
    for frame in search.frames:
        of_frame = [place for place in places if search.places[place][0] is frame]
        try:
            located = await frame.world.call("locatePlaces", [search.places[place][1] for place in of_frame])
        except DocumentGone:
            continue  # what was found there is gone
        for place, one in zip(of_frame, located, strict=True):
            if one is not None:
                positions[place] = Position(one["number"], one["x"], one["y"], one["inView"])
    return positions

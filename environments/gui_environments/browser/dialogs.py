"""Dialogs of pages (alert, confirm, prompt, leaving a page): answered at once by a policy, and noted.

An open dialog stops its page and everything asked of it, so none is ever left open, whatever opened it: loading, a
click, a timer, a frame, leaving. Never shows one to anybody.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal, cast

from playwright.async_api import BrowserContext, Dialog, Error

from gui_environments.browser.events import DialogAnswered, DialogKind, EventLog
from gui_environments.browser.tabs import Tab, Tabs

log = logging.getLogger(__name__)

MESSAGE_LIMIT = 2_000
"""Characters of a dialog's message that are kept."""

DialogAction = Literal["accept", "dismiss"]


@dataclass(frozen=True, slots=True)
class DialogPolicy:
    """How dialogs are answered: by kind, else dismissed. To dismiss `beforeunload` is to stay on the page.

    `prompt_text` is what an accepted prompt is answered with; None leaves what the page suggested.
    """

    by_kind: Mapping[DialogKind, DialogAction] = field(default_factory=dict)
    prompt_text: str | None = None

    def accepts(self, kind: DialogKind) -> bool:
        return self.by_kind.get(kind, "dismiss") == "accept"


class Dialogs:
    """Answers the dialogs of every tab from the moment it is made."""

    def __init__(
        self, context: BrowserContext, tabs: Tabs, events: EventLog, policy: DialogPolicy | None = None
    ) -> None:
        self.policy = policy or DialogPolicy()
        self._tabs = tabs
        self._events = events
        self._answering: set[asyncio.Task[None]] = set()
        self._leaving: dict[Tab, asyncio.Event] = {}
        context.on("dialog", self._take)

    @contextmanager
    def stays_noticed(self, tab: Tab) -> Iterator[asyncio.Event]:
        """An event that is set when the tab's page asked whether to leave it, and was stayed on: what would have left
        it never ends by itself."""
        stayed = self._leaving[tab] = asyncio.Event()
        try:
            yield stayed
        finally:
            self._leaving.pop(tab, None)

    def _take(self, dialog: Dialog) -> None:
        task = asyncio.get_running_loop().create_task(self._answer(dialog))
        self._answering.add(task)
        task.add_done_callback(self._answering.discard)

    async def _answer(self, dialog: Dialog) -> None:
        kind = cast("DialogKind", dialog.type)
        accepted = self.policy.accepts(kind)
        text = None
        if accepted and kind == "prompt":
            text = dialog.default_value if self.policy.prompt_text is None else self.policy.prompt_text
        tab = None if dialog.page is None else self._tabs.of(dialog.page)
        message = dialog.message[:MESSAGE_LIMIT]
        # Noted first: whoever waits for what the answer brings about finds it.
        self._events.note(DialogAnswered("" if tab is None else tab.tab_id, kind, message, accepted, text))
        if kind == "beforeunload" and not accepted and tab is not None and tab in self._leaving:
            self._leaving[tab].set()
        try:
            if accepted:
                await dialog.accept(text)
            else:
                await dialog.dismiss()
        except Error as error:
            log.debug("a %s was gone when it was to be answered: %s", kind, error)

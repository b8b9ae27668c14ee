"""Dialogs of pages (alert, confirm, prompt, leaving a page): answered by a policy, at once or by somebody who is asked,
and noted.

An open dialog stops its page and everything asked of it, so none is ever left open, whatever opened it: loading, a
click, a timer, a frame, leaving. A question about one is bounded; without an answer it is dismissed. Never shows one to
anybody by itself.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import cast

from playwright.async_api import BrowserContext, Dialog, Error

from gui_environments.browser.events import DialogAnswered, DialogKind, EventLog
from gui_environments.browser.tabs.tab import Tab, Tabs
from gui_environments.browser.watching.dialog_rules import AskAboutDialog, DialogPolicy, DialogQuestion, DialogReply

log = logging.getLogger(__name__)

MESSAGE_LIMIT = 2_000
"""Characters of a dialog's message that are kept."""

QUESTIONS_A_DOCUMENT = 10
"""A page that goes on and on is not asked about for ever: its further dialogs are dismissed."""


class Dialogs:
    """Answers the dialogs of every tab from the moment it is made. `close` gives up what is being asked."""

    def __init__(
        self,
        context: BrowserContext,
        tabs: Tabs,
        events: EventLog,
        policy: DialogPolicy | None = None,
        ask: AskAboutDialog | None = None,
    ) -> None:
        self.policy = policy or DialogPolicy()
        self.ask = ask
        self._tabs = tabs
        self._events = events
        self._answering: set[asyncio.Task[None]] = set()
        self._leaving: dict[Tab, asyncio.Event] = {}
        self._asked: dict[Tab, tuple[int, int]] = {}
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

    async def close(self) -> None:
        for task in self._answering:
            task.cancel()
        await asyncio.gather(*self._answering, return_exceptions=True)

    def _take(self, dialog: Dialog) -> None:
        task = asyncio.get_running_loop().create_task(self._answer(dialog))
        self._answering.add(task)
        task.add_done_callback(self._answering.discard)

    async def _answer(self, dialog: Dialog) -> None:
        kind = cast("DialogKind", dialog.type)
        tab = None if dialog.page is None else self._tabs.of(dialog.page)
        message = dialog.message[:MESSAGE_LIMIT]
        with nullcontext() if tab is None else self._asked_about(tab, kind):
            reply = await self._reply(dialog, kind, tab, message)
            text = None
            if reply.accepted and kind == "prompt":
                text = dialog.default_value if reply.text is None else reply.text
            # Noted first: whoever waits for what the answer brings about finds it.
            tab_id = "" if tab is None else tab.tab_id
            self._events.note(DialogAnswered(tab_id, kind, message, reply.accepted, text, reply.by))
            if kind == "beforeunload" and not reply.accepted and tab is not None and tab in self._leaving:
                self._leaving[tab].set()
            try:
                if reply.accepted:
                    await dialog.accept(text)
                else:
                    await dialog.dismiss()
            except Error as error:
                log.debug("a %s was gone when it was to be answered: %s", kind, error)

    @contextmanager
    def _asked_about(self, tab: Tab, kind: DialogKind) -> Iterator[None]:
        """The bounds of what is asked of the tab stand still while somebody is asked."""
        if self.policy.action(kind) != "ask":
            yield
            return
        with tab.clock.stopped():
            yield

    async def _reply(self, dialog: Dialog, kind: DialogKind, tab: Tab | None, message: str) -> DialogReply:
        action = self.policy.action(kind)
        if action != "ask":
            return DialogReply(action == "accept", self.policy.prompt_text, "rule")
        if self.ask is None:
            return DialogReply(False, by="nobody")
        if tab is None or not self._may_ask(tab):
            return DialogReply(False, by="limit")
        question = DialogQuestion(tab.tab_id, tab.page.url, kind, message, dialog.default_value[:MESSAGE_LIMIT])
        return await self._wait_for_answer(self.ask, question, tab)

    def _may_ask(self, tab: Tab) -> bool:
        arrivals = tab.activity.arrivals
        document, count = self._asked.get(tab, (arrivals, 0))
        count = count + 1 if document == arrivals else 1
        self._asked[tab] = (arrivals, count)
        return count <= QUESTIONS_A_DOCUMENT

    async def _wait_for_answer(self, ask: AskAboutDialog, question: DialogQuestion, tab: Tab) -> DialogReply:
        asking = asyncio.ensure_future(ask(question))
        closed = asyncio.Event()

        def note_close(_: object) -> None:
            closed.set()

        tab.page.on("close", note_close)
        closing = asyncio.ensure_future(closed.wait())
        try:
            done, _ = await asyncio.wait(
                {asking, closing}, timeout=self.policy.answer_s, return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            # An answer that does not even end when it is cancelled is left behind.
            asking.cancel()
            closing.cancel()
            tab.page.remove_listener("close", note_close)
        if asking not in done:
            return DialogReply(False, by="late")
        error = asking.exception()
        reply: object = None if error is not None else asking.result()
        if not isinstance(reply, DialogReply):
            log.error("asking about a %s failed; dismissing it", question.kind, exc_info=error)
            return DialogReply(False, by="fault")
        return reply if reply.accepted is True else DialogReply(False, by=reply.by)

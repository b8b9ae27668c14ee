"""Giving files to a page: to a file field, shown or hidden, or to what a page asked for by opening a file chooser. No
native window ever opens: a chooser is caught, and served by the next upload."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from playwright.async_api import BrowserContext, Error, FileChooser, Page

from gui_environments.browser.actions import GiveFiles
from gui_environments.browser.cdp import CdpError
from gui_environments.browser.events import EventLog, FileChooserOpened
from gui_environments.browser.files.chosen_files import ChosenFiles
from gui_environments.browser.pages.references import READ_AGAIN, ResolvedElement
from gui_environments.browser.pages.world import HANDLES, DocumentGone
from gui_environments.browser.tabs.tab import Tab, Tabs
from gui_environments.browser.values import Outcome, quoted
from gui_environments.errors import ActionFailed, ActionRefused
from gui_environments.finishing import to_its_end
from gui_environments.sights import ExpectedFile, PageExpectation, Sight

CHOOSER_S = 5.0

ANSWER_S = 5.0
"""How long a document may take to say what a file field is and holds."""

GIVEN_S = 20.0
"""How long a page may take to take files, its handlers included."""

FIELD_OF = """
function () {
  const isField = (node) => node instanceof HTMLInputElement && node.type === 'file';
  if (isField(this)) return this;
  if (this instanceof HTMLLabelElement) return isField(this.control) ? this.control : null;
  const inside = this.querySelectorAll('input[type=file]');
  if (inside.length === 1) return inside[0];
  const label = this.closest('label');
  return label && isField(label.control) ? label.control : null;
}
"""
"""The file field that an element is, or stands for: its label, or what holds just one."""

DESCRIBE = """
function () {
  return [this.matches(':disabled'), this.multiple, this.webkitdirectory, Array.from(this.files, (file) => file.name)];
}
"""


class Uploads:
    """Catches the file choosers of every tab from the moment it is made. `files` are those that may be given."""

    def __init__(self, context: BrowserContext, tabs: Tabs, events: EventLog, files: ChosenFiles) -> None:
        self.files = files
        self._tabs = tabs
        self._events = events
        self._choosers: dict[Page, FileChooser] = {}
        for page in context.pages:
            self._watch(page)
        context.on("page", self._watch)

    async def seen(self, sight: Sight, given: GiveFiles) -> Sight:
        """What somebody is shown of the element, and of the files besides. Raises `ActionRefused`."""
        assert isinstance(sight.expected, PageExpectation)
        looked = await to_its_end(asyncio.to_thread(self.files.look, given))
        numbers = [""] if len(looked) == 1 else [f" {number}" for number in range(1, len(looked) + 1)]
        facts = tuple((f"file{number}", words) for number, (words, _) in zip(numbers, looked, strict=True))
        expected = replace(sight.expected, files=tuple(file for _, file in looked))
        return replace(sight, facts=sight.facts + facts, expected=expected)

    async def upload(
        self, tab: Tab, element: ResolvedElement, given: GiveFiles, expected: Sequence[ExpectedFile] | None = None
    ) -> Outcome:
        """Give the files to the file field of `element`, or else to the chooser that the tab's page opened last.
        `expected`: the very files that somebody has seen.

        Raises `ActionRefused` before the page saw anything, `ActionFailed`.
        """
        field = await _field_of(element)
        chooser = self._choosers.get(tab.page)
        if field is None and chooser is None:
            raise ActionRefused(
                f"{element.reference} is no file field, and the page has not asked for files. Use the reference of the "
                "file field, or click what asks for files and then upload again."
            )
        staged = await self._staged(given, expected)
        try:
            if field is not None:
                await _give_to_field(element, field, staged)
            elif chooser is not None:
                await _give_to_chooser(chooser, staged)
        except BaseException:
            await asyncio.to_thread(self.files.drop, staged)
            raise
        self._choosers.pop(tab.page, None)
        names = ", ".join(path.name for path in staged)
        return Outcome((f"The page was given {names}.",))

    async def _staged(self, given: GiveFiles, expected: Sequence[ExpectedFile] | None) -> list[Path]:
        """Copies; none are left when the call is cancelled meanwhile."""
        staging = asyncio.ensure_future(asyncio.to_thread(self.files.stage, given, expected))
        try:
            return await asyncio.shield(staging)
        except asyncio.CancelledError:
            with contextlib.suppress(ActionRefused):
                self.files.drop(await staging)
            raise

    def _watch(self, page: Page) -> None:
        page.on("filechooser", self._take)
        page.on("framenavigated", lambda frame: self._drop(page) if frame is page.main_frame else None)
        page.on("close", self._drop)

    def _take(self, chooser: FileChooser) -> None:
        self._choosers[chooser.page] = chooser
        tab = self._tabs.of(chooser.page)
        if tab is not None:
            self._events.note(FileChooserOpened(tab.tab_id, chooser.is_multiple()))

    def _drop(self, page: Page) -> None:
        self._choosers.pop(page, None)


async def _field_of(element: ResolvedElement) -> str | None:
    """The remote object id of the file field that the element is or stands for."""
    found = await _call(element, element.object_id, FIELD_OF, by_value=False)
    object_id: str | None = found.get("objectId")
    return object_id


async def _give_to_field(element: ResolvedElement, field: str, staged: Sequence[Path]) -> None:
    disabled, multiple, directory, _ = (await _call(element, field, DESCRIBE, by_value=True))["value"]
    if disabled:
        raise ActionRefused(f"The file field of {element.reference} is disabled.")
    if directory:
        raise ActionRefused(f"The field of {element.reference} wants a whole directory; single files cannot be given.")
    if len(staged) > 1 and not multiple:
        raise ActionRefused(f"The file field of {element.reference} takes one file, not {len(staged)}.")
    try:
        async with asyncio.timeout(GIVEN_S):
            await element.frame.world.send(
                "DOM.setFileInputFiles", objectId=field, files=[str(path) for path in staged]
            )
    except TimeoutError:
        raise ActionFailed("The page does not answer; whether it has taken the files is not known.") from None
    except CdpError as error:
        raise ActionFailed(f"The browser did not take the files: {error}.") from error
    except DocumentGone:
        return  # the page went on as soon as it had them
    try:
        kept = (await _call(element, field, DESCRIBE, by_value=True))["value"][3]
    except ActionRefused:
        return
    names = [path.name for path in staged]
    if kept and kept != names:
        raise ActionFailed(f"The page kept other files than it was given: {', '.join(map(quoted, kept))[:500]}.")


async def _give_to_chooser(chooser: FileChooser, staged: Sequence[Path]) -> None:
    if len(staged) > 1 and not chooser.is_multiple():
        raise ActionRefused(f"The page asked for one file, not for {len(staged)}.")
    try:
        await chooser.set_files(staged, timeout=CHOOSER_S * 1000)
    except Error as error:
        raise ActionFailed(
            "The page does not take the files any more: what it asked with is gone. Click it again, then upload."
        ) from error


async def _call(element: ResolvedElement, object_id: str, function: str, *, by_value: bool) -> dict[str, Any]:
    """The remote object that a function of this module gives, called on an object of the element's world."""
    try:
        async with asyncio.timeout(ANSWER_S):
            answer = await element.frame.world.send(
                "Runtime.callFunctionOn",
                functionDeclaration=function,
                objectId=object_id,
                returnByValue=by_value,
                objectGroup=HANDLES,
            )
    except TimeoutError:
        raise ActionRefused(f"The page of {element.reference} does not answer: a script keeps it busy.") from None
    except DocumentGone:
        raise ActionRefused(
            f"The page that {element.reference} belonged to has been left or reloaded. {READ_AGAIN}"
        ) from None
    result: dict[str, Any] = answer["result"]
    return result

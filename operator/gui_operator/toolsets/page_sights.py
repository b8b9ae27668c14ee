"""What a call of a browser member would hit or is about, for whoever is asked about it. Changes nothing."""

from __future__ import annotations

from typing import Any

from anthropic.types import beta

from gui_environments.browser.actions import GiveFiles
from gui_environments.errors import ActionRefused
from gui_environments.protocols import BrowserEnvironment
from gui_environments.sights import PageExpectation, Sight
from gui_operator.toolsets.page_actions import page_action, tab_of
from gui_operator.toolsets.scaling import Scale

HELD_TO_THE_PAGE = frozenset(
    ("screenshot", "zoom", "read_page", "find", "get_page_text", "read_console", "read_network", "navigate")
)
"""Members that act on a page as it was shown to whoever was asked, and on no element of it."""

HISTORY = ("back", "forward", "reload")

NO_SUCH_TAB = "There is no tab {}. List the tabs and use an open one."


async def page_sight(browser: BrowserEnvironment, member: str, call_input: Any, scale: Scale) -> Sight | None:
    """None for what concerns no page. Raises `ActionRefused`, `ActionFailed`."""
    if member in ("new_tab", "list_tabs"):
        return None
    if member in ("switch_tab", "close_tab"):
        return await _tab_sight(browser, call_input.tab_id)
    subject = given_files(call_input) if member == "file_upload" else page_action(call_input, scale)
    return await browser.look(subject, tab_of(call_input))


def given_files(call_input: beta.BetaBrowserFileUploadInput) -> GiveFiles:
    return GiveFiles(call_input.target.ref, tuple(call_input.paths or ()), tuple(call_input.document_ids or ()))


def is_held_to_page(member: str, call_input: Any) -> bool:
    """Going to an address depends on no page; going back does."""
    return member in HELD_TO_THE_PAGE and (member != "navigate" or call_input.url in HISTORY)


async def _tab_sight(browser: BrowserEnvironment, tab_id: str) -> Sight:
    """Asks no page: it may have crashed."""
    found = next((tab for tab in await browser.tab_states() if tab.tab_id == tab_id), None)
    if found is None:
        raise ActionRefused(NO_SUCH_TAB.format(tab_id[:40]))
    facts = (("page", found.url), ("title", found.title), ("tab", found.tab_id))
    return Sight(facts, PageExpectation(found.tab_id, found.url, ""))

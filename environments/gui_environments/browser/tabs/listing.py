"""The list of open tabs, without asking their pages: it works on a page that hangs, has crashed or shows a dialog."""

from __future__ import annotations

from contextlib import suppress

from gui_environments.browser.cdp import CdpSession, SessionGone
from gui_environments.browser.life import DIED
from gui_environments.browser.tabs.tab import Tab, Tabs
from gui_environments.browser.values import TabState
from gui_environments.errors import ActionRefused, EnvironmentDied


async def list_tabs(session: CdpSession, tabs: Tabs) -> tuple[TabState, ...]:
    """Every open tab; `session` is the browser's own. Raises `EnvironmentDied`."""
    target_ids: dict[Tab, str] = {}
    for tab in tabs.all:
        with suppress(SessionGone):  # it closed while we asked
            target_ids[tab] = await tab.target_id()
    try:
        targets = await session.send("Target.getTargets")
    except SessionGone as error:
        raise EnvironmentDied(DIED) from error
    titles = {target["targetId"]: target["title"] for target in targets["targetInfos"]}
    # Nothing is waited for from here on, so that the answer and the events taken next tell of one moment.
    return tuple(
        TabState(tab.tab_id, titles.get(target_ids.get(tab, ""), ""), tab.page.url, tab is tabs.active, tab.crashed)
        for tab in tabs.all
    )


async def list_tab(session: CdpSession, tabs: Tabs, tab: Tab) -> TabState:
    """Of them, that one. Raises `ActionRefused` when it has closed, `EnvironmentDied`."""
    for state in await list_tabs(session, tabs):
        if state.tab_id == tab.tab_id:
            return state
    raise ActionRefused(f"{tab.tab_id} has been closed. List the tabs and use an open one.")

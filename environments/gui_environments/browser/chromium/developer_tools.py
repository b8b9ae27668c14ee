"""The browser's developer tools, which somebody at a screen can open by a key or a menu: closed as soon as there is
anything of them. Pages cannot open them."""

from __future__ import annotations

import asyncio
from typing import Any

from gui_environments.browser.cdp import CdpError, CdpSession, SessionGone
from gui_environments.browser.events import DeveloperToolsClosed, EventLog

SCHEME = "devtools:"


class DeveloperTools:
    """Made by `keep_developer_tools_closed`."""

    def __init__(self, session: CdpSession, events: EventLog) -> None:
        self._session = session
        self._events = events
        self._closed: set[str] = set()
        """Targets that are being closed: what happens to one is told several times."""
        self._closing: set[asyncio.Task[None]] = set()

    def take_target(self, told: dict[str, Any]) -> None:
        target = told["targetInfo"]
        # Of the type `page` are tabs, which may have been sent to such an address, and are emptied (`landings`).
        if not target["url"].startswith(SCHEME) or target["type"] == "page" or target["targetId"] in self._closed:
            return
        self._closed.add(target["targetId"])
        task = asyncio.get_running_loop().create_task(self._close(target["targetId"]))
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    def forget_target(self, told: dict[str, Any]) -> None:
        if told["targetId"] in self._closed:
            self._closed.discard(told["targetId"])
            if not self._closed:
                self._events.note(DeveloperToolsClosed())

    async def _close(self, target_id: str) -> None:
        try:
            await self._session.send("Target.closeTarget", targetId=target_id)
        except (CdpError, SessionGone):
            self._closed.discard(target_id)  # gone already


async def keep_developer_tools_closed(session: CdpSession, events: EventLog) -> DeveloperTools:
    """`session` is the browser's own."""
    tools = DeveloperTools(session, events)
    session.raw.on("Target.targetCreated", tools.take_target)
    session.raw.on("Target.targetInfoChanged", tools.take_target)
    session.raw.on("Target.targetDestroyed", tools.forget_target)
    await session.send("Target.setDiscoverTargets", discover=True)
    return tools

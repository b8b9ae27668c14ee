"""Input events on their way to a tab: sent one right after the other, then waited for until the page has handled them.

Waiting for each would cost a frame an event. What was sent is handled even when whoever sent it is cancelled, so a
press and its release in one batch leave nothing down.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from gui_environments.browser.cdp import CdpError, SessionGone
from gui_environments.browser.tabs.tab import Tab
from gui_environments.errors import ActionFailed, ActionRefused

HANDLED_S = 5.0
"""How long a page has to handle a batch of events before that is said."""

CRASH_S = 0.1
"""How often it is looked whether the tab has crashed: what it was sent is never answered then."""

MOUSE = "Input.dispatchMouseEvent"
KEY = "Input.dispatchKeyEvent"
INSERT = "Input.insertText"

Answer = asyncio.Task[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class InputEvent:
    """A command of the DevTools protocol's Input domain."""

    method: str
    parameters: dict[str, Any] = field(default_factory=dict)


async def send_events(tab: Tab, events: Sequence[InputEvent]) -> None:
    """In order. A tab that closes in the course of it has handled what it wanted of them.

    Raises `ActionRefused` when the tab cannot be used, `ActionFailed` when it does not handle the events or crashes.
    """
    tab.require_usable()
    if not events:
        return
    try:
        session = await tab.frames.page_session()
    except SessionGone as error:
        raise ActionRefused(f"{tab.tab_id} is closing. List the tabs and use an open one.") from error
    # Each task writes its command in its first step, and they take it in the order in which they were made.
    sent = [asyncio.ensure_future(session.send(event.method, **event.parameters)) for event in events]
    done, waiting = await _wait(tab, sent)
    for one in waiting:
        one.cancel()
    if tab.crashed:
        raise ActionFailed(f"The page in {tab.tab_id} crashed while it handled the input.")
    errors = [one.exception() for one in done]
    refused = next((error for error in errors if isinstance(error, CdpError)), None)
    if refused is not None:
        raise ActionFailed(f"The browser did not take the input: {refused}")
    unknown = next((error for error in errors if error is not None and not isinstance(error, SessionGone)), None)
    if unknown is not None:
        raise unknown
    if waiting:
        raise ActionFailed(
            f"The input was sent, but the page has not handled it within {HANDLED_S:.0f} s: a script keeps it busy."
        )


async def _wait(tab: Tab, sent: list[Answer]) -> tuple[set[Answer], set[Answer]]:
    """Those that were answered, and those that were not."""
    loop = asyncio.get_running_loop()
    end = loop.time() + HANDLED_S
    done: set[Answer] = set()
    waiting = set(sent)
    try:
        while waiting and not tab.crashed and (left_s := end - loop.time()) > 0:
            handled, waiting = await asyncio.wait(waiting, timeout=min(left_s, CRASH_S))
            done |= handled
            if tab.clock.is_stopped:
                end = loop.time() + HANDLED_S
    except asyncio.CancelledError:
        await asyncio.sleep(0)  # their first steps, which send
        for one in sent:
            one.cancel()
        raise
    return done, waiting

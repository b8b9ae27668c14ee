"""Documents that come into a tab while an action is held to its target: they take no presses and keys until they are
let go. Every document that was there before is somebody else's to hold."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence

from gui_environments.browser.cdp import CdpError, CdpSession, SessionGone
from gui_environments.browser.pages.frames import frame_ids

LONGEST_S = 20.0
"""One that cannot be let go, since it is kept for going back, takes presses again after this time. No press that is
held takes as long to arrive."""

WORLD = "gui-environments-newcomer"

SCRIPT = """
(() => {
  let held = true;
  const stop = (event) => {
    if (!event.isTrusted || !held || Date.now() >= UNTIL) return;
    event.stopImmediatePropagation();
    event.preventDefault();
  };
  const types = 'pointerdown mousedown pointerup mouseup click dblclick auxclick contextmenu keydown keypress keyup';
  for (const type of types.split(' ')) addEventListener(type, stop, { capture: true, passive: false });
  globalThis.letGo = () => { held = false; };
})()
"""


class Newcomers:
    """Of one tab during one action."""

    def __init__(self) -> None:
        self._scripts: list[tuple[CdpSession, str]] = []

    async def stop(self, sessions: Sequence[CdpSession]) -> None:
        """From now on, in every document that `sessions` come to reach."""
        source = SCRIPT.replace("UNTIL", str(round((time.time() + LONGEST_S) * 1000)))
        for session in sessions:
            try:
                await session.send("Page.enable")
                added = await session.send("Page.addScriptToEvaluateOnNewDocument", source=source, worldName=WORLD)
            except (CdpError, SessionGone):
                continue  # its frame has gone
            self._scripts.append((session, added["identifier"]))

    async def let_go(self, there_before: Collection[str]) -> None:
        """Idempotent. Frames of `there_before` show the document that they did."""
        scripts, self._scripts = self._scripts, []
        for session, identifier in scripts:
            try:
                await session.send("Page.removeScriptToEvaluateOnNewDocument", identifier=identifier)
                tree = await session.send("Page.getFrameTree")
            except (CdpError, SessionGone):
                continue  # gone, and all that it reached
            for frame_id in frame_ids(tree["frameTree"]):
                if frame_id not in there_before:
                    await _let_go(session, frame_id)


async def _let_go(session: CdpSession, frame_id: str) -> None:
    try:
        # The world of this name is the one that the script ran in, if it did.
        made = await session.send("Page.createIsolatedWorld", frameId=frame_id, worldName=WORLD)
        await session.send("Runtime.evaluate", expression="globalThis.letGo?.()", contextId=made["executionContextId"])
    except (CdpError, SessionGone):
        return  # another document by now, to which the script did not come

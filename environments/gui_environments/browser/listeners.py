"""Elements that a page made clickable by listening for clicks: the document does not show which, the browser tells."""

from __future__ import annotations

import asyncio

from gui_environments.browser.cdp import CdpError
from gui_environments.browser.world import World

CLICKS = frozenset({"click", "mousedown", "mouseup", "pointerdown", "pointerup", "dblclick"})

LEARN_LIMIT = 500
"""Elements looked up in one reading; the rest is looked up in the next."""


async def learn_listeners(world: World) -> bool:
    """Tell the page model of elements that listen for clicks and were not known; whether there were any."""
    document = await world.object("root")
    answer = await world.send("DOMDebugger.getEventListeners", objectId=document, depth=-1, pierce=True)
    nodes = {one["backendNodeId"] for one in answer["listeners"] if one["type"] in CLICKS and "backendNodeId" in one}
    new = sorted(nodes - world.listening)[:LEARN_LIMIT]
    if not new:
        return False
    world.listening.update(new)
    resolved = await asyncio.gather(*(_resolve(world, node) for node in new))
    found = [object_id for object_id in resolved if object_id is not None]
    learned: int = await world.call_with_objects("keepListening", *found) if found else 0
    return learned > 0


async def _resolve(world: World, node: int) -> str | None:
    try:
        answer = await world.send("DOM.resolveNode", backendNodeId=node, executionContextId=world.context_id)
    except CdpError:
        return None  # it went away, or belongs to a frame inside this one
    object_id: str | None = answer["object"].get("objectId")
    return object_id

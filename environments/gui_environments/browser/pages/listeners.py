"""Elements that a page made clickable by listening for clicks: the document does not show which, the browser tells."""

from __future__ import annotations

import asyncio

from gui_environments.browser.cdp import CdpError
from gui_environments.browser.pages.world import HANDLES, DocumentGone, World

CLICKS = frozenset({"click", "mousedown", "mouseup", "pointerdown", "pointerup", "dblclick"})

LEARN_LIMIT = 500
"""Elements looked up in one reading; the rest is looked up in the next."""


async def learn_listeners(world: World) -> bool:
    """Tell the page model of elements that listen for clicks and were not known; whether there were any."""
    document = await _document_of_page(world)
    answer = await world.send("DOMDebugger.getEventListeners", objectId=document, depth=-1, pierce=True)
    nodes = {one["backendNodeId"] for one in answer["listeners"] if one["type"] in CLICKS and "backendNodeId" in one}
    world.listening &= nodes
    new = sorted(nodes - world.listening)[:LEARN_LIMIT]
    if not new:
        return False
    world.listening.update(new)
    resolved = await asyncio.gather(*(world.resolve_node(node) for node in new), return_exceptions=True)
    # Others went away meanwhile, or belong to a frame inside this one.
    found = [object_id for object_id in resolved if isinstance(object_id, str)]
    learned: int = await world.call_with_objects("keepListening", *found) if found else 0
    return learned > 0


async def _document_of_page(world: World) -> str:
    """The document as the page's own scripts have it: asked about the one of an isolated world, Chromium crashes soon
    after when elements that are listened to have been removed."""
    own = await world.object("root")
    described = await world.send("DOM.describeNode", objectId=own, depth=0)
    node = described["node"]["backendNodeId"]
    try:
        answer = await world.send("DOM.resolveNode", backendNodeId=node, objectGroup=HANDLES)
    except CdpError as error:  # it has just been left
        world.alive = False
        raise DocumentGone from error
    object_id: str = answer["object"]["objectId"]
    return object_id

"""Shadow roots that a page keeps closed: the browser tells of them, and the page model keeps them for its walk."""

from __future__ import annotations

import asyncio
from typing import Any

from gui_environments.browser.cdp import CdpError
from gui_environments.browser.pages.world import World

PROBE_LIMIT = 300
"""Elements asked about in one reading; the rest is asked about in the next."""


async def learn_closed_roots(world: World) -> bool:
    """Ask about the elements of the last reading that may hide a shadow root; whether any did."""
    hosts = await world.object("hosts", PROBE_LIMIT)
    assert hosts is not None
    # The properties are in the group of the object they are properties of.
    listed = await world.send("Runtime.getProperties", objectId=hosts, ownProperties=True)
    objects = [
        entry["value"]["objectId"]
        for entry in listed["result"]
        if entry["name"].isdigit() and "objectId" in entry["value"]
    ]
    learned = await asyncio.gather(*(_learn(world, object_id) for object_id in objects))
    return any(learned)


async def _learn(world: World, host: str) -> bool:
    try:
        described = await world.send("DOM.describeNode", objectId=host)
    except CdpError:
        return False  # it went away meanwhile
    roots: list[dict[str, Any]] = described["node"].get("shadowRoots", [])
    for root in roots:
        if root["shadowRootType"] != "closed":
            continue
        await world.call_with_objects("keepClosedRoot", host, await world.resolve_node(root["backendNodeId"]))
        return True
    return False

"""Where an element lies in the viewport of its tab, through any number of frames. Reads only."""

from __future__ import annotations

from collections.abc import Sequence

from gui_environments.browser.cdp import CdpError
from gui_environments.browser.pages.frames import Frame
from gui_environments.browser.pages.projection import IDENTITY, Projection, onto
from gui_environments.browser.pages.references import ResolvedElement
from gui_environments.browser.pages.world import DocumentGone
from gui_environments.browser.values import PagePoint, Quad


async def viewport_quads(element: ResolvedElement) -> tuple[Quad, ...]:
    """The boxes of an element, one for each line it is broken into; none when it has no box.

    Raises `DocumentGone` when a frame around it went away.
    """
    # Asked for boxes alone, Chromium answers from the last layout, which may be older than the page's last change.
    if not await element.frame.world.call_with_objects("isBoxed", element.object_id):
        return ()
    try:
        answer = await element.frame.world.send("DOM.getContentQuads", objectId=element.object_id)
    except CdpError:
        return ()  # "Could not compute content quads": its box went away meanwhile
    zoom = await _zoom(element.frame)
    quads = [_quad(numbers, zoom) for numbers in answer["quads"]]
    root = element.frame.local_root
    while root.parent is not None:
        owner = await owner_quad(root)
        width, height = await root.world.call("viewport")
        quads = [_through(owner, width, height, quad) for quad in quads]
        root = root.parent.local_root
    return tuple(quads)


async def owner_quad(frame: Frame) -> Quad:
    """The content box of the element that shows `frame`, in the pixels of the session that holds that element."""
    assert frame.parent is not None
    world = frame.parent.world
    try:
        owner = await world.send("DOM.getFrameOwner", frameId=frame.frame_id)
        model = await world.send("DOM.getBoxModel", backendNodeId=owner["backendNodeId"])
    except CdpError as error:
        raise DocumentGone from error
    return _quad(model["model"]["content"], await _zoom(frame.parent))


async def _zoom(frame: Frame) -> float:
    """By how much frames with CSS zoom enlarge this one in its session. Chromium divides all it says of boxes by it."""
    root = frame.local_root
    if frame is root:
        return 1.0
    ratio: float = await frame.world.call("pixelRatio")
    root_ratio: float = await root.world.call("pixelRatio")
    return ratio / root_ratio


def _quad(numbers: Sequence[float], zoom: float) -> Quad:
    a, b, c, d = (PagePoint(numbers[at] * zoom, numbers[at + 1] * zoom) for at in range(0, 8, 2))
    return Quad((a, b, c, d))


def _through(owner: Quad, width: float, height: float, quad: Quad) -> Quad:
    projection = onto(owner, width, height)
    a, b, c, d = (projection.apply(corner) for corner in quad.corners)
    return Quad((a, b, c, d))


async def projection_to_tab(frame: Frame) -> Projection:
    """From the frame's own viewport to its tab's. Raises `DocumentGone` when a frame around it went away."""
    if frame.parent is None:
        return IDENTITY
    width, height = await frame.world.call("viewport")
    own = onto(await owner_quad(frame), max(width, 1), max(height, 1))
    return (await projection_to_tab(frame.parent.local_root)).after(own)

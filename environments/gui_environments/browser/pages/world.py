"""The page model inside one document: an isolated world of that document, with the project's JavaScript in it.

The page's own scripts share the document but not the world: what they patch (`Array.prototype`, `JSON`, `Element`) is
not what the page model uses. A world lives as long as its document; numbers it gives to elements mean nothing after.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from gui_environments.browser.cdp import CdpError, CdpSession, SessionGone

SCRIPTS = (
    "text.js",
    "rendering.js",
    "clipping.js",
    "colours.js",
    "layering.js",
    "roles.js",
    "names.js",
    "content.js",
    "states.js",
    "actions.js",
    "tables.js",
    "structure.js",
    "walk.js",
    "fields.js",
    "forms.js",
    "hints.js",
    "sifting.js",
    "seen.js",
    "writing.js",
    "page_text.js",
    "world.js",
    "probing.js",
    "standing.js",
    "aiming.js",
    "guarding.js",
    "expecting.js",
    "typing.js",
    "secrets.js",
    "covering.js",
    "covered_frames.js",
    "submitting.js",
    "settling.js",
)
"""In the order they depend on each other. One function encloses them all."""

HANDLES = "handles"
"""The group of remote objects that `World.release` lets go; while held they keep elements of the page in memory."""

CALL = "function (member, ...parameters) { return this[member](...parameters); }"

GONE = (
    "Cannot find context",
    "Could not find object",
    "Cannot find execution context",
    "Execution context was destroyed",
    "Promise was collected",
    "Inspected target navigated or closed",
    "No frame",
    "not attached",
)
"""What Chromium says when the document has been replaced or its frame removed."""

CRASHED = "Target crashed"
"""What it says of commands that were under way when the process ended."""


@cache
def page_model_source() -> str:
    """The page model as one expression, whose value is the object whose members `World.call` calls."""
    directory = Path(__file__).parent / "page_model"
    parts = [(directory / name).read_text(encoding="utf-8") for name in SCRIPTS]
    return "(() => {\n'use strict';\n" + "\n".join(parts) + "\nreturn pageModel;\n})()"


class DocumentGone(Exception):
    """The document has been replaced, or its frame removed: nothing of it can be read or used any more."""


class FrameGone(DocumentGone):
    """The process that showed it has ended."""


class PageModelFailed(Exception):
    """The page model's JavaScript threw: a defect of ours. The message is the exception's."""


class World:
    """Made by `open_world`."""

    def __init__(self, session: CdpSession, frame_id: str, context_id: int, model_id: str) -> None:
        self.session = session
        self.frame_id = frame_id
        self.context_id = context_id
        self._model_id = model_id
        self._holding = False
        self.alive = True
        self.crashed = False
        """Whether it is gone because its process has ended, and nothing has taken its place yet."""
        self.listening: set[int] = set()
        """Backend ids of the nodes that the page model knows to listen for clicks."""
        self.doubtful = False
        """Set when a frame of the tab has navigated since the world was last used."""

    async def call(self, member: str, *parameters: Any) -> Any:
        """The value of a member's call, as JSON. Raises `DocumentGone`, `PageModelFailed`."""
        result = await self._call(member, [{"value": value} for value in parameters], by_value=True)
        return result.get("value")

    async def call_with_objects(self, member: str, *object_ids: str) -> Any:
        """Like `call`, with objects of this world as parameters."""
        result = await self._call(member, [{"objectId": object_id} for object_id in object_ids], by_value=True)
        return result.get("value")

    async def object(self, member: str, *parameters: Any) -> str | None:
        """The remote object id of what a member returns, None for null; good until `release`."""
        self._holding = True
        result = await self._call(member, [{"value": value} for value in parameters], by_value=False)
        return result.get("objectId")

    async def resolve_node(self, backend_node_id: int) -> str:
        """The remote object id of a node in this world; good until `release`. Raises `CdpError` for another's node."""
        self._holding = True
        answer = await self.send(
            "DOM.resolveNode", backendNodeId=backend_node_id, executionContextId=self.context_id, objectGroup=HANDLES
        )
        object_id: str = answer["object"]["objectId"]
        return object_id

    async def release(self) -> None:
        """Let go of every object whose id was given out."""
        if self._holding:
            self._holding = False
            await self.send("Runtime.releaseObjectGroup", objectGroup=HANDLES)

    async def _call(self, member: str, arguments: list[dict[str, Any]], *, by_value: bool) -> dict[str, Any]:
        answer = await self.send(
            "Runtime.callFunctionOn",
            functionDeclaration=CALL,
            objectId=self._model_id,
            arguments=[{"value": member}, *arguments],
            returnByValue=by_value,
            awaitPromise=True,
            objectGroup=HANDLES,
        )
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise PageModelFailed(details.get("exception", {}).get("description") or details["text"])
        result: dict[str, Any] = answer["result"]
        return result

    async def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """A command about this document. Raises `DocumentGone` (`FrameGone` where it has crashed), `CdpError`."""
        if self.crashed:
            raise FrameGone
        if not self.alive:
            raise DocumentGone
        try:
            return await self.session.send(method, **parameters)
        except SessionGone as error:
            self.alive = False
            raise DocumentGone from error
        except CdpError as error:
            if CRASHED in str(error):
                self.alive, self.crashed = False, True
                raise FrameGone from error
            if any(words in str(error) for words in GONE):
                self.alive = False
                raise DocumentGone from error
            raise


async def open_world(session: CdpSession, frame_id: str) -> World:
    """The isolated world of what `frame_id` shows now. Raises `CdpError` when `session` does not have that frame.

    Worlds of one name share the objects that stand for elements, and an element is then of the classes of the document
    whose world met it first, be it that of a frame around it. So each frame's has a name of its own.
    """
    made = await session.send("Page.createIsolatedWorld", frameId=frame_id, worldName=f"gui-environments-{frame_id}")
    context_id = made["executionContextId"]
    answer = await session.send("Runtime.evaluate", expression=page_model_source(), contextId=context_id)
    if "exceptionDetails" in answer:
        raise PageModelFailed(str(answer["exceptionDetails"]))
    return World(session, frame_id, context_id, answer["result"]["objectId"])

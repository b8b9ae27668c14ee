"""One session of the DevTools protocol, with errors that tell what happened. Knows no commands."""

from __future__ import annotations

from typing import Any

from playwright.async_api import CDPSession, Error


class CdpError(Exception):
    """Chromium refused the command: the message is its own."""


class SessionGone(Exception):
    """What the session was attached to (a page, a frame, the browser) is no longer there."""


class CdpSession:
    """Sends over one of Playwright's sessions. `closed` once what it was attached to is gone."""

    def __init__(self, raw: CDPSession) -> None:
        self.raw = raw
        self.closed = False
        raw.on("close", self._note_close)

    def _note_close(self, *_: Any) -> None:
        self.closed = True

    async def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """The command's answer. Raises `CdpError` or `SessionGone`."""
        try:
            answer: dict[str, Any] = await self.raw.send(method, parameters)
        except Error as error:
            _, refused, reason = error.message.partition(f"Protocol error ({method}): ")
            # A command in flight is answered with a protocol error of this wording when its target goes.
            if not refused or "has been closed" in reason or "Target closed" in reason or "Session closed" in reason:
                self.closed = True
                raise SessionGone(error.message) from error
            raise CdpError(reason.splitlines()[0]) from error
        return answer

"""Stops downloads that grow beyond what may come down, while they come. Keeps no file and reports nothing: whoever
follows a download asks why it was stopped."""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gui_environments.browser.cdp import CdpError, CdpSession, SessionGone
from gui_environments.browser.files.limits import FileLimits, size_words


@dataclass(slots=True)
class _Going:
    url: str
    name: str
    received_bytes: int = 0


class DownloadBounds:
    """`kept_bytes` and `begun` are counted by whoever keeps the files."""

    def __init__(self, limits: FileLimits) -> None:
        self.limits = limits
        self.kept_bytes = 0
        self.begun = 0
        self._going: dict[str, _Going] = {}
        self._stopped: defaultdict[tuple[str, str], deque[str]] = defaultdict(deque)
        self._stopping: set[asyncio.Task[None]] = set()

    async def watch(self, session: CdpSession, arriving: Path) -> None:
        """`session` is the browser's own; `arriving` is where it writes files while they come, as it was started
        with: saying it again is what makes this session hear of them."""
        session.raw.on("Browser.downloadWillBegin", self._note_beginning)
        session.raw.on("Browser.downloadProgress", lambda told: self._note_progress(session, told))
        await session.send(
            "Browser.setDownloadBehavior", behavior="allowAndName", downloadPath=str(arriving), eventsEnabled=True
        )

    def too_many(self) -> str | None:
        """Why the one that begins now may not, in a sentence."""
        if self.begun <= self.limits.files:
            return None
        return f"A session may download {self.limits.files} files; this one would be more, so it was stopped."

    def too_large(self, size_bytes: int, others_bytes: int = 0) -> str | None:
        """Why a file of this size may not be kept, in a sentence, when `others_bytes` more are on their way."""
        if size_bytes > self.limits.file_bytes:
            most = size_words(self.limits.file_bytes)
            return f"It is larger than the {most} that a download may be, so it was stopped."
        if self.kept_bytes + others_bytes + size_bytes > self.limits.total_bytes:
            whole = size_words(self.limits.total_bytes)
            return f"The downloads of a session may be {whole} together; this one would be more, so it was stopped."
        return None

    def why_stopped(self, url: str, name: str) -> str | None:
        """Why a download of this address and suggested name was stopped here; None when it was not."""
        reasons = self._stopped.get((url, name))
        return reasons.popleft() if reasons else None

    def close(self) -> None:
        for task in self._stopping:
            task.cancel()

    def _note_beginning(self, told: dict[str, Any]) -> None:
        self._going[told["guid"]] = _Going(told["url"], told["suggestedFilename"])

    def _note_progress(self, session: CdpSession, told: dict[str, Any]) -> None:
        going = self._going.get(told["guid"])
        if going is None:
            return
        if told["state"] != "inProgress":
            del self._going[told["guid"]]
            return
        going.received_bytes = int(told["receivedBytes"])
        # What a server says of the size is worth nothing but a no in time.
        size_bytes = max(going.received_bytes, int(told["totalBytes"]))
        others_bytes = sum(other.received_bytes for other in self._going.values() if other is not going)
        reason = self.too_large(size_bytes, others_bytes)
        if reason is None:
            return
        del self._going[told["guid"]]
        self._stopped[going.url, going.name].append(reason)
        task = asyncio.get_running_loop().create_task(_cancel(session, told["guid"]))
        self._stopping.add(task)
        task.add_done_callback(self._stopping.discard)


async def _cancel(session: CdpSession, guid: str) -> None:
    try:
        await session.send("Browser.cancelDownload", guid=guid)
    except (CdpError, SessionGone):
        return  # it has ended

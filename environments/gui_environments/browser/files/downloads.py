"""Files that pages offer for download: kept under their own name, made safe, in one folder (`download_folder`), whole
or not at all, and no more than the limits say (`download_bounds`)."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

from playwright.async_api import BrowserContext, Download, Error

from gui_environments.browser.cdp import CdpSession
from gui_environments.browser.events import DownloadCompleted, DownloadFailed, DownloadStarted, EventLog
from gui_environments.browser.files.copying import TooLarge
from gui_environments.browser.files.download_bounds import DownloadBounds
from gui_environments.browser.files.download_folder import DownloadFolder
from gui_environments.browser.files.limits import DOWNLOAD_LIMITS, FileLimits
from gui_environments.browser.files.names import safe_name
from gui_environments.finishing import to_its_end

log = logging.getLogger(__name__)

REASONS = {
    "canceled": "It was cancelled, or the connection was broken off.",
    "interrupted": "The connection was broken off.",
}

NO_DIRECTORY = "No directory for downloads was given, so the file was not kept."


class Downloads:
    """Takes the downloads of every tab from the moment it is made. Without a directory all are refused."""

    def __init__(
        self, context: BrowserContext, events: EventLog, directory: Path | None, limits: FileLimits = DOWNLOAD_LIMITS
    ) -> None:
        self._folder = None if directory is None else DownloadFolder(directory)
        self._bounds = DownloadBounds(limits)
        self._events = events
        self._going: dict[asyncio.Task[None], float] = {}
        """With the time of the loop at which each began."""
        context.on("download", self._take)

    async def begin(self, session: CdpSession, arriving: Path) -> None:
        """From here on downloads are held to their bounds while they come, and the folder is the one that is there
        now. `session` is the browser's own, `arriving` where it writes them."""
        if self._folder is not None:
            self._folder.open()
        await self._bounds.watch(session, arriving)

    async def wait(self, limit_s: float) -> None:
        """Until what is going on has ended, each for at most `limit_s` from its beginning: a long one holds up what
        is done when it begins, and nothing later."""
        now = asyncio.get_running_loop().time()
        young = {task: begun + limit_s - now for task, begun in self._going.items() if begun + limit_s > now}
        if young:
            await asyncio.wait(young, timeout=max(young.values()))

    async def close(self) -> None:
        """Break off what is going on; nothing unfinished is left in the directory. Idempotent."""
        going = set(self._going)
        for task in going:
            task.cancel()
        await asyncio.gather(*going, return_exceptions=True)
        self._bounds.close()
        if self._folder is not None:
            self._folder.close()

    def _take(self, download: Download) -> None:
        self._bounds.begun += 1
        loop = asyncio.get_running_loop()
        task = loop.create_task(self._follow(download, f"download_{self._bounds.begun}"))
        self._going[task] = loop.time()
        task.add_done_callback(lambda ended: self._going.pop(ended, None))

    async def _follow(self, download: Download, download_id: str) -> None:
        name = safe_name(download.suggested_filename)
        self._events.note(DownloadStarted(download_id, download.url, name))
        refusal = NO_DIRECTORY if self._folder is None else self._bounds.too_many()
        if refusal is None:
            assert self._folder is not None
            try:
                path, size_bytes = await self._keep(download, self._folder, name)
            except _NotKept as not_kept:
                refusal = str(not_kept)
            else:
                self._events.note(DownloadCompleted(download_id, download.url, path.name, path, size_bytes))
        if refusal is not None:
            self._events.note(DownloadFailed(download_id, download.url, name, refusal))
        await _drop(download)

    async def _keep(self, download: Download, folder: DownloadFolder, name: str) -> tuple[Path, int]:
        """Where the file is once it is whole, and its size. Raises `_NotKept`."""
        try:
            got = Path(await download.path())
        except Error:
            stopped = self._bounds.why_stopped(download.url, download.suggested_filename)
            raise _NotKept(stopped or await _reason(download)) from None
        size_bytes = 0
        try:
            size_bytes = (await asyncio.to_thread(got.stat)).st_size
            if too_large := self._bounds.too_large(size_bytes):
                raise _NotKept(too_large)
            # Counted before it is copied: others may come to their end meanwhile.
            self._bounds.kept_bytes += size_bytes
            return await to_its_end(asyncio.to_thread(folder.place, got, name, size_bytes))
        except OSError as error:
            self._bounds.kept_bytes -= size_bytes
            raise _NotKept(f"The file could not be kept: {error.strerror}.") from error
        except TooLarge:
            self._bounds.kept_bytes -= size_bytes
            raise _NotKept("The file changed while it was kept.") from None


class _NotKept(Exception):
    """Why, in a sentence. Nothing of the file is left in the folder."""


async def _reason(download: Download) -> str:
    try:
        failure = await download.failure()
    except Error:
        failure = None  # the browser has ended
    return REASONS.get(failure or "", f"The browser gave it up ({failure})." if failure else "The browser gave it up.")


async def _drop(download: Download) -> None:
    """Stop it, and remove what the browser has of it."""
    try:
        await download.cancel()
        await download.delete()
    except Error as error:
        log.debug("a download was gone when it was to be dropped: %s", error)

"""Files that pages offer for download: kept under their own name, made safe, in one directory; whole or not at all.

A file is written beside its place under a name that ends in `.part`, and gets its name when it is complete. What is
there already is never written over: a second file of one name becomes `name (1)`.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import os
import re
import shutil
import unicodedata
from pathlib import Path

from playwright.async_api import BrowserContext, Download, Error

from gui_environments.browser.events import DownloadCompleted, DownloadFailed, DownloadStarted, EventLog

log = logging.getLogger(__name__)

NAME_LIMIT_BYTES = 200
"""File systems take 255; this leaves room for a number and `.part`."""

_FORBIDDEN = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*]')

REASONS = {
    "canceled": "It was cancelled.",
    "interrupted": "The connection was broken off.",
}


class Downloads:
    """Takes the downloads of every tab from the moment it is made. Without a directory all are refused."""

    def __init__(self, context: BrowserContext, events: EventLog, directory: Path | None) -> None:
        self._directory = directory
        self._events = events
        self._count = 0
        self._going: dict[asyncio.Task[None], float] = {}
        """With the time of the loop at which each began."""
        context.on("download", self._take)

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

    def _take(self, download: Download) -> None:
        self._count += 1
        loop = asyncio.get_running_loop()
        task = loop.create_task(self._follow(download, f"download_{self._count}"))
        self._going[task] = loop.time()
        task.add_done_callback(lambda ended: self._going.pop(ended, None))

    async def _follow(self, download: Download, download_id: str) -> None:
        name = safe_name(download.suggested_filename)
        self._events.note(DownloadStarted(download_id, download.url, name))

        def note_failure(error: str) -> None:
            self._events.note(DownloadFailed(download_id, download.url, name, error))

        if self._directory is None:
            await _drop(download)
            note_failure("No directory for downloads was given, so the file was not kept.")
            return
        try:
            got = await download.path()
        except Error:
            note_failure(await _reason(download))
            return
        try:
            path, size_bytes = await asyncio.shield(asyncio.to_thread(place_file, Path(got), self._directory, name))
        except OSError as error:
            note_failure(f"The file could not be kept: {error.strerror}.")
        else:
            self._events.note(DownloadCompleted(download_id, download.url, path.name, path, size_bytes))
        await _drop(download)


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


def safe_name(suggested: str) -> str:
    """A file name that is nothing but a name: no path, no control or direction marks, not hidden, not too long."""
    name = _FORBIDDEN.sub("_", suggested.replace("\\", "/").rpartition("/")[2])
    name = "".join(character for character in name if unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co"))
    name = name.strip().rstrip(". ")
    if name.startswith("."):
        name = "_" + name[1:]
    stem, dot, extension = name.rpartition(".")
    if not dot or len(os.fsencode(extension)) > NAME_LIMIT_BYTES // 4:
        stem, dot, extension = name, "", ""
    room = NAME_LIMIT_BYTES - len(os.fsencode(dot + extension))
    stem = stem.encode("utf-8")[:room].decode("utf-8", "ignore").rstrip()
    return stem + dot + extension or "download"


def place_file(source: Path, directory: Path, name: str) -> tuple[Path, int]:
    """Copy `source` into `directory` under `name`, or the first free `name (N)`; where it is then, and its size."""
    directory.mkdir(parents=True, exist_ok=True)
    part = None
    try:
        for number in itertools.count():
            candidate = directory / f"{numbered(name, number)}.part"
            try:
                with source.open("rb") as file, candidate.open("xb") as out:
                    part = candidate
                    shutil.copyfileobj(file, out)
                    size_bytes = out.tell()
                break
            except FileExistsError:
                continue
        assert part is not None
        for number in itertools.count():
            path = directory / numbered(name, number)
            try:
                os.link(part, path)  # unlike a rename, it never replaces what is there
            except FileExistsError:
                continue
            return path, size_bytes
    finally:
        if part is not None:
            part.unlink(missing_ok=True)
    raise AssertionError


def numbered(name: str, number: int) -> str:
    """`report.pdf`, `report (1).pdf`, ..."""
    if number == 0:
        return name
    stem, dot, extension = name.rpartition(".")
    return f"{stem} ({number}){dot}{extension}" if dot and stem else f"{name} ({number})"

"""Starting signed in, from a file in Playwright's storage-state format; and saving one, only when asked. Never writes
back to the file it started from by itself."""

from __future__ import annotations

import asyncio
import json
import os
import tempfile
from pathlib import Path
from typing import cast

from playwright.async_api import BrowserContext, Error, StorageState

from gui_environments.errors import EnvironmentUnavailable

STATE_LIMIT_BYTES = 50_000_000


async def load_storage_state(context: BrowserContext, path: Path) -> None:
    """Cookies and stored data of `path` into a browser that has none yet. Raises `EnvironmentUnavailable`."""
    state = await asyncio.to_thread(_read_state, path)
    try:
        await context.set_storage_state(state)
    except Error as error:  # Playwright checks what is in the lists
        reason = error.message.splitlines()[0]
        raise EnvironmentUnavailable(f"The browser did not take the storage state {path}: {reason}") from error


async def save_storage_state(context: BrowserContext, path: Path) -> None:
    """Whole or not at all, readable by its owner alone: it is as good as a password."""
    state = await context.storage_state(indexed_db=True)
    await asyncio.to_thread(_write_state, state, path)


def _read_state(path: Path) -> StorageState:
    try:
        if path.stat().st_size > STATE_LIMIT_BYTES:
            raise EnvironmentUnavailable(f"The storage state {path} is larger than {STATE_LIMIT_BYTES:,} bytes.")
        state = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise EnvironmentUnavailable(f"The storage state {path} cannot be read: {error.strerror}.") from error
    except ValueError as error:  # of JSON, or of UTF-8
        raise EnvironmentUnavailable(f"The storage state {path} is not JSON.") from error
    if not isinstance(state, dict) or not all(isinstance(state.get(key, []), list) for key in ("cookies", "origins")):
        raise EnvironmentUnavailable(f"{path} is no storage state: an object with the lists `cookies` and `origins`.")
    return cast("StorageState", {"cookies": [], "origins": [], **state})


def _write_state(state: StorageState, path: Path) -> None:
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(state, file)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise

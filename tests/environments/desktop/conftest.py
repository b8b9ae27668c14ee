"""Desktops for the tests: real ones."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from gui_environments.desktop import Desktop


@pytest.fixture
async def desktop() -> AsyncIterator[Desktop]:
    """An empty desktop of 1280x800 with its window manager."""
    async with Desktop.open() as desktop:
        yield desktop

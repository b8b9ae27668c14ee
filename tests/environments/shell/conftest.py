"""A real shell session in a directory of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from gui_environments.shell import Bash


@pytest.fixture
def workdir(tmp_path: Path) -> Path:
    directory = tmp_path / "work"
    directory.mkdir()
    return directory


@pytest.fixture
async def bash(workdir: Path) -> AsyncIterator[Bash]:
    async with Bash.open(workdir, time_limit_s=30) as session:
        yield session

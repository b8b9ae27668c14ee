"""A real desktop and a real shell for the tests of this folder, and the blocks of an assistant turn."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from anthropic.types.beta import BetaToolUseBlock

from gui_environments.desktop import Desktop
from gui_environments.shell.bash import Bash

MakeCall = Callable[..., BetaToolUseBlock]


@pytest.fixture
async def desktop() -> AsyncIterator[Desktop]:
    """An empty desktop of 1280x800 with its window manager."""
    async with Desktop.open(screen=(1280, 800)) as desktop:
        yield desktop


@pytest.fixture
async def shell(tmp_path: Path) -> AsyncIterator[Bash]:
    """A shell in an empty folder."""
    workdir = tmp_path / "workdir"
    workdir.mkdir()
    async with Bash.open(workdir, time_limit_s=30) as shell:
        yield shell


@pytest.fixture
def call() -> MakeCall:
    """`call("computer.left_click", coordinate=[1, 2])` or `call("bash", command="ls")`: blocks with ids t1, t2, ..."""
    made = 0

    def make(title: str, **fields: object) -> BetaToolUseBlock:
        nonlocal made
        made += 1
        family, _, name = title.rpartition(".")
        return BetaToolUseBlock(type="tool_use", id=f"t{made}", name=name, toolset_name=family or None, input=fields)

    return make

"""A bash session and edits of files: worlds without a screen. Linux only."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gui_environments.shell.bash import Bash
    from gui_environments.shell.files import FileEditor
    from gui_environments.shell.programs import ProgramList
    from gui_environments.shell.results import CommandResult

__all__ = ["Bash", "CommandResult", "FileEditor", "ProgramList"]

_HOME = {"Bash": "bash", "CommandResult": "results", "FileEditor": "files", "ProgramList": "programs"}


def __getattr__(name: str) -> object:
    """Imported when first asked for: the keeper process is in this package and starts with every session, so it must
    not load asyncio and a parser that it has no use for."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)

"""Where the editor's copies of old files go: never below the folder it edits, where they could be edited like any other
file, and where they outlast the session when the edited files do."""

from __future__ import annotations

import logging
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from gui_environments.errors import EnvironmentUnavailable

if TYPE_CHECKING:  # whose options keep uploads away from here
    from gui_operator.cli.exec_options import ExecOptions

log = logging.getLogger(__name__)

_LASTING = Path("/var/tmp")  # noqa: S108  # where temporary files are kept; the folder in it is made for us alone


@contextmanager
def backups_folder(options: ExecOptions, root: Path, scratch: Path) -> Iterator[Path]:
    """Beside the recording; else, when the edited files are the user's own, in the user's state folder; else in
    `scratch`, which goes away with them. Where that is below `root` it is another place, and said."""
    if options.record is None and options.workdir is None:
        yield Path(tempfile.mkdtemp(prefix="backups-", dir=scratch))
        return
    beside = options.record.absolute() / "backups" if options.record is not None else None
    chosen = next((folder for folder in (beside, _state_folder()) if folder and not _is_below(folder, root)), None)
    if chosen is not None:
        if beside not in (None, chosen):
            _say(chosen, f"{beside} is below {root}, which it edits")
        yield chosen
        return
    if _is_below(_LASTING, root):
        raise EnvironmentUnavailable(
            f"There is no place outside {root} for the editor's copies of old files. Give a smaller --workdir."
        )
    made = Path(tempfile.mkdtemp(prefix="gui-operator-backups-", dir=_LASTING))
    _say(made, f"the usual places are below {root}, which it edits")
    try:
        yield made
    finally:
        # It stays where there is anything in it.
        with suppress(OSError):
            made.rmdir()


def state_root() -> Path:
    """Where the copies of all sessions are that have no recording."""
    state = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state")
    return state / "gui-operator/backups"


def _state_folder() -> Path:
    return state_root() / f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}"


def _is_below(folder: Path, root: Path) -> bool:
    return folder.resolve().is_relative_to(root.resolve())


def _say(folder: Path, reason: str) -> None:
    log.warning("the editor keeps its copies of old files in %s, since %s", folder, reason)

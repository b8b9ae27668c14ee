"""The environment variables that applications are given: a short list of the host's, the display, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from gui_environments.host_variables import host_variables


def application_variables(host: Mapping[str, str], directory: Path) -> dict[str, str]:
    """What `host` (usually `os.environ`) hands on; temporary and runtime files go below `directory`, which is ours."""
    return host_variables(host) | {
        "TMPDIR": str(directory / "tmp"),
        # The host's holds the socket of its session bus, and libraries look there.
        "XDG_RUNTIME_DIR": str(directory / "run"),
        # Neither the host's bus nor one started on the spot by whatever library looks for it first.
        "DBUS_SESSION_BUS_ADDRESS": "disabled:",
        "NO_AT_BRIDGE": "1",
        "XDG_SESSION_TYPE": "x11",
    }


def make_directories(directory: Path) -> None:
    """`directory`, for us only, and the ones in it that `application_variables` names."""
    directory.mkdir(mode=0o700)
    for name in ("tmp", "run"):
        (directory / name).mkdir(mode=0o700)

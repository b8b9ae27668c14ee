"""The environment variables a shell starts with: a short list taken from the host, and what it is given."""

from __future__ import annotations

import os
from collections.abc import Mapping

from gui_environments.host_variables import host_variables
from gui_environments.shell.feed import SHELL


def shell_environment(given: Mapping[str, str], host: Mapping[str, str] = os.environ) -> dict[str, str]:
    """What the shell sees. What is given wins over what is taken from the host."""
    temporary = {"TMPDIR": host["TMPDIR"]} if "TMPDIR" in host else {}
    # A dumb terminal: programs are not to colour or redraw what nobody sees as a terminal.
    fixed = {"TERM": "dumb"}
    # Last, since the shell that the user or an application of a desktop prefers is not the one that runs here.
    return {**host_variables(host), **temporary, **fixed, **given, "SHELL": SHELL[0]}

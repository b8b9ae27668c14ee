"""The environment variables a shell starts with: a short list taken from the host, and what it is given.

Nothing else of the host's gets in, so no key does. This is about the environment handed down; it does not stop a
process of the same user from reading files, or /proc/PID/environ of the user's other processes. Only another user or
a container does.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

TAKEN_FROM_HOST = ("PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "TMPDIR")
DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def shell_environment(given: Mapping[str, str], host: Mapping[str, str] = os.environ) -> dict[str, str]:
    """What the shell sees. What is given wins over what is taken from the host."""
    taken = {name: host[name] for name in TAKEN_FROM_HOST if name in host}
    locale = {name: value for name, value in host.items() if name.startswith("LC_")}
    # A dumb terminal: programs are not to colour or redraw what nobody sees as a terminal.
    fixed = {"SHELL": "/bin/bash", "TERM": "dumb"}
    if not any(name in taken or name in locale or name in given for name in ("LANG", "LC_ALL", "LC_CTYPE")):
        fixed["LANG"] = "C.UTF-8"
    return {"PATH": DEFAULT_PATH, **taken, **locale, **fixed, **given}

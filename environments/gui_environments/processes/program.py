"""Starts a supervisor: the module of a program, run by this Python as a process of its own, with a socket to it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

from gui_environments.errors import EnvironmentUnavailable
from gui_environments.processes import messages

SOURCE_ROOT = Path(__file__).parents[2]

RUN_MODULE = "import sys, importlib; sys.path.append(sys.argv[1]); importlib.import_module(sys.argv[2]).main()"
"""Unlike a script, a module is compiled once."""


def start_program(module: str, grace_s: float) -> tuple[subprocess.Popen[bytes], socket.socket]:
    if sys.platform != "linux":
        raise EnvironmentUnavailable("Processes can be supervised on Linux only.")
    ours, theirs = messages.socket_pair()
    try:
        with theirs:
            supervisor = subprocess.Popen(
                [
                    # Isolated and without site: nothing but the standard library, and a start in a few milliseconds.
                    *(sys.executable, "-I", "-S", "-c", RUN_MODULE, str(SOURCE_ROOT), module),
                    *(str(theirs.fileno()), str(os.getpid()), str(grace_s)),
                ],
                # Empty, since what it starts can read it.
                env={},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                # Out of reach of the Ctrl-C and the hang-up of our terminal.
                start_new_session=True,
            )
    except BaseException:
        ours.close()
        raise
    return supervisor, ours

"""The program between Playwright and Chromium: it starts Chromium and sees to it that nothing of it stays.

Playwright is given this program for a browser, because it starts its browsers itself. Whatever ends first (Chromium,
Playwright's driver, the process that opened the browser), the launcher ends every process below it, daemons included,
and removes the private directory with the profile. Being killed itself is the one thing it does not survive; then the
kernel ends Chromium, and whoever opened the browser removes the directory. Linux only; standard library only.
"""

from __future__ import annotations

import os
import select
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))

from gui_environments.processes.ending import end_all
from gui_environments.processes.prctl import PR_SET_CHILD_SUBREAPER, PR_SET_PDEATHSIG, prctl

CDP_PIPES = (3, 4)
"""The descriptors over which Playwright talks to Chromium (`--remote-debugging-pipe`)."""

GRACE_S = 2.0
"""How long processes may take to end after SIGTERM before SIGKILL."""

POLL_S = 0.01
"""How often to look whether processes that are not our children have ended; nothing announces that."""

PID_FILE = "launcher.pid"

LISTS = ("--disable-features=", "--enable-features=")
"""Switches of which Chromium takes the last only. Playwright gives one of each, and so do we."""


def main() -> int:
    owner, directory, *argv = sys.argv[1:]
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    wakeup, wakeup_end = os.pipe()
    os.set_blocking(wakeup_end, False)
    signal.set_wakeup_fd(wakeup_end, warn_on_full_buffer=False)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: None)
    (Path(directory) / PID_FILE).write_text(str(os.getpid()))
    returncode = 1
    try:
        owner_fd = os.pidfd_open(int(owner))
        chromium = subprocess.Popen(with_joined_lists(argv), pass_fds=CDP_PIPES, preexec_fn=die_with_launcher)
        # Kept open here, the pipes would hide Chromium's end from Playwright.
        for fd in CDP_PIPES:
            os.close(fd)
        chromium_fd = os.pidfd_open(chromium.pid)
        select.select([wakeup, owner_fd, chromium_fd], [], [])
        returncode = chromium.poll() or 0
    except ProcessLookupError:
        pass  # the owner has ended before we began
    finally:
        end_all(reap, lambda: time.sleep(POLL_S), grace_s=GRACE_S)
        shutil.rmtree(directory, ignore_errors=True)
    return returncode


def with_joined_lists(argv: list[str]) -> list[str]:
    """The same command line, with each kind of list given once, and whole."""
    joined = {name: [arg.removeprefix(name) for arg in argv if arg.startswith(name)] for name in LISTS}
    others = [arg for arg in argv if not arg.startswith(LISTS)]
    # The program comes first, and addresses to open last.
    return others[:1] + [name + ",".join(lists) for name, lists in joined.items() if lists] + others[1:]


def die_with_launcher() -> None:
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def reap() -> bool:
    """Take the status of every child that ended; whether any child is left."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


if __name__ == "__main__":
    sys.exit(main())

"""Starts one program as a child of this process, which must have a single thread. Never a shell."""

from __future__ import annotations

import os
import signal
from typing import NoReturn

from gui_environments.processes.prctl import PR_SET_PDEATHSIG, prctl

RESET_SIGNALS = (
    signal.SIGCHLD,
    signal.SIGINT,
    signal.SIGQUIT,
    signal.SIGTERM,
    signal.SIGHUP,
    signal.SIGPIPE,
    signal.SIGXFSZ,
)
"""Those for which the supervisor, Python, or a shell that started us in the background has other plans than a program
expects."""


def start(argv: list[str], environment: dict[str, str], workdir: str | None, fds: list[int]) -> int:
    """A child with `fds` as its standard streams, in a session of its own. Raises OSError when it cannot be run."""
    failed, failing = os.pipe()
    pid = os.fork()
    if pid == 0:
        _become(argv, environment, workdir, fds, failing)
    os.close(failing)
    try:
        failure = os.read(failed, 4096)
    finally:
        os.close(failed)
    if failure:
        os.waitpid(pid, 0)
        number, _, about = failure.partition(b" ")
        raise OSError(int(number), os.strerror(int(number)), about.decode())
    return pid


def _become(
    argv: list[str], environment: dict[str, str], workdir: str | None, fds: list[int], failing: int
) -> NoReturn:
    about = argv[0]
    try:
        os.setsid()
        for number in RESET_SIGNALS:
            signal.signal(number, signal.SIG_DFL)
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        for target, fd in enumerate(fds):
            os.dup2(fd, target, inheritable=True)
        if workdir is not None:
            about = workdir
            os.chdir(workdir)
            about = argv[0]
        os.execvpe(argv[0], argv, environment)  # noqa: S606 - an argument list, no shell
    except OSError as error:
        os.write(failing, f"{error.errno} {about}".encode())
    finally:
        os._exit(127)

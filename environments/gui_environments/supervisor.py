"""The program that starts processes for one environment and ends them all, whatever becomes of the environment.

`gui_environments.processes` runs this file as a process of its own. It is the parent of everything it starts and adopts
what daemonizes below it (PR_SET_CHILD_SUBREAPER). When the socket it is told through closes, or the process that made
it ends in any way, it ends its whole tree, removes what it was told to remove, and exits. Being killed itself (SIGKILL)
is the one thing it does not survive; then the kernel ends the processes it started directly.

It uses the standard library only and imports little: it starts with every environment.
"""

from __future__ import annotations

import array
import contextlib
import ctypes
import json
import os
import select
import signal
import socket
import sys
import time
from typing import Any, NoReturn

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36

MESSAGE_BYTES = 1 << 20
"""More than a socket pair carries in one piece, so a message is never cut."""

GIVE_UP_S = 10.0
"""For SIGKILL to take effect."""


def parents() -> dict[int, int]:
    """The parent of every process there is, by pid."""
    found: dict[int, int] = {}
    for entry in os.listdir("/proc"):  # noqa: PTH208 - pathlib is several times slower here, and this is asked often
        if entry.isdigit():
            parent = parent_of(int(entry))
            if parent is not None:
                found[int(entry)] = parent
    return found


def parent_of(pid: int) -> int | None:
    """The parent of `pid`, None when it has ended (a zombie counts as ended)."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat:  # noqa: PTH123
            state, parent = stat.read().rpartition(b")")[2].split()[:2]
    except (OSError, ValueError):
        return None
    return None if state in b"ZX" else int(parent)


def descendants(root: int) -> list[int]:
    """The living processes below `root`, parents before their children."""
    children: dict[int, list[int]] = {}
    for pid, parent in parents().items():
        children.setdefault(parent, []).append(pid)
    found: list[int] = []
    level = [root]
    while level:
        level = [child for pid in level for child in children.get(pid, ())]
        found += level
    return found


def send_signal(pid: int, number: int) -> None:
    """One that has ended meanwhile is no error."""
    with contextlib.suppress(ProcessLookupError, PermissionError):  # the latter: it changed its user
        os.kill(pid, number)


class Supervisor:
    """Serves requests until the socket closes or the owner dies."""

    def __init__(self, control: socket.socket, owner: int, grace_s: float) -> None:
        self._control = control
        self._owner = owner
        self._grace_s = grace_s
        self._children: set[int] = set()
        self._ended_last: set[int] = set()
        self._files: dict[int, list[tuple[str, tuple[int, int, int] | None]]] = {}
        """Files to be removed when a process has ended, if they are still the same ones."""
        self._remove: list[str] = []
        self._wakeup, self._wakeup_end = os.pipe()

    def run(self) -> None:
        os.set_blocking(self._wakeup_end, False)
        os.set_blocking(self._wakeup, False)
        signal.set_wakeup_fd(self._wakeup_end, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda *_: self._control.shutdown(socket.SHUT_RDWR))
        try:
            self._serve()
        finally:
            self._end_everything()

    def _serve(self) -> None:
        watched = [self._control.fileno(), self._wakeup]
        owner = -1
        try:
            # The socket alone tells too, unless the owner has forked and its child keeps the other end.
            owner = os.pidfd_open(self._owner)
            watched.append(owner)
        except ProcessLookupError:
            return
        except OSError:
            pass  # an old kernel, or a container that denies it
        poll = select.poll()
        for fd in watched:
            poll.register(fd, select.POLLIN)
        while os.getppid() == self._owner:
            ready = {fd for fd, _ in poll.poll()}
            if self._wakeup in ready:
                self._drain_wakeup()
                self._reap()
            if owner in ready:
                return
            if self._control.fileno() in ready and not self._take_request():
                return

    def _take_request(self) -> bool:
        """Whether there may be more."""
        try:
            data, fds, _, _ = receive(self._control)
        except ConnectionError:
            return False
        if not data:
            return False
        try:
            self._answer(json.loads(data), fds)
        finally:
            for fd in fds:
                os.close(fd)
        return True

    def _answer(self, request: dict[str, Any], fds: list[int]) -> None:
        answer: dict[str, Any] = {"request": request["request"]}
        match request["do"]:
            case "start":
                try:
                    pid = start(request["argv"], request["environment"], request["workdir"], fds)
                except OSError as error:
                    answer |= {"errno": error.errno, "about": error.filename}
                else:
                    answer["pid"] = pid
                    self._children.add(pid)
                    if request["ended_last"]:
                        self._ended_last.add(pid)
            case "kill" if request["pid"] in self._children:
                send_signal(request["pid"], signal.SIGKILL)
            case "remove after":
                self._files.setdefault(request["pid"], []).append((request["path"], identity_of(request["path"])))
            case "remove":
                self._remove.append(request["path"])
        self._say(answer)

    def _say(self, message: dict[str, Any]) -> None:
        with contextlib.suppress(OSError):  # the owner is gone; the loop sees that next
            self._control.send(json.dumps(message).encode())

    def _drain_wakeup(self) -> None:
        with contextlib.suppress(BlockingIOError):
            while os.read(self._wakeup, 4096):
                pass

    def _reap(self) -> bool:
        """Take the status of every child that ended; whether any child is left."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return False
            if pid == 0:
                return True
            self._remove_what_is_left_of(pid)
            if pid in self._children:
                self._children.discard(pid)
                self._say({"ended": pid, "returncode": os.waitstatus_to_exitcode(status)})

    def _remove_what_is_left_of(self, pid: int) -> None:
        for path, identity in self._files.pop(pid, ()):
            if identity is not None and identity_of(path) == identity:
                with contextlib.suppress(OSError):
                    os.unlink(path)  # noqa: PTH108 - this program does without pathlib

    def _end_everything(self) -> None:
        """Applications first, so that they can say goodbye to what was to be ended last; then the rest."""
        kept = self._ended_last & self._children
        if kept:
            self._end(kept)
        self._end(set())
        if self._remove:
            import shutil

            for path in self._remove:
                shutil.rmtree(path, ignore_errors=True)

    def _end(self, kept: set[int]) -> None:
        """SIGTERM to all but `kept` and what is below them; SIGKILL, again and again, to what is left after the grace.

        What SIGKILL does not end in time (it became another user's) is left.
        """
        told: set[int] = set()
        kill_at = time.monotonic() + self._grace_s
        while True:
            self._reap()
            spared = kept | {pid for root in kept for pid in descendants(root)}
            left = [pid for pid in descendants(os.getpid()) if pid not in spared]
            if not left or time.monotonic() >= kill_at + GIVE_UP_S:
                # What ended since the last look has left a status, and is not among the living.
                self._reap()
                return
            kill = time.monotonic() >= kill_at
            for pid in left:
                if kill:
                    send_signal(pid, signal.SIGKILL)
                elif pid not in told:
                    told.add(pid)
                    send_signal(pid, signal.SIGTERM)
                    send_signal(pid, signal.SIGCONT)
            self._wait_for_an_end(max(kill_at - time.monotonic(), 0.05))

    def _wait_for_an_end(self, at_most_s: float) -> None:
        """Of a child; grandchildren are looked for every 50 ms, since nothing announces their end."""
        select.select([self._wakeup], [], [], min(at_most_s, 0.05))
        self._drain_wakeup()


def receive(control: socket.socket) -> tuple[bytes, list[int], int, Any]:
    """One message and the descriptors that came with it, which no child inherits by accident."""
    data, ancillary, flags, address = control.recvmsg(
        MESSAGE_BYTES, socket.CMSG_LEN(3 * array.array("i").itemsize), socket.MSG_CMSG_CLOEXEC
    )
    fds = array.array("i")
    for level, kind, payload in ancillary:
        if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
            fds.frombytes(payload[: len(payload) - len(payload) % fds.itemsize])
    return data, list(fds), flags, address


def start(argv: list[str], environment: dict[str, str], workdir: str | None, fds: list[int]) -> int:
    """A child with `fds` as its standard streams, in a session of its own. Raises OSError when it cannot be run."""
    failed, failing = os.pipe()
    pid = os.fork()
    if pid == 0:
        become(argv, environment, workdir, fds, failing)
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


def become(argv: list[str], environment: dict[str, str], workdir: str | None, fds: list[int], failing: int) -> NoReturn:
    about = argv[0]
    try:
        os.setsid()
        for number in (signal.SIGCHLD, signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
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


def identity_of(path: str) -> tuple[int, int, int] | None:
    """What tells a file from another one that later takes its name."""
    try:
        status = os.lstat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino, status.st_mtime_ns


libc = ctypes.CDLL(None, use_errno=True)


def main() -> None:
    control = socket.socket(fileno=int(sys.argv[1]))
    control.set_inheritable(False)
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1)
    Supervisor(control, owner=int(sys.argv[2]), grace_s=float(sys.argv[3])).run()


if __name__ == "__main__":
    main()

"""The program that starts processes for one environment and ends them all, whatever becomes of the environment.

`tree` runs it as a process of its own. It is the parent of everything it starts and adopts what daemonizes below it.
When the socket it is told through closes, or the process that made it ends in any way, it ends its whole tree, removes
what it was told to remove, and exits. Being killed itself (SIGKILL) is the one thing it does not survive; then the
kernel ends the processes it started directly, and `tree` the others, if it is there to do so.

It starts with every environment, so it imports the standard library only, and little of that.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import sys
from typing import Any

from gui_environments.processes import messages
from gui_environments.processes.ending import end_all
from gui_environments.processes.leftovers import Leftovers
from gui_environments.processes.prctl import PR_SET_CHILD_SUBREAPER, prctl
from gui_environments.processes.proc import read_process, send_signal
from gui_environments.processes.starting import start

LOOK_AGAIN_S = 0.05
"""Nothing announces the end of a grandchild."""

LEAVE_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Supervisor:
    """Serves requests until the socket closes, the owner dies, or a signal says so. A program that does more than this
    one extends `carry_out`."""

    def __init__(self, control: socket.socket, owner: int, grace_s: float) -> None:
        self._control = control
        self._owner = owner
        self._grace_s = grace_s
        self._leave = False
        self._wakeup, self._wakeup_end = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._ended_last: set[int] = set()
        self._leftovers = Leftovers()
        self.children: set[int] = set()
        """The pids of what was started and has not ended."""

    def run(self) -> None:
        signal.set_wakeup_fd(self._wakeup_end, warn_on_full_buffer=False)
        for number in (signal.SIGCHLD, *LEAVE_SIGNALS):
            signal.signal(number, lambda *_: None)  # the number stands in the wake-up pipe, which is all it takes
        try:
            self._serve()
        finally:
            # Applications first, so that they can say goodbye to what was to be ended last; then the rest.
            if kept := self._ended_last & self.children:
                self._end_all(self._grace_s, kept)
            self._end_all(self._grace_s)
            self._leftovers.remove_the_rest()

    def carry_out(self, request: dict[str, Any], fds: list[int]) -> dict[str, Any]:
        """Do what is asked; what it returns is the answer. An OSError is told to whoever asked."""
        match request["do"]:
            case "start":
                pid = start(request["argv"], request["environment"], request["workdir"], fds)
                self.children.add(pid)
                if request["ended_last"]:
                    self._ended_last.add(pid)
                return {"pid": pid}
            case "kill":
                if request["pid"] in self.children:
                    send_signal(request["pid"], signal.SIGKILL)
            case "remove after":
                self._leftovers.remove_after(request["pid"], request["path"])
            case "remove at end":
                self._leftovers.remove_at_end(request["path"])
            case "tell ends":
                pass  # an end that came before the request has been told before this answer
            case unknown:
                raise ValueError(f"no request of ours: {unknown}")
        return {}

    def end_everything_now(self) -> None:
        """Kill all that is below this process; returns when it is gone."""
        self._end_all(grace_s=0.0)

    def _serve(self) -> None:
        poll = select.poll()
        for fd in (self._control.fileno(), self._wakeup):
            poll.register(fd, select.POLLIN)
        # The socket alone tells too, unless the owner has forked and its child keeps the other end.
        try:
            poll.register(os.pidfd_open(self._owner), select.POLLIN)
        except ProcessLookupError:
            return
        except OSError:
            pass  # a container that denies it
        while os.getppid() == self._owner and not self._leave:
            ready = {fd for fd, _ in poll.poll()}
            self._drain_wakeup()
            # Whatever it was woken for: an answer must not overtake an end that came before it.
            self._reap()
            if self._control.fileno() in ready and not self._take_request():
                return

    def _take_request(self) -> bool:
        """Whether there may be more."""
        request, fds = messages.receive(self._control)
        if request is None:
            return False
        answer = {"request": request["request"]}
        try:
            answer |= self.carry_out(request, fds)
        except OSError as error:
            answer |= {"errno": error.errno, "about": error.filename}
        finally:
            for fd in fds:
                os.close(fd)
        self._say(answer)
        return True

    def _say(self, message: dict[str, Any]) -> None:
        with contextlib.suppress(OSError):  # the owner is gone; the loop sees that next
            messages.send(self._control, message)

    def _drain_wakeup(self) -> None:
        with contextlib.suppress(BlockingIOError):
            while numbers := os.read(self._wakeup, 4096):
                self._leave = self._leave or any(number in LEAVE_SIGNALS for number in numbers)

    def _reap(self) -> bool:
        """Take the status of every child that ended; whether any child is left."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return False
            if pid == 0:
                return True
            self._leftovers.remove_those_of(pid)
            if pid in self.children:
                self.children.discard(pid)
                self._say({"ended": pid, "returncode": os.waitstatus_to_exitcode(status)})

    def _end_all(self, grace_s: float, kept: set[int] | None = None) -> None:
        """But for `kept` and what is below them."""
        spared = {process.identity for pid in kept or () if (process := read_process(pid)) is not None}
        end_all(self._reap, self._wait_for_an_end, grace_s=grace_s, sparing=spared)

    def _wait_for_an_end(self) -> None:
        select.select([self._wakeup], [], [], LOOK_AGAIN_S)
        self._drain_wakeup()


def main(kind: type[Supervisor] = Supervisor) -> None:
    fd, owner, grace_s = sys.argv[-3:]
    control = socket.socket(fileno=int(fd))
    control.set_inheritable(False)
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    kind(control, int(owner), float(grace_s)).run()

"""Applications on a display: started by argument list, ready when they show a window. Ends none; that is the process
tree's."""

from __future__ import annotations

import errno
import logging
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from Xlib import X
from Xlib.error import BadDrawable, BadValue, BadWindow
from Xlib.ext import res

from gui_environments.desktop.connection import XConnection
from gui_environments.desktop.output import KeptOutput
from gui_environments.desktop.properties import read_property
from gui_environments.desktop.window_manager import wait_for_events
from gui_environments.desktop.work_thread import Cancellation
from gui_environments.errors import ActionFailed, ActionRefused
from gui_environments.processes.proc import parent_of
from gui_environments.processes.tree import ProcessTree, SupervisedProcess

log = logging.getLogger(__name__)


class Application:
    """A running program, and the last of what it printed."""

    def __init__(self, argv: Sequence[str], process: SupervisedProcess, output: KeptOutput) -> None:
        self.argv = tuple(argv)
        self._process = process
        self._output = output

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        """None while it runs; negative for the signal that ended it."""
        return self._process.returncode

    async def wait(self) -> int:
        return await self._process.wait()

    def last_lines(self, count: int = 8) -> str:
        return self._output.last_lines(count)

    def forget_output(self) -> None:
        self._output.stop_reading()


async def start_application(
    tree: ProcessTree, argv: Sequence[str], environment: Mapping[str, str], workdir: Path | None
) -> Application:
    """Raises `ActionRefused` when there is no such program or directory."""
    if not argv or isinstance(argv, str):
        raise ActionRefused(f"An application is started by a list of a program and its arguments, not by {argv!r}.")
    output = KeptOutput()
    try:
        process = await tree.start(
            argv, environment=environment, workdir=workdir, stdout=output.write_fd, stderr=output.write_fd
        )
    except (OSError, ValueError) as error:
        output.stop_reading()
        raise ActionRefused(reason_not_started(argv, environment, error)) from error
    except BaseException:
        output.stop_reading()
        raise
    finally:
        output.close_write_end()
    return Application(argv, process, output)


def reason_not_started(argv: Sequence[str], environment: Mapping[str, str], error: OSError | ValueError) -> str:
    if isinstance(error, OSError) and error.errno == errno.ENOENT and error.filename == argv[0]:
        place = "" if "/" in argv[0] else f" on the path {environment.get('PATH', '')}"
        return f"There is no program {argv[0]}{place}."
    return f"{argv[0]} could not be started: {error}"


async def wait_until_shown(observer: XConnection, applications: Sequence[Application], bound_s: float) -> None:
    """Until each has a window on the screen or has ended in peace (what opens a window elsewhere and returns does).

    Raises `ActionFailed`, with what it printed, when one ends with an error before it has shown a window. One that
    does neither within the bound is left running, and logged: it may be a program without windows.
    """
    waiting = list(applications)

    def look(cancellation: Cancellation) -> None:
        strike_out_shown(observer.display, waiting, cancellation, give_up_at=time.monotonic() + bound_s)

    await observer.run(look)
    for application in waiting:
        if application.returncode is None:
            log.warning("%s has shown no window within %g s; going on", application.argv[0], bound_s)
    for application in applications:
        if application.returncode:
            raise ActionFailed(
                f"{application.argv[0]} ended at once, {describe_end(application.returncode)}. It said:\n"
                f"{application.last_lines() or '(nothing)'}"
            )


def describe_end(returncode: int) -> str:
    return f"with exit status {returncode}" if returncode >= 0 else f"by signal {-returncode}"


def strike_out_shown(
    display: Any, waiting: list[Application], cancellation: Cancellation, *, give_up_at: float
) -> None:
    """Takes out of `waiting` what shows a window or has ended, until none is left or time is up. Blocking."""
    root = display.screen().root
    root.change_attributes(event_mask=X.PropertyChangeMask | X.SubstructureNotifyMask)
    try:
        while True:
            owners = pids_with_windows(display)
            waiting[:] = [
                one for one in waiting if one.returncode is None and not any(is_below(pid, one.pid) for pid in owners)
            ]
            if not waiting or cancellation.requested or time.monotonic() >= give_up_at:
                return
            # The end of a process is no event of the display: hence the short waits.
            wait_for_events(display, 0.05)
    finally:
        root.change_attributes(event_mask=X.NoEventMask)


def pids_with_windows(display: Any) -> set[int]:
    """The processes that own a window on the screen; a managed one, where there is a window manager."""
    root = display.screen().root
    listed = read_property(root, "_NET_CLIENT_LIST")
    windows = (
        [int(window) for window in listed.value] if listed is not None else [w.id for w in root.query_tree().children]
    )
    return {pid for window in windows if is_viewable(display, window) for pid in pids_of_client(display, window)}


def is_viewable(display: Any, window: int) -> bool:
    try:
        return bool(display.create_resource_object("window", window).get_attributes().map_state == X.IsViewable)
    except (BadWindow, BadDrawable):
        return False


def pids_of_client(display: Any, window: int) -> list[int]:
    """As the server knows it from the client's socket: toolkits that set no _NET_WM_PID have one too."""
    try:
        answer = display.res_query_client_ids([{"client": window, "mask": res.LocalClientPIDMask}])
    except BadValue:
        return []
    return [pid for found in answer.ids for pid in found.value]


def is_below(pid: int, ancestor: int) -> bool:
    """Whether `pid` is `ancestor`, or descends from it."""
    current: int | None = pid
    while current not in (None, 0, ancestor):
        current = parent_of(current)
    return current == ancestor

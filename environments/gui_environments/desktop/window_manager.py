"""Starts openbox with our configuration (`openbox.xml`), which leaves every key and click to the applications, and
waits until it answers. Reads no configuration of the user's."""

from __future__ import annotations

import select
import shutil
import time
from pathlib import Path
from typing import Any

from Xlib import X

from gui_environments.desktop.connection import Cancellation
from gui_environments.errors import EnvironmentUnavailable
from gui_environments.processes import ProcessTree, SupervisedProcess

CONFIGURATION = Path(__file__).with_name("openbox.xml")

START_S = 15.0
"""The bound on the window manager's start; it takes about 50 ms when the machine is idle."""


async def start_window_manager(tree: ProcessTree, environment: dict[str, str], output_fd: int) -> SupervisedProcess:
    """Raises `EnvironmentUnavailable` when openbox is not there. Not yet ready when this returns."""
    if shutil.which("openbox", path=environment["PATH"]) is None:
        raise EnvironmentUnavailable("openbox is not installed. On Debian and Ubuntu: sudo apt-get install openbox")
    return await tree.start(
        ["openbox", "--sm-disable", "--config-file", str(CONFIGURATION)],
        environment=environment,
        stdout=output_fd,
        stderr=output_fd,
        ended_last=True,
    )


def wait_for_window_manager(display: Any, process: SupervisedProcess, cancellation: Cancellation) -> bool:
    """Whether a window manager answers, within `START_S` and the life of `process`. Blocking; on the thread of
    `display`."""
    root = display.screen().root
    root.change_attributes(event_mask=X.PropertyChangeMask)
    give_up_at = time.monotonic() + START_S
    try:
        while not (ready := window_manager_answers(display)):
            if cancellation.requested or process.returncode is not None or time.monotonic() > give_up_at:
                break
            wait_for_events(display, 0.05)
        return ready
    finally:
        root.change_attributes(event_mask=X.NoEventMask)


def window_manager_answers(display: Any) -> bool:
    """By the rule of the Extended Window Manager Hints: the root names a window, and that window names itself."""
    check = display.intern_atom("_NET_SUPPORTING_WM_CHECK")
    named = _window_property(display, display.screen().root, check)
    return named is not None and _window_property(display, named, check) == named


def _window_property(display: Any, window: Any, name: int) -> Any:
    from Xlib.error import BadWindow

    try:
        value = window.get_full_property(name, X.AnyPropertyType)
    except BadWindow:
        return None
    return display.create_resource_object("window", value.value[0]) if value is not None and value.value else None


def wait_for_events(display: Any, at_most_s: float) -> None:
    """Until the server sends something, and drop it: whoever waits looks at the state of things, not at events."""
    if not display.pending_events():
        select.select([display.fileno()], [], [], at_most_s)
    while display.pending_events():
        display.next_event()

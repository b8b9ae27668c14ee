"""Starts openbox with our configuration (`openbox.xml`), which leaves every key and click to the applications, and
waits until it answers. Reads no configuration of the user's."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import select
import shutil
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from Xlib import X
from Xlib.error import BadWindow

from gui_environments.desktop.connection import XConnection
from gui_environments.desktop.frame_question import FrameQuestion
from gui_environments.desktop.output import KeptOutput
from gui_environments.desktop.properties import read_property
from gui_environments.desktop.work_thread import Cancellation
from gui_environments.errors import EnvironmentDied, EnvironmentUnavailable
from gui_environments.processes.tree import ProcessTree, SupervisedProcess

log = logging.getLogger(__name__)

CONFIGURATION = Path(__file__).with_name("openbox.xml")

START_S = 15.0
"""The bound on the window manager's start; it takes about 50 ms when the machine is idle."""

ASK_AGAIN_S = 0.01
"""What is asked before the window manager listens is lost."""

RESTARTS = 5
"""A window manager that keeps dying is let go: the desktop can be used without, and says so."""


@asynccontextmanager
async def keep_window_manager(
    tree: ProcessTree, environment: Mapping[str, str], observer: XConnection
) -> AsyncIterator[SupervisedProcess]:
    """openbox answers on the display of `observer` when this is entered, and is started again whenever it ends while
    inside. Raises `EnvironmentUnavailable`."""
    with KeptOutput() as output:
        process = await start_window_manager(tree, environment, observer, output)
        keeper = asyncio.create_task(_start_again_when_ended(process, tree, environment, observer, output))
        try:
            yield process
        finally:
            keeper.cancel()
            await asyncio.wait([keeper])


async def _start_again_when_ended(
    process: SupervisedProcess,
    tree: ProcessTree,
    environment: Mapping[str, str],
    observer: XConnection,
    output: KeptOutput,
) -> None:
    with contextlib.suppress(EnvironmentDied):  # the display went with it, and whoever uses that is told
        for _ in range(RESTARTS):
            await process.wait()
            await observer.run(lambda _: observer.display.sync())
            log.warning("the window manager ended (%s); starting it again", process.returncode)
            try:
                process = await start_window_manager(tree, environment, observer, output)
            except EnvironmentUnavailable as error:
                log.error("the desktop goes on without a window manager: %s", error)  # noqa: TRY400 - no defect of ours
                return
        await process.wait()
        log.error("the window manager ended %d times; the desktop goes on without", RESTARTS + 1)


async def start_window_manager(
    tree: ProcessTree, environment: Mapping[str, str], observer: XConnection, output: KeptOutput
) -> SupervisedProcess:
    """Returns when it answers. Raises `EnvironmentUnavailable`."""
    if shutil.which("openbox", path=environment["PATH"]) is None:
        raise EnvironmentUnavailable("openbox is not installed. On Debian and Ubuntu: sudo apt-get install openbox")
    process = await tree.start(
        ["openbox", "--sm-disable", "--config-file", str(CONFIGURATION)],
        environment=environment,
        stdout=output.write_fd,
        stderr=output.write_fd,
        ended_last=True,
    )
    if not await observer.run(partial(wait_for_window_manager, observer.display, process)):
        raise EnvironmentUnavailable(f"openbox did not start. It said:\n{output.last_lines() or '(nothing)'}")
    return process


def wait_for_window_manager(display: Any, process: SupervisedProcess, cancellation: Cancellation) -> bool:
    """Whether the window manager takes requests, within `START_S` and the life of `process`. Blocking; on the thread
    of `display`.

    Its hints on the root come too early: openbox loses requests to map a window that reach it between them and its
    event loop. So it is asked something that only its event loop answers, until it does.
    """
    root = display.screen().root
    asking = root.create_window(0, 0, 1, 1, 0, X.CopyFromParent, event_mask=X.PropertyChangeMask)
    question = FrameQuestion(display, asking)
    give_up_at = time.monotonic() + START_S
    try:
        while not (ready := question.is_answered()):
            if cancellation.requested or process.returncode is not None or time.monotonic() > give_up_at:
                break
            question.ask()
            wait_for_events(display, ASK_AGAIN_S)
        return ready
    finally:
        asking.destroy()
        display.flush()


def window_manager_answers(display: Any) -> bool:
    """By the rule of the Extended Window Manager Hints: the root names a window, and that window names itself."""
    check = "_NET_SUPPORTING_WM_CHECK"
    named = _window_property(display, display.screen().root, check)
    return named is not None and _window_property(display, named, check) == named


def _window_property(display: Any, window: Any, name: str) -> Any:
    try:
        value = read_property(window, name)
    except BadWindow:
        return None
    return display.create_resource_object("window", value.value[0]) if value is not None and value.value else None


def wait_for_events(display: Any, at_most_s: float) -> None:
    """Until the server sends something, and drop it: whoever waits looks at the state of things, not at events."""
    if not display.pending_events():
        select.select([display.fileno()], [], [], at_most_s)
    while display.pending_events():
        display.next_event()

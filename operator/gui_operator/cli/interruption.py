"""Ctrl-C, SIGTERM and a closed terminal: the work in flight is cancelled once, and what cleans up after it is left
alone."""

from __future__ import annotations

import asyncio
import logging
import signal
from types import TracebackType

from gui_operator.cli import exit_codes

log = logging.getLogger(__name__)

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interruption:
    """Around the work of one task: `with Interruption() as interruption`. The first signal cancels the task; the others
    are only noted, so that closing an environment always comes to its end."""

    def __init__(self) -> None:
        self._task: asyncio.Task[object] | None = None
        self._signal: signal.Signals | None = None

    @property
    def exit_code(self) -> int | None:
        """What to end with because of a signal; None without one."""
        return None if self._signal is None else exit_codes.INTERRUPTED_BASE + self._signal

    def ignore_from_now(self) -> None:
        """The work is done; a signal no longer shortens what is left."""
        self._task = None

    def __enter__(self) -> Interruption:
        self._task = asyncio.current_task()
        loop = asyncio.get_running_loop()
        for number in _SIGNALS:
            loop.add_signal_handler(number, self._take, number)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        loop = asyncio.get_running_loop()
        for number in _SIGNALS:
            loop.remove_signal_handler(number)

    def _take(self, number: signal.Signals) -> None:
        if self._signal is not None or self._task is None:
            log.warning("already closing; please wait")
            return
        log.info("%s: ending the call in flight and closing", number.name)
        self._signal = number
        self._task.cancel()

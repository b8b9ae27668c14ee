"""What a process prints, kept for the day it is asked for: the last part of it, bounded, never written anywhere."""

from __future__ import annotations

import asyncio
import os
from types import TracebackType

KEPT_BYTES = 1 << 16


class KeptOutput:
    """A pipe whose `write_fd` processes are given, read by the event loop. Close that end when no more will be."""

    def __init__(self) -> None:
        self._read_fd, self.write_fd = os.pipe2(os.O_CLOEXEC)
        os.set_blocking(self._read_fd, False)
        self._kept = bytearray()
        asyncio.get_running_loop().add_reader(self._read_fd, self._take)

    def _take(self) -> None:
        if self._read_fd == -1:
            return
        try:
            while data := os.read(self._read_fd, KEPT_BYTES):
                self._kept += data
                del self._kept[:-KEPT_BYTES]
        except BlockingIOError:
            return
        self.stop_reading()

    def last_lines(self, count: int = 8) -> str:
        """What has been printed by now, blank lines left out."""
        self._take()
        lines = [line for line in self._kept.decode("utf-8", "replace").splitlines() if line.strip()]
        return "\n".join(lines[-count:])

    def close_write_end(self) -> None:
        if self.write_fd != -1:
            os.close(self.write_fd)
            self.write_fd = -1

    def stop_reading(self) -> None:
        if self._read_fd != -1:
            asyncio.get_running_loop().remove_reader(self._read_fd)
            os.close(self._read_fd)
            self._read_fd = -1

    def __enter__(self) -> KeptOutput:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close_write_end()
        self.stop_reading()

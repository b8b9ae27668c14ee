"""Programs that `exec` was asked to start beside the environment, such as a web application that is to be driven: each
is ready when it has said its address, and is ended with the rest. They get no display and none of the host's keys."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import shlex
from collections import deque
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from gui_environments.errors import EnvironmentUnavailable
from gui_environments.host_variables import host_variables
from gui_environments.processes.tree import ProcessTree, SupervisedProcess

log = logging.getLogger(__name__)

READY_S = 60.0
"""For a program to say its address. Some build an application first."""

READ_BYTES = 1 << 16
"""At once, and of an unfinished line."""

KEPT_LINES = 8
"""Of what a program said, to be shown when it fails."""

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_ADDRESS = re.compile(r"https?://(?:\[[0-9a-fA-F:.]+\])?[^\s\"'<>()\[\]{}\x00-\x1f\x7f]*")


@dataclass(frozen=True, slots=True)
class Service:
    """`name` is what its address goes by."""

    name: str
    command: tuple[str, ...]

    def __str__(self) -> str:
        return f"the service {self.name} ({shlex.join(self.command)})"


@asynccontextmanager
async def open_services(services: Sequence[Service]) -> AsyncIterator[Mapping[str, str]]:
    """The address of each by its name, once all are ready. Raises `EnvironmentUnavailable`."""
    if not services:
        yield {}
        return
    outputs = {service: _Output(service) for service in services}
    try:
        async with ProcessTree.open() as tree:
            ready = [_start(tree, service, output) for service, output in outputs.items()]
            addresses = await asyncio.gather(*ready)
            yield {service.name: address for service, address in zip(outputs, addresses, strict=True)}
    finally:
        for output in outputs.values():
            output.close()


async def _start(tree: ProcessTree, service: Service, output: _Output) -> str:
    """Its address."""
    # Python keeps back what it prints into a pipe.
    variables = host_variables(os.environ) | {"PYTHONUNBUFFERED": "1"}
    try:
        process = await tree.start(
            service.command, environment=variables, stdout=output.write_fd, stderr=output.write_fd
        )
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise EnvironmentUnavailable(f"{service} cannot be started: {reason}") from error
    return await _wait_for_address(service, process, output)


async def _wait_for_address(service: Service, process: SupervisedProcess, output: _Output) -> str:
    either: set[asyncio.Future[Any]] = {output.address, process.ended}
    await asyncio.wait(either, timeout=READY_S, return_when=asyncio.FIRST_COMPLETED)
    output.take()
    if output.address.done():
        return output.address.result()
    how = (
        f"ended with status {process.returncode} before it said"
        if process.returncode is not None
        else f"has not said within {READY_S:g} s"
    )
    raise EnvironmentUnavailable(
        f"{service} {how} an address that begins with http. It said:\n{output.last_lines or '(nothing)'}"
    )


class _Output:
    """What a program prints, read as it comes for as long as it runs, so that it never waits for us."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._read_fd, self.write_fd = os.pipe2(os.O_CLOEXEC)
        os.set_blocking(self._read_fd, False)
        self._unfinished = b""
        self._lines: deque[str] = deque(maxlen=KEPT_LINES)
        loop = asyncio.get_running_loop()
        self.address: asyncio.Future[str] = loop.create_future()
        """The first that stood in a whole line."""
        loop.add_reader(self._read_fd, self.take)

    @property
    def last_lines(self) -> str:
        return "\n".join([*self._lines, self._unfinished.decode("utf-8", "replace")]).strip()

    def take(self) -> None:
        """Read what is there."""
        try:
            while data := os.read(self._read_fd, READ_BYTES):
                *lines, rest = (self._unfinished + data).split(b"\n")
                self._unfinished = rest[-READ_BYTES:]
                for line in lines:
                    self._take_line(_COLOUR.sub("", line.decode("utf-8", "replace")).rstrip())
        except BlockingIOError:
            pass

    def _take_line(self, line: str) -> None:
        log.debug("%s: %s", self._service.name, line)
        self._lines.append(line)
        found = _ADDRESS.search(line)
        if found is not None and not self.address.done():
            self.address.set_result(found[0].rstrip(".,;:!"))

    def close(self) -> None:
        asyncio.get_running_loop().remove_reader(self._read_fd)
        os.close(self._read_fd)
        os.close(self.write_fd)

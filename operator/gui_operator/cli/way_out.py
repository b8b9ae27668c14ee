"""The one way out of a session: an egress proxy that is there for as long as the session, and is over with it."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from gui_environments.egress.proxy import EgressProxy, ProxyAddress
from gui_environments.egress.rules import NO_HOST, HostRules
from gui_environments.egress.switches import proxy_variables
from gui_environments.errors import EnvironmentUnavailable
from gui_operator.recording import Recording
from gui_operator.recording.egress import EgressRecorder

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class WayOut:
    """`hosts` is what the proxy lets through."""

    hosts: HostRules
    proxy: ProxyAddress

    @property
    def variables(self) -> dict[str, str]:
        """For programs that heed them. Others are not held by them."""
        return proxy_variables(self.proxy)


@asynccontextmanager
async def open_way_out(hosts: HostRules, recording: Recording | None) -> AsyncIterator[WayOut]:
    """Raises `EnvironmentUnavailable`."""
    if hosts == NO_HOST:
        log.info("no host is allowed, so nothing can be reached: list what may be with --allow")
    async with AsyncExitStack() as stack:
        recorder = EgressRecorder(recording)
        stack.callback(recorder.close)
        try:
            proxy = await stack.enter_async_context(EgressProxy.open(hosts, on_event=recorder))
        except OSError as error:
            reason = error.strerror or error
            raise EnvironmentUnavailable(f"The egress proxy cannot listen on loopback: {reason}") from error
        yield WayOut(hosts, proxy.address)

"""Real HTTP for stand-ins: one server on a loopback port that the system chooses, each stand-in under a path of its
own. Starting and stopping a server takes longer than most tests."""

from __future__ import annotations

import itertools
import socket
import threading
from types import TracebackType
from typing import Self

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from standin.server import StandIn

_START_S = 10.0
_POLL_S = 0.005


class Host:
    """`with Host() as host`: the server runs in a thread of its own until the end."""

    def __init__(self) -> None:
        self._stand_ins: dict[str, StandIn] = {}
        self._numbers = itertools.count(1)
        self._socket = socket.socket()
        application = Starlette(routes=[Route("/{name}/v1/messages", self._answer, methods=["POST"])])
        config = uvicorn.Config(
            application, ws="none", lifespan="off", log_config=None, access_log=False, timeout_graceful_shutdown=1
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [self._socket]}, daemon=True)

    def add(self) -> StandIn:
        """A new stand-in, at an address of its own."""
        name = f"stand-in-{next(self._numbers)}"
        stand_in = StandIn(f"http://127.0.0.1:{self._socket.getsockname()[1]}/{name}")
        self._stand_ins[name] = stand_in
        return stand_in

    def __enter__(self) -> Self:
        self._socket.bind(("127.0.0.1", 0))
        self._thread.start()
        waiting = threading.Event()
        for _ in range(int(_START_S / _POLL_S)):
            if self._server.started or not self._thread.is_alive():
                break
            waiting.wait(_POLL_S)
        assert self._server.started, "the server did not start"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.should_exit = True
        self._thread.join()
        self._socket.close()

    async def _answer(self, request: Request) -> Response:
        return await self._stand_ins[request.path_params["name"]].answer(request)

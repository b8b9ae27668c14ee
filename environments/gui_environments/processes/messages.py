"""Messages between an environment and the program that supervises its processes: JSON objects, each sent as a piece
that arrives whole (SOCK_SEQPACKET), descriptors along with it."""

from __future__ import annotations

import array
import json
import socket
from collections.abc import Sequence
from typing import Any

MESSAGE_BYTES = 1 << 20
"""More than a socket pair carries in one piece, so a message is never cut."""

MOST_DESCRIPTORS = 3


def socket_pair() -> tuple[socket.socket, socket.socket]:
    return socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)


def send(control: socket.socket, message: dict[str, Any], fds: Sequence[int] = ()) -> None:
    data = json.dumps(message).encode()
    if fds:
        socket.send_fds(control, [data], fds)
    else:
        control.send(data)


def receive(control: socket.socket, flags: int = 0) -> tuple[dict[str, Any] | None, list[int]]:
    """One message (None: the other end is closed) and the descriptors that came with it, which no child inherits by
    accident. With MSG_DONTWAIT, raises BlockingIOError when there is none."""
    room = socket.CMSG_LEN(MOST_DESCRIPTORS * array.array("i").itemsize)
    try:
        data, ancillary, _, _ = control.recvmsg(MESSAGE_BYTES, room, socket.MSG_CMSG_CLOEXEC | flags)
    except ConnectionError:
        return None, []
    fds = array.array("i")
    for level, kind, payload in ancillary:
        if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
            fds.frombytes(payload[: len(payload) - len(payload) % fds.itemsize])
    return (json.loads(data) if data else None), list(fds)

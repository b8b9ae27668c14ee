"""A network of the tests' own, in which every address in the world is this machine: whatever leaves a program arrives
here, and is seen. Needs root."""

from __future__ import annotations

import asyncio
import ctypes
import os
import socket
import struct
import subprocess
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, TypeVar

CLONE_NEWNET = 0x40000000
ETH_P_ALL = 0x0003
PACKET_OUTGOING = 4
SO_RCVBUFFORCE = 33
TAP_BYTES = 64 << 20
"""So that nothing is missed while the loop has other things to do."""

SET_UP = (
    "ip link set lo up",
    # WebRTC looks for cards, and loopback is none.
    "ip link add card0 type veth peer name card1",
    "ip addr add 198.51.100.2/24 dev card0",
    "ip link set card0 up",
    "ip link set card1 up",
    "ip route add default dev card0",
    # Every address is one of this machine's.
    "ip route add local 0.0.0.0/0 dev lo",
    "ip -6 route add local ::/0 dev lo",
)

Result = TypeVar("Result")

LONGEST_S = 100
"""Bounds a hang; reached only by a test that fails."""


def unshare(flags: int) -> None:
    """Of this thread only, and of what it starts. Raises `OSError`."""
    if ctypes.CDLL(None, use_errno=True).unshare(flags) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


@dataclass(frozen=True)
class Packet:
    """The first of a connection, or a datagram."""

    kind: str
    address: str
    port: int


class OwnNetwork:
    """A thread with a loop in a network of its own, for as long as `with` lasts. What it starts is in there too."""

    def __init__(self) -> None:
        self.loop: asyncio.AbstractEventLoop
        self._packets: list[Packet] = []
        self._tap: socket.socket | None = None
        self._ready = threading.Event()
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="own network")

    def __enter__(self) -> OwnNetwork:
        self._thread.start()
        self._ready.wait()
        if self._error is not None:
            self._thread.join()
            raise self._error
        return self

    def __exit__(self, *_: object) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """There, and wait for it here."""
        future: Future[Result] = asyncio.run_coroutine_threadsafe(work, self.loop)
        return future.result(LONGEST_S)

    def _run(self) -> None:
        try:
            self._set_up()
        except (OSError, subprocess.CalledProcessError) as error:  # whoever entered raises it
            self._error = error
            return
        finally:
            self._ready.set()
        assert self._tap is not None
        self.loop.add_reader(self._tap.fileno(), self.see)
        try:
            self.loop.run_forever()
        finally:
            self.loop.remove_reader(self._tap.fileno())
            self._tap.close()
            self.loop.run_until_complete(self.loop.shutdown_asyncgens())
            self.loop.close()

    def _set_up(self) -> None:
        unshare(CLONE_NEWNET)
        for command in SET_UP:
            subprocess.run(command.split(), check=True, capture_output=True)
        self._tap = open_tap()
        self.loop = asyncio.new_event_loop()

    def see(self) -> list[Packet]:
        """All packets until now."""
        assert self._tap is not None
        while True:
            try:
                frame, where = self._tap.recvfrom(65535)
            except BlockingIOError:
                return self._packets
            # Each is seen going out and coming in.
            packet = read_packet(frame[14:]) if where[2] == PACKET_OUTGOING else None
            if packet is not None:
                self._packets.append(packet)


def open_tap() -> socket.socket:
    """Sees all that passes in this network, as it goes out and as it comes in."""
    tap = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
    tap.setblocking(False)
    tap.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, TAP_BYTES)
    return tap


def read_packet(data: bytes) -> Packet | None:
    """None for what belongs to a connection that has begun, and for what is neither TCP nor UDP."""
    if data[0] >> 4 == 4:
        protocol, header, address = data[9], (data[0] & 15) * 4, socket.inet_ntop(socket.AF_INET, data[16:20])
    else:
        protocol, header, address = data[6], 40, socket.inet_ntop(socket.AF_INET6, data[24:40])
    body = data[header:]
    if protocol == socket.IPPROTO_UDP:
        return Packet("udp", address, struct.unpack_from("!H", body, 2)[0])
    if protocol == socket.IPPROTO_TCP and body[13] & 0x12 == 0x02:  # SYN without ACK
        return Packet("tcp", address, struct.unpack_from("!H", body, 2)[0])
    return None

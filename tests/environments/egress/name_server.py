"""A name server of the tests' own, and a machine that asks it: names that change, and names that lie. Needs root, and a
network of its own."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import dns.message
import dns.rcode
import dns.rdatatype
import dns.rrset

from environments.egress.network import unshare

CLONE_NEWNS = 0x00020000

SERVER = "127.0.0.53"

Records = Mapping[str, Sequence[str]]
"""Of one name, by type."""


class NameServer(asyncio.DatagramProtocol):
    """Answers from a book: for each name what it says the first time, the second, and so on, the last for ever."""

    def __init__(self, book: Mapping[str, Sequence[Records]]) -> None:
        self._book = book
        self._transport: asyncio.DatagramTransport | None = None
        self.asked: list[tuple[str, str]] = []

    async def start(self) -> None:
        loop = asyncio.get_running_loop()
        self._transport, _ = await loop.create_datagram_endpoint(lambda: self, local_addr=(SERVER, 53))

    def stop(self) -> None:
        if self._transport is not None:
            self._transport.close()

    def datagram_received(self, data: bytes, source: tuple[str, int]) -> None:
        query = dns.message.from_wire(data)
        response = dns.message.make_response(query)
        (question,) = query.question
        name, kind = question.name.to_text(omit_final_dot=True).lower(), dns.rdatatype.to_text(question.rdtype)
        rounds = self._book.get(name)
        if rounds is None:
            response.set_rcode(dns.rcode.NXDOMAIN)
        else:
            asked_before = self.asked.count((name, kind))
            records = rounds[min(asked_before, len(rounds) - 1)]
            self._answer(response, name, kind, records)
        self.asked.append((name, kind))
        assert self._transport is not None
        self._transport.sendto(response.to_wire(), source)

    def _answer(self, response: dns.message.Message, name: str, kind: str, records: Records) -> None:
        """A name that stands for another is answered with that one's records too, as name servers do."""
        for answered in ("CNAME", kind):
            if answered in records:
                # A life of no seconds: nobody may keep it.
                response.answer.append(dns.rrset.from_text(f"{name}.", 0, "IN", answered, *records[answered]))
        for target in records.get("CNAME", ()):
            self._answer(response, target.removesuffix("."), kind, self._book[target.removesuffix(".")][0])


def ask_only_that_server(folder: Path) -> None:
    """For this thread, and what it starts: its own view of the files that say where names are looked up. Raises
    `OSError`, `CalledProcessError`."""
    unshare(CLONE_NEWNS)
    subprocess.run(["mount", "--make-rprivate", "/"], check=True, capture_output=True)
    for name, text in {
        "resolv.conf": f"nameserver {SERVER}\noptions timeout:5 attempts:3\n",
        "nsswitch.conf": "hosts: files dns\n",
        "hosts": "127.0.0.1 localhost\n",
    }.items():
        ours, real = folder / name, Path("/etc") / name
        if real.exists():
            ours.write_text(text)
            subprocess.run(["mount", "--bind", str(ours), str(real.resolve())], check=True, capture_output=True)

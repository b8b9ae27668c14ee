"""From the host a request asks for to a connection: judged by name, resolved once, each address judged, and connected
to one of those addresses and no other."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import aiohappyeyeballs

from gui_environments.egress.addresses import Address
from gui_environments.egress.peer import CHUNK_BYTES, Peer
from gui_environments.egress.ranges import IpAddress
from gui_environments.egress.rules import HostRules, Purpose, Verdict
from gui_environments.egress.terms import Refused, Terms

PURPOSE: Purpose = "resource"
"""Who only sees connections cannot tell documents from what they are made of: the wider rule holds here."""

NEXT_ADDRESS_S = 0.25
"""How long one address may take before another of the host's is tried beside it."""


@dataclass(frozen=True, slots=True)
class Destination:
    """`verdicts` by scheme: with one that is allowed, the host may be connected to. All of `ips` were judged; where
    there are none, because the name could not be resolved, `failure` says why."""

    address: Address
    verdicts: Mapping[str, Verdict]
    ips: Sequence[IpAddress] = ()
    failure: Refused | None = None

    @property
    def verdict(self) -> Verdict:
        """The one that counts as long as it is open which scheme will be spoken."""
        verdicts = list(self.verdicts.values())
        return next((verdict for verdict in verdicts if verdict.allowed), verdicts[0])


async def judge_destination(candidates: Sequence[Address], terms: Terms) -> Destination:
    """The candidates are one host and port with each scheme that may be meant. A name that no rule allows is not looked
    up."""
    named = {address.scheme: terms.rules.judge(address, PURPOSE) for address in candidates}
    address = candidates[0]
    if not any(verdict.allowed for verdict in named.values()):
        return Destination(address, named)
    try:
        ips = [address.ip] if address.ip is not None else await _resolve(address.host, terms)
    except Refused as failure:
        return Destination(address, named, failure=failure)
    verdicts = {
        candidate.scheme: _judge_all(terms.rules, candidate, ips)
        if named[candidate.scheme].allowed
        else named[candidate.scheme]
        for candidate in candidates
    }
    return Destination(address, verdicts, ips)


def _judge_all(rules: HostRules, address: Address, ips: Sequence[IpAddress]) -> Verdict:
    """One address that is refused refuses the name: where names point to both kinds, somebody is trying something."""
    verdicts = [rules.judge_ip(address, ip, PURPOSE) for ip in ips]
    return next((verdict for verdict in verdicts if not verdict.allowed), verdicts[0])


async def _resolve(name: str, terms: Terms) -> Sequence[IpAddress]:
    try:
        async with asyncio.timeout(terms.limits.resolve_s):
            ips = await terms.resolve(name)
    except TimeoutError:
        raise Refused(504, f"The name {name} could not be looked up in time.") from None
    except OSError:
        ips = ()
    if not ips:
        raise Refused(502, f"The name {name} is not known.")
    return ips


async def connect(destination: Destination, terms: Terms) -> Peer:
    """Raises `Refused`."""
    if destination.failure is not None:
        raise destination.failure
    port, host = destination.address.port, destination.address.host_and_port
    infos = [
        (
            socket.AF_INET if ip.version == 4 else socket.AF_INET6,
            socket.SOCK_STREAM,
            socket.IPPROTO_TCP,
            "",
            (str(ip), port) if ip.version == 4 else (str(ip), port, 0, 0),
        )
        for ip in destination.ips
    ]
    try:
        async with asyncio.timeout(terms.limits.connect_s):
            connected = await aiohappyeyeballs.start_connection(
                infos, happy_eyeballs_delay=NEXT_ADDRESS_S, interleave=1
            )
    except TimeoutError:
        raise Refused(504, f"{host} does not answer.") from None
    except OSError as error:
        raise Refused(502, f"{host} cannot be connected to: {error.strerror or error}.") from error
    try:
        return Peer(*await asyncio.open_connection(sock=connected, limit=CHUNK_BYTES))
    except BaseException:
        connected.close()
        raise

"""What one client or host may take up of the egress proxy."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EgressLimits:
    """So many `connections` at once take twice as many file descriptors, of which a process often has 1024.
    `head_bytes` bounds a request's or response's head, and a TLS hello. `head_s` is how long one may take to arrive
    from its first byte on, `resolve_s` and `connect_s` what a name server and a host may take. A connection on which
    nothing moves is ended after `idle_s`, or `half_closed_s` when one end has said that it sends no more."""

    connections: int = 400
    head_bytes: int = 65536
    head_s: float = 30.0
    resolve_s: float = 10.0
    connect_s: float = 30.0
    idle_s: float = 900.0
    half_closed_s: float = 60.0

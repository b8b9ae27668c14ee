"""What may be reached from a session, and the proxy that holds it to that.

- `rules`: the one object that every layer asks, over `entries` (the grammar of what is listed), `addresses` (as
  browsers read them) and `ranges` (addresses that are not public).
- `proxy`: the life of one proxy; `connection`: one client's requests; `destinations`: judged, resolved once,
  connected; `forwarding`: plain HTTP; `tunnels` over `openings` and `hello`: CONNECT; `http_end` and `peer`: HTTP and
  bytes with one peer; `passages` over `events`: what is told; `limits`, `resolving`, `terms`: what connections share.
- `switches`: how browsers and other programs are sent through it; `asking`: why it opens no tunnel.
"""

from gui_environments.egress.entries import BadEntry, HostRule, parse_entry
from gui_environments.egress.events import EgressEvent, RequestEnded, RequestJudged
from gui_environments.egress.limits import EgressLimits
from gui_environments.egress.proxy import EgressProxy, ProxyAddress
from gui_environments.egress.rules import HostRules, Verdict
from gui_environments.egress.switches import chromium_switches, proxy_variables

__all__ = [
    "BadEntry",
    "EgressEvent",
    "EgressLimits",
    "EgressProxy",
    "HostRule",
    "HostRules",
    "ProxyAddress",
    "RequestEnded",
    "RequestJudged",
    "Verdict",
    "chromium_switches",
    "parse_entry",
    "proxy_variables",
]

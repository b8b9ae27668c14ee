"""The hosts that the tests' own sites have, all on this machine, as rules and as options of `exec`."""

from __future__ import annotations

from gui_environments.browser.rules import BrowserRules
from gui_environments.egress.rules import HostRules

LOOPBACK_HOSTS = ("127.0.0.1", "127.0.0.2", "localhost")

NOBODY = "nobody.invalid"
"""A name that may be gone to, and that nobody has."""

LOOPBACK = HostRules.of([*LOOPBACK_HOSTS, NOBODY])

LOOPBACK_RULES = BrowserRules(hosts=LOOPBACK)


def allowing(hosts: tuple[str, ...] = LOOPBACK_HOSTS) -> list[str]:
    return [word for host in hosts for word in ("--allow", host)]

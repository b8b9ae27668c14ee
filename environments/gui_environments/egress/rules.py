"""What may be reached: one frozen object that every layer asks, and that travels as it is. Looks nothing up itself.

A document (a page, in any frame) must be on the list. What documents are made of (pictures, scripts, requests of
theirs) may have a list of its own, or be any public host. Names of allowed hosts are judged twice: as they are asked
for, and by each address they turn out to have.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from gui_environments.egress.addresses import Address
from gui_environments.egress.entries import HostRule, is_localhost, parse_entry
from gui_environments.egress.makers import is_makers
from gui_environments.egress.ranges import IpAddress, special_kind, without_zone
from gui_environments.errors import ActionRefused

Purpose = Literal["document", "resource"]
Subresources = Literal["listed", "public"]

SHOWN_RULES = 10
"""How many rules a refusal names at most."""

# The names of rules that are no entry of a list.
ANY_HOST = "any host"
PUBLIC_RESOURCES = "public resources"
NOTHING_LISTED = "nothing is listed"
NOT_LISTED = "not listed"
NOT_PUBLIC = "not public"
BROWSERS_OWN = "browser's own"

THIS_MACHINE = "this machine by name"


@dataclass(frozen=True, slots=True)
class Verdict:
    """`rule` is the entry that decided, as it can be written, or the name of a rule that is no entry; `reason` is a
    sentence for a person or a model."""

    allowed: bool
    rule: str
    reason: str


@dataclass(frozen=True, slots=True)
class HostRules:
    """Without anything given, nothing may be reached. `resources` are for what documents are made of, beside
    `documents`. `any_host` and `public_resources` never reach addresses that are not public: those are listed."""

    documents: tuple[HostRule, ...] = ()
    resources: tuple[HostRule, ...] = ()
    any_host: bool = False
    public_resources: bool = False

    @classmethod
    def of(
        cls,
        allow: Iterable[str] = (),
        *,
        allow_resources: Iterable[str] = (),
        any_host: bool = False,
        subresources: Subresources = "listed",
    ) -> HostRules:
        """From entries as `entries` describes them. Raises `BadEntry`."""
        return cls(
            documents=tuple(map(parse_entry, allow)),
            resources=tuple(map(parse_entry, allow_resources)),
            any_host=any_host,
            public_resources=subresources == "public",
        )

    @property
    def names(self) -> tuple[str, ...]:
        """Every host that may be asked for, as names are written (`*.example.com`); `*` alone where any may be."""
        if self.any_host or self.public_resources:
            return ("*",)
        return tuple(f"{'*.' if rule.subdomains else ''}{rule.host}" for rule in (*self.documents, *self.resources))

    def judge(self, address: Address, purpose: Purpose) -> Verdict:
        """By how it is written. A name that passes here is still judged by its addresses (`judge_ip`)."""
        host = address.host_and_port
        for rule in self._rules(purpose):
            if rule.allows(address):
                return Verdict(True, str(rule), f"{host} is listed as {rule}.")
        wide = self._wide(purpose)
        if wide is None:
            return self._not_listed(host, purpose)
        kind = THIS_MACHINE if is_localhost(address.host) else None if address.ip is None else special_kind(address.ip)
        if kind is not None:
            return Verdict(False, NOT_PUBLIC, f"{host} is {kind}, which is reached only when it is listed.")
        if is_makers(address.host):
            return Verdict(False, BROWSERS_OWN, f"{host} is what browsers ask by themselves; list it if it is meant.")
        return Verdict(True, wide, f"{host} is not listed, but {_WIDE_REASONS[wide]}.")

    def require_document(self, address: Address) -> None:
        """Raises `ActionRefused` when no page may be opened from there."""
        verdict = self.judge(address, "document")
        if not verdict.allowed:
            raise ActionRefused(f"This is not allowed: {verdict.reason}")

    def judge_ip(self, address: Address, ip: IpAddress, purpose: Purpose) -> Verdict:
        """Whether a host that `judge` allows may be found at this address."""
        ip = without_zone(ip)
        allowing = [rule for rule in self._rules(purpose) if rule.allows(address)]
        for rule in allowing:
            if rule.may_be_at(ip):
                place = "" if address.ip is not None else f" and found at {ip}"
                return Verdict(True, str(rule), f"{address.host_and_port} is listed as {rule}{place}.")
        kind = special_kind(ip)
        wide = self._wide(purpose)
        if wide is not None and kind is None and address.ip in (None, ip):
            return Verdict(True, wide, f"{address.host} is at {ip}, and {_WIDE_REASONS[wide]}.")
        if not allowing and wide is None:
            return self._not_listed(address.host_and_port, purpose)
        rule_name = str(allowing[0]) if allowing else NOT_PUBLIC
        return Verdict(False, rule_name, _wrong_place(address.host, ip, kind, allowing))

    def _rules(self, purpose: Purpose) -> Iterator[HostRule]:
        yield from self.documents
        if purpose == "resource":
            yield from self.resources

    def _wide(self, purpose: Purpose) -> str | None:
        """The rule for hosts that are in no list."""
        if self.any_host:
            return ANY_HOST
        return PUBLIC_RESOURCES if self.public_resources and purpose == "resource" else None

    def _not_listed(self, host: str, purpose: Purpose) -> Verdict:
        rules = list(self._rules(purpose))
        if not rules:
            return Verdict(False, NOTHING_LISTED, f"{host} is not listed: no host is, so nothing can be reached.")
        listed = ", ".join(map(str, rules[:SHOWN_RULES])) + (", and more" if len(rules) > SHOWN_RULES else "")
        return Verdict(False, NOT_LISTED, f"{host} is not listed. Listed are: {listed}.")


NO_HOST = HostRules()
"""Nothing may be reached."""

_WIDE_REASONS = {
    ANY_HOST: "any public host is allowed",
    PUBLIC_RESOURCES: "parts of pages may come from any public host",
}


def _wrong_place(host: str, ip: IpAddress, kind: str | None, allowing: list[HostRule]) -> str:
    ranges = [str(rule.addresses) for rule in allowing if rule.addresses is not None]
    if ranges:
        return f"{host} was found at {ip}, and is listed for {' and '.join(ranges)} only."
    what = kind or "another address"
    return f"{host} was found at {ip}, {what}; such a name must be listed with its range, as in {host}={ip}."

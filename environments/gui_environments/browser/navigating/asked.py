"""A request that the browser is about to make: what of a page it is for, and whether the rules allow it. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gui_environments.egress.addresses import address_of
from gui_environments.egress.rules import HostRules, Purpose, Verdict

DOCUMENT = "Document"

PREFETCH = "Prefetch"

WORDS: Mapping[str, str] = {
    DOCUMENT: "frame document",
    "Stylesheet": "style sheet",
    "Image": "picture",
    "Media": "media file",
    "Font": "font",
    "Script": "script",
    "TextTrack": "subtitle file",
    "XHR": "script request",
    "Fetch": "script request",
    "Preflight": "script request",
    "EventSource": "event stream",
    PREFETCH: "prefetched page",
    "Manifest": "manifest",
    "Ping": "ping",
    "CSPViolationReport": "report",
}
"""By the protocol's kind of request. More than one takes an s."""

OTHER = "other part"
SERVICE_WORKER = "service worker"

HARMLESS_SCHEMES = ("data:", "blob:")
"""Of the page's own making: nobody is asked for them."""

NOT_READ = Verdict(False, "not an address", "It is not an address that can be judged.")
OF_THE_PAGE = Verdict(True, "no host", "It is of the page's own making.")
NO_SERVICE_WORKERS = Verdict(False, "service workers are off", "Service workers are off here.")


@dataclass(frozen=True, slots=True)
class AskedRequest:
    """`handle` is what the browser calls it while it waits. `frame_id` is empty for what belongs to none. `hop`:
    whether a redirect led here."""

    handle: str
    url: str
    kind: str
    frame_id: str
    hop: bool
    starts_service_worker: bool

    @classmethod
    def of(cls, paused: Mapping[str, Any]) -> AskedRequest:
        """From the event `Fetch.requestPaused`."""
        request = paused["request"]
        headers = {name.lower(): value for name, value in request["headers"].items()}
        return cls(
            handle=paused["requestId"],
            url=request["url"],
            kind=PREFETCH if headers.get("sec-purpose", "").startswith("prefetch") else paused["resourceType"],
            frame_id=paused.get("frameId", ""),
            hop="redirectedRequestId" in paused,
            # The browser sets it on nothing else; a page that does is refused what it asked for, and no more.
            starts_service_worker=headers.get("service-worker") == "script",
        )

    @property
    def is_document(self) -> bool:
        """Whether it is what a page or frame is to show now."""
        return self.kind == DOCUMENT

    @property
    def purpose(self) -> Purpose:
        """What is fetched ahead may be shown as a page, and then nobody is asked again."""
        return "document" if self.kind in (DOCUMENT, PREFETCH) else "resource"

    @property
    def host(self) -> str:
        """`HOST[:PORT]`, empty where it has none."""
        address = address_of(self.url)
        return "" if address is None else address.host_and_port

    @property
    def words(self) -> str:
        """What it is for."""
        return SERVICE_WORKER if self.starts_service_worker else WORDS.get(self.kind, OTHER)

    def judged_by(self, hosts: HostRules) -> Verdict:
        if self.url.startswith(HARMLESS_SCHEMES):
            return OF_THE_PAGE
        address = address_of(self.url)
        if address is None:
            return NOT_READ
        verdict = hosts.judge(address, self.purpose)
        return NO_SERVICE_WORKERS if verdict.allowed and self.starts_service_worker else verdict

"""What happened beside the calls, as sentences for a person. Texts in them may be a page's: whoever shows a sentence
escapes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from gui_operator.recording.run_events import NOTICED

Event = Mapping[str, Any]


def happening_text(event: Event) -> str | None:
    """None for an event that says nothing to a person, or that is not known."""
    teller = _TELLERS.get(event["event"])
    return None if teller is None else teller(event)


def _dialog(event: Event) -> str:
    done = "accepted" if event.get("accepted") else "dismissed"
    answer = f" with “{event['text']}”" if event.get("text") is not None else ""
    who = {"rule": "by rule", "person": "by a person"}.get(str(event.get("by")), f"({event.get('by')})")
    return f"The page's {event.get('kind')} “{event.get('message')}” was {done}{answer}, {who}."


def _times(event: Event) -> str:
    count = event.get("count", 1)
    return f", {count} times" if count != 1 else ""


def _navigation(event: Event) -> str:
    where = event.get("host") or f"a {event.get('scheme') or 'page of another kind'} address"
    return f"Going to {where} was refused{_times(event)}."


def _request(event: Event) -> str:
    return f"A {event.get('what')} from {event.get('host')} was refused ({event.get('reason')}){_times(event)}."


def _egress(event: Event) -> str:
    return f"A connection to {event.get('host')}:{event.get('port')} was refused: {event.get('reason')}"


_TELLERS: Mapping[str, Callable[[Event], str]] = {
    NOTICED: lambda event: str(event.get("text")),
    "dialog_answered": _dialog,
    "navigation_refused": _navigation,
    "request_refused": _request,
    "egress_refused": _egress,
}

